/* SPDX-License-Identifier: BSD-2-Clause */
/* The patch table in no-init RAM. A warm restart that does not reload text finds the trap words
 * of the last run in place. The patch table has their originals. PROTOCOL.md 7 */
#include "dp_keep.h"

#include "dp_crc.h"
#include "dp_memory.h"
#include "dp_watches.h"

#if DP_WITH_INTEGRITY
enum {
	DP_KEEP_MAGIC = 0x44504b32,   /* "DPK2": another layout of struct dp_keep is another one */
	DP_KEEP_SESSION = 0x44504b53, /* "DPKS" */
	/* what lies behind outlives a start */
	DP_KEEP_CLEARED = offsetof(struct dp_keep, entry) + sizeof(((struct dp_keep *)0)->entry),
};

static uint32_t entry_check(const struct dp_keep_entry *entry)
{
	return dp_crc32(0, entry, offsetof(struct dp_keep_entry, check));
}

/* Copy the displaced instruction between site and note. */
#if DP_PORT_INSN_BYTES_MAX > 4
#define DP_COPY_ORIGINAL(to, from)                                                                 \
	((to)->original = (from)->original,                                                        \
	 dp_copy((to)->original_bytes, (from)->original_bytes, DP_PORT_INSN_BYTES_MAX))
#else
#define DP_COPY_ORIGINAL(to, from) ((to)->original = (from)->original)
#endif

/* Does the site leave a trap in the text over a reset? */
static bool is_kept(const struct dp_agent *agent, const struct dp_site *site)
{
	return !dp_site_is_watch(agent, site) && !dp_site_is_compared(site);
}

static bool recall(const struct dp_keep_entry *entry, struct dp_site *site)
{
	if (entry->check != entry_check(entry))
		return false;
	site->address = entry->address;
	DP_COPY_ORIGINAL(site, entry);
	site->isa = entry->isa & 0xfu;
	site->insn_bytes = entry->insn_bytes;
	site->means = entry->means & 0xfu;
	return true;
}

static struct dp_keep_entry *entry_of(struct dp_agent *agent, const struct dp_site *site)
{
	return &agent->keep->entry[site - agent->site];
}

void dp_keep_recall(struct dp_agent *agent, struct dp_site *site)
{
	if (!dp_site_is_watch(agent, site))
		recall(entry_of(agent, site), site);
}

/* *noted: there were traps, in the text or not. */
static uint8_t restore_entries(const struct dp_keep *keep, uint8_t *noted)
{
	uint8_t restored = 0;

	for (unsigned i = 0; i < DP_MAX_PROBES; i++) {
		struct dp_site site;
		uint32_t found;

		dp_clear(&site, sizeof(site));
		if (!recall(&keep->entry[i], &site))
			continue;
		*noted = 1;
		if (dp_port_is_armed(&site, &found) && dp_port_disarm(&site) == DP_ERR_OK)
			restored++;
	}
	return restored;
}

uint8_t dp_keep_restore(struct dp_agent *agent)
{
	struct dp_keep *keep = agent->keep;
	bool valid = keep->magic == DP_KEEP_MAGIC && keep->boot_check == ~keep->boot;
	uint8_t restored = valid ? restore_entries(keep, &agent->resumed) : 0;
	uint32_t boot = valid ? keep->boot + 1 : 1;

	if (valid && keep->session == DP_KEEP_SESSION)
		agent->resumed = 1;
	dp_clear(keep, DP_KEEP_CLEARED); /* a check of 0 is wrong for an entry of zeros */
	keep->magic = DP_KEEP_MAGIC;
	keep->boot = boot;
	keep->boot_check = ~boot;
	agent->boot = (uint16_t)boot;
	return restored;
}

void dp_keep_session(struct dp_agent *agent, bool open)
{
	agent->keep->session = open ? DP_KEEP_SESSION : 0;
	dp_port_keep_written(&agent->keep->session, sizeof(agent->keep->session));
}

void dp_keep_forget(struct dp_agent *agent, const struct dp_site *site)
{
	struct dp_keep_entry *e;

	if (!is_kept(agent, site))
		return;
	e = entry_of(agent, site);
	/* The check of an entry without address is not 0. */
	e->check = 0;
	e->address = 0;
	e->original = 0;
	e->isa = e->insn_bytes = e->means = 0;
#if DP_PORT_INSN_BYTES_MAX > 4
	dp_clear(e->original_bytes, sizeof(e->original_bytes));
#endif
}

/* Written before the text changes: a reset between the two finds a word that is still the original,
 * and dp_port_disarm leaves it alone. */
void dp_keep_note(struct dp_agent *agent, const struct dp_site *site)
{
	struct dp_keep_entry *e;

	if (!is_kept(agent, site))
		return;
	e = entry_of(agent, site);
	dp_clear(e, sizeof(*e));
	e->address = site->address;
	DP_COPY_ORIGINAL(e, site);
	e->isa = site->isa;
	e->insn_bytes = site->insn_bytes;
	e->means = site->means;
	e->check = entry_check(e);
	dp_port_keep_written(e, sizeof(*e));
}
#endif

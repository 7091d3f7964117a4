/* SPDX-License-Identifier: BSD-2-Clause */
/* The patch table in no-init RAM. A warm restart that does not reload text finds the trap words of
 * the last run still there; this table says what belongs in their place.  spec/safety.md 3.4 (9) */
#include "dp_core.h"
#include "dp_crc.h"
#include "dp_memory.h"

enum {
	KEEP_MAGIC = 0x44504b31
}; /* "DPK1" */

static uint32_t keep_crc(const struct dp_keep *keep)
{
	return dp_crc32(0, keep, offsetof(struct dp_keep, crc));
}

static uint8_t restore_entries(const struct dp_keep *keep)
{
	uint8_t restored = 0;

	for (unsigned i = 0; i < DP_MAX_PROBES; i++) {
		const struct dp_keep_entry *entry = &keep->entry[i];
		struct dp_site site;

		if (!entry->used)
			continue;
		dp_clear(&site, sizeof(site));
		site.address = entry->address;
		site.original = entry->original;
		site.isa = entry->isa;
		site.insn_bytes = entry->insn_bytes;
		if (dp_port_disarm(&site) == DP_ERR_OK)
			restored++;
	}
	return restored;
}

uint8_t dp_keep_restore(struct dp_agent *agent)
{
	struct dp_keep *keep = agent->keep;
	bool valid = keep->magic == KEEP_MAGIC && keep->crc == keep_crc(keep);
	uint8_t restored = valid ? restore_entries(keep) : 0;
	uint32_t boot = valid ? keep->boot + 1 : 1;

	dp_clear(keep, sizeof(*keep));
	keep->magic = KEEP_MAGIC;
	keep->boot = boot;
	keep->crc = keep_crc(keep);
	agent->boot = (uint16_t)boot;
	return restored;
}

/* Written before the text changes: a reset between the two finds a word that is still the original,
 * and dp_port_disarm leaves it alone. */
void dp_keep_note(struct dp_agent *agent, uint8_t entry, const struct dp_site *site)
{
	struct dp_keep_entry *e = &agent->keep->entry[entry];

	e->address = site->address;
	e->original = site->original;
	e->isa = site->isa;
	e->insn_bytes = site->insn_bytes;
	e->used = 1;
	agent->keep->crc = keep_crc(agent->keep);
}

void dp_keep_forget(struct dp_agent *agent, uint8_t entry)
{
	agent->keep->entry[entry].used = 0;
	agent->keep->crc = keep_crc(agent->keep);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of comparators: which one watches a range, and which ones an access is for. */
#include "dp_watches.h"

#include "dp_lock.h"
#include "dp_memory.h"

#if DP_PORT_COMPARATORS > 0
struct dp_watch *dp_watch_of(struct dp_agent *agent, const struct dp_site *site)
{
	return &agent->watch[site - agent->site - DP_WATCH_BASE];
}

/* --- a range --- */

static bool is_same(const struct dp_watch *watch, const struct dp_watch *asked)
{
	return watch->address == asked->address && watch->bytes == asked->bytes &&
	       watch->kind == asked->kind;
}

static bool is_free(const struct dp_agent *agent, unsigned n)
{
	return agent->site[DP_WATCH_BASE + n].chain == DP_SITE_FREE && agent->watch[n].serves == 0;
}

/* Let the port try the comparators for the range. A debugger or the firmware may own any of them.
 * Returns the number of a free one that can watch the range; DP_PORT_COMPARATORS: there is none,
 * for the reason. */
static unsigned find_free(const struct dp_agent *agent, struct dp_watch *asked, enum dp_err *error)
{
	unsigned n;

	*error = DP_ERR_NO_WATCHPOINT;
	for (n = 0; n < DP_PORT_COMPARATORS; n++) {
		enum dp_err answer;

		asked->comparator = (uint8_t)n;
		answer = dp_port_watch_prepare(asked);
		if (answer == DP_ERR_OK && is_free(agent, n)) {
			*error = DP_ERR_OK;
			return n;
		}
		if (answer != DP_ERR_NO_WATCHPOINT)
			*error = answer == DP_ERR_OK ? DP_ERR_NO_COMPARATOR : answer;
	}
	return n;
}

unsigned dp_watches_count(struct dp_agent *agent, unsigned kind, unsigned bytes,
			  unsigned *available)
{
	struct dp_watch asked;
	unsigned count = 0;

	*available = 0;
	for (unsigned n = 0; n < DP_PORT_COMPARATORS; n++) {
		dp_clear(&asked, sizeof(asked));
		asked.bytes = bytes;
		asked.kind = (uint8_t)kind;
		asked.comparator = (uint8_t)n;
		if (dp_port_watch_prepare(&asked) != DP_ERR_OK)
			continue;
		count++;
		*available += is_free(agent, n);
	}
	return count;
}

struct dp_site *dp_watch_find(struct dp_agent *agent, struct dp_watch *asked, enum dp_err *error)
{
	unsigned n;

	*error = DP_ERR_OK;
	for (n = 0; n < DP_PORT_COMPARATORS; n++) {
		struct dp_site *site = &agent->site[DP_WATCH_BASE + n];

		if (site->chain != DP_SITE_FREE && is_same(&agent->watch[n], asked))
			return site;
	}
	n = find_free(agent, asked, error);
	return n < DP_PORT_COMPARATORS ? &agent->site[DP_WATCH_BASE + n] : NULL;
}

/* --- the instruction of a site --- */

enum dp_err dp_compare_take(struct dp_agent *agent, struct dp_site *site)
{
	struct dp_watch asked;
	enum dp_err error;
	unsigned n;

	if (!(DP_PORT_WATCH_KINDS & 1u << DP_PROBE_BREAK))
		return DP_ERR_NOT_PATCHABLE;
	dp_clear(&asked, sizeof(asked));
	asked.address = site->address;
	asked.bytes = site->insn_bytes;
	asked.kind = DP_PROBE_BREAK;
	n = find_free(agent, &asked, &error);
	if (n < DP_PORT_COMPARATORS) {
		asked.serves = (uint8_t)(site - agent->site + 1);
		dp_copy(&agent->watch[n], &asked, sizeof(asked));
		site->means = asked.means;
	}
	return error == DP_ERR_NO_WATCHPOINT ? DP_ERR_NOT_PATCHABLE : error;
}

struct dp_watch *dp_compare_of(struct dp_agent *agent, const struct dp_site *site)
{
	for (unsigned n = 0; n < DP_PORT_COMPARATORS; n++)
		if (agent->watch[n].serves == site - agent->site + 1)
			return &agent->watch[n];
	return NULL;
}

bool dp_compare_stands(struct dp_agent *agent, const struct dp_site *site)
{
	const struct dp_watch *watch = dp_compare_of(agent, site);

	return watch && dp_port_watch_holds(watch);
}

enum dp_err dp_compare_put(struct dp_agent *agent, const struct dp_site *site)
{
	const struct dp_watch *watch = dp_compare_of(agent, site);

	if (!watch || dp_port_watch_arm(watch) != DP_ERR_OK)
		return DP_ERR_NOT_PATCHABLE;
	dp_port_arm_compared(site);
	return DP_ERR_OK;
}

static void end_compare(struct dp_agent *agent, struct dp_watch *watch)
{
	watch->comparator = (uint8_t)(watch - agent->watch); /* the entry may be damaged */
	dp_port_watch_disarm(watch);
	watch->serves = 0;
}

void dp_compare_end(struct dp_agent *agent, const struct dp_site *site)
{
	struct dp_watch *watch = dp_compare_of(agent, site);

	if (watch)
		end_compare(agent, watch);
}

void dp_compare_end_all(struct dp_agent *agent)
{
	for (unsigned n = 0; n < DP_PORT_COMPARATORS; n++)
		if (!agent->site[DP_WATCH_BASE + n].armed)
			end_compare(agent, &agent->watch[n]);
}

/* --- the value before an access --- */

void dp_watch_note(struct dp_watch *watch)
{
	if (watch->asks_old && watch->bytes <= DP_WATCH_VALUE)
		watch->has_old = dp_watch_value(watch, watch->old);
}

void dp_watch_ask(struct dp_agent *agent, const struct dp_site *site, bool asked)
{
	struct dp_watch *watch = dp_watch_of(agent, site);
	bool before = watch->asks_old;

	watch->asks_old =
		watch->kind != DP_PROBE_WATCH_X && watch->kind != DP_PROBE_WATCH_IO && asked;
	if (site->armed && !before)
		dp_watch_note(watch);
}

/* --- the comparator --- */

enum dp_err dp_watch_put(struct dp_agent *agent, const struct dp_site *site)
{
	enum dp_err error;

	agent->comparators++;
	dp_watches_hold(agent); /* the locked stretch has to pause comparators now */
	dp_watch_note(dp_watch_of(agent, site));
	error = dp_port_watch_arm(dp_watch_of(agent, site));
	dp_watches_release(agent);
	agent->comparators = (uint8_t)(agent->comparators - (error != DP_ERR_OK));
	return error;
}

static void forget(struct dp_watching *watching, unsigned comparator)
{
	watching->matched &= (uint16_t) ~(1u << comparator);
	watching->late &= (uint16_t) ~(1u << comparator);
	watching->strayed = 0; /* this comparator may have reported it */
}

void dp_watch_take(struct dp_agent *agent, const struct dp_site *site)
{
	struct dp_watch *watch = dp_watch_of(agent, site);

	watch->comparator = (uint8_t)(watch - agent->watch); /* the entry may be damaged */
	watch->rests = 0;
	dp_port_watch_disarm(watch);
	agent->comparators--;
	for (unsigned i = 0; i < DP_PORT_CPUS; i++) /* an access may be on its way */
		forget(&agent->cpu[i].watching, watch->comparator);
}

bool dp_watch_stands(struct dp_agent *agent, const struct dp_site *site)
{
	const struct dp_watch *watch = dp_watch_of(agent, site);

	return watch->rests || dp_port_watch_holds(watch);
}

uint32_t dp_watch_ignored(struct dp_agent *agent, const struct dp_site *site)
{
	return dp_site_is_watch(agent, site) ? dp_watch_of(agent, site)->ignored : 0;
}

/* --- an access --- */

/* Is the access one of the range? A CPU that tells no address names the comparator, or says only
 * that there was an access. */
static bool is_in(const struct dp_watched *access, unsigned n, dp_addr first, dp_addr bytes)
{
	if (access->told)
		return dp_watch_overlap(access->address,
					access->bytes ? access->bytes : sizeof(dp_word), first,
					bytes);
	return access->comparators == 0 || (access->comparators >> n & 1);
}

uint16_t dp_watches_match(struct dp_agent *agent, const struct dp_watched *access,
			  uint16_t *covered)
{
	unsigned all = 0, wanted = 0, off = DP_THIS_CPU(agent)->hold.off;
	unsigned n = DP_PORT_COMPARATORS;

	/* From the last one: comparators of data have the higher numbers. */
	for (unsigned armed = agent->comparators; armed > 0 && n-- > 0;) {
		struct dp_watch *watch = &agent->watch[n];

		if (!agent->site[DP_WATCH_BASE + n].armed)
			continue;
		armed--;
		if ((off >> n & 1) || watch->rests || !(access->kinds >> watch->kind & 1) ||
		    !is_in(access, n, watch->first, watch->covers))
			continue;
		all |= 1u << n;
		if (is_in(access, n, watch->address, watch->bytes))
			wanted |= 1u << n;
		else
			watch->ignored++;
	}
	*covered = (uint16_t)all;
	return (uint16_t)wanted;
}

void dp_watches_rest(struct dp_agent *agent, uint16_t comparators)
{
	for (unsigned n = 0; n < DP_PORT_COMPARATORS; n++) {
		struct dp_watch *watch = &agent->watch[n];

		if (!(comparators >> n & 1) || watch->rests)
			continue;
		dp_port_watch_disarm(watch);
		watch->rests = 1;
		agent->poll_due = 1;
		watch->paused = (uint16_t)(watch->paused + (watch->paused != UINT16_MAX));
	}
}

void dp_watches_wake(struct dp_agent *agent)
{
	for (unsigned n = 0; n < DP_PORT_COMPARATORS; n++) {
		struct dp_watch *watch = &agent->watch[n];

		if (!watch->rests)
			continue;
		watch->rests = 0;
		dp_watch_note(watch);
		dp_port_watch_arm(watch); /* the patrol sees one that stays off */
	}
}

/* --- the agent's own accesses --- */

size_t dp_watches_read(dp_addr address, void *to, size_t bytes)
{
	dp_irq irq;
	size_t done;

	if (!dp_watches_armed(dp_the_agent))
		return dp_port_read(address, to, bytes, 0);
	irq = dp_mask_take();
	done = dp_port_read(address, to, bytes, 0);
	dp_mask_give(irq);
	return done;
}

enum dp_err dp_watches_fetch(struct dp_site *site)
{
	dp_irq irq = dp_mask_take();
	enum dp_err error = dp_port_fetch(site);

	dp_mask_give(irq);
	return error;
}

bool dp_watches_is_armed(const struct dp_site *site, uint32_t *found)
{
	dp_irq irq = dp_mask_take();
	bool armed = dp_port_is_armed(site, found);

	dp_mask_give(irq);
	return armed;
}
#endif

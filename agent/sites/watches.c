/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of comparators: which one watches a range, and which ones an access is for. */
#include "dp_watches.h"

#include "dp_lock.h"

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

/* Let the port try the free comparators for the range. A debugger may own any of them. */
static struct dp_site *find_free(struct dp_agent *agent, struct dp_watch *asked, enum dp_err *error)
{
	*error = DP_ERR_NO_COMPARATOR;
	for (unsigned n = 0; n < DP_PORT_COMPARATORS; n++) {
		enum dp_err answer = DP_ERR_NO_COMPARATOR;

		asked->comparator = (uint8_t)n;
		if (agent->site[DP_WATCH_BASE + n].chain == DP_SITE_FREE)
			answer = dp_port_watch_prepare(asked);
		if (answer != DP_ERR_NO_COMPARATOR)
			*error = answer;
		if (answer == DP_ERR_OK)
			return &agent->site[DP_WATCH_BASE + n];
	}
	return NULL;
}

struct dp_site *dp_watch_find(struct dp_agent *agent, struct dp_watch *asked, enum dp_err *error)
{
	*error = DP_ERR_OK;
	for (unsigned n = 0; n < DP_PORT_COMPARATORS; n++) {
		struct dp_site *site = &agent->site[DP_WATCH_BASE + n];

		if (site->chain != DP_SITE_FREE && is_same(&agent->watch[n], asked))
			return site;
	}
	return find_free(agent, asked, error);
}

/* --- the comparator --- */

enum dp_err dp_watch_put(struct dp_agent *agent, const struct dp_site *site)
{
	enum dp_err error;

	agent->comparators++;
	dp_watches_hold(agent); /* the locked stretch has to pause comparators now */
	error = dp_port_watch_arm(dp_watch_of(agent, site));
	dp_watches_release(agent);
	agent->comparators = (uint8_t)(agent->comparators - (error != DP_ERR_OK));
	return error;
}

static void forget(struct dp_watching *watching, unsigned comparator)
{
	watching->matched &= (uint16_t) ~(1u << comparator);
	watching->late &= (uint16_t) ~(1u << comparator);
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

	for (unsigned n = 0; n < DP_PORT_COMPARATORS; n++) {
		struct dp_watch *watch = &agent->watch[n];

		if (!agent->site[DP_WATCH_BASE + n].armed || (off >> n & 1) || watch->rests ||
		    !(access->kinds >> watch->kind & 1) ||
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
	}
}

void dp_watches_wake(struct dp_agent *agent)
{
	for (unsigned n = 0; n < DP_PORT_COMPARATORS; n++) {
		struct dp_watch *watch = &agent->watch[n];

		if (!watch->rests)
			continue;
		watch->rests = 0;
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

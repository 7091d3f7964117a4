/* SPDX-License-Identifier: BSD-2-Clause */
/* The requests for the comparators and vectors of the CPU, and for what stops it at a probe: a part
 * of the feature CHECKS. */
#include "dp_exchange.h"

#include "dp_entries.h"
#include "dp_fields.h"
#include "dp_memory.h"
#include "dp_probes.h"
#include "dp_sites.h"
#include "dp_store.h"
#include "dp_timers.h"
#include "dp_watches.h"

/* Each port with watchpoints of data has one of these kinds. */
#define DP_KIND_OF_DATA                                                                            \
	(DP_PORT_WATCH_KINDS >> DP_PROBE_WATCH_W & 1 ? DP_PROBE_WATCH_W : DP_PROBE_WATCH_RW)

static uint8_t compared_sites(const struct dp_agent *agent)
{
	unsigned count = 0;

	for (unsigned i = 0; i < DP_MAX_PROBES; i++)
		count += agent->site[i].armed && dp_site_is_compared(&agent->site[i]);
	return (uint8_t)count;
}

/* enum dp_lacks */
static uint8_t lacks_code(void)
{
#if DP_PORT_LACKS_CODE
	return (uint8_t)dp_port_lacks_code();
#else
	return DP_LACKS_NOTHING;
#endif
}

/* With own_vectors the port does not know where a vector leads. */
static void tell_vectors(const struct dp_agent *agent, struct dp_exchange *ex)
{
	unsigned vector = DP_VECTORS_HOLD;
	dp_addr leads_to = 0;

	if (!agent->board->own_vectors)
		vector = dp_port_vectors(&leads_to);
	ex->n.hardware.vectors = agent->board->own_vectors   ? DP_VECTORS_OWN
				 : vector == DP_VECTORS_HOLD ? DP_VECTORS_AGENT
							     : DP_VECTORS_TAKEN;
	ex->n.hardware.vector = (uint8_t)vector;
	ex->n.hardware.leads_to = leads_to;
}

enum dp_err dp_do_hardware(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a)
{
	unsigned available;

	(void)a;
	ex->n.hardware.after = (uint8_t)(DP_PORT_WATCH_AFTER & DP_PORT_WATCH_KINDS);
	ex->n.hardware.code = (uint8_t)dp_watches_count(agent, DP_PROBE_BREAK, 4, &available);
	ex->n.hardware.code_free = (uint8_t)available;
	ex->n.hardware.data = (uint8_t)dp_watches_count(agent, DP_KIND_OF_DATA, 1, &available);
	ex->n.hardware.data_free = (uint8_t)available;
	ex->n.hardware.compared = compared_sites(agent);
	ex->n.hardware.lacks = lacks_code();
	ex->n.hardware.sample_hz = DP_WITH_TIMERS ? agent->board->sample_hz : 0;
	ex->n.hardware.timers_free = (uint8_t)dp_timers_free(agent);
	ex->n.hardware.text_by = (uint8_t)(1 + dp_board_means(agent->board));
	tell_vectors(agent, ex);
	return DP_ERR_OK;
}

/* The site of the point; null: it has none. */
static const struct dp_site *site_of(struct dp_agent *agent, const struct dp_exchange *ex)
{
	struct dp_probe *probe = NULL;

	while ((probe = dp_probe_next(agent, DP_ARG(ex, site, program), probe)))
		if (probe->point == DP_ARG(ex, site, index))
			return dp_site_at(agent, probe->site);
	return NULL;
}

#if DP_PORT_COMPARATORS > 0
static const struct dp_watch *comparator_of(struct dp_agent *agent, const struct dp_site *site)
{
	return dp_site_is_watch(agent, site) ? dp_watch_of(agent, site)
					     : dp_compare_of(agent, site);
}

static void tell_comparator(struct dp_agent *agent, struct dp_exchange *ex,
			    const struct dp_site *site)
{
	const struct dp_watch *watch = comparator_of(agent, site);

	if (!watch)
		return;
	ex->n.site.comparator = watch->comparator;
	ex->n.site.paused = watch->paused;
	ex->n.site.ignored = watch->ignored;
	ex->n.site.first = watch->first;
	ex->n.site.covers = watch->covers;
}
#else
static void tell_comparator(struct dp_agent *agent, struct dp_exchange *ex,
			    const struct dp_site *site)
{
	(void)agent, (void)ex, (void)site;
}
#endif

enum dp_err dp_do_site(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a)
{
	const struct dp_site *site;

	(void)a;
	if (DP_ARG(ex, site, index) >= ex->program->probes)
		return DP_ERR_BAD_RANGE;
	site = site_of(agent, ex);
	dp_clear(&ex->n.site, sizeof(ex->n.site));
	ex->n.site.means = ex->n.site.comparator = DP_NONE;
	if (site) {
		ex->n.site.means = site->means;
		tell_comparator(agent, ex, site);
	}
	return DP_ERR_OK;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The check of a watchpoint: does the port have a comparator for the range and the kind? */
#include "dp_kind.h"

#include "dp_memory.h"
#include "dp_module_names.h"
#include "dp_site_check.h"
#include "dp_sites.h"
#include "dp_store.h"
#include "dp_verdict.h"
#include "dp_watches.h"

#if DP_PORT_COMPARATORS > 0
/* The range in the firmware's memory that the point asks for. */
static enum dp_err read_range(const struct dp_agent *agent, const struct dp_spot *spot,
			      struct dp_watch *asked)
{
	const struct dp_point *point = &spot->point;
	const struct dp_module *module =
		dp_module_of(agent, spot->program, dp_program_module(spot->program, point));

	dp_clear(asked, sizeof(*asked));
	asked->address = spot->address;
	asked->bytes = dp_point_watched(spot->program, point);
	asked->kind = point->traits[DP_TR_KIND];
	if (!module || !dp_is_image(agent, module) || asked->bytes == 0 ||
	    asked->address + (asked->bytes - 1) < asked->address ||
	    !(DP_PORT_WATCH_KINDS >> asked->kind & 1))
		return DP_ERR_NO_WATCHPOINT;
	/* The kind decides when the handler runs. */
	return point->traits[DP_TR_PHASE] == DP_PHASE_BEFORE ? DP_ERR_OK : DP_ERR_BAD_PHASE;
}

/* Let the free site be that of the range. */
static void prepare(struct dp_agent *agent, struct dp_site *site, const struct dp_watch *asked)
{
	struct dp_site draft;

	dp_clear(&draft, sizeof(draft));
	draft.address = asked->address;
	draft.means = DP_MEANS_COMPARE;
	draft.phases = 1u << DP_PHASE_BEFORE;
	dp_copy(dp_watch_of(agent, site), asked, sizeof(*asked));
	dp_site_put(agent, site, &draft);
}

enum dp_err dp_watch_check(struct dp_agent *agent, struct dp_spot *spot)
{
	struct dp_watch asked;
	enum dp_err error = read_range(agent, spot, &asked);
	struct dp_site *site;

	if (error != DP_ERR_OK)
		return error;
	site = dp_watch_find(agent, &asked, &error);
	/* checked before another probe is sealed with it */
	if (site && site->armed && !dp_tables_check(agent, site))
		site = dp_watch_find(agent, &asked, &error);
	if (site && site->chain == DP_SITE_FREE)
		prepare(agent, site, &asked);
	if (error == DP_ERR_NO_COMPARATOR)
		dp_found(spot->verdict, dp_port_comparators());
	spot->site = site;
	return error;
}
#endif

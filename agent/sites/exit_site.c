/* SPDX-License-Identifier: BSD-2-Clause */
/* The sites of static hooks at which C exits are armed. The trap stands on the no-op of the hook,
 * and a hit resumes in the block of the hook (dp_site.body). */
#include "dp_sites.h"

#include "dp_entries.h"
#include "dp_lock.h"
#include "dp_memory.h"
#include "dp_plan.h"
#include "dp_site_check.h"
#include "dp_site_sum.h"

#if DP_WITH_HOOKS
/* The instruction set of a place: the only one of the CPU, or the one that its lowest bit tells. */
static unsigned isa_of(const struct dp_hook_row *row)
{
	unsigned isa = 0;

	while (!(DP_PORT_ISAS >> isa & 1))
		isa++;
	return DP_PORT_ISAS >> isa == 1 ? isa : isa + (unsigned)(row->place & 1);
}

static dp_addr address_of(const struct dp_hook_row *row)
{
	return row->place & ~(dp_addr)(DP_PORT_ISAS >> 1 & 1);
}

/* The site at the address, checked before its sum changes; null: there is none. */
static struct dp_site *site_there(struct dp_agent *agent, dp_addr address)
{
	struct dp_site *site = dp_site_find(agent, address);

	return site && !dp_tables_check(agent, site) ? dp_site_find(agent, address) : site;
}

/* A block of C exits stands for the no-op of its hook, and for nothing else: the firmware or its
 * loader may have written another instruction there. error: what the port says of it. */
static enum dp_err check_noop(struct dp_site *draft, enum dp_err error)
{
	if ((error != DP_ERR_OK && error != DP_ERR_NOT_PROBEABLE) || DP_PORT_IS_NOOP(draft))
		return error;
	if (error == DP_ERR_OK)
		dp_port_release(draft);
	return DP_ERR_NO_NOOP;
}

/* Put a site that is not armed there: in a free entry, or in the one of probes that have ended.
 * *site: receives it. */
static enum dp_err make_site(struct dp_agent *agent, const struct dp_hook_row *row,
			     struct dp_site **site)
{
	struct dp_site *entry = *site ? *site : dp_site_free(agent), draft;
	enum dp_refusal why;
	enum dp_err error;

	if (!entry)
		return DP_ERR_TABLE_FULL;
	if (*site) {
		if (dp_site_is_stepped(agent, entry))
			return DP_ERR_BUSY;
		dp_copy(&draft, entry, sizeof(draft));
		dp_port_release(&draft);
	}
	error = dp_draft_prepare(agent, &draft, address_of(row), isa_of(row), 1u << DP_PHASE_BEFORE,
				 &why);
	error = check_noop(&draft, error);
	if (error == DP_ERR_OK && dp_site_overlaps(agent, &draft)) {
		dp_port_release(&draft);
		error = DP_ERR_NOT_BOUNDARY;
	}
	dp_plan_drop(&draft);
	draft.phases = 0;
	/* An ended site that is refused has given its slot back. */
	if (error == DP_ERR_OK || *site)
		dp_site_put(agent, entry, &draft);
	*site = entry;
	return error;
}

/* Let hits at the site go on at the address; 0: as without exits. */
static void set_body(struct dp_agent *agent, struct dp_site *site, dp_addr body)
{
	dp_irq irq = dp_lock_take();
	uint8_t outer = dp_site_sum_begin(agent, site);

	site->body = body;
	dp_plan_drop(site);
	dp_lock_give(irq);
	dp_site_sum_note(agent, site, outer);
}

enum dp_err dp_exit_site_open(struct dp_agent *agent, const struct dp_hook_row *row)
{
	struct dp_site *site = site_there(agent, address_of(row));
	enum dp_err error = DP_ERR_OK;

	if (site && site->armed && dp_site_has_exits(site))
		return DP_ERR_OK;
	if (!site || !site->armed)
		error = make_site(agent, row, &site);
	else if (!DP_PORT_IS_NOOP(site)) /* the probe of another instruction */
		error = DP_ERR_NO_NOOP;
	if (error != DP_ERR_OK)
		return error;
	set_body(agent, site, row->body);
	error = dp_site_arm(agent, site);
	if (error != DP_ERR_OK)
		dp_exit_site_close(agent, row);
	return error;
}

void dp_exit_site_close(struct dp_agent *agent, const struct dp_hook_row *row)
{
	struct dp_site *site = dp_site_find(agent, address_of(row));
	dp_irq irq;

	if (!site || !dp_site_has_exits(site))
		return;
	set_body(agent, site, 0);
	irq = dp_lock_take();
	dp_site_drop_bare(agent, site);
	dp_lock_give(irq);
}
#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Sites: the places of probes in the text, found by address, armed and disarmed. */
#ifndef DP_SITES_H
#define DP_SITES_H

#include "dp_object.h"
#include "dp_state.h"

static inline unsigned dp_site_bucket(dp_addr address)
{
	return (unsigned)((address ^ address >> 6) >> 1) & (DP_SITE_BUCKETS - 1);
}

/* The site at the address, or null: inlined into the hit. dp_site_find is the same out of line. */
static inline struct dp_site *dp_site_lookup(struct dp_agent *agent, dp_addr address)
{
	unsigned i = agent->bucket[dp_site_bucket(address)];

	while (i != DP_NONE) {
		struct dp_site *site = &agent->site[i];

		if (site->address == address)
			return site;
		i = site->behind;
	}
	return NULL;
}
struct dp_site *dp_site_find(struct dp_agent *agent, dp_addr address);

/* Is there a trap in the text at the site of an instruction? */
static inline bool dp_site_in_text(const struct dp_site *site)
{
	return site->armed && (DP_PORT_COMPARATORS == 0 || site->means <= DP_MEANS_BOARD);
}

/* Are C exits armed at the site? Its instruction is then the no-op of a hook. */
static inline bool dp_site_has_exits(const struct dp_site *site)
{
	return dp_site_body(site) != 0;
}
/* Are C exits armed there, and no probe? */
static inline bool dp_site_has_only_exits(const struct dp_site *site)
{
	return dp_site_has_exits(site) && site->phases == 0;
}
/* No exit is armed at the site any more. context: locked. */
static inline void dp_site_leave_exits(struct dp_site *site)
{
#if DP_WITH_HOOKS
	site->body = 0;
#else
	(void)site;
#endif
}
/* Execute the displaced instruction: dp_port_step. The no-op of a hook with exits is done, and the
 * context goes on in their block. The compiler puts such a no-op into no delay slot and no IT
 * block. */
static inline enum dp_step dp_site_step(const struct dp_site *site, struct dp_frame *frame,
					bool may_leave)
{
	if (!dp_site_has_exits(site) || !DP_PORT_PLAIN(frame))
		return dp_port_step(site, frame, may_leave);
	DP_PORT_PC(frame) = dp_site_body(site);
	return DP_STEP_DONE;
}

/* Does the instruction share bytes with the instruction of another site? Each trap would cut the
 * other trap, and neither could be removed again. */
bool dp_site_overlaps(const struct dp_agent *agent, const struct dp_site *site);
/* Put the site into the bucket of its address. */
void dp_site_link(struct dp_agent *agent, unsigned index);
/* A free entry, which stays free until dp_site_put; null when all are taken. */
struct dp_site *dp_site_free(struct dp_agent *agent);
/* Let the prepared draft be the site: a free entry, or one that is not armed. */
void dp_site_put(struct dp_agent *agent, struct dp_site *site, const struct dp_site *draft);
/* Does another CPU execute the copy of this instruction in a two-trap slot? Site and slot then stay
 * until the second trap. No CPU begins that at a site that is not armed. context: locked, or the
 * site is not armed. */
static inline bool dp_site_is_stepped(const struct dp_agent *agent, const struct dp_site *site)
{
	bool stepped = false;

	for (unsigned i = 0; DP_PORT_CPUS > 1 && i < DP_PORT_CPUS; i++)
		stepped |= agent->cpu[i].pending == site;
	return stepped;
}

/* Disarm, release and drop a site without probes. A site stays when its trap cannot be removed, or
 * when another CPU is in its slot. While a request is at work the site is only disarmed. context:
 * interrupts masked. */
void dp_site_drop_bare(struct dp_agent *agent, struct dp_site *site);
/* Release and drop all sites that are bare. context: the request at work. */
void dp_sites_tidy(struct dp_agent *agent);

/* Arm and disarm by the means of the site, which is chosen here; the keep area is always a step
 * ahead of the text. Arming masks interrupts for the trap alone. returns: also BUSY, when the text
 * or what the request has checked changed. */
enum dp_err dp_site_arm(struct dp_agent *agent, struct dp_site *site);
void dp_site_disarm(struct dp_agent *agent, struct dp_site *site);
/* Is the trap in the text, or the comparator on and its instruction as it was? found: receives the
 * word of the text. Only with INTEGRITY. */
bool dp_site_stands(struct dp_agent *agent, const struct dp_site *site, uint32_t *found);
/* Is the comparator of the site on? True for a site without one. Only with INTEGRITY. */
bool dp_site_comparator_stands(struct dp_agent *agent, const struct dp_site *site);
/* Is there a trap that could not be removed, with no probe any more? */
bool dp_site_stuck(const struct dp_agent *agent);
/* Note which phases the active probes at the site have; disarm the site when there are none. */
void dp_site_settle(struct dp_agent *agent, struct dp_site *site);

/* --- sites without a probe --- */

#if DP_WITH_HALT || DP_WITH_HOOKS
/* Prepare an instruction as for a probe.
 * site: receives it. phases: of dp_site.
 * why: receives the reason of NOT_PROBEABLE.
 * returns: what a probe there would be refused with. With DP_ERR_OK the caller releases what the
 * port has taken. context: ANY. */
enum dp_err dp_draft_prepare(const struct dp_agent *agent, struct dp_site *site, dp_addr address,
			     unsigned isa, unsigned phases, enum dp_refusal *why);
#endif
#if DP_WITH_HOOKS
/* Let hits at the hook's place go on in its block. Probes may be there.
 * returns: DP_ERR_OK; what a probe at the place is refused with; TABLE_FULL; BUSY when a hit has
 * changed what was checked. context: at work. */
enum dp_err dp_exit_site_open(struct dp_agent *agent, const struct dp_hook_row *row);
/* Let them go on behind the no-op again. Probes stay. context: ANY. */
void dp_exit_site_close(struct dp_agent *agent, const struct dp_hook_row *row);
#endif

#endif

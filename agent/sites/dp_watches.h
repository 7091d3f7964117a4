/* SPDX-License-Identifier: BSD-2-Clause */
/* Comparators. The site of a watchpoint by comparator n has the index DP_WATCH_BASE + n: it is
 * found by this number, never by its address. The site of an instruction with means REMAP or
 * COMPARE is one of the first DP_MAX_PROBES, as each other one; its comparator has the site's
 * number. Where the port has no comparators (DP_PORT_COMPARATORS) nothing of this is in the build.
 */
#ifndef DP_WATCHES_H
#define DP_WATCHES_H

#include "dp_state.h"

/* Is it the site of a watchpoint? Else that of an instruction. */
static inline bool dp_site_is_watch(const struct dp_agent *agent, const struct dp_site *site)
{
	return DP_PORT_COMPARATORS > 0 && site - agent->site >= DP_WATCH_BASE;
}

/* Does a comparator stop the CPU at the instruction of the site, by its means? */
static inline bool dp_site_is_compared(const struct dp_site *site)
{
	return DP_PORT_COMPARATORS > 0 && site->means >= DP_MEANS_REMAP;
}

/* Is a comparator of a watchpoint armed? agent: may be null. */
static inline bool dp_watches_armed(const struct dp_agent *agent)
{
#if DP_PORT_COMPARATORS > 0
	return agent && agent->comparators > 0;
#else
	(void)agent;
	return false;
#endif
}

#if DP_PORT_COMPARATORS > 0
/* Do the ranges share a byte? No range wraps. */
static inline bool dp_watch_overlap(dp_addr a, dp_addr a_bytes, dp_addr b, dp_addr b_bytes)
{
	return a_bytes > 0 && b_bytes > 0 && (a - b < b_bytes || b - a < a_bytes);
}

/* The comparator of the site. */
struct dp_watch *dp_watch_of(struct dp_agent *agent, const struct dp_site *site);
/* The site of a range: the one that watches it already, or that of a free comparator that can. Both
 * are null: *error is the reason. */
struct dp_site *dp_watch_find(struct dp_agent *agent, struct dp_watch *asked, enum dp_err *error);

/* Switch the comparator of a watchpoint on or off. context: interrupts masked. */
enum dp_err dp_watch_put(struct dp_agent *agent, const struct dp_site *site);
void dp_watch_take(struct dp_agent *agent, const struct dp_site *site);
/* Is the comparator as it was switched on? One that rests is. */
bool dp_watch_stands(struct dp_agent *agent, const struct dp_site *site);

/* Read the watched range where a program asks for the value before the next access. context:
 * comparators off. */
void dp_watch_note(struct dp_watch *watch);
/* From now on do so if a program asks for it, and if the range has a value. context: locked. */
void dp_watch_ask(struct dp_agent *agent, const struct dp_site *site, bool asked);

/* Give the site of an instruction a comparator, and the means that this one has. context: the
 * request at work. returns: DP_ERR_OK; NO_COMPARATOR: none is free; NOT_PATCHABLE: the CPU has none
 * that stops there. */
enum dp_err dp_compare_take(struct dp_agent *agent, struct dp_site *site);
/* The comparator of the site of an instruction; null: it has none. */
struct dp_watch *dp_compare_of(struct dp_agent *agent, const struct dp_site *site);
/* Is it as it was switched on? */
bool dp_compare_stands(struct dp_agent *agent, const struct dp_site *site);
/* Switch it on; or off, and make it free. context: interrupts masked. */
enum dp_err dp_compare_put(struct dp_agent *agent, const struct dp_site *site);
void dp_compare_end(struct dp_agent *agent, const struct dp_site *site);
/* Switch off all comparators that no watchpoint has: the tables are damaged. */
void dp_compare_end_all(struct dp_agent *agent);

/* Count the comparators that have the kind, and those that are free. bytes: of the range, or of the
 * instruction. context: THREAD. */
unsigned dp_watches_count(struct dp_agent *agent, unsigned kind, unsigned bytes,
			  unsigned *available);

/* The comparators whose watchpoints the access is for, bit n for comparator n; *covered: all that
 * cover the access. Accesses beside the range asked for are counted as ignored. context: HIT. */
uint16_t dp_watches_match(struct dp_agent *agent, const struct dp_watched *access,
			  uint16_t *covered);
/* Leave these comparators off until dp_watches_wake. context: HIT. */
void dp_watches_rest(struct dp_agent *agent, uint16_t comparators);
/* Switch on what rests. context: dp_poll, interrupts masked. */
void dp_watches_wake(struct dp_agent *agent);
/* Accesses that the site has ignored. */
uint32_t dp_watch_ignored(struct dp_agent *agent, const struct dp_site *site);

/* Do as dp_port_read, dp_port_fetch and dp_port_is_armed, with the comparators off. Interrupts are
 * masked so long, where a comparator is armed. bytes: few. context: ANY. */
size_t dp_watches_read(dp_addr address, void *to, size_t bytes);
enum dp_err dp_watches_fetch(struct dp_site *site);
bool dp_watches_is_armed(const struct dp_site *site, uint32_t *found);
#else
static inline enum dp_err dp_compare_take(struct dp_agent *agent, struct dp_site *site)
{
	(void)agent, (void)site;
	return DP_ERR_NOT_PATCHABLE;
}
static inline const struct dp_watch *dp_compare_of(struct dp_agent *agent,
						   const struct dp_site *site)
{
	(void)agent, (void)site;
	return NULL;
}
static inline bool dp_compare_stands(struct dp_agent *agent, const struct dp_site *site)
{
	(void)agent, (void)site;
	return false;
}
static inline enum dp_err dp_compare_put(struct dp_agent *agent, const struct dp_site *site)
{
	(void)agent, (void)site;
	return DP_ERR_NOT_PATCHABLE;
}
static inline void dp_compare_end(struct dp_agent *agent, const struct dp_site *site)
{
	(void)agent, (void)site;
}
static inline void dp_compare_end_all(struct dp_agent *agent)
{
	(void)agent;
}
static inline unsigned dp_watches_count(struct dp_agent *agent, unsigned kind, unsigned bytes,
					unsigned *available)
{
	(void)agent, (void)kind, (void)bytes;
	return *available = 0;
}
static inline enum dp_err dp_watch_put(struct dp_agent *agent, const struct dp_site *site)
{
	(void)agent, (void)site;
	return DP_ERR_NO_WATCHPOINT;
}
static inline void dp_watch_take(struct dp_agent *agent, const struct dp_site *site)
{
	(void)agent, (void)site;
}
static inline bool dp_watch_stands(struct dp_agent *agent, const struct dp_site *site)
{
	(void)agent, (void)site;
	return true;
}
static inline void dp_watches_wake(struct dp_agent *agent)
{
	(void)agent;
}
static inline uint32_t dp_watch_ignored(struct dp_agent *agent, const struct dp_site *site)
{
	(void)agent, (void)site;
	return 0;
}
static inline size_t dp_watches_read(dp_addr address, void *to, size_t bytes)
{
	return dp_port_read(address, to, bytes, 0);
}
static inline enum dp_err dp_watches_fetch(struct dp_site *site)
{
	return dp_port_fetch(site);
}
static inline bool dp_watches_is_armed(const struct dp_site *site, uint32_t *found)
{
	return dp_port_is_armed(site, found);
}
#endif

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Entries of the probe table, and the chains of probes at the sites. */
#ifndef DP_PROBES_H
#define DP_PROBES_H

#include "dp_errors.h"
#include "dp_object.h"
#include "dp_state.h"

/* How many numbers a probe may be given now. The number of a removed probe is not free while a
 * record with it waits in the ring. */
unsigned dp_probe_numbers_free(const struct dp_agent *agent);
/* Make the next free number a waiting probe of the point; a number is known to be free. Null: the
 * request at work no longer holds. */
struct dp_probe *dp_probe_take(struct dp_agent *agent, uint8_t program, unsigned point);
/* Make the number of an unchained probe free. */
void dp_probe_drop(struct dp_agent *agent, struct dp_probe *probe);
/* The probe of a program behind `after`, or its first (null). Null: there are no more. */
struct dp_probe *dp_probe_next(struct dp_agent *agent, unsigned program, struct dp_probe *after);

/* Chain the waiting probe to the site as its last one, armed, and begin a change of its sum. False:
 * the request at work no longer holds, or the probe does not wait. */
bool dp_probe_chain(struct dp_agent *agent, struct dp_probe *probe, struct dp_site *site);
/* Remove the probe from its site's chain; the site goes with the last one. A state that has ended
 * stays. The functions of chains mask interrupts for a change, not for the sum. context: ANY. */
void dp_probe_unchain(struct dp_agent *agent, struct dp_probe *probe);

/* Does the probe run where a function returns by `return`? It needs no trap and no site. */
static inline bool dp_probe_is_returned(const struct dp_probe *probe)
{
	return DP_RETURNS && probe->phase == DP_PHASE_RETURNED;
}
#if DP_RETURNS
/* Arm the waiting probe of phase RETURNED for the function at the address. returns: BUSY: the
 * request at work no longer holds. */
enum dp_err dp_returned_arm(struct dp_agent *agent, struct dp_probe *probe, dp_addr address);
/* End what arming began. A state that has ended stays. context: ANY. */
void dp_returned_disarm(struct dp_agent *agent, struct dp_probe *probe);
/* No probe of phase RETURNED is armed. */
static inline void dp_returned_clear(struct dp_agent *agent)
{
	agent->returned_probes = DP_NONE;
}
#else
static inline enum dp_err dp_returned_arm(struct dp_agent *agent, struct dp_probe *probe,
					  dp_addr address)
{
	(void)agent, (void)probe, (void)address;
	return DP_ERR_BAD_PHASE;
}

static inline void dp_returned_disarm(struct dp_agent *agent, struct dp_probe *probe)
{
	(void)agent, (void)probe;
}

static inline void dp_returned_clear(struct dp_agent *agent)
{
	(void)agent;
}
#endif

/* The hits so far. A hit changes maxhits alone. context: interrupts masked; the entry is in use. */
static inline uint32_t dp_probe_hits(const struct dp_probe *probe)
{
	return probe->due - probe->maxhits;
}

#endif

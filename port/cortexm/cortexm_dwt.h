/* SPDX-License-Identifier: BSD-2-Clause */
/* Watchpoints by the Data Watchpoint and Trace unit of ARMv7-M: a comparator matches an access, and
 * the CPU takes DebugMonitor behind it. Source: DDI 0403E C1.5, C1.6, C1.8. These functions know
 * neither the core nor the CPU that they run on, so a host test puts a model in the place of the
 * registers. */
#ifndef DP_CORTEXM_DWT_H
#define DP_CORTEXM_DWT_H

#include "cortexm_unit.h"
#include "dp_errors.h"

#include <stdbool.h>

enum {
	DP_DWT_COMPARATORS = 4, /* the most that the agent uses */
};

/* What a comparator stops the CPU at: its FUNCTION.  C1.8.1 */
enum dp_dwt_function {
	DP_DWT_NOTHING = 0,
	DP_DWT_READ = 5,
	DP_DWT_WRITE = 6,
	DP_DWT_ACCESS = 7, /* both */
};

/* A comparator of the agent. */
struct dp_dwt_watch {
	uint32_t first;   /* address, a multiple of the range's length */
	uint8_t bits;     /* the range has 2^bits bytes */
	uint8_t function; /* enum dp_dwt_function; NOTHING: not armed */
};

/* What the agent has done with the unit. All zeros: nothing, and the unit is not used. */
struct dp_dwt {
	struct dp_dwt_watch watch[DP_DWT_COMPARATORS];
	uint8_t count;    /* comparators; 0: there is no unit */
	uint8_t largest;  /* of `bits` */
	uint8_t off;      /* bit n: comparator n is paused */
	uint8_t seen;     /* bit n: it has matched, and DebugMonitor is pending for that */
	uint8_t priority; /* of DebugMonitor, as the firmware had it */
	bool traces;      /* the agent has set TRCENA */
	bool locked;      /* the unit was locked */
};

/* --- supplied by the port, beside cortexm_unit.h --- */

/* Let all registers that were written count for the next access. Context: ANY. */
void dp_dwt_publish(void);

/* --- dwt.c --- */

/* Look for the unit, and switch off the comparators that an earlier run of the agent has left on:
 * those that stop the CPU at accesses, where DebugMonitor is the agent's or off and no debugger is
 * connected.
 * hooked: DebugMonitor's vector is the agent's, of an earlier run.
 * Context: THREAD, interrupts masked. */
void dp_dwt_attach(struct dp_dwt *dwt, bool hooked);

/* Return whether the comparator can watch 2^bits bytes. The comparator may be in use. The agent's
 * registers keep what they have.
 * n: below DP_DWT_COMPARATORS.
 * Context: THREAD, interrupts masked.
 * Returns DP_ERR_OK, or
 *   NO_WATCHPOINT   there is no such comparator, or the range is too long
 *   WATCH_DEBUGGED  a debugger is connected, which would get the accesses
 *   WATCH_MONITOR   DebugMonitor is on, or would serve a comparator that is not the agent's
 *   NO_COMPARATOR   the comparator is in use for something else */
enum dp_err dp_dwt_can(const struct dp_dwt *dwt, unsigned n, unsigned bits,
		       enum dp_dwt_function function);

/* Switch the comparator on, and read the registers back. A pause stays. The first one switches
 * DebugMonitor on, at the highest priority.
 * first: a multiple of 2^bits.
 * Context: THREAD or HIT, interrupts masked.
 * Returns false with the comparator off. */
bool dp_dwt_arm(struct dp_dwt *dwt, unsigned n, const struct dp_dwt_watch *watch);

/* Switch the comparator off; what it has reported and is pending is forgotten. Behind the last one
 * DebugMonitor and the unit are as the firmware had them.
 * Context: THREAD or HIT, interrupts masked. */
void dp_dwt_disarm(struct dp_dwt *dwt, unsigned n);

/* Return whether the registers still are what dp_dwt_arm wrote, in a pause too. Context: ANY,
 * interrupts masked. */
bool dp_dwt_holds(struct dp_dwt *dwt, unsigned n);

/* Return the armed comparators: bit n. Context: ANY. */
unsigned dp_dwt_armed(const struct dp_dwt *dwt);

/* Let these comparators be off, and all other armed ones on. What has matched meanwhile is
 * forgotten, unless DebugMonitor is pending.
 * off: bit n.
 * Context: ANY, interrupts masked. */
void dp_dwt_pause(struct dp_dwt *dwt, unsigned off);

/* Return which comparators have matched since the last look, and forget it: accesses of code at
 * whose priority the CPU takes no DebugMonitor. Context: HIT. */
unsigned dp_dwt_lost(struct dp_dwt *dwt);

/* DebugMonitor has come. Return which comparators have reported an access, and forget it; 0: the
 * event is not the agent's, and its status stays. An access of code at a priority where the CPU
 * takes no DebugMonitor may be among them. Context: HIT. */
unsigned dp_dwt_take(struct dp_dwt *dwt);

/* Let DebugMonitor come once more, for the firmware. Context: HIT. */
void dp_dwt_pass(void);

/* Return whether one of these comparators is armed for the access. Context: ANY. */
bool dp_dwt_covers(const struct dp_dwt *dwt, unsigned comparators, bool write, uint32_t address,
		   uint32_t bytes);

#endif

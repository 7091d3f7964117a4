/* SPDX-License-Identifier: BSD-2-Clause */
/* What a change holds off, and the agent whose lock it is.
 *
 * A mask holds off the interrupts and the hits of this CPU. It guards what no other CPU reads or
 * writes: of struct dp_per_cpu all but the ring, what was sent of it, and hits_since_poll.
 *
 * A lock holds off the hits and the threads of other CPUs too. It guards everything else: the
 * tables, the lines, the streams, the session. There is one lock. With one CPU it is a mask. No
 * masked stretch takes the lock: what it guards would not be its CPU's own.
 *
 * A hit has the lock from the lookup of its site to its end, so hits need no lock of their own.
 * A step in a two-trap slot divides the hit: the CPU is in the slot without the lock, and takes the
 * lock again at the second trap. Meanwhile `pending` of the CPU has the site. The site and its slot
 * stay (dp_site_is_stepped), and the records of the hit stay uncommitted in the ring of the CPU.
 *
 * Interrupts are masked where the lock is taken, so no interrupt finds the lock taken by the thread
 * that it interrupts. A callback of the board may be hit while its CPU has the lock: the same CPU
 * takes the lock again. CPUs get the lock in the order in which they ask. A CPU waits for one hit,
 * or one masked stretch, of each other CPU, and hits have a bound (DP_STEP_BUDGET, DP_PUT_SPINS) as
 * long as callbacks return. A callback that never returns keeps the lock until dp_poll of its CPU.
 *
 * Who has the lock waits for no other CPU: the other CPU may be masked and wait for the lock. So
 * the port's sync of other CPUs, and the functions for comparators, do not wait for interrupts of
 * other CPUs. Callbacks do not wait for a lock under which another CPU may be hit (dp_board.h).
 *
 * Rings are read without the lock. dp_ring_commit hands a record over to the reader, who may be on
 * another CPU: dp_ring_committed. */
#ifndef DP_LOCK_H
#define DP_LOCK_H

#include "dp_watch.h"

#if DP_PORT_CPUS > 1 || DP_PORT_COMPARATORS > 0
/* Begin and end a masked stretch, and a locked one. Pairs nest. context: ANY. */
dp_irq dp_mask_take(void);
void dp_mask_give(dp_irq irq);
dp_irq dp_lock_take(void);
void dp_lock_give(dp_irq irq);
#else
static inline dp_irq dp_mask_take(void)
{
	return dp_port_mask();
}

static inline void dp_mask_give(dp_irq irq)
{
	dp_port_unmask(irq);
}

static inline dp_irq dp_lock_take(void)
{
	return dp_port_mask();
}

static inline void dp_lock_give(dp_irq irq)
{
	dp_port_unmask(irq);
}
#endif

#if DP_PORT_CPUS > 1
/* Begin and end the locked stretch of a hit, or of a caller that has masked interrupts. context:
 * HIT, or masked. */
void dp_lock_enter(void);
void dp_lock_leave(void);
/* A hit of this CPU never ended: keep one lock of those taken. context: locked. */
void dp_lock_recover(void);
#else
static inline void dp_lock_enter(void)
{
}

static inline void dp_lock_leave(void)
{
}

static inline void dp_lock_recover(void)
{
}
#endif

struct dp_agent;
/* The one agent of this image: a trap entry has no other way to find it. Null before dp_init. */
extern struct dp_agent *dp_the_agent;

#if DP_PORT_COMPARATORS > 0
/* No access of this CPU hits a watchpoint between the two calls, which nest. Masked and locked
 * stretches, also those of hits, lie between them: what the agent and its callbacks access there is
 * not the firmware's own. context: interrupts masked. */
void dp_watches_hold(struct dp_agent *agent);
void dp_watches_release(struct dp_agent *agent);
#else
static inline void dp_watches_hold(struct dp_agent *agent)
{
	(void)agent;
}

static inline void dp_watches_release(struct dp_agent *agent)
{
	(void)agent;
}
#endif

#endif

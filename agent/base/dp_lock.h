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
 * A hit has the lock from the lookup of its site to its end, so hits need no lock of their own, and
 * a thread that has the lock sees no hit half done. Interrupts are masked where the lock is taken,
 * so no interrupt finds the lock taken by the thread that it interrupts. A callback of the board
 * may be hit while its CPU has the lock: the same CPU takes the lock again. CPUs get the lock in
 * the order in which they ask. A CPU waits for one hit, or one masked stretch, of each other CPU,
 * and hits have a bound (DP_STEP_BUDGET, DP_PUT_SPINS). The port's sync of other CPUs must not wait
 * for their interrupts: they may be masked and wait for the lock. */
#ifndef DP_LOCK_H
#define DP_LOCK_H

#include "dp_port.h"

#if DP_PORT_CPUS > 1
/* Begin and end a masked stretch, and a locked one. Pairs nest. context: ANY. */
dp_irq dp_mask_take(void);
void dp_mask_give(dp_irq irq);
dp_irq dp_lock_take(void);
void dp_lock_give(dp_irq irq);
/* Begin and end the locked stretch of a hit. context: HIT. */
void dp_lock_enter(void);
void dp_lock_leave(void);
/* A hit of this CPU never ended: keep one lock of those taken. context: locked. */
void dp_lock_recover(void);
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

#endif

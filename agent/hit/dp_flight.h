/* SPDX-License-Identifier: BSD-2-Clause */
/* The flight recorder: records of some programs stay in a ring, which overwrites its oldest records
 * and survives a reset (dp_flight_ring.h). Nothing of the ring is sent without a request. A record
 * stays when its instruction faults: it may be the last one before a crash. */
#ifndef DP_FLIGHT_H
#define DP_FLIGHT_H

#include "dp_build.h"
#include "dp_state.h"

#if DP_FLIGHT_BYTES > 0
/* Put the record of the run, and its stack trace, into the ring. A frozen ring takes none.
 * number: of the probe. flags: of the record. items: what precedes the log. context: HIT. */
void dp_flight_log(struct dp_agent *agent, unsigned number, unsigned flags,
		   const struct dp_answer *items, uint64_t ticks);

/* Freeze the ring behind so many further records; 0: now. A ring that waits for the last one keeps
 * its number. context: HIT, or locked. */
void dp_flight_freeze(struct dp_agent *agent, dp_word records);
/* Freeze the ring now, without the lock: another CPU may have halted with it. A record that this
 * CPU writes meanwhile becomes whole. context: any. */
void dp_flight_freeze_at_once(struct dp_agent *agent);
/* Empty the ring, and let it take records. context: a request, not locked: the ring takes no record
 * meanwhile, and interrupts are taken. */
void dp_flight_clear(struct dp_agent *agent);
/* Go on behind the records of the start before. context: dp_init. */
void dp_flight_start(struct dp_agent *agent);

/* The run has ended with the exit code: exit 2 freezes. Its record is in the ring. context: HIT. */
static inline void dp_flight_exit(struct dp_agent *agent, unsigned exit_number)
{
	if (exit_number == 2)
		dp_flight_freeze(agent, 0);
}

/* The same for `freeze`. */
static inline void dp_flight_ran(struct dp_agent *agent, const struct dp_vm *vm)
{
	if (vm->wants & DP_VM_FREEZE)
		dp_flight_freeze(agent, vm->freeze);
}
#else
static inline void dp_flight_log(struct dp_agent *agent, unsigned number, unsigned flags,
				 const struct dp_answer *items, uint64_t ticks)
{
	(void)agent, (void)number, (void)flags, (void)items, (void)ticks;
}

static inline void dp_flight_freeze(struct dp_agent *agent, dp_word records)
{
	(void)agent, (void)records;
}

static inline void dp_flight_freeze_at_once(struct dp_agent *agent)
{
	(void)agent;
}

static inline void dp_flight_clear(struct dp_agent *agent)
{
	(void)agent;
}

static inline void dp_flight_start(struct dp_agent *agent)
{
	(void)agent;
}

static inline void dp_flight_exit(struct dp_agent *agent, unsigned exit_number)
{
	(void)agent, (void)exit_number;
}

static inline void dp_flight_ran(struct dp_agent *agent, const struct dp_vm *vm)
{
	(void)agent, (void)vm;
}
#endif

#endif

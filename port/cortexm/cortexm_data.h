/* SPDX-License-Identifier: BSD-2-Clause */
/* Watchpoints of data: by the memory protection unit (mpu.c), or by the Data Watchpoint and Trace
 * unit (monitor.c, dwt.c). */
#ifndef DP_CORTEXM_DATA_H
#define DP_CORTEXM_DATA_H

#include "cortexm_port.h"
#include "dp_watch.h"

/* Fill in kinds, address and bytes of what an instruction does with memory; several registers are
 * one access. insn: a halfword, or first halfword << 16 | second. frame: before the access.
 * Returns false: no access that is known. Context: HIT. */
bool dp_cortexm_access_of(uint32_t insn, unsigned bytes, const struct dp_frame *frame,
			  struct dp_watched *access);

/* Of the unit that this agent has, by one of the prefixes:
 *   _attach   give back what an earlier run of the agent has left. Context: THREAD
 *   _count    the comparators that the CPU has, at most DP_CORTEXM_WATCHERS. Context: ANY
 *   _prepare, _arm, _disarm, _holds, _at  dp_port_watch_prepare and so on, interrupts masked.
 *             Contexts: as there
 *   _pause    let these comparators be off for a while, and the others on again. comparators: bit
 *             n: number DP_CORTEXM_PLACES + n. Context: ANY, interrupts masked */
#if DP_CORTEXM_WITH_DWT
#define DP_DATA(function) dp_monitor_##function
#elif DP_CORTEXM_WITH_MPU
#define DP_DATA(function) dp_mpu_##function
#else
#define DP_DATA(function) dp_no_data_##function
#endif

static inline unsigned dp_no_data_count(void)
{
	return 0;
}

static inline enum dp_err dp_no_data_prepare(const struct dp_watch *watch)
{
	(void)watch;
	return DP_ERR_NO_WATCHPOINT;
}

static inline enum dp_err dp_no_data_arm(const struct dp_watch *watch)
{
	return dp_no_data_prepare(watch);
}

static inline void dp_no_data_disarm(const struct dp_watch *watch)
{
	(void)watch;
}

static inline bool dp_no_data_holds(const struct dp_watch *watch)
{
	(void)watch;
	return false;
}

static inline bool dp_no_data_at(const struct dp_watched *access)
{
	(void)access;
	return false;
}

static inline void dp_no_data_pause(unsigned comparators)
{
	(void)comparators;
}

/* --- mpu.c --- */

#if DP_CORTEXM_WITH_MPU
void dp_mpu_attach(void);
unsigned dp_mpu_count(void);
enum dp_err dp_mpu_prepare(struct dp_watch *watch);
enum dp_err dp_mpu_arm(const struct dp_watch *watch);
void dp_mpu_disarm(const struct dp_watch *watch);
bool dp_mpu_holds(const struct dp_watch *watch);
bool dp_mpu_at(const struct dp_watched *access);
void dp_mpu_pause(unsigned comparators);
/* Does the fault status tell of an access to the region? pc of the frame: in a slot or not.
 * access: of the instruction. Context: HIT. */
bool dp_cortexm_is_watched(const struct dp_frame *frame, struct dp_watched *access);
/* Would the entry take a MemManage fault for the agent's? Context: HIT. */
bool dp_cortexm_looks_watched(void);
#else
static inline bool dp_cortexm_is_watched(const struct dp_frame *frame,
					 const struct dp_watched *access)
{
	(void)frame, (void)access;
	return false;
}

static inline bool dp_cortexm_looks_watched(void)
{
	return false;
}
#endif

/* --- monitor.c --- */

#if DP_CORTEXM_WITH_DWT
void dp_monitor_attach(void);
unsigned dp_monitor_count(void);
enum dp_err dp_monitor_prepare(struct dp_watch *watch);
enum dp_err dp_monitor_arm(const struct dp_watch *watch);
void dp_monitor_disarm(const struct dp_watch *watch);
bool dp_monitor_holds(const struct dp_watch *watch);
bool dp_monitor_at(const struct dp_watched *access);
void dp_monitor_pause(unsigned comparators);
/* DebugMonitor has come: tell the core of the access, or let the firmware's handler have it.
 * frame: the context, behind the access. Context: HIT. */
enum dp_taken dp_cortexm_monitored(struct dp_frame *frame);
/* The copy of an instruction that runs now, with interrupts masked, will access this.
 * frame: before it. Context: HIT. */
void dp_cortexm_note_access(uint32_t insn, unsigned bytes, const struct dp_frame *frame);
/* The copy has come to its end: tell the core of its access, for which the CPU has not taken
 * DebugMonitor. Context: HIT. */
void dp_cortexm_tell_access(struct dp_frame *frame);
#else
static inline void dp_cortexm_note_access(uint32_t insn, unsigned bytes,
					  const struct dp_frame *frame)
{
	(void)insn, (void)bytes, (void)frame;
}

static inline void dp_cortexm_tell_access(const struct dp_frame *frame)
{
	(void)frame;
}
#endif

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* A watchpoint by the memory protection unit: mpu.c, accessed.c. */
#ifndef DP_CORTEXM_MPU_H
#define DP_CORTEXM_MPU_H

#include "cortexm_port.h"
#include "dp_watch.h"

/* Fill in kinds, address and bytes of what an instruction does with memory; several registers are
 * one access. insn: a halfword, or first halfword << 16 | second. frame: before the access.
 * Returns false: no access that is known. Context: HIT. */
bool dp_cortexm_access_of(uint32_t insn, unsigned bytes, const struct dp_frame *frame,
			  struct dp_watched *access);

#if DP_CORTEXM_WITH_MPU
/* Give back the unit, and the regions, that an earlier run of the agent has left. Context: THREAD.
 */
void dp_mpu_attach(void);
/* Is there a unit with enough regions? Context: ANY. */
bool dp_mpu_exists(void);
/* dp_port_watch_prepare, _arm, _disarm, _holds, _at for the region. Contexts: as there. */
enum dp_err dp_mpu_prepare(struct dp_watch *watch);
enum dp_err dp_mpu_arm(const struct dp_watch *watch);
void dp_mpu_disarm(void);
bool dp_mpu_holds(void);
bool dp_mpu_at(const struct dp_watched *access);
/* Let the region be off for a while, or on again. Context: ANY, interrupts masked. */
void dp_mpu_pause(bool off);
/* Does the fault status tell of an access to the region? pc of the frame: in a slot or not.
 * access: of the instruction. Context: HIT. */
bool dp_cortexm_is_watched(const struct dp_frame *frame, struct dp_watched *access);
/* Would the entry take a MemManage fault for the agent's? Context: HIT. */
bool dp_cortexm_looks_watched(void);
#else
static inline bool dp_mpu_exists(void)
{
	return false;
}

static inline enum dp_err dp_mpu_prepare(const struct dp_watch *watch)
{
	(void)watch;
	return DP_ERR_NO_WATCHPOINT;
}

static inline enum dp_err dp_mpu_arm(const struct dp_watch *watch)
{
	return dp_mpu_prepare(watch);
}

static inline void dp_mpu_disarm(void)
{
}

static inline bool dp_mpu_holds(void)
{
	return false;
}

static inline bool dp_mpu_at(const struct dp_watched *access)
{
	(void)access;
	return false;
}

static inline void dp_mpu_pause(bool off)
{
	(void)off;
}

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

#endif

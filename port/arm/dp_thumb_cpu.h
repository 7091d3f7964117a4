/* SPDX-License-Identifier: BSD-2-Clause */
/* What port/thumb needs of a port: the status word, rights of accesses, changes of the instruction
 * set. */
#ifndef DP_THUMB_CPU_H
#define DP_THUMB_CPU_H

#include "arm_port.h"

/* The word of the frame that has flags and ITSTATE. */
#define DP_THUMB_STATUS(frame) ((frame)->cpsr)

/* May an emulated transfer store? Those with PC as an operand do, which only A32 has. */
#define DP_ARM_STORES (DP_ARM_WITH_A32 && DP_ARM_WITH_RARE)

/* Perform one access of an instruction with the rights of its mode. width: 1, 2, 4, 8, or
 * DP_ARM_BLOCK_WORD: a word with the alignment rules of LDM and STM.
 * Returns false when the access faulted. */
static inline bool dp_thumb_access(const struct dp_frame *frame, bool store, uint32_t address,
				   unsigned width, void *data)
{
	if ((frame->cpsr & DP_PSR_MODE) == DP_MODE_USR)
		return store ? dp_arm_user_store(address, width, data)
			     : dp_arm_user_load(address, width, data);
	return store ? dp_access_store(address, width, data) : dp_access_load(address, width, data);
}

/* Bit 0 of a branch's target chooses the instruction set. */
static inline void dp_thumb_exchange(struct dp_frame *frame, uint32_t target)
{
	frame->cpsr = target & 1 ? frame->cpsr | DP_PSR_T : frame->cpsr & ~(uint32_t)DP_PSR_T;
}

/* Return the value that a store of PC writes; only with DP_ARM_STORES. */
static inline uint32_t dp_thumb_stored_pc(uint32_t address)
{
	return address + dp_arm->store_pc;
}

#endif

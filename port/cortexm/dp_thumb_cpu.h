/* SPDX-License-Identifier: BSD-2-Clause */
/* What port/thumb needs of a port: the status word, rights of accesses, changes of the instruction
 * set. */
#ifndef DP_THUMB_CPU_H
#define DP_THUMB_CPU_H

#include "cortexm_port.h"

/* The word of the frame that has flags and ITSTATE. */
#define DP_THUMB_STATUS(frame) ((frame)->xpsr)

/* May an emulated transfer store? No Thumb instruction with PC does. */
#define DP_ARM_STORES 0

/* Perform one access of an instruction with the rights of its mode. width: 1, 2, 4, 8, or
 * DP_ARM_BLOCK_WORD: a word with the alignment rules of LDM.
 * Returns false when the access faulted. */
bool dp_cortexm_emulated_load(const struct dp_frame *frame, uint32_t address, unsigned width,
			      uint32_t *data);
static inline bool dp_thumb_access(const struct dp_frame *frame, bool store, uint32_t address,
				   unsigned width, void *data)
{
	(void)store;
	return dp_cortexm_emulated_load(frame, address, width, data);
}

/* Bit 0 of a branch's target: without it the next instruction is a fault. */
static inline void dp_thumb_exchange(struct dp_frame *frame, uint32_t target)
{
	frame->xpsr = target & 1 ? frame->xpsr | DP_XPSR_T : frame->xpsr & ~(uint32_t)DP_XPSR_T;
}

/* Return the value that a store of PC writes; only with DP_ARM_STORES. */
static inline uint32_t dp_thumb_stored_pc(uint32_t address)
{
	return address + 4;
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* What watch.c shares with the rest of the port. */
#ifndef DP_IA32_WATCH_H
#define DP_IA32_WATCH_H

#include "dp_watch.h"
#include "ia32_port.h"

#if DP_IA32_WITH_WATCH
/* Read or write a debug or control register. name: a string */
#define DP_IA32_GET(value, name) __asm__ volatile("mov %%" name ", %0" : "=r"(value))
#define DP_IA32_PUT(value, name) __asm__ volatile("mov %0, %%" name ::"r"(value) : "memory")

/* Switch off what an earlier run had on. before: armed of its veneer. Context: THREAD. */
void dp_ia32_watch_attach(uint32_t before);
/* Handle a debug exception. Context: HIT. */
enum dp_taken dp_ia32_debug(struct dp_frame *frame);
/* Does a comparator that is on watch the execution of the instruction? Context: HIT. */
bool dp_ia32_execution_watched(uint32_t pc);
#endif

/* A fault of an instruction whose execution is watched continues in the firmware, which tries the
 * instruction again: let it stop the CPU then. The CPU has set RF for the fault. SDM 3B 18.3.1.1
 * Context: HIT. */
static inline void dp_ia32_watch_again(struct dp_frame *frame)
{
#if DP_IA32_WITH_WATCH
	if (dp_ia32_execution_watched(frame->eip))
		frame->eflags &= ~(uint32_t)DP_FLAG_RF;
#else
	(void)frame;
#endif
}

#endif

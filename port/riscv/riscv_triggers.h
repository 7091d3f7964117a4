/* SPDX-License-Identifier: BSD-2-Clause */
/* What triggers.c shares with the rest of the port, and the access of an instruction. */
#ifndef DP_RISCV_TRIGGERS_H
#define DP_RISCV_TRIGGERS_H

#include "dp_watch.h"
#include "riscv_port.h"

#if DP_RISCV_TRIGGERS > 0
/* Switch off what an earlier run had on, bit n: trigger n. Context: THREAD. */
void dp_riscv_triggers_attach(dp_word before);
/* Does a trigger that is on watch the execution of the instruction? Context: HIT. */
bool dp_riscv_execution_watched(dp_word pc);
/* A trigger has stopped the CPU. Handle the access. Context: HIT. */
enum dp_taken dp_riscv_watched(struct dp_frame *frame);
/* The agent has handled an exception, and the context goes on: write tcontrol, on a CPU that has
 * it. before: its value at the begin of the exception. Context: HIT. */
void dp_riscv_triggers_resume(dp_word before);

/* Does the CPU have the register? access.S. Context: THREAD. */
bool dp_riscv_has_tselect(void);
bool dp_riscv_has_tcontrol(void);

/* Tell kind, address and width of the instruction's access; an instruction that is not named here
 * may do both, anywhere. accessed.c
 * frame: the context before the access. */
void dp_riscv_access_of(uint32_t insn, const struct dp_frame *frame, struct dp_watched *access);
#endif

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The functions of a CPU for the demo kernel: one folder for each CPU (boards/demo/arm/ ...).
 *
 * Interrupts, traps and faults save the interrupted task into its struct arch_context, call one of
 * kernel_irq, kernel_trap, kernel_fault (demo/kernel.h) on a separate stack, and then resume
 * the task of task_current.
 */
#ifndef DEMO_ARCH_H
#define DEMO_ARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "arch_cpu.h" /* struct arch_context */

/* Mask interrupts.
 * returns: the state before, for arch_irq_restore. Nests. Any context. */
unsigned arch_irq_save(void);
void arch_irq_restore(unsigned state);

/* The same for what the agent calls in a hit (BOARD_HIT_PATH): these cannot be probed. */
unsigned arch_hit_irq_save(void);
void arch_hit_irq_restore(unsigned state);

/* Are interrupts masked now? Any context. */
bool arch_irq_masked(void);

/* Make a context that starts entry(arg) with interrupts on, on the stack that ends at stack_end
 * (aligned to 8). entry must not return. */
void arch_context_init(struct arch_context *c, void (*entry)(void *), void *arg, void *stack_end);

/* Trap into kernel_trap, so that the kernel may choose another task. Returns when this task runs
 * again, with the interrupt mask it had.
 * context: a task. */
void arch_trap(void);

/* Drop the boot stack and resume task_current. */
_Noreturn void arch_start(void);

/* Sleep until an interrupt is pending. Returns with the mask unchanged.
 * context: the idle task. */
void arch_wait(void);

/* Where a task was interrupted; for `ps`. */
uintptr_t arch_context_pc(const struct arch_context *c);
uintptr_t arch_context_sp(const struct arch_context *c);

/* What the interrupt has interrupted: its next instruction, stack pointer and return address
 * register. context: an interrupt handler. */
struct arch_place {
	uintptr_t pc, sp, ra;
};
void arch_interrupted(struct arch_place *place);

/* Read a word that may not be there.
 * returns: false when the access faulted; arch_fault_text() then tells how.
 * context: a task. */
bool arch_peek32(uintptr_t address, uint32_t *value);

/* The last fault in words, such as "data abort, DFSR 0x005 DFAR 0xdeadbeec". */
const char *arch_fault_text(void);

/* Print the registers of a faulting task with say(). */
void arch_context_print(const struct arch_context *c);

/* Faults on purpose, for the shell: by name ("undef", "jump" ...).
 * returns: false for an unknown name; otherwise does not return. */
bool arch_fault_raise(const char *name);

/* The names arch_fault_raise knows, for the help text. */
extern const char arch_fault_names[];

#endif

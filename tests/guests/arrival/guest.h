/* SPDX-License-Identifier: BSD-2-Clause */
/* A timer interrupt at every instruction of a probe hit: what main.c and a CPU's files share. A CPU
 * is one folder here: cases.S and cpu.c. */
#ifndef GUEST_H
#define GUEST_H

#define STATE_WORDS 40
#define DATA_WORDS  64

#ifndef __ASSEMBLER__
#include <stdint.h>

#include "dprobes.h"

/* Registers as the CPU's files lay them out; the same order in and out. */
struct state {
	uint32_t word[STATE_WORDS];
};

/* A probed instruction, in text, with what it needs behind it; all end at guest_return. */
struct arrival_case {
	const char *name;
	uintptr_t address; /* of the probe; bit 0: Thumb */
	uintptr_t entry;
};
extern const struct arrival_case arrival_cases[];
extern const unsigned arrival_case_count;

extern uint32_t guest_data[DATA_WORDS];

/* Load the registers, let `count` times 4 and `odd` (0..3) instructions pass, run the case, store
 * the registers. Interrupts on. */
void guest_run(const struct state *in, struct state *out, uintptr_t entry, uint32_t count,
	       uint32_t odd);
extern const char guest_delay[], guest_delay_end[]; /* where the instructions pass */
extern const char guest_return[], guest_return_end[];

/* The registers a case starts with. */
void cpu_initial(struct state *in);
/* Become a task: go on at `entry`, interrupts on. */
_Noreturn void cpu_start(void (*entry)(void), void *stack_end);
/* Where the last interrupt came. */
uintptr_t cpu_interrupted(void);
/* Sleep until there is one. */
void arch_wait(void);

_Noreturn void guest_panic(const char *why);
extern void *task_current; /* where the demo kernel's exception entries save a context */
#endif
#endif

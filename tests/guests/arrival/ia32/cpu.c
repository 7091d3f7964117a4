/* SPDX-License-Identifier: BSD-2-Clause */
/* IA32: the context that boards/demo/ia32/arch_ia32.S saves. */
#include "guest.h"

#include "arch_cpu.h"

#define HOLE       0xdead0000u
#define PAGE_FAULT 14u
#define FAULT_INSN 3u          /* bytes */
#define EFLAGS     0x00000202u /* interrupts on */

static struct arch_context context;
void *task_current = &context;
static uint32_t case_stack[128]; /* an interrupt and a hit keep registers there */

void arch_fault_task(uint32_t vector, uint32_t error, struct arch_context *c);
void arch_fault_fatal(uint32_t vector, uint32_t error, const struct arch_context *c);
void arch_start(void) __attribute__((noreturn));
extern const char guest_fault_site[], guest_target[];

/* The firmware's own handler: what it sees is part of the state. */
void arch_fault_task(uint32_t vector, uint32_t error, struct arch_context *c)
{
	if (vector != PAGE_FAULT || c->pc != (uintptr_t)guest_fault_site)
		guest_panic("another fault");
	__asm__ volatile("mov %%cr2, %0" : "=r"(guest_data[0]));
	guest_data[1] = c->eflags;
	guest_data[2] = error;
	c->ecx = 0xfa017;
	c->pc += FAULT_INSN;
}

void arch_fault_fatal(uint32_t vector, uint32_t error, const struct arch_context *c)
{
	(void)vector;
	(void)error;
	(void)c;
	guest_panic("a fault outside the task");
}

uintptr_t cpu_interrupted(void)
{
	return context.pc;
}

/* In the order of pusha; then eflags. The case that returns finds its way on the stack. */
void cpu_initial(struct state *in)
{
	uint32_t *top = &case_stack[sizeof(case_stack) / sizeof(case_stack[0]) - 4];

	*top = (uint32_t)(uintptr_t)guest_target;
	for (unsigned i = 0; i < STATE_WORDS; i++)
		in->word[i] = 0x10101010u + i * 0x01030507u;
	in->word[0] = (uint32_t)(uintptr_t)&guest_data[16];
	in->word[1] = (uint32_t)(uintptr_t)&guest_data[32];
	in->word[2] = HOLE;
	in->word[3] = (uint32_t)(uintptr_t)top;
	in->word[6] = 3; /* elements of the string */
	in->word[7] = (uint32_t)(uintptr_t)guest_target;
	in->word[8] = EFLAGS;
}

_Noreturn void cpu_start(void (*entry)(void), void *stack_end)
{
	context.esp = (uint32_t)(uintptr_t)stack_end - 32;
	context.pc = (uint32_t)(uintptr_t)entry;
	context.cs = SEGMENT_CODE;
	context.eflags = EFLAGS;
	arch_start();
}

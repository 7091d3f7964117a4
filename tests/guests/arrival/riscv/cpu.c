/* SPDX-License-Identifier: BSD-2-Clause */
/* RISC-V: the context that boards/demo/riscv/arch_riscv.S saves. */
#include "guest.h"

#include "arch_cpu.h"

#define HOLE         0xdead0000u
#define CAUSE_LOAD   5u
#define MSTATUS_MPIE 0x00000080u
#define MSTATUS_MPP  0x00001800u

static struct arch_context context;
void *task_current = &context;
static uint64_t case_stack[64]; /* an interrupt keeps two registers there */

void arch_fault_task(uintptr_t cause, uintptr_t address, struct arch_context *c);
void arch_fault_fatal(uintptr_t cause, uintptr_t address, const struct arch_context *c);
void arch_start(void) __attribute__((noreturn));
extern const char guest_fault_site[], guest_target[];

/* The firmware's own handler: what it sees is part of the state. */
void arch_fault_task(uintptr_t cause, uintptr_t address, struct arch_context *c)
{
	if (cause != CAUSE_LOAD || c->pc != (uintptr_t)guest_fault_site)
		guest_panic("another fault");
	guest_data[0] = (uint32_t)address;
	guest_data[1] = (uint32_t)c->mstatus;
	c->x[12] = 0xfa017;
	c->pc += 4;
}

void arch_fault_fatal(uintptr_t cause, uintptr_t address, const struct arch_context *c)
{
	(void)cause;
	(void)address;
	(void)c;
	guest_panic("a fault outside the task");
}

uintptr_t cpu_interrupted(void)
{
	return context.pc;
}

void cpu_initial(struct state *in)
{
	for (unsigned i = 0; i < STATE_WORDS; i++)
		in->word[i] = 0x10101010u + i * 0x01030507u;
	in->word[2] = (uint32_t)(uintptr_t)&case_stack[sizeof(case_stack) / sizeof(case_stack[0])];
	in->word[9] = HOLE;
	in->word[16] = (uint32_t)(uintptr_t)&guest_data[16];
	in->word[17] = (uint32_t)(uintptr_t)guest_target;
}

_Noreturn void cpu_start(void (*entry)(void), void *stack_end)
{
	uintptr_t gp;

	__asm__ volatile("mv %0, gp" : "=r"(gp));
	context.x[2] = (uintptr_t)stack_end - 32;
	context.x[3] = gp;
	context.pc = (uintptr_t)entry;
	context.mstatus = MSTATUS_MPP | MSTATUS_MPIE;
	arch_start();
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* MIPS32: the context that boards/demo/mips/arch_mips.S saves. */
#include "guest.h"

#include "arch_cpu.h"

#define HOLE      0xdead0000u
#define CODE_LOAD 2u /* TLBL */

static struct arch_context context;
void *task_current = &context;

void arch_fault_task(uint32_t cause, uint32_t badvaddr, struct arch_context *c);
void arch_fault_fatal(uint32_t cause, uint32_t badvaddr, const struct arch_context *c);
extern const char guest_fault_site[], guest_target[];

/* The firmware's own handler: what it sees is part of the state. */
void arch_fault_task(uint32_t cause, uint32_t badvaddr, struct arch_context *c)
{
	if ((cause >> 2 & 31) != CODE_LOAD || c->pc != (uintptr_t)guest_fault_site)
		guest_panic("another fault");
	guest_data[0] = badvaddr;
	guest_data[1] = (cause & 0x8000007c) | c->pc << 8;
	c->r[2] = 0xfa017;
	c->pc += cause >> 31 ? 8 : 4;
}

void arch_fault_fatal(uint32_t cause, uint32_t badvaddr, const struct arch_context *c)
{
	(void)cause;
	(void)badvaddr;
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
	in->word[6] = in->word[29] = (uint32_t)(uintptr_t)&guest_data[16];
	in->word[9] = HOLE;
	in->word[25] = (uint32_t)(uintptr_t)guest_target;
}

void arch_start(void) __attribute__((noreturn));

_Noreturn void cpu_start(void (*entry)(void), void *stack_end)
{
	uint32_t status, gp;

	__asm__ volatile("mfc0 %0, $12" : "=r"(status));
	__asm__ volatile("move %0, $28" : "=r"(gp));
	context.r[28] = gp;
	context.r[29] = (uint32_t)(uintptr_t)stack_end - 32;
	context.pc = (uint32_t)(uintptr_t)entry;
	context.status = (status & ~(uint32_t)0x1e) | 1;
	arch_start();
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* ARM: the context that boards/demo/arm/arch_arm.S saves. */
#include "guest.h"

#include "arch_cpu.h"
#include "arm_modes.h"

#define HOLE 0xdead0000u

static struct arch_context context;
void *task_current = &context;

void arch_fault_task(struct arch_context *c, unsigned kind);
void arch_fault_fatal(const uint32_t *frame, unsigned kind);
_Noreturn void arch_start(void);
extern const char guest_fault_site[];

/* The firmware's own handler: what it sees is part of the state. lr_abt is 8 further. */
void arch_fault_task(struct arch_context *c, unsigned kind)
{
	uint32_t dfsr, dfar;

	__asm__ volatile("mrc p15, 0, %0, c5, c0, 0" : "=r"(dfsr));
	__asm__ volatile("mrc p15, 0, %0, c6, c0, 0" : "=r"(dfar));
	if (kind != FAULT_DATA || c->pc != (uintptr_t)guest_fault_site + 8)
		guest_panic("another fault");
	guest_data[0] = dfar;
	guest_data[1] = dfsr << 16 | kind;
	guest_data[2] = c->cpsr;
	c->r[0] = 0xfa017;
	c->pc -= 4;
}

void arch_fault_fatal(const uint32_t *frame, unsigned kind)
{
	(void)frame;
	(void)kind;
	guest_panic("a fault outside the task");
}

uintptr_t cpu_interrupted(void)
{
	return context.pc;
}

/* r0 to r14 without r12, then the flags. */
void cpu_initial(struct state *in)
{
	for (unsigned i = 0; i < STATE_WORDS; i++)
		in->word[i] = 0x10101010u + i * 0x01030507u;
	in->word[4] = in->word[13] = (uint32_t)(uintptr_t)&guest_data[16];
	in->word[9] = HOLE;
	in->word[15] = 0xa0000000u; /* N, C */
}

_Noreturn void cpu_start(void (*entry)(void), void *stack_end)
{
	context.r[13] = (uint32_t)(uintptr_t)stack_end;
	context.pc = (uint32_t)(uintptr_t)entry & ~1u;
	context.cpsr = MODE_SYS | ((uintptr_t)entry & 1 ? PSR_T : 0);
	arch_start();
}

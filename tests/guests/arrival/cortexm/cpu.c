/* SPDX-License-Identifier: BSD-2-Clause */
/* Cortex-M: the context that boards/demo/cortexm/arch_cortexm.S saves. The CPU keeps the other
 * registers below sp, where a case has room for them. */
#include "guest.h"

#include "arch_cpu.h"
#include "cortexm_modes.h"

#define HOLE        0xdead0000u
#define XPSR_T      0x01000000u
#define STACK_WORDS 64

enum {
	FRAME_R0 = 0,
	FRAME_PC = 6,
	FRAME_XPSR = 7,
	FRAME_BYTES = 32
};

static struct arch_context context;
static uint64_t stack[STACK_WORDS];
void *task_current = &context;
/* boards/demo/cortexm/arch_cortexm.S */
void *arch_running;
uint32_t *arch_irq_frame;
uint32_t arch_irq_return;

void arch_fault_task(struct arch_context *c, unsigned exception);
void arch_fault_fatal(const uint32_t *frame, unsigned exception);
_Noreturn void arch_start(void);
extern const char guest_fault_site[], guest_target[];

/* The firmware's own handler: what it sees is part of the state. */
void arch_fault_task(struct arch_context *c, unsigned exception)
{
	volatile uint32_t *cfsr = (volatile uint32_t *)SCS_CFSR;
	uint32_t *frame = (uint32_t *)(uintptr_t)c->psp;

	if (exception != EXCEPTION_BUS || frame[FRAME_PC] != (uintptr_t)guest_fault_site)
		guest_panic("another fault");
	guest_data[0] = *(volatile uint32_t *)SCS_BFAR;
	guest_data[1] = *cfsr;
	guest_data[2] = *(volatile uint32_t *)SCS_HFSR;
	guest_data[3] = frame[FRAME_XPSR];
	*cfsr = guest_data[1];
	frame[FRAME_R0] = 0xfa017;
	frame[FRAME_PC] += 4;
}

void arch_fault_fatal(const uint32_t *frame, unsigned exception)
{
	(void)frame;
	(void)exception;
	guest_panic("a fault outside the task");
}

/* The task runs on the process stack, where the CPU has put its registers. */
uintptr_t cpu_interrupted(void)
{
	uint32_t psp;

	__asm__ volatile("mrs %0, psp" : "=r"(psp));
	return ((const uint32_t *)(uintptr_t)psp)[FRAME_PC];
}

/* r0 to r14 without r12, then the flags. */
void cpu_initial(struct state *in)
{
	for (unsigned i = 0; i < STATE_WORDS; i++)
		in->word[i] = 0x10101010u + i * 0x01030507u;
	in->word[4] = (uint32_t)(uintptr_t)&guest_data[16];
	in->word[8] = (uint32_t)(uintptr_t)guest_target;
	in->word[9] = HOLE;
	in->word[13] = (uint32_t)(uintptr_t)&stack[STACK_WORDS];
	in->word[15] = 0xa0000000u; /* N, C */
}

_Noreturn void cpu_start(void (*entry)(void), void *stack_end)
{
	uint32_t *frame = (uint32_t *)stack_end - FRAME_BYTES / 4;

	frame[FRAME_PC] = (uint32_t)(uintptr_t)entry & ~1u;
	frame[FRAME_XPSR] = XPSR_T;
	context.psp = (uint32_t)(uintptr_t)frame;
	context.exc_return = 0xfffffffdu;
	arch_start();
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults on Cortex-M: which one, where, and who handles it. */
#include <stdio.h>
#include <string.h>

#include "arch.h"
#include "console.h"
#include "cortexm_modes.h"
#include "kernel.h"

void arch_fault_task(struct arch_context *c, unsigned exception);
_Noreturn void arch_fault_fatal(const uint32_t *frame, unsigned exception);

/* Labels in arch_cortexm.S. */
extern const char arch_peek_try[], arch_peek_fixup[];

/* The task whose registers the CPU has. */
struct task *arch_running;

const char arch_fault_names[] = "read|write|null|undef|jump";

static const char *const names[] = {
	[EXCEPTION_HARD] = "hard fault",
	[EXCEPTION_MEMORY] = "memory fault",
	[EXCEPTION_BUS] = "bus fault",
	[EXCEPTION_USAGE] = "usage fault",
};

static char fault_text[64];

/* The status is told once: bits are cleared by writing them. */
static void describe(unsigned exception)
{
	volatile uint32_t *cfsr = (volatile uint32_t *)SCS_CFSR;
	volatile uint32_t *hfsr = (volatile uint32_t *)SCS_HFSR;
	const uint32_t status = *cfsr, hard = *hfsr;

	snprintf(fault_text, sizeof(fault_text), "%s, CFSR 0x%08lx BFAR 0x%08lx",
		 exception <= EXCEPTION_USAGE && names[exception] ? names[exception] : "exception",
		 (unsigned long)status, (unsigned long)*(volatile uint32_t *)SCS_BFAR);
	*cfsr = status;
	*hfsr = hard;
}

static uint32_t *frame_of(const struct arch_context *c)
{
	return (uint32_t *)(uintptr_t)c->psp;
}

/* A fault in a task. Called by arch_cortexm.S, which resumes task_current afterwards. */
void arch_fault_task(struct arch_context *c, unsigned exception)
{
	describe(exception);
	if (frame_of(c)[6] == ((uintptr_t)arch_peek_try & ~1u)) {
		frame_of(c)[6] = (uintptr_t)arch_peek_fixup & ~1u;
		return;
	}
	kernel_fault();
}

/* A fault in the kernel or in an interrupt handler: tell and stop.
 * frame: r0..r3, r12, lr, pc, xpsr. */
_Noreturn void arch_fault_fatal(const uint32_t *frame, unsigned exception)
{
	describe(exception);
	say("\nkernel: %s at 0x%08lx, xpsr 0x%08lx\n", fault_text, (unsigned long)frame[6],
	    (unsigned long)frame[7]);
	for (unsigned i = 0; i < 6; i++)
		say("%08lx%s", (unsigned long)frame[i], i == 5 ? "\n" : "  ");
	kernel_panic("fault outside a task");
}

const char *arch_fault_text(void)
{
	return fault_text;
}

void arch_context_print(const struct arch_context *c)
{
	const uint32_t *frame = frame_of(c);

	for (unsigned i = 0; i < 4; i++)
		say("  r%-2u %08lx%s", i, (unsigned long)frame[i], i % 4 == 3 ? "\n" : "");
	for (unsigned i = 0; i < 8; i++)
		say("  r%-2u %08lx%s", i + 4, (unsigned long)c->r[i], i % 4 == 3 ? "\n" : "");
	say("  r12 %08lx  sp  %08lx  r14 %08lx  pc  %08lx\n  xpsr %08lx\n", (unsigned long)frame[4],
	    (unsigned long)arch_context_sp(c), (unsigned long)frame[5], (unsigned long)frame[6],
	    (unsigned long)frame[7]);
}

uintptr_t arch_context_pc(const struct arch_context *c)
{
	return c->psp == 0 ? 0 : frame_of(c)[6];
}

/* Behind the CPU's frame: 8 words, or 26 with FP. */
uintptr_t arch_context_sp(const struct arch_context *c)
{
	return c->psp + (c->exc_return & 0x10 ? 32 : 104);
}

/* arch_irq_entry leaves these: where the CPU has stored r0 to r3, r12, lr, pc and xpsr, of a task
 * or of a handler, and the link value of the exception. */
uint32_t *arch_irq_frame;
uint32_t arch_irq_return;

void arch_interrupted(struct arch_place *place)
{
	const uint32_t *frame = arch_irq_frame;
	uint32_t padded = frame[7] >> 9 & 1; /* DDI 0403E B1.5.7 */

	place->pc = frame[6];
	place->ra = frame[5];
	place->sp = (uintptr_t)frame + (arch_irq_return & 0x10 ? 32 : 104) + 4 * padded;
}

void arch_context_init(struct arch_context *c, void (*entry)(void *), void *arg, void *stack_end)
{
	memset(c, 0, sizeof(*c));
	c->psp = (uintptr_t)stack_end - 32;
	c->exc_return = 0xfffffffdu;
	memset(frame_of(c), 0, 32);
	frame_of(c)[0] = (uintptr_t)arg;
	frame_of(c)[6] = (uintptr_t)entry & ~(uintptr_t)1;
	frame_of(c)[7] = 0x01000000u; /* T */
}

bool arch_fault_raise(const char *name)
{
	volatile uint32_t *hole = (volatile uint32_t *)0xdead0000u;

	if (strcmp(name, "read") == 0)
		(void)*hole;
	else if (strcmp(name, "write") == 0)
		*hole = 1;
	else if (strcmp(name, "null") == 0)
		(void)*(volatile uint32_t *)(uintptr_t)kernel_zero;
	else if (strcmp(name, "undef") == 0) /* neither of the agent's trap words */
		__asm__ volatile("udf #0xf0");
	else if (strcmp(name, "jump") == 0)
		((void (*)(void))0xdead0001u)();
	else
		return false;
	return true;
}

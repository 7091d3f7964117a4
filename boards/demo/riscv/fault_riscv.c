/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults on RISC-V: which one, where, and who handles it. */
#include <stdio.h>
#include <string.h>

#include "arch.h"
#include "console.h"
#include "kernel.h"

#define MSTATUS_MPIE 0x00000080u
#define MSTATUS_MPP  0x00001800u

void arch_fault_task(uintptr_t cause, uintptr_t address, struct arch_context *c);
_Noreturn void arch_fault_fatal(uintptr_t cause, uintptr_t address, const struct arch_context *c);

/* Labels in arch_riscv.S. */
extern const char arch_peek_try[], arch_peek_fixup[];

const char arch_fault_names[] = "read|write|null|undef|jump|align";

/* mcause.  Privileged ISA, table 3.6 */
static const char *const names[] = {
	[0] = "fetch from between two instructions",
	[1] = "no memory for a fetch",
	[2] = "undefined instruction",
	[3] = "breakpoint",
	[4] = "load that is not aligned",
	[5] = "no memory for a load",
	[6] = "store that is not aligned",
	[7] = "no memory for a store",
};

static char fault_text[80];

static void describe(uintptr_t cause, uintptr_t address)
{
	const bool known = cause < sizeof(names) / sizeof(names[0]);

	snprintf(fault_text, sizeof(fault_text), "%s, mcause %lu mtval 0x%08lx",
		 known ? names[cause] : "exception", (unsigned long)cause, (unsigned long)address);
}

/* A fault in a task. Called by arch_riscv.S, which resumes task_current afterwards. */
void arch_fault_task(uintptr_t cause, uintptr_t address, struct arch_context *c)
{
	describe(cause, address);
	if (c->pc == (uintptr_t)arch_peek_try)
		c->pc = (uintptr_t)arch_peek_fixup;
	else
		kernel_fault();
}

static void print_registers(const struct arch_context *c)
{
	for (unsigned i = 0; i < 32; i++)
		say("  x%-2u %08lx%s", i, i == 0 ? 0ul : (unsigned long)c->x[i],
		    i % 4 == 3 ? "\n" : "");
}

/* A fault in the kernel or in an interrupt handler: tell and stop. */
_Noreturn void arch_fault_fatal(uintptr_t cause, uintptr_t address, const struct arch_context *c)
{
	describe(cause, address);
	say("\nkernel: %s at 0x%08lx, mstatus 0x%08lx\n", fault_text, (unsigned long)c->pc,
	    (unsigned long)c->mstatus);
	print_registers(c);
	kernel_panic("fault outside a task");
}

const char *arch_fault_text(void)
{
	return fault_text;
}

void arch_context_print(const struct arch_context *c)
{
	print_registers(c);
	say("  pc  %08lx  mstatus %08lx\n", (unsigned long)c->pc, (unsigned long)c->mstatus);
}

uintptr_t arch_context_pc(const struct arch_context *c)
{
	return c->pc;
}

uintptr_t arch_context_sp(const struct arch_context *c)
{
	return c->x[2];
}

void arch_interrupted(struct arch_place *place)
{
	const struct arch_context *c = &task_current->context;

	place->pc = arch_context_pc(c);
	place->sp = arch_context_sp(c);
	place->ra = c->lr;
}

void arch_context_init(struct arch_context *c, void (*entry)(void *), void *arg, void *stack_end)
{
	uintptr_t gp;

	__asm__ volatile("mv %0, gp" : "=r"(gp));
	memset(c, 0, sizeof(*c));
	c->x[2] = (uintptr_t)stack_end & ~(uintptr_t)15;
	c->x[3] = gp;
	c->x[10] = (uintptr_t)arg;
	c->pc = (uintptr_t)entry;
	c->mstatus = MSTATUS_MPP | MSTATUS_MPIE;
}

static _Noreturn void raise_undef(void)
{
	__asm__ volatile(".4byte 0");
	for (;;)
		;
}

bool arch_fault_raise(const char *name)
{
	volatile uint32_t *hole = (volatile uint32_t *)0xdead0000u;
	uint32_t word;

	if (strcmp(name, "read") == 0)
		(void)*hole;
	else if (strcmp(name, "write") == 0)
		*hole = 1;
	else if (strcmp(name, "null") == 0)
		(void)*(volatile uint32_t *)kernel_zero;
	else if (strcmp(name, "undef") == 0)
		raise_undef();
	else if (strcmp(name, "jump") == 0)
		((void (*)(void))0xdead0000u)();
	else if (strcmp(name, "align") == 0) /* plain loads may do this */
		__asm__ volatile("lr.w %0, (%1)" : "=r"(word) : "r"((uintptr_t)&word + 1));
	else
		return false;
	return true;
}

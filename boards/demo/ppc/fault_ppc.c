/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults on PowerPC: which one, where, and who handles it. */
#include <stdio.h>
#include <string.h>

#include "arch.h"
#include "console.h"
#include "kernel.h"

void arch_fault_task(unsigned vector, uint32_t address, uint32_t syndrome, struct arch_context *c);
_Noreturn void arch_fault_fatal(unsigned vector, uint32_t address, uint32_t syndrome,
				const struct arch_context *c);

/* Labels in arch_ppc.S. */
extern const char arch_peek_try[], arch_peek_fixup[];

const char arch_fault_names[] = "read|write|null|undef|jump|align";

/* What a vector is, and whether the address register goes with it. */
struct fault {
	const char *name;
	bool has_address;
};

#if DP_PPC_BOOKE
/* IVORn.  Power ISA 2.03 book III-E 5.2.18 */
#define VECTOR_TEXT "IVOR%u"
#define FAULT_TEXT  "DEAR 0x%08lx ESR 0x%08lx"
#define MSR_TASK    0x9000u /* EE, ME */
static const struct fault faults[VECTORS] = {
	[0] = {"critical input", false},
	[1] = {"machine check", false},
	[2] = {"data access not allowed", true},
	[3] = {"fetch not allowed", false},
	[5] = {"alignment", true},
	[6] = {"program exception", false},
	[7] = {"no floating point", false},
	[12] = {"watchdog", false},
	[13] = {"no mapping for data", true},
	[14] = {"no mapping for a fetch", false},
	[15] = {"debug", false},
};
/* These have saved PC and MSR elsewhere: CSRR0, CSRR1. */
#define CRITICAL_VECTORS (1u << 0 | 1u << 12 | 1u << 15)
#else
/* n * 0x100.  Programming Environments Manual, table 6-2 */
#define VECTOR_TEXT      "vector 0x%x00"
#define FAULT_TEXT       "DAR 0x%08lx DSISR 0x%08lx"
#define MSR_TASK         0x9032u /* EE, ME, IR, DR, RI */
static const struct fault faults[VECTORS] = {
	[1] = {"reset", false},
	[2] = {"machine check", false},
	[3] = {"no data access there", true},
	[4] = {"no fetch there", false},
	[6] = {"alignment", true},
	[7] = {"program exception", false},
	[8] = {"no floating point", false},
	[13] = {"trace", false},
};
#define CRITICAL_VECTORS 0u
#endif

static char fault_text[80];

static void describe(unsigned vector, uint32_t address, uint32_t syndrome)
{
	const struct fault *f = &faults[vector];
	int n = snprintf(fault_text, sizeof(fault_text), "%s, " VECTOR_TEXT,
			 f->name ? f->name : "exception", vector);

	if (f->has_address)
		snprintf(fault_text + n, sizeof(fault_text) - (size_t)n, " " FAULT_TEXT,
			 (unsigned long)address, (unsigned long)syndrome);
}

/* A fault in a task. Called by arch_ppc.S, which resumes task_current afterwards. */
void arch_fault_task(unsigned vector, uint32_t address, uint32_t syndrome, struct arch_context *c)
{
	describe(vector, address, syndrome);
	if (CRITICAL_VECTORS >> vector & 1)
		arch_fault_fatal(vector, address, syndrome, c);
	if (c->pc == (uintptr_t)arch_peek_try)
		c->pc = (uintptr_t)arch_peek_fixup;
	else
		kernel_fault();
}

static void print_registers(const struct arch_context *c)
{
	for (unsigned i = 0; i < 32; i++)
		say("  r%-2u %08lx%s", i, (unsigned long)c->r[i], i % 4 == 3 ? "\n" : "");
}

/* A fault in the kernel or in an interrupt handler: tell and stop. */
_Noreturn void arch_fault_fatal(unsigned vector, uint32_t address, uint32_t syndrome,
				const struct arch_context *c)
{
	uint32_t pc = c->pc, msr = c->msr;

	describe(vector, address, syndrome);
	if (CRITICAL_VECTORS >> vector & 1) {
		__asm__ volatile("mfspr %0, 58" : "=r"(pc));
		__asm__ volatile("mfspr %0, 59" : "=r"(msr));
	}
	say("\nkernel: %s at 0x%08lx, msr 0x%08lx\n", fault_text, (unsigned long)pc,
	    (unsigned long)msr);
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
	say("  lr  %08lx  ctr %08lx  cr  %08lx  xer %08lx\n", (unsigned long)c->lr,
	    (unsigned long)c->ctr, (unsigned long)c->cr, (unsigned long)c->xer);
	say("  pc  %08lx  msr %08lx\n", (unsigned long)c->pc, (unsigned long)c->msr);
}

uintptr_t arch_context_pc(const struct arch_context *c)
{
	return c->pc;
}

uintptr_t arch_context_sp(const struct arch_context *c)
{
	return c->r[1];
}

void arch_interrupted(struct arch_place *place)
{
	const struct arch_context *c = &task_current->context;

	place->pc = arch_context_pc(c);
	place->sp = arch_context_sp(c);
	place->ra = c->lr;
}

/* The stack begins with a frame: back chain 0, and the place where the callee keeps lr. */
void arch_context_init(struct arch_context *c, void (*entry)(void *), void *arg, void *stack_end)
{
	uint32_t *frame = (uint32_t *)(((uintptr_t)stack_end - 16) & ~(uintptr_t)15);

	memset(c, 0, sizeof(*c));
	frame[0] = 0;
	c->r[1] = (uintptr_t)frame;
	c->r[3] = (uintptr_t)arg;
	c->pc = (uintptr_t)entry;
	c->msr = MSR_TASK;
}

static _Noreturn void raise_undef(void)
{
	__asm__ volatile(".long 0");
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
		(void)*(volatile uint32_t *)(uintptr_t)kernel_zero;
	else if (strcmp(name, "undef") == 0)
		raise_undef();
	else if (strcmp(name, "jump") == 0)
		((void (*)(void))0xdead0000u)();
	else if (strcmp(name, "align") == 0) /* plain loads may do this */
		__asm__ volatile("lwarx %0, 0, %1" : "=r"(word) : "r"((uintptr_t)&word + 1));
	else
		return false;
	return true;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults on MIPS: which one, where, and who handles it. */
#include <stdio.h>
#include <string.h>

#include "arch.h"
#include "console.h"
#include "kernel.h"

void arch_fault_task(uint32_t cause, uint32_t badvaddr, struct arch_context *c);
_Noreturn void arch_fault_fatal(uint32_t cause, uint32_t badvaddr, const struct arch_context *c);

/* Labels in arch_mips.S. */
extern const char arch_peek_try[], arch_peek_fixup[];

const char arch_fault_names[] = "read|write|null|undef|jump|align";

/* Cause.ExcCode.  MD00090 table 9.46 */
enum {
	CODE_MOD = 1,
	CODE_TLBL,
	CODE_TLBS,
	CODE_ADEL,
	CODE_ADES,
	CODE_IBE,
	CODE_DBE
};

static const char *const names[32] = {
	[CODE_MOD] = "write to a read-only page",
	[CODE_TLBL] = "no mapping for a load",
	[CODE_TLBS] = "no mapping for a store",
	[CODE_ADEL] = "address error on a load",
	[CODE_ADES] = "address error on a store",
	[CODE_IBE] = "bus error on a fetch",
	[CODE_DBE] = "bus error on data",
	[9] = "breakpoint",
	[10] = "undefined instruction",
	[11] = "coprocessor unusable",
	[12] = "overflow",
	[13] = "trap",
};

static char fault_text[64];

static unsigned code_of(uint32_t cause)
{
	return cause >> 2 & 31;
}

/* A bus error leaves BadVAddr as it was. */
static bool has_address(unsigned code)
{
	return code >= CODE_MOD && code <= CODE_ADES;
}

static void describe(uint32_t cause, uint32_t badvaddr)
{
	unsigned code = code_of(cause);
	const char *name = names[code] ? names[code] : "exception";

	if (has_address(code))
		snprintf(fault_text, sizeof(fault_text), "%s, code %u BadVAddr 0x%08lx", name, code,
			 (unsigned long)badvaddr);
	else
		snprintf(fault_text, sizeof(fault_text), "%s, code %u%s", name, code,
			 cause >> 31 ? " in a delay slot" : "");
}

/* A fault in a task. Called by arch_mips.S, which resumes task_current afterwards. */
void arch_fault_task(uint32_t cause, uint32_t badvaddr, struct arch_context *c)
{
	describe(cause, badvaddr);
	if (c->pc == (uintptr_t)arch_peek_try) {
		c->pc = (uintptr_t)arch_peek_fixup;
		return;
	}
	if (cause >> 31) /* the branch is at pc; the fault is in its delay slot */
		c->pc += 4;
	kernel_fault();
}

static void print_registers(const struct arch_context *c)
{
	for (unsigned i = 0; i < 31; i++)
		say("  r%-2u %08lx%s", i, i == 26 || i == 27 ? 0ul : (unsigned long)c->r[i],
		    i % 4 == 3 ? "\n" : "");
	say("  r31 %08lx\n", (unsigned long)c->lr);
}

/* A fault in the kernel or in an interrupt handler: tell and stop. */
_Noreturn void arch_fault_fatal(uint32_t cause, uint32_t badvaddr, const struct arch_context *c)
{
	describe(cause, badvaddr);
	say("\nkernel: %s at 0x%08lx, status 0x%08lx\n", fault_text, (unsigned long)c->pc,
	    (unsigned long)c->status);
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
	say("  hi  %08lx  lo  %08lx\n  pc  %08lx  status %08lx\n", (unsigned long)c->hi,
	    (unsigned long)c->lo, (unsigned long)c->pc, (unsigned long)c->status);
}

uintptr_t arch_context_pc(const struct arch_context *c)
{
	return c->pc;
}

uintptr_t arch_context_sp(const struct arch_context *c)
{
	return c->r[29];
}

void arch_interrupted(struct arch_place *place)
{
	const struct arch_context *c = &task_current->context;

	place->pc = arch_context_pc(c);
	place->sp = arch_context_sp(c);
	place->ra = c->lr;
}

/* The board has set the interrupt mask bits before the first task is made. */
void arch_context_init(struct arch_context *c, void (*entry)(void *), void *arg, void *stack_end)
{
	uint32_t status, gp;

	__asm__ volatile("mfc0 %0, $12" : "=r"(status));
	__asm__ volatile("move %0, $28" : "=r"(gp));
	memset(c, 0, sizeof(*c));
	c->r[4] = (uintptr_t)arg;
	c->r[28] = gp;
	c->r[29] = (uintptr_t)stack_end - 16; /* o32: room for four arguments */
	c->pc = (uintptr_t)entry;
	c->status = (status & ~(uint32_t)0x1e) | 1;
}

/* A reserved function of opcode SPECIAL. */
static _Noreturn void raise_undef(void)
{
	__asm__ volatile(".word 0x0000000e");
	for (;;)
		;
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
	else if (strcmp(name, "undef") == 0)
		raise_undef();
	else if (strcmp(name, "jump") == 0)
		((void (*)(void))0xdead0000u)();
	else if (strcmp(name, "align") == 0)
		__asm__ volatile("lw $2, 1($sp)" ::: "$2");
	else
		return false;
	return true;
}

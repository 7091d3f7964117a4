/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults on IA32: which one, where, and who handles it. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "arch.h"
#include "console.h"
#include "kernel.h"

#define EFLAGS_ALWAYS 0x00000002u
#define EFLAGS_IF     0x00000200u

#define PAGE_FAULT 14u
#define PAGE_WRITE 2u /* bits of its error code. SDM 3A 4.7 */

void arch_fault_task(uint32_t vector, uint32_t error, struct arch_context *c);
_Noreturn void arch_fault_fatal(uint32_t vector, uint32_t error, const struct arch_context *c);

_Static_assert(offsetof(struct arch_context, eax) == CONTEXT_EAX &&
		       offsetof(struct arch_context, esp) == CONTEXT_ESP &&
		       offsetof(struct arch_context, eflags) == CONTEXT_EFLAGS &&
		       sizeof(struct arch_context) == CONTEXT_BYTES,
	       "arch_ia32.S");

/* Labels in arch_ia32.S. */
extern const char arch_peek_try[], arch_peek_fixup[];

const char arch_fault_names[] = "read|write|null|undef|jump|divide";

/* SDM 3A, table 6-1 */
static const char *const names[] = {
	[0] = "divide error",
	[1] = "debug exception",
	[2] = "NMI",
	[3] = "breakpoint",
	[4] = "overflow",
	[5] = "bound range exceeded",
	[6] = "undefined instruction",
	[7] = "no FPU",
	[8] = "double fault",
	[10] = "invalid TSS",
	[11] = "segment not present",
	[12] = "stack segment fault",
	[13] = "general protection",
	[14] = "page fault",
	[16] = "FPU error",
	[17] = "access that is not aligned",
	[18] = "machine check",
	[19] = "SIMD error",
};

static char fault_text[80];

static uint32_t fault_address(void)
{
	uint32_t value;

	__asm__ volatile("mov %%cr2, %0" : "=r"(value));
	return value;
}

static void describe(uint32_t vector, uint32_t error)
{
	const bool known = vector < sizeof(names) / sizeof(names[0]) && names[vector] != NULL;

	if (vector == PAGE_FAULT)
		snprintf(fault_text, sizeof(fault_text),
			 "page fault of a %s, error %lu cr2 0x%08lx",
			 error & PAGE_WRITE ? "write" : "read", (unsigned long)error,
			 (unsigned long)fault_address());
	else
		snprintf(fault_text, sizeof(fault_text), "%s, vector %lu error %lu",
			 known ? names[vector] : "exception", (unsigned long)vector,
			 (unsigned long)error);
}

/* A fault in a task. Called by arch_ia32.S, which resumes task_current afterwards. */
void arch_fault_task(uint32_t vector, uint32_t error, struct arch_context *c)
{
	describe(vector, error);
	if (c->pc == (uintptr_t)arch_peek_try)
		c->pc = (uintptr_t)arch_peek_fixup;
	else
		kernel_fault();
}

static void print_registers(const struct arch_context *c)
{
	say("  eax %08lx  ebx %08lx  ecx %08lx  edx %08lx\n", (unsigned long)c->eax,
	    (unsigned long)c->ebx, (unsigned long)c->ecx, (unsigned long)c->edx);
	say("  esi %08lx  edi %08lx  ebp %08lx  esp %08lx\n", (unsigned long)c->esi,
	    (unsigned long)c->edi, (unsigned long)c->ebp, (unsigned long)c->esp);
}

/* A fault in the kernel or in an interrupt handler: tell and stop. */
_Noreturn void arch_fault_fatal(uint32_t vector, uint32_t error, const struct arch_context *c)
{
	describe(vector, error);
	say("\nkernel: %s at 0x%08lx, eflags 0x%08lx\n", fault_text, (unsigned long)c->pc,
	    (unsigned long)c->eflags);
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
	say("  eip %08lx  eflags %08lx\n", (unsigned long)c->pc, (unsigned long)c->eflags);
}

uintptr_t arch_context_pc(const struct arch_context *c)
{
	return c->pc;
}

uintptr_t arch_context_sp(const struct arch_context *c)
{
	return c->esp;
}

void arch_interrupted(struct arch_place *place)
{
	const struct arch_context *c = &task_current->context;

	place->pc = arch_context_pc(c);
	place->sp = arch_context_sp(c);
	place->ra = c->lr;
}

/* As behind a call: return address, argument. System V ABI, Intel386 Architecture Processor
 * Supplement, 2.2.2 */
void arch_context_init(struct arch_context *c, void (*entry)(void *), void *arg, void *stack_end)
{
	uint32_t *top = (uint32_t *)((uintptr_t)stack_end & ~(uintptr_t)15) - 4;

	memset(c, 0, sizeof(*c));
	top[0] = (uint32_t)(uintptr_t)arg;
	top[-1] = 0;
	c->esp = (uint32_t)(uintptr_t)(top - 1);
	c->pc = (uint32_t)(uintptr_t)entry;
	c->cs = SEGMENT_CODE;
	c->eflags = EFLAGS_ALWAYS | EFLAGS_IF;
}

static _Noreturn void raise_undef(void)
{
	__asm__ volatile("ud2");
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
		(void)*(volatile uint32_t *)kernel_zero;
	else if (strcmp(name, "undef") == 0)
		raise_undef();
	else if (strcmp(name, "jump") == 0)
		((void (*)(void))0xdead0000u)();
	else if (strcmp(name, "divide") == 0)
		__asm__ volatile("divl %0" ::"r"(kernel_zero) : "eax", "edx", "cc");
	else
		return false;
	return true;
}

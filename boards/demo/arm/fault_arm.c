/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults on ARM: which one, where, and who handles it. */
#include <stdio.h>
#include <string.h>

#include "arch.h"
#include "arm_modes.h"
#include "console.h"
#include "kernel.h"

void arch_fault_task(struct arch_context *c, unsigned kind);
_Noreturn void arch_fault_fatal(const uint32_t *frame, unsigned kind);

/* Labels in arch_arm.S. */
extern const char arch_peek_try[], arch_peek_fixup[];

const char arch_fault_names[] = "read|write|null|undef|jump";

static const char *const kind_names[] = {
	[FAULT_UNDEF] = "undefined instruction",
	[FAULT_PREFETCH] = "prefetch abort",
	[FAULT_DATA] = "data abort",
	[FAULT_FIQ] = "unexpected FIQ",
};

static char fault_text[64];

/* This file is compiled to ARM instructions on every core (sources.mk): ARMv5 Thumb has no MRC. */
static uint32_t read_dfsr(void)
{
	uint32_t v;

	__asm__ volatile("mrc p15, 0, %0, c5, c0, 0" : "=r"(v));
	return v;
}

static uint32_t read_ifsr(void)
{
	uint32_t v;

	__asm__ volatile("mrc p15, 0, %0, c5, c0, 1" : "=r"(v));
	return v;
}

static uint32_t read_dfar(void)
{
	uint32_t v;

	__asm__ volatile("mrc p15, 0, %0, c6, c0, 0" : "=r"(v));
	return v;
}

static void describe(unsigned kind)
{
	if (kind == FAULT_DATA)
		snprintf(fault_text, sizeof(fault_text), "%s, DFSR 0x%03lx DFAR 0x%08lx",
			 kind_names[kind], (unsigned long)read_dfsr(), (unsigned long)read_dfar());
	else if (kind == FAULT_PREFETCH)
		snprintf(fault_text, sizeof(fault_text), "%s, IFSR 0x%03lx", kind_names[kind],
			 (unsigned long)read_ifsr());
	else
		snprintf(fault_text, sizeof(fault_text), "%s", kind_names[kind]);
}

/* How far LR is beyond the faulting instruction. ARM ARM, "Exceptions", link register values. */
static uint32_t lr_offset(unsigned kind, uint32_t cpsr)
{
	if (kind == FAULT_DATA)
		return 8;
	if (kind == FAULT_UNDEF && (cpsr & PSR_T))
		return 2;
	return 4;
}

/* A fault in a task. Called by arch_arm.S, which resumes task_current afterwards. */
void arch_fault_task(struct arch_context *c, unsigned kind)
{
	describe(kind);
	c->pc -= lr_offset(kind, c->cpsr);
	if (kind == FAULT_DATA && c->pc == (uintptr_t)arch_peek_try) {
		c->pc = (uintptr_t)arch_peek_fixup;
		return;
	}
	kernel_fault();
}

/* A fault in the kernel or in an interrupt handler: tell and stop.
 * frame: r0..r12, spsr, lr of the exception. */
_Noreturn void arch_fault_fatal(const uint32_t *frame, unsigned kind)
{
	uint32_t spsr = frame[13];

	describe(kind);
	say("\nkernel: %s at 0x%08lx in mode 0x%02lx\n", fault_text,
	    (unsigned long)(frame[14] - lr_offset(kind, spsr)), (unsigned long)(spsr & MODE_MASK));
	for (unsigned i = 0; i < 13; i++)
		say("r%-2u %08lx%s", i, (unsigned long)frame[i], i % 4 == 3 ? "\n" : "  ");
	say("\n");
	kernel_panic("fault outside a task");
}

const char *arch_fault_text(void)
{
	return fault_text;
}

void arch_context_print(const struct arch_context *c)
{
	for (unsigned i = 0; i < 14; i++)
		say("  r%-2u %08lx%s", i, (unsigned long)c->r[i], i % 4 == 3 ? "\n" : "");
	say("  r14 %08lx  pc  %08lx\n  cpsr %08lx\n", (unsigned long)c->lr, (unsigned long)c->pc,
	    (unsigned long)c->cpsr);
}

uintptr_t arch_context_pc(const struct arch_context *c)
{
	return c->pc;
}

uintptr_t arch_context_sp(const struct arch_context *c)
{
	return c->r[13];
}

void arch_interrupted(struct arch_place *place)
{
	const struct arch_context *c = &task_current->context;

	/* dprobes_sample takes the instruction set from the lowest bit. */
	place->pc = arch_context_pc(c) | (c->cpsr & PSR_T ? 1 : 0);
	place->sp = arch_context_sp(c);
	place->ra = c->lr;
}

void arch_context_init(struct arch_context *c, void (*entry)(void *), void *arg, void *stack_end)
{
	memset(c, 0, sizeof(*c));
	c->r[0] = (uintptr_t)arg;
	c->r[13] = (uintptr_t)stack_end;
	c->pc = (uintptr_t)entry & ~(uintptr_t)1;
	c->cpsr = MODE_SYS | PSR_F | ((uintptr_t)entry & 1 ? PSR_T : 0);
}

/* 0xe7f000f0 is permanently undefined too, and is neither of the agent's trap words. */
static _Noreturn void raise_undef(void)
{
	__asm__ volatile(".inst 0xe7f000f0");
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
	else
		return false;
	return true;
}

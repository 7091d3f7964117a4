/* SPDX-License-Identifier: BSD-2-Clause */
/* A CPU with a Data Watchpoint and Trace unit and DebugMonitor, for the demo kernel on a board that
 * has neither. The registers are those of tests/port/dwt_model.h; SConstruct puts unit_get and
 * unit_set into the place of the port's. Code that a test places announces each access
 * (dwt_announce). Where the model says that DebugMonitor comes, interrupt MONITOR_IRQ comes in its
 * place, at the agent's vector of DebugMonitor, with the pc that the CPU would have stored:
 *
 *           bl dwt_announce     r0 address, r1 bytes, r2 WRITE or 0, r3 = behind
 *           str ...             the access
 *   behind: bl dwt_report       behind it DebugMonitor has run, with pc = behind
 */
#include "dwt_model.h"

enum {
	MONITOR_IRQ = 31,
	IRQ0 = 16,
	DEBUG_MONITOR = 12,
	/* of dwt_announce */
	WRITE = 1,
	IN_SLOT = 2, /* the copy of the instruction makes the access, with PRIMASK set */
};

#define NVIC_ISER (*(volatile uint32_t *)0xe000e100u)
#define NVIC_ISPR (*(volatile uint32_t *)0xe000e200u)
#define NVIC_IPR  ((volatile uint8_t *)0xe000e400u)
#define VTOR      (*(uint32_t *volatile *)0xe000ed08u)

extern uint32_t __vectors[];
void dprobes_cortexm_exception(void);

/* What tests read and write. */
volatile uint32_t dwt_firmwares;       /* DebugMonitors that the firmware's handler has got */
volatile uint32_t dwt_firmwares_pc;    /* of the last one */
volatile uint32_t dwt_own_vectors;     /* 1: the handler passes them on, as with own_vectors */
volatile uint32_t dwt_execution = 256; /* the priority of the code that accesses */
volatile uint32_t dwt_pc;              /* to be stored as the pc; 0: that of the interrupt */
static volatile uint32_t announced[4]; /* bytes (0: none), address, what, behind */

static void firmware_monitor(void);

/* Functions that code of a test calls; the linker leaves out what nobody refers to. */
void dwt_announce(uint32_t address, uint32_t bytes, uint32_t what, uint32_t behind);
void dwt_report(void);
void dwt_pend(void);
void dwt_debugger(bool attached);
void dwt_store(void);
static const uintptr_t called[] = {(uintptr_t)dwt_announce, (uintptr_t)dwt_report,
				   (uintptr_t)dwt_pend, (uintptr_t)dwt_debugger,
				   (uintptr_t)dwt_store};

static void power_on(void)
{
	(void)*(const volatile uintptr_t *)called;
	if (model.core.comparators != 0)
		return;
	model_power_on(&model_core_full);
	__vectors[DEBUG_MONITOR] = (uint32_t)(uintptr_t)firmware_monitor;
}

/* The agent leaves the handler at once. */
static void come(uint32_t pc)
{
	model_return();
	dwt_pc = pc;
	NVIC_ISPR = 1u << MONITOR_IRQ;
}

uint32_t unit_get(uint32_t address)
{
	power_on();
	return model_is_register(address) ? model_read32(address)
					  : *(volatile uint32_t *)(uintptr_t)address;
}

/* A comparator is on again for the copy in a slot, whose access comes now, with PRIMASK set. */
static void access_in_slot(uint32_t address, uint32_t value)
{
	if (announced[0] == 0 || !(announced[2] & IN_SLOT) ||
	    (address & 0xffffff0fu) != 0xe0001008u || value == 0)
		return;
	model_execute_at(0);
	model_data_access(announced[1], announced[0], announced[2] & WRITE);
	model_execute_at(MODEL_BASE);
	announced[0] = 0;
}

void unit_set(uint32_t address, uint32_t value)
{
	power_on();
	model_write32(address, value);
	if (model.active)
		come(0);
	access_in_slot(address, value);
}

/* The vector of MONITOR_IRQ: the CPU has stored this pc. */
__attribute__((naked)) static void take_monitor(void)
{
	__asm__ volatile("tst lr, #4\n\t"
			 "ite eq\n\t"
			 "mrseq r0, msp\n\t"
			 "mrsne r0, psp\n\t"
			 "ldr r1, =dwt_pc\n\t"
			 "ldr r2, [r1]\n\t"
			 "cbz r2, 1f\n\t"
			 "str r2, [r0, #24]\n\t"
			 "movs r2, #0\n\t"
			 "str r2, [r1]\n"
			 "1:\n\t"
			 "ldr r0, =dwt_own_vectors\n\t"
			 "ldr r0, [r0]\n\t"
			 "cbnz r0, 2f\n\t"
			 "ldr r0, =0xe000ed08\n\t"
			 "ldr r0, [r0]\n\t"
			 "ldr r0, [r0, #48]\n\t"
			 "bx r0\n"
			 "2:\n\t"
			 "ldr r0, =%c0\n\t"
			 "ldr r1, =dprobes_cortexm_exception\n\t"
			 "bx r1\n\t"
			 ".ltorg" ::"i"(firmware_monitor));
}

__attribute__((naked)) static void firmware_monitor(void)
{
	__asm__ volatile("tst lr, #4\n\t"
			 "ite eq\n\t"
			 "mrseq r0, msp\n\t"
			 "mrsne r0, psp\n\t"
			 "ldr r0, [r0, #24]\n\t"
			 "ldr r1, =dwt_firmwares_pc\n\t"
			 "str r0, [r1]\n\t"
			 "ldr r1, =dwt_firmwares\n\t"
			 "ldr r0, [r1]\n\t"
			 "adds r0, #1\n\t"
			 "str r0, [r1]\n\t"
			 "bx lr\n\t"
			 ".ltorg");
}

static void let_it_come(void)
{
	VTOR[IRQ0 + MONITOR_IRQ] = (uint32_t)(uintptr_t)take_monitor;
	NVIC_IPR[MONITOR_IRQ] = 0;
	NVIC_ISER = 1u << MONITOR_IRQ;
	__asm__ volatile("dsb" ::: "memory");
}

void dwt_announce(uint32_t address, uint32_t bytes, uint32_t what, uint32_t behind)
{
	announced[1] = address;
	announced[2] = what;
	announced[3] = behind;
	announced[0] = bytes;
}

/* The access has been made, and not in a slot. Behind DebugMonitor this is called once more. */
static void report(void)
{
	uint32_t bytes = announced[0];

	announced[0] = 0;
	if (bytes == 0)
		return;
	let_it_come();
	model_execute_at((int)dwt_execution);
	if (model_data_access(announced[1], bytes, announced[2] & WRITE).outcome == MODEL_TAKEN)
		come(announced[3]);
	model_execute_at(MODEL_BASE);
}

/* All registers stay, for the agent to find them as they are behind the access. */
__attribute__((naked)) void dwt_report(void)
{
	__asm__ volatile("push {r0-r3, r12, lr}\n\t"
			 "mrs r0, primask\n\t"
			 "push {r0, r1}\n\t"
			 "cpsid i\n\t"
			 "bl %c0\n\t"
			 "pop {r0, r1}\n\t"
			 "mov r12, r0\n\t"
			 "pop {r0-r3}\n\t"
			 "add sp, #4\n\t"
			 "ldr lr, [sp], #4\n\t"
			 "msr primask, r12\n\t" /* DebugMonitor comes here */
			 "isb\n\t"
			 "bx lr" ::"i"(report));
}

/* Software makes DebugMonitor pending, for its own handler. */
void dwt_pend(void)
{
	let_it_come();
	unit_set(MODEL_DEMCR, unit_get(MODEL_DEMCR) | MODEL_DEMCR_MON_PEND);
}

void dwt_debugger(bool attached)
{
	power_on();
	model_debugger(attached);
}

/* An instruction of the text, which a probe can stand on. */
__attribute__((naked)) void dwt_store(void)
{
	__asm__ volatile("str r0, [r4, #4]\n\t"
			 "bx lr");
}

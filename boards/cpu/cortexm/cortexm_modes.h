/* SPDX-License-Identifier: BSD-2-Clause */
/* Exceptions and system registers of Cortex-M. Also for the assembler.  DDI 0403E B1.5.2, B3.2 */
#ifndef CORTEXM_MODES_H
#define CORTEXM_MODES_H

#define EXCEPTION_HARD   3
#define EXCEPTION_MEMORY 4
#define EXCEPTION_BUS    5
#define EXCEPTION_USAGE  6
#define EXCEPTION_IRQ0   16

#define SCS_ICSR     0xe000ed04
#define SCS_VTOR     0xe000ed08
#define SCS_AIRCR    0xe000ed0c
#define SCS_SHPR1    0xe000ed18
#define SCS_SHCSR    0xe000ed24
#define SCS_CFSR     0xe000ed28
#define SCS_HFSR     0xe000ed2c
#define SCS_BFAR     0xe000ed38
#define SCS_CPACR    0xe000ed88
#define SCS_MPU_CTRL 0xe000ed94
#define NVIC_ISER    0xe000e100
#define NVIC_ICER    0xe000e180
#define NVIC_ICPR    0xe000e280
#define NVIC_IPR     0xe000e400

#define ICSR_PENDSVSET 0x10000000

/* Priorities; a lower one is more urgent. */
#define LEVEL_FAULT  0x20
#define LEVEL_SVC    0x40
#define LEVEL_IRQ    0x80
#define LEVEL_PENDSV 0xe0

/* SHCSR: memory and bus faults have handlers of their own; usage faults, and the agent's traps with
 * them, where DEMO_USAGE_FAULT says so. */
#ifdef DEMO_USAGE_FAULT
#define FAULTS_ENABLED 0x00070000
#else
#define FAULTS_ENABLED 0x00030000
#endif

#endif

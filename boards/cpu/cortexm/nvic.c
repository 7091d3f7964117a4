/* SPDX-License-Identifier: BSD-2-Clause */
/* The interrupt controller of the CPU, its reset, and semihosting.  DDI 0403E B3.4, B3.2.6 */
#include "cortexm_board.h"
#include "cortexm_modes.h"

#define AIRCR_RESET 0x05fa0004u

void nvic_enable(unsigned irq)
{
	reg_write(NVIC_ISER, irq / 32 * 4, 1u << irq % 32);
}

unsigned nvic_active(void)
{
	uint32_t ipsr;

	__asm__ volatile("mrs %0, ipsr" : "=r"(ipsr));
	return ipsr - EXCEPTION_IRQ0;
}

_Noreturn void nvic_reset(void)
{
	reg_write(SCS_AIRCR, 0, AIRCR_RESET);
	for (;;)
		;
}

/* SYS_EXIT_EXTENDED, "Semihosting for AArch32", section 6. */
void semihost_exit(unsigned status)
{
	const uint32_t block[2] = {0x20026, status}; /* ADP_Stopped_ApplicationExit */
	register uint32_t operation __asm__("r0") = 0x20;
	register const uint32_t *argument __asm__("r1") = block;

	__asm__ volatile("bkpt 0xab" : "+r"(operation) : "r"(argument) : "memory");
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* This file supplies the interrupt mask, the CPU number and the time stamp. */
#include "riscv_port.h"

dp_irq dp_port_mask(void)
{
	dp_word mstatus;

	/* csrrci mstatus, MIE */
	__asm__ volatile(".insn i 0x73, 7, %0, x8, %1"
			 : "=r"(mstatus)
			 : "i"(DP_CSR_MSTATUS)
			 : "memory");
	return mstatus & DP_STATUS_MIE;
}

void dp_port_unmask(dp_irq saved)
{
	/* csrs mstatus */
	__asm__ volatile(".insn i 0x73, 2, x0, %0, %1" ::"r"(saved), "i"(DP_CSR_MSTATUS)
			 : "memory");
}

#if DP_WITH_SHARED_LINE
bool dp_port_unmasked(void)
{
	dp_word mstatus;

	DP_RISCV_GET(mstatus, DP_CSR_MSTATUS);
	return (mstatus & DP_STATUS_MIE) != 0;
}
#endif

/* Some cores lack mhartid, and there is one CPU. */
unsigned dp_port_cpu_number(void)
{
	return 0;
}

#if DP_WITH_STREAM
#if DP_WORD_BITS == 32
static uint32_t cycles_high(void)
{
	uint32_t value;

	/* csrr of mcycleh */
	__asm__ volatile(".insn i 0x73, 2, %0, x0, %1"
			 : "=r"(value)
			 : "i"(DP_CSR_MCYCLEH - 0x1000));
	return value;
}
#endif

/* mcycle, if the board says how fast it runs. Privileged ISA 3.1.10 */
uint64_t dp_port_ticks(void)
{
#if DP_WORD_BITS == 64
	uint64_t cycles;

	if (dp_port_tick_hz() == 0)
		return 0;
	__asm__ volatile(".insn i 0x73, 2, %0, x0, %1"
			 : "=r"(cycles)
			 : "i"(DP_CSR_MCYCLE - 0x1000));
	return cycles;
#else
	uint32_t high, low;

	if (dp_port_tick_hz() == 0)
		return 0;
	do {
		high = cycles_high();
		low = dp_riscv_cycles();
	} while (high != cycles_high());
	return (uint64_t)high << 32 | low;
#endif
}

uint32_t dp_port_tick_hz(void)
{
	return dp_riscv->board->ticks == NULL ? dp_riscv->board->tick_hz : 0;
}
#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* SP804 dual timer. ARM DDI 0271, "Register summary". */
#include "arm_board.h"

#define TIMER_LOAD   0x00
#define TIMER_CTRL   0x08
#define TIMER_INTCLR 0x0c

#define CTRL_32BIT    0x02u
#define CTRL_INT      0x20u
#define CTRL_PERIODIC 0x40u
#define CTRL_ENABLE   0x80u

void sp804_start(uintptr_t base, uint32_t period)
{
	reg_write(base, TIMER_CTRL, 0);
	reg_write(base, TIMER_LOAD, period);
	reg_write(base, TIMER_CTRL, CTRL_ENABLE | CTRL_PERIODIC | CTRL_INT | CTRL_32BIT);
}

void sp804_stop(uintptr_t base)
{
	reg_write(base, TIMER_CTRL, 0);
	reg_write(base, TIMER_INTCLR, 0);
}

void sp804_ack(uintptr_t base)
{
	reg_write(base, TIMER_INTCLR, 0);
}

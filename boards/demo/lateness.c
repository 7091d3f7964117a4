/* SPDX-License-Identifier: BSD-2-Clause */
/* Compare the moments of a periodic interrupt with those when the interrupt was due. */
#include "lateness.h"

#include "arch.h"
#include "board.h"

void lateness_start(struct lateness *l, uint32_t period)
{
	unsigned state = arch_irq_save();

	l->period = period;
	l->due = 0;
	arch_irq_restore(state);
}

/* The first interrupt tells when the others are due. One that comes before it is due tells better:
 * the one before was late. */
void lateness_note(struct lateness *l)
{
	uint64_t now = board_clock(), late;
	uint32_t missed;

	l->seen++;
	if (l->due == 0 || now < l->due + l->period) {
		l->due = now;
		return;
	}
	l->due += l->period;
	late = now - l->due;
	if (l->most < late)
		l->most = late;
	if (late >= l->period) {
		missed = (uint32_t)(late / l->period);
		l->lost += missed;
		l->due += (uint64_t)missed * l->period;
	}
}

void lateness_clear(struct lateness *l)
{
	unsigned state = arch_irq_save();

	l->due = 0;
	l->seen = l->lost = 0;
	l->most = 0;
	arch_irq_restore(state);
}

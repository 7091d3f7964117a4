/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The lateness of a periodic interrupt, by the board's clock, and the number of lost interrupts: a
 * timer whose interrupt still waits when the next one is due interrupts once for both.
 */
#ifndef DEMO_LATENESS_H
#define DEMO_LATENESS_H

#include <stdint.h>

/* Times are counts of board_clock(). */
struct lateness {
	uint32_t period; /* 0: the timer is off */
	uint64_t due;    /* the moment of the last interrupt; 0: none yet */
	uint32_t seen, lost;
	uint64_t most; /* the longest wait of an interrupt, from the first one that was lost */
};

/* The timer starts, with another period or none. Counts are kept. context: any. */
void lateness_start(struct lateness *l, uint32_t period);

/* An interrupt came. context: the interrupt's handler, first of all. */
void lateness_note(struct lateness *l);

/* Count anew, from the next interrupt on. context: any. */
void lateness_clear(struct lateness *l);

#endif

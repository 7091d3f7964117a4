/* SPDX-License-Identifier: BSD-2-Clause */
/* The patience is the time to wait for an answer, from the round trips seen. */
#ifndef DPH_PATIENCE_H
#define DPH_PATIENCE_H

#include <stdint.h>

enum {
	DPH_PATIENCE_START_MS = 150, /* no round trip is known */
	DPH_PATIENCE_MIN_MS = 60,
	DPH_PATIENCE_MAX_MS = 4000,
};

/* Zero: no round trip is known. */
struct dph_patience {
	unsigned smoothed_ms8;  /* in eighths; 0: none seen */
	unsigned deviation_ms4; /* in quarters */
};

/* Learn from one round trip. */
void dph_patience_learn(struct dph_patience *patience, uint64_t ms);

/* Return the wait before a request is sent again, within the limits above: the smoothed round
 * trip, four of its mean deviations and 30 ms. */
int dph_patience_ms(const struct dph_patience *patience);

/* The same for a line that damages what it carries: the smoothed round trip, two deviations and
 * 10 ms. A repeat that was not needed costs less there than the wait. */
int dph_patience_noisy_ms(const struct dph_patience *patience);

/* Return the smoothed round trip in milliseconds; 0: none is known. */
unsigned dph_patience_round_trip_ms(const struct dph_patience *patience);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* This file smooths round trips and their deviation as a TCP sender does (RFC 6298). */
#include "patience.h"

enum {
	MARGIN_MS = 30, /* of a host that was busy */
	NOISY_MARGIN_MS = 6,
};

void dph_patience_learn(struct dph_patience *patience, uint64_t ms)
{
	/* The clock may have ticked just after the start. */
	const unsigned now = ms < DPH_PATIENCE_MAX_MS ? (unsigned)ms + 1 : DPH_PATIENCE_MAX_MS;
	const unsigned smoothed = patience->smoothed_ms8 / 8;
	const unsigned off = now > smoothed ? now - smoothed : smoothed - now;

	if (patience->smoothed_ms8 == 0) {
		patience->smoothed_ms8 = now * 8;
		patience->deviation_ms4 = now * 2;
		return;
	}
	patience->deviation_ms4 += off - patience->deviation_ms4 / 4;
	patience->smoothed_ms8 += now - smoothed;
}

int dph_patience_ms(const struct dph_patience *patience)
{
	const unsigned ms = patience->smoothed_ms8 / 8 + patience->deviation_ms4 + MARGIN_MS;

	if (patience->smoothed_ms8 == 0)
		return DPH_PATIENCE_START_MS;
	return ms < DPH_PATIENCE_MIN_MS   ? DPH_PATIENCE_MIN_MS
	       : ms < DPH_PATIENCE_MAX_MS ? (int)ms
					  : DPH_PATIENCE_MAX_MS;
}

int dph_patience_noisy_ms(const struct dph_patience *patience)
{
	const unsigned ms =
		patience->smoothed_ms8 / 8 + patience->deviation_ms4 / 4 + NOISY_MARGIN_MS;
	const int quiet_ms = dph_patience_ms(patience);

	return patience->smoothed_ms8 != 0 && ms < (unsigned)quiet_ms ? (int)ms : quiet_ms;
}

unsigned dph_patience_round_trip_ms(const struct dph_patience *patience)
{
	return patience->smoothed_ms8 / 8;
}

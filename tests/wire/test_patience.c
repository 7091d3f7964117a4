/* SPDX-License-Identifier: BSD-2-Clause */
/* How long the host waits for an answer before it repeats the request.  PROTOCOL.md 3.2. */
#include "check.h"
#include "session/patience.h"

/* After `count` round trips of one length. */
static int patience_after(unsigned count, uint64_t round_trip_ms)
{
	struct dph_patience patience = {0};

	while (count-- > 0)
		dph_patience_learn(&patience, round_trip_ms);
	return dph_patience_ms(&patience);
}

/* The same on a line that damages what it carries. */
static int noisy_patience_after(unsigned count, uint64_t round_trip_ms)
{
	struct dph_patience patience = {0};

	while (count-- > 0)
		dph_patience_learn(&patience, round_trip_ms);
	return dph_patience_noisy_ms(&patience);
}

int main(void)
{
	CHECK(noisy_patience_after(0, 0) == 150);
	CHECK(noisy_patience_after(1, 11) == 12 + 6 + 6);
	CHECK(noisy_patience_after(1, 10000) == 4000);
	CHECK(patience_after(0, 0) == 150);
	/* A round trip of n ms counts as n + 1: the clock may have ticked just after the start. */
	CHECK(patience_after(1, 99) == 100 + 4 * 50 + 30);
	CHECK(patience_after(1, 399) == 400 + 4 * 200 + 30);
	CHECK(patience_after(1, 1) == 60);
	CHECK(patience_after(1, 9) == 60);
	CHECK(patience_after(1, 11) == 12 + 4 * 6 + 30);
	CHECK(patience_after(1, 10000) == 4000);
	/* A line that is always alike is waited for less and less long, never less than its round
	 * trip. */
	CHECK(patience_after(50, 399) < 400 + 60 && patience_after(50, 399) > 400);
	return check_status();
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* How long the host waits for an answer before it repeats the request.  PROTOCOL.md 3.2. */
#include "check.h"
#include "session/session_request.h"

static int patience_after(uint64_t round_trip_ms)
{
	const struct dp_session_options options = {.url = "exec:cat", .mute = true};
	struct dp_failure failure;
	struct dp_session *session = dp_session_open(&options, &failure);
	int patience_ms;

	if (session == NULL) {
		printf("%s\n", failure.text);
		check_failures++;
		return 0;
	}
	CHECK(dph_request_patience_ms(session) == 150);
	dph_request_round_trip(session, round_trip_ms);
	patience_ms = dph_request_patience_ms(session);
	dp_session_close(session);
	return patience_ms;
}

int main(void)
{
	/* A round trip of n ms counts as n + 1: the clock may have ticked just after the start. */
	CHECK(patience_after(99) == 4 * 100 + 30);
	CHECK(patience_after(499) == 4 * 500 + 30);
	CHECK(patience_after(1) == 60);
	CHECK(patience_after(6) == 60);
	CHECK(patience_after(7) == 4 * 8 + 30);
	CHECK(patience_after(10000) == 3000);
	return check_status();
}

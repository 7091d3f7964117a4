/* SPDX-License-Identifier: BSD-2-Clause */
/* The 64-bit time of every record, however long nothing happened, from the agent's lines through
 * the host's decoder. A record carries 20 bits of it. */
#include "bench.h"
#include "check.h"

#include <dprobes/records.h>

enum {
	FIRST = FIRMWARE_TEXT + 0x100,
	TIMES = 12
};

static const uint64_t times[TIMES] = {
	5,
	6,
	0x7ffff,
	0xfffff,
	0x17fffe,
	0x1ffffd,            /* the last distance that 20 bits can tell: 2^19 - 1 */
	0x27fffd,            /* one more */
	0x27fffd + 0x100000, /* the same low bits */
	0x1000000,
	0x123456789,
	0x1234567890abc,
	0x1234567890abd,
};

struct seen {
	unsigned count;
	bool learned;
};

static void on_record(void *context, const struct dp_log_record *record)
{
	struct seen *seen = context;

	CHECK(record->ticks_known && seen->count < TIMES && record->ticks == times[seen->count]);
	seen->count++;
}

static void on_gap(void *context, const struct dp_gap *gap)
{
	(void)context;
	(void)gap;
	CHECK(!"a gap");
}

static void on_notice(void *context, const struct dp_notice_in *notice)
{
	(void)context;
	(void)notice;
}

static void decode(struct dp_records *records)
{
	const struct bench_line *line = &bench.line[DP_COM1];
	struct dp_splitter splitter = {0};
	uint8_t text[DP_LINE_MAX];
	struct dp_frame_in frame;
	size_t n;

	for (uint32_t i = 0; i < line->out_bytes; i++)
		if (dp_splitter_feed(&splitter, line->out[i], "RSPYN", text, &n) ==
		    DP_SPLIT_FRAME) {
			CHECK(dp_frame_check(splitter.held, splitter.used, 0, &frame));
			dp_splitter_take(&splitter);
			dp_records_line(records, &frame, 0);
		}
	dp_records_flush(records, 0);
}

/* poll_each: drain after every hit; else all hits wait in the ring. */
/* proves: R4.15 */
static void check_times(bool poll_each)
{
	struct seen seen = {0};
	const struct dp_records_listener listener = {&seen, on_record, on_gap, on_notice};
	struct dp_records *records = dp_records_new(4, false, &listener);

	bench_start();
	CHECK(bench_install("name = \"t\"\noffset = 0x08000100\nexit\n") == 0);
	for (unsigned i = 0; i < TIMES; i++) {
		/* The ring keeps 32 bits: what waits longer than 2^32 ticks is another matter. */
		if (!poll_each && times[i] > UINT32_MAX)
			break;
		dp_sim.ticks = times[i];
		firmware_run(FIRST, 1);
		if (poll_each)
			bench_poll();
	}
	bench_poll();
	decode(records);
	CHECK(seen.count == (poll_each ? TIMES : 9));
	dp_records_free(records);
}

int main(void)
{
	check_times(true);
	check_times(false);
	return check_status();
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The queue of requests of each line: full, or not served.  PROTOCOL.md sections 3.1 and 3.2 */
#include "bench.h"
#include "check.h"

enum {
	AT = FIRMWARE_TEXT + 0x100
};
#define LOGS "name = \"t\"\noffset = 0x08000100\npush 1\nlog 1\nexit\n"

/* The queue holds what hello's window says; more is counted and told, however many notices wait. */
/* proves: R3.11 */
static void lost_lines(bool notices_full)
{
	bench_start();
	bench_poll();
	for (unsigned i = 0; i < DP_RX_LINES + 3; i++)
		bench_type_request(DP_COM1, (uint8_t)(100 + i), DP_CMD_STATUS, NULL, 0);
	CHECK(bench.line[0].console_bytes == 0);
	bench.line[0].room = 0;
	for (unsigned i = 0; notices_full && i < 4; i++) {
		firmware_put_word(AT, DP_SIM_TRAP_WORD);
		firmware_run(AT, 1);
	}
	bench_poll();
	bench.line[0].room = -1;
	bench_poll();
	CHECK(bench.line[0].answers == 1 + DP_RX_LINES);
	CHECK(bench.line[0].notice_of[DP_NOTICE_LINE_LOST].payload[9] == 3);
	CHECK(firmware.agent.link.lines_lost == 0);
}

/* A line that began while the queue was full is lost, although its end finds a free place; the next
 * line is served. */
/* proves: R3.11 */
static void lost_from_its_beginning(void)
{
	char line[DP_LINE_MAX];
	size_t bytes;

	bench_start();
	bench_poll();
	for (unsigned i = 0; i < DP_RX_LINES; i++)
		bench_type_request(DP_COM1, (uint8_t)(100 + i), DP_CMD_STATUS, NULL, 0);
	bytes = bench_request(line, 120, DP_CMD_VARS, "\0\0\0\1\1", 5);
	bench_type(DP_COM1, line, bytes / 2);
	bench_poll();
	CHECK(bench.line[0].answers == 1 + DP_RX_LINES);
	bench_type(DP_COM1, line + bytes / 2, bytes - bytes / 2);
	bench_poll();
	CHECK(bench.line[0].answers == 1 + DP_RX_LINES && bench.line[0].naks == 0);
	CHECK(bench.line[0].notice_of[DP_NOTICE_LINE_LOST].payload[9] == 1);
	CHECK(bench.line[0].console_bytes == 0);
	bench_type(DP_COM1, line, bytes);
	bench_poll();
	CHECK(bench.line[0].answer.seq == 120);
}

static void hit_behind_the_notice(void *context)
{
	(void)context;
	for (unsigned i = 0; i < DP_NOTICES && dp_sim.unmasked; i++)
		if (firmware.agent.notice[i].bytes != 0) {
			dp_sim.unmasked = NULL;
			firmware_nested(AT, 1);
		}
}

/* A hit sends lines of its own while dp_poll reports lost lines: they are reported once. */
/* proves: R3.11 */
static void lost_lines_and_a_hit(void)
{
	struct bench_line *line = &bench.line[0];
	uint32_t notices;

	bench_start();
	CHECK(bench_install(LOGS) == 0);
	bench_ask(DP_CMD_LOG, "\376\0", 2);
	bench_poll();
	notices = line->notices;
	for (unsigned i = 0; i < DP_RX_LINES + 3; i++)
		bench_type_request(DP_COM1, (uint8_t)(100 + i), DP_CMD_STATUS, NULL, 0);
	dp_sim.unmasked = hit_behind_the_notice;
	bench_poll();
	CHECK(dp_sim.unmasked == NULL);
	dp_sim.unmasked = NULL;
	CHECK(bench.records == 1 && line->notices == notices + 1);
	CHECK(line->notice_of[DP_NOTICE_LINE_LOST].payload[9] == 3);
	CHECK(firmware.agent.link.lines_lost == 0);
}

/* A transmitter that takes nothing holds up the requests of its own line only. */
/* proves: A1.1 R3.20 R3.21 */
static void stuck_line(void)
{
	bench_start();
	bench_poll();
	bench.line[0].room = 0;
	for (unsigned i = 0; i < DP_RX_LINES; i++)
		bench_type_request(DP_COM1, (uint8_t)(100 + i), DP_CMD_STATUS, NULL, 0);
	bench_type_request(DP_COM2, 120, DP_CMD_STATUS, NULL, 0);
	bench_type_request(DP_COM2, 121, DP_CMD_LIMITS, NULL, 0);
	for (unsigned i = 0; i < 10; i++)
		dp_poll(&firmware.agent);
	CHECK(bench.line[1].answers == 2 && bench.line[1].answer.seq == 121);
	CHECK(firmware.agent.link.lines_lost == 0);
	bench.line[0].room = -1;
	bench_poll();
	CHECK(bench.line[0].answers == 1 + DP_RX_LINES);
	CHECK(bench.line[0].answer.seq == 100 + DP_RX_LINES - 1);
}

int main(void)
{
	lost_lines(false);
	lost_lines(true);
	lost_from_its_beginning();
	lost_lines_and_a_hit();
	stuck_line();
	return check_status();
}

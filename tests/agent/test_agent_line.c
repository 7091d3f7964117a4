/* SPDX-License-Identifier: BSD-2-Clause */
/* The line: text that the firmware sends, repeats, sessions. What comes in: test_agent_receive.c.
 * PROTOCOL.md sections 3 and 7 */
#include "bench.h"
#include "check.h"

#include "dp_bytes.h"
#include "dp_crc.h"

#include <stdio.h>
#include <string.h>

enum {
	AT = FIRMWARE_TEXT + 0x100
};
#define COUNTS     "name = \"t\"\nvars = 1\noffset = 0x08000100\ninc lv, 0\npush lv, 0\nlog 1\nexit\n"
#define VARS_RESET "\0\0\0\1\1", 5

/* --- console --- */

/* A board without console_in: what is no request is gone, and disturbs none. */
/* proves: A1.2 */
static void nobody_reads(void)
{
	char line[DP_LINE_MAX];
	size_t n;

	bench_start();
	firmware.board.com[0].console_in = NULL;
	n = bench_request(line, 200, DP_CMD_STATUS, NULL, 0);
	bench_type_text(DP_COM1, "ls -l~Q");
	bench_type(DP_COM1, line, n);
	bench_poll();
	CHECK(bench.line[0].console_bytes == 0 && bench.line[0].answer.seq == 200);
}

/* dp_poll says whether there is more to do. */
/* proves: A2.8 */
static void work_left(void)
{
	char line[DP_LINE_MAX];

	bench_start();
	bench_poll();
	CHECK(!dp_poll(&firmware.agent));
	bench.line[0].room = 10;
	bench_type(DP_COM1, line, bench_request(line, 200, DP_CMD_STATUS, NULL, 0));
	for (unsigned i = 0; i < 3; i++)
		CHECK(dp_poll(&firmware.agent) && bench.line[0].answers == 1);
	bench.line[0].room = -1;
	bench_poll();
	CHECK(!dp_poll(&firmware.agent) && bench.line[0].answer.seq == 200);
}

static char other_line[DP_LINE_MAX];
static size_t other_bytes;

static void other_interrupt(void *context)
{
	(void)context;
	dp_sim.unmasked = NULL;
	bench_type(DP_COM2, other_line, other_bytes);
}

/* One line is served by an interrupt that may come while the other one's request is queued: the
 * queue is touched with interrupts masked, and both requests are answered, each on its line. */
/* proves: R3.20 */
static void both_lines_at_once(void)
{
	char line[DP_LINE_MAX];
	size_t n;

	bench_start();
	n = bench_request(line, 200, DP_CMD_STATUS, NULL, 0);
	other_bytes = bench_request(other_line, 201, DP_CMD_LOG, "\376\376", 2);
	bench_type(DP_COM1, line, n - 1);
	dp_sim.unmasked = other_interrupt;
	bench_type(DP_COM1, "\n", 1);
	CHECK(dp_sim.unmasked == NULL);
	dp_sim.unmasked = NULL;
	bench_poll();
	CHECK(bench.line[0].answer.seq == 200 && bench.line[0].answer.payload[0] == DP_CMD_STATUS);
	CHECK(bench.line[1].answer.seq == 201 && bench.line[1].answer.payload[0] == DP_CMD_LOG);
}

/* Firmware text beside records: both whole, whatever the transmitter takes at a time. */
/* proves: A2.9 A2.10 A3.13 */
static void console_write(bool stutters)
{
	static char expected[200000];
	size_t written = 0;

	bench_start();
	CHECK(bench_install(COUNTS) == 0);
	bench.line[0].stutters = stutters;
	for (unsigned i = 0; i < 2000; i++) {
		char text[40];
		int n = snprintf(text, sizeof(text), "line %u of ~R01 the firmware\n", i);

		firmware_run(AT, 1);
		bench.line[0].room = (int32_t)(i % 37);
		dp_poll(&firmware.agent);
		bench.line[0].room = -1;
		dp_console_write(&firmware.agent, DP_COM1, text, (size_t)n);
		memcpy(expected + written, text, (size_t)n);
		written += (size_t)n;
	}
	bench_poll();
	bench_poll();
	CHECK(bench.records + firmware.agent.cpu[0].ring.dropped == 2000 && bench.records > 1000);
	CHECK(bench.bad_records == 0 && bench.line[0].gaps == 0 && bench.line[0].bad_frames == 0);
	expected[written] = '\0';
	CHECK(bench_sent_text(DP_COM1, expected));
}

/* --- requests --- */

/* A line that passes with HELLO's seed and is not HELLO is dropped: neither text nor NAK; so is
 * one without a command, and HELLO with a session's seed. */
/* proves: R3.5 */
static void dropped_line(void)
{
	char line[DP_LINE_MAX];
	uint8_t hello[7] = {DP_CMD_HELLO, DP_PROTOCOL_VERSION, 0, 0, 0, 9, 0},
		status[1] = {DP_CMD_STATUS};
	uint32_t seed = bench_seed(0x12345678);

	bench_start();
	bench_type(DP_COM1, line,
		   dp_frame_put_control(line, DP_FRAME_REQUEST, 9, status, 1, DP_HELLO_SEED));
	bench_type(DP_COM1, line,
		   dp_frame_put_control(line, DP_FRAME_REQUEST, 9, status, 0, DP_HELLO_SEED));
	bench_type(DP_COM1, line, dp_frame_put_control(line, DP_FRAME_REQUEST, 9, status, 0, seed));
	bench_type(DP_COM1, line, dp_frame_put_control(line, DP_FRAME_REQUEST, 9, hello, 7, seed));
	bench_poll();
	CHECK(bench.line[0].naks == 0 && bench.line[0].console_bytes == 0);
	CHECK(bench.line[0].answers == 1 && firmware.agent.link.seed == bench_seed(0x12345678));
}

/* proves: R3.14 R3.15 R7.5 */
static void repeated_request(void)
{
	struct bench_answer first, again;

	bench_start();
	CHECK(bench_install(COUNTS) == 0);
	firmware_run(AT, 1);
	first = bench_ask(DP_CMD_VARS, VARS_RESET);
	CHECK(bench_word(first.payload + 2) == 1 && firmware.agent.program[0].view.lv[0] == 0);
	firmware_run(AT, 1);
	bench.seq--;
	again = bench_ask(DP_CMD_VARS, VARS_RESET); /* the same line: the stored answer */
	CHECK(memcmp(&first, &again, sizeof(first)) == 0 &&
	      firmware.agent.program[0].view.lv[0] == 1);
	again = bench_ask(DP_CMD_VARS, VARS_RESET); /* another number: executed */
	CHECK(again.came && firmware.agent.program[0].view.lv[0] == 0);
	firmware_run(AT, 1);
	bench.seq--;
	bench_ask(DP_CMD_VARS, "\0\0\0\2\1", 5); /* the same number, another request */
	CHECK(firmware.agent.program[0].view.lv[0] == 0);
}

/* The session ends while a line of it comes: the line fails its check. */
/* proves: R3.4 R3.16 */
static void session_ends_in_a_line(void)
{
	char line[DP_LINE_MAX];
	size_t bytes;

	bench_start();
	bytes = bench_request(line, 120, DP_CMD_STATUS, NULL, 0);
	line[bytes] = '\0';
	bench_type(DP_COM1, line, bytes - 3);
	bench.com = DP_COM2;
	CHECK(bench_hello(0x1234, DP_RIGHT_LOOK).came);
	bench_type(DP_COM1, line + bytes - 3, 3);
	bench_poll();
	CHECK(bench.line[0].answer.seq != 120 && bench.line[0].naks == 1);
	CHECK(bench_console_got(DP_COM1, ""));
	/* The line that comes next is of the session. */
	bench.com = DP_COM1;
	CHECK(bench_ask(DP_CMD_STATUS, NULL, 0).came);
}

/* A steady flow of records leaves room for answers. */
static void answers_first(void)
{
	uint32_t sent;

	bench_start();
	CHECK(bench_install(COUNTS) == 0);
	for (unsigned i = 0; i < 300; i++)
		firmware_run(AT, 1);
	bench_type_request(DP_COM1, 77, DP_CMD_STATUS, NULL, 0);
	sent = firmware.agent.cpu[0].ring.next.number;
	for (unsigned i = 0; i < 20 && bench.line[0].answer.seq != 77; i++) {
		bench.line[0].room = 16; /* a FIFO at a time */
		dp_poll(&firmware.agent);
	}
	CHECK(bench.line[0].answer.seq == 77 && firmware.agent.cpu[0].ring.next.number - sent < 30);
}

/* On a line that takes everything, each dp_poll sends a piece, and says that more is left. Records
 * that come faster hold up no request of the other line. */
/* proves: A2.19 A2.8 A3.31 */
static void bounded_polls(void)
{
	uint32_t sent, polls = 0, most = 0;
	bool left;

	bench_start();
	CHECK(bench_install(COUNTS) == 0);
	bench_poll();
	for (unsigned i = 0; i < 300; i++, dp_sim.ticks += 0x123456)
		firmware_run(AT, 1);
	bench_type_request(DP_COM2, 77, DP_CMD_STATUS, NULL, 0);
	do {
		sent = bench.line[0].out_bytes;
		left = dp_poll(&firmware.agent);
		sent = bench.line[0].out_bytes - sent;
		most = sent > most ? sent : most;
		CHECK(left || sent < DP_POLL_BYTES);
		if (polls++ == 0)
			CHECK(bench.line[1].answer.seq == 77);
	} while (left);
	CHECK(most == DP_POLL_BYTES && polls > 10 && bench.records == 300);
	/* as many records as the line takes: each dp_poll comes to an end */
	for (unsigned i = 0; i < 100; i++) {
		for (unsigned k = 0; k < 40; k++, dp_sim.ticks += 0x123456)
			firmware_run(AT, 1);
		sent = bench.line[0].out_bytes;
		CHECK(dp_poll(&firmware.agent));
		CHECK(bench.line[0].out_bytes - sent <= DP_POLL_BYTES);
	}
	bench_poll();
	CHECK(bench.records + firmware.agent.cpu[0].ring.dropped == 4300 ||
	      bench.records == BENCH_RECORDS_MAX);
	CHECK(bench.bad_records == 0 && bench.line[0].gaps == 0);
}

static uint32_t wakes;

static void wake(void)
{
	wakes++;
}

/* Once for each reason, but not twice before a dp_poll; not for text, and never in a hit. */
/* proves: A1.20 A3.32 */
static void woken(void)
{
	char line[DP_LINE_MAX];
	size_t n;

	bench_start();
	firmware.board.wake = wake;
	CHECK(bench_install(COUNTS) == 0);
	CHECK(bench_install("name = \"n\"\noffset = 0x08000108\npush 1\nabort\n") == 1);
	bench_poll();
	wakes = 0;
	bench_type_text(DP_COM1, "ls\n");
	firmware_run(AT + 8, 1);
	CHECK(wakes == 0);
	firmware_run(AT, 1);                          /* a record */
	firmware_put_word(AT + 16, DP_SIM_TRAP_WORD); /* a notice */
	firmware_run(AT + 16, 1);
	CHECK(wakes == 0);
	bench_poll();
	bench_type_request(DP_COM1, 77, DP_CMD_STATUS, NULL, 0);
	bench_type_request(DP_COM1, 78, DP_CMD_STATUS, NULL, 0);
	CHECK(wakes == 1);
	bench_poll();
	n = bench_request(line, 79, DP_CMD_STATUS, NULL, 0);
	line[n - 2] ^= 1; /* a NAK */
	bench_type(DP_COM1, line, n);
	CHECK(wakes == 2);
	bench_poll();
	CHECK(wakes == 2);
}

/* --- sessions --- */

/* proves: R3.21 R5.7 */
static void takeover(void)
{
	struct bench_answer answer;
	uint8_t data[7] = {0, 2};
	char old[DP_LINE_MAX];
	uint8_t hello[6] = {
		DP_PROTOCOL_VERSION, 0, 0, 0, 42, DP_RIGHT_LOOK | DP_RIGHT_LOG | DP_RIGHT_INSERT};
	size_t n;

	bench_start();
	CHECK(bench_install(COUNTS) == 0);
	answer = bench_ask(DP_CMD_BEGIN, "\0\0\0\100\1\2\3\4", 8);
	CHECK(answer.error == 0 && bench_number(&answer, 0, 2) == 2);
	CHECK(bench_ask(DP_CMD_DATA, data, 7).error == 0);
	/* the old host's requests: one before hello, one that overtakes its execution */
	n = bench_request(old, 50, DP_CMD_REMOVE, "\377", 1);
	bench_type_request(DP_COM2, 1, DP_CMD_HELLO, hello, 6);
	bench_type(DP_COM1, old, n);
	bench.session = 42;
	bench_poll();
	CHECK(firmware.agent.link.seed == bench_seed(42) && firmware.agent.program[0].object);
	CHECK(bench.line[0].answer.seq != 50);
	bench_type(DP_COM1, old, n);
	bench_poll();
	CHECK(firmware.agent.program[0].object && bench.line[0].naks == 1);
	bench.com = DP_COM2;
	CHECK(bench_ask(DP_CMD_DATA, data, 7).error == DP_ERR_BAD_TXN);
	/* log goes on, where it went */
	firmware_run(AT, 1);
	bench_poll();
	CHECK(bench.records == 1 && bench.line[0].stream_lines > 0 &&
	      bench.line[1].stream_lines == 0);
	CHECK(bench_ask(DP_CMD_LOG, "\1\376", 2).error == 0);
	firmware_run(AT, 1);
	bench_poll();
	CHECK(bench.records == 2 && bench.line[1].stream_lines > 0);
	CHECK(!(firmware.agent.link.rights & DP_RIGHT_WRITE));
	bench_remove_all();
	CHECK(firmware_text_is_original());
}

/* A host that is gone behind any line it sent: what is armed works on, the next host finds it, and
 * can take it away. */
static uint32_t host_gone(int lines)
{
	uint8_t arguments[DP_PAYLOAD_MAX - 1], commit[4] = {0, 1, DP_COMMIT_NO_IDENTITY, 0};
	uint32_t programs;
	struct bench_answer status;

	bench_start();
	CHECK(bench_compile(COUNTS));
	dp_put_u32(arguments, bench.object_bytes);
	dp_put_u32(arguments + 4, dp_crc32(0, bench.object, bench.object_bytes));
	if (lines-- > 0)
		bench_ask(DP_CMD_BEGIN, arguments, 8);
	for (uint32_t at = 0; lines > 0 && at < bench.object_bytes; at += DP_DATA_MAX, lines--) {
		uint32_t left = bench.object_bytes - at,
			 n = left < DP_DATA_MAX ? left : DP_DATA_MAX;

		dp_put_u16(arguments, 1);
		dp_put_u32(arguments + 2, at);
		memcpy(arguments + 6, bench.object + at, n);
		CHECK(bench_ask(DP_CMD_DATA, arguments, 6 + n).error == 0);
	}
	if (lines-- > 0)
		CHECK(bench_ask(DP_CMD_COMMIT, commit, 4).error == 0);
	if (lines-- > 0)
		CHECK(bench_ask(DP_CMD_LOG, "\0\1", 2).error == 0);
	if (lines-- > 0)
		CHECK(bench_ask(DP_CMD_REMOVE, "\0", 1).error == 0);
	programs = firmware.agent.programs;
	firmware_run(AT, 1);
	CHECK(firmware.executed == 1);
	CHECK(bench_hello(4711, 0).error == 0);
	status = bench_ask(DP_CMD_STATUS, NULL, 0);
	CHECK(status.payload[0] == programs && bench.records == programs);
	bench_remove_all();
	CHECK(firmware_text_is_original() && firmware.agent.arena_used == 0);
	CHECK(bench_install(COUNTS) == 0);
	bench_remove_all();
	return programs;
}

static void host_gone_at_every_line(void)
{
	bool committed = false, removed = false;

	for (int lines = 0; !removed; lines++) {
		uint32_t now = host_gone(lines);

		removed = committed && now == 0;
		committed |= now == 1;
		CHECK(lines < 50);
	}
}

/* The first byte of the agent is that of its first answer. */
/* proves: R1.1 R4.33 R4.34 */
static void boot_notice(void)
{
	bench_cold();
	bench_wait_ms(10000);
	CHECK(bench.line[0].out_bytes == 0 && bench.line[1].out_bytes == 0);
	CHECK(bench_hello(5, 0).came && bench.line[1].out_bytes == 0);
	CHECK(bench.line[0].notices == 1 && bench.line[0].notice.payload[5] == DP_NOTICE_BOOT);
	CHECK(bench.line[0].out[0] == '~' && bench.line[0].out[1] == 'Z');
	CHECK(bench_hello(6, 0).came && bench.line[0].notices == 1); /* once */
}

/* --- synchronous mode --- */

static void synchronous(void)
{
	bench_start();
	firmware_put_word(AT, (uint32_t)SIM_STEPPED << 24);
	CHECK(bench_install(COUNTS) == 0);
	CHECK(bench_ask(DP_CMD_LOG, "\376\0", 2).error == 0);
	bench.line[0].stutters = true;
	firmware_run(AT, 0);
	firmware_step();
	CHECK(bench.records == 0); /* not before it completed */
	firmware_step();
	CHECK(bench.records == 1);
	bench_remove_all();
	CHECK(bench_install("name = \"l\"\noffset = 0x08000100\nlogonfault = yes\nexit\n") == 0);
	firmware_run(AT, 0);
	firmware_step();
	CHECK(bench.records == 2 &&
	      dp_port_pc(&firmware.frame) == DP_SIM_SLOT_BASE); /* seen before a hang */
	firmware_step();
	CHECK(bench.records == 2);
}

int main(void)
{
	nobody_reads();
	work_left();
	both_lines_at_once();
	console_write(false);
	console_write(true);
	dropped_line();
	repeated_request();
	session_ends_in_a_line();
	answers_first();
	bounded_polls();
	woken();
	takeover();
	host_gone_at_every_line();
	boot_notice();
	synchronous();
	return check_status();
}

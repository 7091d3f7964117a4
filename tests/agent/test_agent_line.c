/* SPDX-License-Identifier: BSD-2-Clause */
/* The line: console text and frames, repeats, sessions, noise.  PROTOCOL.md sections 3 and 7 */
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

static bool console_got(enum dp_com_index com, const char *text)
{
	const struct bench_line *line = &bench.line[com];

	return line->console_bytes == strlen(text) &&
	       memcmp(line->console, text, line->console_bytes) == 0;
}

/* --- console --- */

/* What is of no request is passed on in dp_rx; requests wait for dp_poll. */
/* proves: A1.2 A2.4 A2.5 A3.12 R3.7 R3.8 R3.13 R3.31 R7.6 */
static void text_and_requests(void)
{
	char line[DP_LINE_MAX + 1] = "";
	size_t n;

	bench_start();
	bench_type_text(DP_COM1, "ls -l~ ~Q ~~Q0 ~R00");
	n = bench_request(line, 200, DP_CMD_STATUS, NULL, 0);
	bench_type(DP_COM1, line, n);
	bench_type_text(DP_COM1, "7FFF\n~Qx~q\n");
	CHECK(console_got(DP_COM1, "ls -l~ 7FFF\n"));
	CHECK(bench.line[0].answers == 1);
	bench_poll();
	CHECK(console_got(DP_COM1, "ls -l~ 7FFF\n"));
	CHECK(bench.line[0].answers == 2 && bench.line[0].answer.seq == 200);
	/* a marker in the middle of a request begins anew: a marker that was held is text */
	for (size_t cut = 1; cut < n; cut++) {
		uint32_t answers = bench.line[0].answers;

		bench.line[0].console_bytes = 0;
		bench_type(DP_COM1, line, cut);
		bench_type(DP_COM1, line, n);
		bench_poll();
		CHECK(console_got(DP_COM1, cut == 1 ? "~" : ""));
		CHECK(bench.line[0].answers == answers + 1 && bench.line[0].naks == 0);
	}
}

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

/* Time passes, and dp_poll runs each 10 ms. */
static void wait_ms(unsigned ms)
{
	for (; ms > 0; ms -= 10) {
		dp_sim.ticks += 10000;
		bench_poll();
	}
}

/* A marker is held for 50 ms without a byte, no longer; without a clock until the next byte. */
/* proves: R3.9 */
static void held_back(void)
{
	bench_start();
	bench_type_text(DP_COM1, "~");
	bench_poll();
	wait_ms(50);
	CHECK(console_got(DP_COM1, ""));
	wait_ms(10);
	CHECK(console_got(DP_COM1, "~"));
	bench_start();
	dp_sim.tick_hz = 0;
	bench_type_text(DP_COM1, "~");
	wait_ms(10000);
	CHECK(console_got(DP_COM1, ""));
	bench_type_text(DP_COM1, "x");
	CHECK(console_got(DP_COM1, "~x"));
}

/* A pause in a request makes none of it text; after 2 s what comes is text again. */
/* proves: R3.32 */
static void pause_in_request(void)
{
	char line[DP_LINE_MAX];
	size_t bytes;

	bench_start();
	bytes = bench_request(line, 9, DP_CMD_STATUS, NULL, 0);
	for (size_t cut = 2; cut < bytes; cut++) {
		bytes = bench_request(line, (uint8_t)(100 + cut), DP_CMD_STATUS, NULL, 0);
		bench_type(DP_COM1, line, cut);
		bench_poll();
		wait_ms(1990);
		bench_type(DP_COM1, line + cut, bytes - cut);
		bench_poll();
		CHECK(bench.line[0].answer.seq == 100 + cut && console_got(DP_COM1, ""));
	}
	for (size_t cut = 2; cut < bytes; cut++) {
		bench_type(DP_COM1, line, cut);
		bench_type_text(DP_COM1, cut % 2 ? "xyz" : "");
		bench_poll();
		wait_ms(2010);
		CHECK(console_got(DP_COM1, ""));
		bench_type_text(DP_COM1, "ls\n");
		CHECK(console_got(DP_COM1, "ls\n"));
		bench.line[0].console_bytes = 0;
	}
	CHECK(bench.line[0].naks == 0);
}

/* What waits for a pause of the firmware is in time, and time without a byte counts however seldom
 * dp_poll runs. */
/* proves: R3.33 */
static void pause_of_the_firmware(void)
{
	bench_start();
	bench_type_text(DP_COM1, "~Q0");
	bench_type_text(DP_COM2, "~");
	bench_poll();
	dp_sim.ticks += 3000000;
	bench_type_text(DP_COM1, "0"); /* read before dp_poll, as the ready-made glue does */
	bench_type_text(DP_COM2, "Q0");
	bench_poll();
	CHECK(console_got(DP_COM1, "") && console_got(DP_COM2, ""));
	bench_type_text(DP_COM1, "\nx");
	bench_type_text(DP_COM2, "\ny");
	CHECK(console_got(DP_COM1, "x") && console_got(DP_COM2, "y"));
	for (unsigned ms = 60; ms < 5000; ms *= 2) {
		bench_start();
		bench_type_text(DP_COM1, "~");
		bench_poll();
		dp_sim.ticks += 1000 * ms;
		bench_poll();
		CHECK(console_got(DP_COM1, "~"));
	}
}

/* Somebody types at a terminal after a host was killed in the middle of a request. */
/* proves: R3.31 R3.35 */
static void killed_in_request(void)
{
	static const char *const rest[] = {"",    "~", "~Q", "~Q0", "~Q5A0104", "~Q5A01041234567",
					   "~Q0#"};

	for (unsigned i = 0; i < 2 * sizeof(rest) / sizeof(rest[0]); i++) {
		bool marker = i / 2 == 1;

		bench_start();
		dp_sim.tick_hz = i % 2 ? 0 : dp_sim.tick_hz;
		bench_type_text(DP_COM1, rest[i / 2]);
		bench_type_text(DP_COM1, "ls\r");
		bench_type_text(DP_COM1, "ls\r");
		CHECK(console_got(DP_COM1, i / 2 == 0 ? "ls\rls\r"
					   : marker   ? "~ls\rls\r"
						      : "ls\r"));
	}
	bench_start(); /* a key a second, and no end of a line */
	bench_type_text(DP_COM1, "~Q0");
	for (unsigned i = 0; i < 5; i++) {
		bench_type_text(DP_COM1, "k");
		bench_poll();
		wait_ms(1000);
	}
	CHECK(console_got(DP_COM1, "kk"));
	bench_start(); /* nor a clock */
	dp_sim.tick_hz = 0;
	bench_type_text(DP_COM1, "~Q0");
	for (unsigned i = 0; i < 200; i++)
		bench_type_text(DP_COM1, "k");
	CHECK(bench.line[0].console_bytes == 200 - (DP_LINE_MAX - 3));
}

/* Data of the firmware with `~Q` in it, as a file that is sent over the console. */
/* proves: R3.34 R3.35 */
static void data_with_requests(void)
{
	uint8_t block[133];

	for (unsigned at = 0; at + 2 < sizeof(block); at++) {
		for (unsigned i = 0; i < sizeof(block); i++)
			block[i] = (uint8_t)(i * 151 + 129 * (i % 3));
		memcpy(block + at, "~Q", 2);
		bench_cold(); /* no session was */
		bench_type(DP_COM1, block, sizeof(block));
		wait_ms(2500);
		CHECK(bench.line[0].console_bytes == sizeof(block) &&
		      memcmp(bench.line[0].console, block, sizeof(block)) == 0);
		bench_start();
		memcpy(block + at + 2, "\x90\x80\n\r", sizeof(block) - at - 2 < 4 ? 1 : 4);
		if (sizeof(block) - at - 2 < 4)
			continue;
		bench_type(DP_COM1, block, sizeof(block));
		bench_poll();
		CHECK(bench.line[0].console_bytes == sizeof(block) &&
		      memcmp(bench.line[0].console, block, sizeof(block)) == 0);
	}
	bench_cold(); /* what a person types where no session was, and a HELLO that is damaged */
	bench_type_text(DP_COM1, "~Q\n~Quit\n~Q1234567\n");
	CHECK(console_got(DP_COM1, "~Q\n~Quit\n~Q1234567\n"));
	bench_type_text(DP_COM1, "~Q00090102123x5678026D6564A24C90\n~Q12345678\n");
	CHECK(console_got(DP_COM1, "~Q\n~Quit\n~Q1234567\n"));
	bench_type_text(DP_COM1, "~Q0");
	bench_poll();
	wait_ms(1990);
	CHECK(console_got(DP_COM1, "~Q\n~Quit\n~Q1234567\n"));
	wait_ms(30);
	CHECK(console_got(DP_COM1, "~Q\n~Quit\n~Q1234567\n~Q0"));
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

/* Each damaged request gets a NAK when its number was received; none of it is text. */
static void expect_damaged(const char *text, unsigned naks, unsigned seq)
{
	struct bench_line *line = &bench.line[1];
	uint32_t before = line->naks;

	bench_type_text(DP_COM2, text);
	bench_poll();
	CHECK(line->naks - before == naks && line->console_bytes == 0);
	CHECK(naks == 0 || (line->nak.payload[0] == seq >> 4 && line->nak.payload[1] == seq % 16));
}

/* proves: R3.7 R3.16 R3.17 R3.31 R4.4 R4.19 */
static void damaged_line(void)
{
	char line[DP_LINE_MAX + 1];
	size_t n;

	bench_start();
	n = bench_request(line, 0x5a, DP_CMD_STATUS, NULL, 0);
	line[n] = '\0';
	line[n - 2] = line[n - 2] == '0' ? '1' : '0';
	bench_type(DP_COM1, line, n);
	bench_poll();
	CHECK(bench.line[0].naks == 1 && bench.line[0].answers == 1);
	CHECK(bench.line[0].nak.payload[0] == 5 && bench.line[0].nak.payload[1] == 10);
	CHECK(console_got(DP_COM1, ""));
	expect_damaged("~Q\n~Q5\n~Qx5A0104\n~Q5xA0104\n~Q5~R5A0104\n", 0, 0);
	expect_damaged("~Q5A\n", 1, 0x5a);
	expect_damaged("~Q6A0104\n", 1, 0x6a);
	expect_damaged("~Q5B020412345678\n", 1, 0x5b);
	expect_damaged("~Q5C01 \t0412345678 ls -l\r", 1, 0x5c);
	expect_damaged("~Q5D0104123~5678\n", 1, 0x5d);
	expect_damaged(line, 1, 0x5a);
	CHECK(bench.line[0].naks == 1);
	/* the answer to what another session asks is a NAK as well */
	bench.session++;
	CHECK(!bench_ask(DP_CMD_STATUS, NULL, 0).came && bench.line[0].naks == 2);
}

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
	CHECK(console_got(DP_COM1, ""));
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
	wait_ms(10000);
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

/* --- noise --- */

static uint64_t state_hash(void)
{
	const struct dp_agent *a = &firmware.agent;
	uint32_t low = 0, high;

	low = dp_crc32(low, a->site, sizeof(a->site));
	low = dp_crc32(low, a->probe, sizeof(a->probe));
	low = dp_crc32(low, a->program, sizeof(a->program));
	low = dp_crc32(low, &a->upload, sizeof(a->upload));
	low = dp_crc32(low, a->gv, sizeof(a->gv));
	low = dp_crc32(low, a->arena, sizeof(a->arena));
	low = dp_crc32(low, &a->link.seed, sizeof(a->link.seed));
	high = dp_crc32(0, firmware.text, sizeof(firmware.text));
	high = dp_crc32(high, &firmware.keep, sizeof(firmware.keep));
	high = dp_crc32(high, firmware.ram, sizeof(firmware.ram));
	return (uint64_t)high << 32 | low;
}

static uint32_t noise_seed = 1;

static uint32_t next_random(void)
{
	noise_seed ^= noise_seed << 13;
	noise_seed ^= noise_seed >> 17;
	noise_seed ^= noise_seed << 5;
	return noise_seed;
}

/* Noise: any bytes, or such as look like frames. */
static uint8_t noise(bool like_frames)
{
	static const char likely[] = "~~QQ00001122334456789ABCDEF\n\n";
	uint32_t r = next_random() >> 8;

	return like_frames ? (uint8_t)likely[r % (sizeof(likely) - 1)] : (uint8_t)r;
}

/* What has come of a request, from its marker on; 0: nothing. */
struct requested {
	uint8_t held[DP_LINE_MAX];
	size_t count;
	bool damaged;
};

static bool is_digit(uint8_t byte)
{
	return (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'F');
}

static bool is_data(const uint8_t *two)
{
	return (two[0] < ' ' || two[0] > '~') && (two[1] < ' ' || two[1] > '~');
}

/* What the console must get of the bytes while a session is open: PROTOCOL.md 3.1, once more. */
static size_t text_of(const uint8_t *typed, size_t count, struct requested *r, uint8_t *text)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		uint8_t byte = typed[i];

		if (r->count == DP_LINE_MAX)
			r->count = 0;
		if (byte == 'Q' && r->count > 0 && r->held[r->count - 1] == '~') {
			*r = (struct requested){.held = "~Q", .count = 2};
		} else if (r->count > 1 && (byte == '\n' || byte == '\r')) {
			r->count = 0;
		} else if (r->count > 1) {
			r->damaged = r->damaged || !is_digit(byte);
			r->held[r->count++] = byte;
			if (r->damaged && is_data(r->held + r->count - 2)) {
				memcpy(text + n, r->held, r->count);
				n += r->count;
				r->count = 0;
			}
		} else {
			if (r->count == 1)
				text[n++] = '~';
			*r = (struct requested){.held = "~", .count = byte == '~'};
			if (byte != '~')
				text[n++] = byte;
		}
	}
	if (r->count == 1) { /* 60 ms later */
		text[n++] = '~';
		r->count = 0;
	}
	return n;
}

/* proves: R3.31 R7.1 R7.2 */
static void random_bytes(void)
{
	enum {
		CHUNK = 1000
	};
	uint8_t typed[CHUNK];
	uint8_t typed_text[CHUNK + DP_LINE_MAX];
	static struct requested requested[2];
	uint64_t before;

	bench_start();
	CHECK(bench_install(COUNTS) == 0);
	bench_poll();
	before = state_hash();
	for (unsigned i = 0; i < 10000; i++) {
		struct bench_line *line = &bench.line[i % 2];
		size_t text;

		for (unsigned k = 0; k < CHUNK; k++)
			typed[k] = noise(i / 2 % 2);
		line->console_bytes = 0;
		bench_type((enum dp_com_index)(i % 2), typed, CHUNK);
		bench_poll();
		dp_sim.ticks += 60000; /* what is held is let go */
		bench_poll();
		text = text_of(typed, CHUNK, &requested[i % 2], typed_text);
		CHECK(line->console_bytes == text && memcmp(line->console, typed_text, text) == 0);
		bench.line[0].out_bytes = bench.line[1].out_bytes = 0;
	}
	CHECK(state_hash() == before);
	CHECK(bench.line[0].answers + bench.line[1].answers < 60);
}

int main(void)
{
	text_and_requests();
	nobody_reads();
	work_left();
	both_lines_at_once();
	held_back();
	pause_in_request();
	pause_of_the_firmware();
	killed_in_request();
	data_with_requests();
	console_write(false);
	console_write(true);
	damaged_line();
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
	random_bytes();
	return check_status();
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The firmware's own text on a line of the agent: its queue, its place between the agent's lines,
 * and transmitters that take many bytes at once.  agent/dp_agent.h */
#include "bench.h"
#include "check.h"

#include "dp_stream_line.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

enum {
	AT = FIRMWARE_TEXT + 0x100
};
#define COUNTS "name = \"t\"\nvars = 1\noffset = 0x08000100\ninc lv, 0\npush lv, 0\nlog 1\nexit\n"
/* 64 characters. */
#define LINE "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde\n"

static void print(const char *text)
{
	dp_console_write(&firmware.agent, DP_COM1, text, strlen(text));
}

static uint32_t dropped(void)
{
	return firmware.agent.text_dropped;
}

static uint32_t offered_before, most_offered;

/* Interrupts are open: how often was the transmitter asked since they were before? */
static void look_at_puts(void *context)
{
	uint32_t offered = bench.line[0].offered - offered_before;

	(void)context;
	most_offered = offered > most_offered ? offered : most_offered;
	offered_before = bench.line[0].offered;
}

/* More text than the queue holds, behind a frame that is half sent, on a transmitter that is often
 * full: the writer waits, and interrupts are open after each character. */
/* proves: A2.10 A2.20 A3.13 */
static void masks_for_a_character(void)
{
	struct bench_line *line = &bench.line[0];
	char expected[10 * 64 + 1] = "";

	bench_start();
	bench_poll();
	line->room = 20;
	bench_ask(DP_CMD_STATUS, NULL, 0);
	CHECK(line->out[line->out_bytes - 1] != '\n');
	line->room = -1;
	line->stutters = true;
	offered_before = line->offered;
	most_offered = 0;
	dp_sim.unmasked = look_at_puts;
	for (unsigned i = 0; i < 10; i++) {
		print(LINE);
		memcpy(expected + i * 64, LINE, 65);
	}
	dp_sim.unmasked = NULL;
	CHECK(most_offered == 1);
	CHECK(line->text_bytes >= sizeof(expected) - 1 - DP_CONSOLE_BYTES);
	while (dp_poll(&firmware.agent))
		;
	CHECK(bench_sent_text(DP_COM1, expected) && line->bad_frames == 0 && dropped() == 0);
	CHECK(line->answer.payload[0] == DP_CMD_STATUS);
}

/* A text stands whole before the next line of the agent, and behind the line that is half sent; a
 * flood of text leaves room for lines. */
/* proves: A2.9 */
static void order(void)
{
	struct bench_line *line = &bench.line[0];
	uint32_t lines;

	bench_start();
	CHECK(bench_install(COUNTS) == 0);
	bench_poll();
	firmware_run(AT, 1);
	line->room = 10; /* a line of the agent is half sent */
	dp_poll(&firmware.agent);
	firmware_run(AT, 1);
	print("first\n");
	print("second\n");
	line->room = -1;
	line->out_bytes = 0;
	bench_poll();
	CHECK(strstr((const char *)line->out, "\nfirst\nsecond\n~R0") != NULL);
	CHECK(bench.records == 2 && line->bad_frames == 0);
	lines = line->stream_lines;
	line->room = 0;
	print(LINE LINE LINE);
	for (unsigned i = 0; i < 20; i++) {
		firmware_run(AT, 1);
		line->room = 64;
		dp_poll(&firmware.agent);
		print(LINE);
	}
	CHECK(line->stream_lines > lines + 3 && line->bad_frames == 0);
}

/* Interrupts are masked by the caller: what the transmitter and the queue do not take is dropped
 * and counted, and STATUS tells. */
/* proves: A2.21 A3.36 P6.5 */
static void masked_writer(void)
{
	struct bench_line *line = &bench.line[0];
	struct bench_answer status;

	bench_start();
	bench_poll();
	line->room = 0;
	line->offered = 0;
	dp_sim.masked = 1;
	for (unsigned i = 0; i < 5; i++)
		print(LINE);
	dp_sim.masked = 0;
	CHECK(dropped() == 5 * 64 - DP_CONSOLE_BYTES && line->offered < 100);
	line->room = -1;
	bench_poll();
	CHECK(bench_sent_text(DP_COM1, LINE LINE LINE LINE));
	status = bench_ask(DP_CMD_STATUS, NULL, 0);
	CHECK(status.came && bench_number(&status, status.bytes - 4u, 4) == 64);
}

static unsigned interrupts; /* that are to come */

static void interrupt_prints(void *context)
{
	(void)context;
	if (interrupts == 0 || dp_sim.masked)
		return;
	interrupts--;
	dp_sim.masked = 1;
	print("interrupt\n");
	dp_sim.masked = 0;
}

/* How often does that text stand in what was sent? */
static unsigned times(const char *text)
{
	const char *at = (const char *)bench.line[0].text;
	unsigned count = 0;

	bench.line[0].text[bench.line[0].text_bytes] = '\0';
	while ((at = strstr(at, text)) != NULL) {
		at += strlen(text);
		count++;
	}
	return count;
}

/* Interrupts print in the midst of a text: no text is torn. A writer that loses its place at each
 * step ends all the same. */
/* proves: A3.13 */
static void printing_interrupt(void)
{
	bench_start();
	bench_poll();
	firmware.board.console_waits = true;
	for (unsigned i = 0; i < 40; i++) {
		interrupts = i;
		dp_sim.unmasked = interrupt_prints;
		print(LINE);
		dp_sim.unmasked = NULL;
		CHECK(interrupts < i || i == 0);
		bench_poll();
		CHECK(times(LINE) == i + 1);
	}
	CHECK(bench.line[0].text_bytes == times("interrupt\n") * 10 + times(LINE) * 64);
	CHECK(interrupts > 0 && dropped() == 0);
}

/* The queue is full, and an interrupt stands in the midst of a text, or nobody ever unmasks: the
 * writer sends what waits itself. */
/* proves: A1.29 A3.50 */
static void waits_masked(void)
{
	struct bench_line *line = &bench.line[0];
	static char expected[20 * 64 + 1];

	bench_start();
	bench_poll();
	line->room = 20;
	bench_ask(DP_CMD_STATUS, NULL, 0);
	line->room = -1;
	line->stutters = true;
	firmware.board.console_waits = true;
	dp_sim.masked = 1;
	for (unsigned i = 0; i < 20; i++) {
		CHECK(dp_console_write(&firmware.agent, DP_COM1, LINE, 64) == 64);
		memcpy(expected + i * 64, LINE, 65);
	}
	dp_sim.masked = 0;
	bench_poll();
	CHECK(bench_sent_text(DP_COM1, expected) && line->bad_frames == 0 && dropped() == 0);
	CHECK(line->answer.payload[0] == DP_CMD_STATUS);
	interrupts = 100;
	dp_sim.unmasked = interrupt_prints;
	for (unsigned i = 0; i < 10; i++)
		print(LINE LINE);
	dp_sim.unmasked = NULL;
	bench_poll();
	CHECK(times(LINE LINE) == 20 && times("interrupt\n") == 100 && dropped() == 0);
}

static unsigned readies;
static const char *rest; /* that a driver keeps */

static void driver_sends(unsigned com)
{
	CHECK(com == 0 && dp_sim.masked == 0);
	readies++;
	rest += dp_console_write(&firmware.agent, DP_COM1, rest, strlen(rest));
}

/* A driver with a ring of its own: nobody waits, what finds no room stays with the driver, and
 * dp_poll tells when there is room. */
/* proves: A1.28 A2.26 A2.27 A2.28 A3.51 */
static void driver(void)
{
	struct bench_line *line = &bench.line[0];
	unsigned polls = 0;

	bench_start();
	bench_poll();
	firmware.board.console_ready = driver_sends;
	readies = 0;
	CHECK(dp_console_room(&firmware.agent, DP_COM1) == DP_CONSOLE_BYTES);
	line->room = 0;
	line->offered = 0;
	rest = LINE LINE LINE LINE LINE LINE LINE LINE LINE LINE;
	rest += dp_console_write(&firmware.agent, DP_COM1, rest, strlen(rest));
	CHECK(strlen(rest) == 10 * 64 - DP_CONSOLE_BYTES && line->offered < 4 && dropped() == 0);
	CHECK(dp_console_room(&firmware.agent, DP_COM1) == 0 && line->offered < 8);
	CHECK(dp_poll(&firmware.agent) && readies == 0);
	for (; *rest && polls < 1000; polls++) {
		line->room = 16;
		CHECK(dp_poll(&firmware.agent));
	}
	CHECK(readies > 3 && readies < 10);
	line->room = -1;
	bench_poll();
	CHECK(bench_sent_text(DP_COM1, LINE LINE LINE LINE LINE LINE LINE LINE LINE LINE));
	/* Without room for a look alone, too; and once. */
	line->room = 0;
	dp_console_write(&firmware.agent, DP_COM1, LINE LINE LINE LINE, 256);
	readies = 0;
	CHECK(dp_console_room(&firmware.agent, DP_COM1) == 0);
	line->room = -1;
	bench_poll();
	CHECK(readies == 1 && dp_console_room(&firmware.agent, DP_COM1) == DP_CONSOLE_BYTES);
	firmware.board.com[1].put = NULL;
	CHECK(dp_console_write(&firmware.agent, DP_COM2, "x", 1) == 0);
}

/* The firmware's own text on a dead line: one time-out when the queue is full, and no piece of it
 * in the midst of a frame that is half sent. */
/* proves: A2.11 */
static void dead_line(void)
{
	struct bench_line *line = &bench.line[0];

	bench_start();
	bench_poll();
	line->room = 20;
	bench_ask(DP_CMD_STATUS, NULL, 0);
	line->offered = 0;
	print("kept\n");
	CHECK(line->offered <= 1);
	print(LINE LINE LINE LINE);
	CHECK(line->offered > 1000000 && line->offered < 2500000 && dropped() == 5);
	line->room = -1;
	print("there\n");
	bench_poll();
	CHECK(line->bad_frames == 0 && line->answer.payload[0] == DP_CMD_STATUS);
	CHECK(line->text_bytes == 256 + 6 && memcmp(line->text, "kept\n" LINE, 69) == 0 &&
	      memcmp(line->text + 256, "there\n", 6) == 0);
}

/* A panic: everything is out before the function returns, and a dead line costs one time-out. */
/* proves: A2.22 A3.37 */
static void flush(void)
{
	struct bench_line *line = &bench.line[0];

	bench_start();
	bench_poll();
	line->room = 20;
	bench_ask(DP_CMD_STATUS, NULL, 0);
	dp_sim.masked = 1;
	print("panic\n");
	line->room = -1;
	line->stutters = true;
	dp_console_flush(&firmware.agent, DP_COM1);
	CHECK(bench_sent_text(DP_COM1, "panic\n") && line->answer.payload[0] == DP_CMD_STATUS);
	line->room = 0;
	print("panic\n");
	line->offered = 0;
	dp_console_flush(&firmware.agent, DP_COM1);
	CHECK(line->offered > 1000000 && line->offered < 2500000);
	dp_sim.masked = 0;
}

static void panic_in_write(void *context)
{
	const struct bench_line *line = &bench.line[0];

	(void)context;
	dp_sim.unmasked = NULL;
	dp_sim.masked = 1;
	dp_console_flush(&firmware.agent, DP_COM1);
	for (unsigned i = 0; i < 10; i++)
		print(LINE);
	dp_console_flush(&firmware.agent, DP_COM1);
	CHECK(dropped() == 0 && line->text_bytes == 10 * 64);
	CHECK(memcmp(line->text + line->text_bytes - 64, LINE, 64) == 0);
	dp_sim.masked = 0;
}

/* A panic in the midst of a text: behind a flush the panic's text is not bounded by the queue. */
/* proves: A3.37 */
static void panic_in_the_midst(void)
{
	struct bench_line *line = &bench.line[0];

	bench_start();
	bench_poll();
	dp_sim.unmasked = panic_in_write;
	print("a thread with more text than a writer copies in one stretch\n");
	CHECK(dp_sim.unmasked == NULL);
	dp_sim.unmasked = NULL;
	print("there\n"); /* a firmware that goes on all the same */
	bench_poll();
	CHECK(line->text_bytes == 10 * 64 + 60 + 6);
	CHECK(memcmp(line->text + line->text_bytes - 15, " stretch\nthere\n", 15) == 0);
}

static jmp_buf task_ended;

static void end_task(void *context)
{
	(void)context;
	dp_sim.unmasked = NULL;
	longjmp(task_ended, 1);
}

/* The firmware ends a task in the midst of its text: the text of the other tasks comes out. */
static void ended_writer(void)
{
	struct bench_line *line = &bench.line[0];

	bench_start();
	bench_poll();
	dp_sim.unmasked = end_task;
	if (setjmp(task_ended) == 0)
		print(LINE "ended\n");
	CHECK(dp_sim.unmasked == NULL && line->text_bytes == 0);
	for (unsigned i = 0; i < 5; i++)
		print(LINE);
	bench_poll();
	CHECK(bench_sent_text(DP_COM1, LINE LINE LINE LINE LINE) && dropped() == 0);
}

static uint32_t bulks, most_bulk;

static size_t bulk_write(void *ctx, const void *bytes, size_t count)
{
	const uint8_t *p = bytes;
	size_t taken = 0;

	bulks++;
	most_bulk = count > most_bulk ? (uint32_t)count : most_bulk;
	while (taken < count && taken < 40 && firmware.board.com[0].put(ctx, p[taken]))
		taken++;
	return taken;
}

/* A transmitter that takes many bytes at once gets them in a row, text and lines alike, and loses
 * none that it did not take. */
/* proves: A1.23 A3.38 */
static void bulk(void)
{
	struct bench_line *line = &bench.line[0];
	uint32_t before;

	bench_start();
	CHECK(bench_install(COUNTS) == 0);
	bench_poll();
	firmware.board.com[0].write = bulk_write;
	bulks = most_bulk = 0;
	for (unsigned i = 0; i < 50; i++, dp_sim.ticks += 0x123456) {
		firmware_run(AT, 1);
		print(LINE);
	}
	before = line->out_bytes;
	CHECK(dp_poll(&firmware.agent) && line->out_bytes - before <= DP_POLL_BYTES);
	bench_poll();
	CHECK(bench.records == 50 && bench.bad_records == 0 && line->gaps == 0);
	CHECK(line->text_bytes == 50 * 64 && most_bulk == DP_WRITE_BYTES &&
	      bulks < line->out_bytes / 8);
}

static uint32_t hits_in_build;

/* The board's clock, in the midst of building a line: a hit, which sends its own record at once. */
static uint64_t hit_in_clock(void)
{
	if (hits_in_build > 0 && dp_sim.masked == 0 && !firmware.agent.cpu[0].in_hit) {
		hits_in_build--;
		firmware_nested(AT, 1);
	}
	return dp_sim.ticks;
}

/* A hit sends lines while dp_poll builds one: each record arrives once, and no line is torn. */
static void hit_while_building(void)
{
	bench_start();
	CHECK(bench_install(COUNTS) == 0);
	bench_ask(DP_CMD_LOG, "\376\0", 2);
	firmware.board.ticks = hit_in_clock;
	firmware.board.tick_hz = 1000000;
	for (unsigned i = 0; i < 100; i++) {
		hits_in_build = i % 7;
		dp_sim.ticks += i % 3 == 0 ? 1000001 : 10; /* a sync is due, or none */
		dp_poll(&firmware.agent);
		firmware_run(AT, 1);
	}
	hits_in_build = 0;
	bench_poll();
	CHECK(bench.records > 200 && bench.bad_records == 0 && bench.line[0].gaps == 0);
	CHECK(bench.line[0].bad_frames == 0);
	for (unsigned i = 0; i < bench.records; i++)
		CHECK(bench_logged(i) == i + 1);
}

/* dp_poll is preempted while it builds a line, and hits send lines meanwhile: however many, the
 * line is void. */
static void many_lines_while_building(void)
{
	static const uint32_t lines[] = {1, 256, 65536};
	struct dp_agent *agent = &firmware.agent;
	struct dp_draft draft;

	bench_start();
	bench_poll();
	for (unsigned i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		dp_draft_of(agent, 0, &draft, dp_line_spare(&agent->wire[0]));
		dp_stream_begin(&draft, DP_FRAME_RECORDS, 0);
		for (uint32_t k = 0; k < lines[i]; k++)
			dp_stream_changed(agent);
		CHECK(!dp_draft_send(agent, &agent->wire[0], &draft));
	}
}

/* A second damaged request comes while the NAK of the first is built: the second gets its NAK. */
/* proves: R4.19 */
static void damaged_while_building(void)
{
	struct dp_agent *agent = &firmware.agent;
	struct dp_wire *wire = &agent->wire[0];
	struct dp_draft draft;

	bench_start();
	bench_poll();
	dp_draft_of(agent, 0, &draft, dp_line_spare(wire));
	dp_line_begin(draft.line, DP_FRAME_NAK);
	dp_line_put(draft.line, 0x5a, 2);
	dp_line_end(draft.line);
	draft.done = &wire->nak;
	bench_type_text(DP_COM1, "~Q5B010400000000\n");
	if (!dp_draft_send(agent, wire, &draft))
		CHECK(wire->nak);
	bench_poll();
	CHECK(bench.line[0].nak.payload[0] == 5 && bench.line[0].nak.payload[1] == 11);
}

/* Lines of a hit behind shorter lines of dp_poll, and the other way round. */
static void longer_and_shorter(void)
{
	bench_start();
	CHECK(bench_install(COUNTS) == 0);
	CHECK(bench_install("name = \"l\"\nlogmax = 400\noffset = 0x08000108\npush 0\npush 0\n"
			    "push 0\npush 0\npush 0\npush 0\nlog 6\nexit\n") == 1);
	for (unsigned i = 0; i < 20; i++) {
		bench_ask(DP_CMD_LOG, i % 2 == 0 ? "\376\0" : "\376\1", 2);
		firmware_run(AT + (i % 3 == 0 ? 8 : 0), 1);
		bench_ask(DP_CMD_STATUS, NULL, 0);
		firmware_run(AT + (i % 5 == 0 ? 8 : 0), 1);
	}
	bench_poll();
	CHECK(bench.records == 40 && bench.bad_records == 0 && bench.line[0].gaps == 0);
	CHECK(bench.line[0].text_bytes == 0 && bench.line[0].bad_frames == 0);
}

/* A hit in synchronous mode waits for the line of the records alone. */
static void other_line_is_dead(void)
{
	bench_start();
	CHECK(bench_install(COUNTS) == 0);
	bench_ask(DP_CMD_LOG, "\376\0", 2);
	bench_poll();
	bench.line[1].room = 5;
	dp_console_write(&firmware.agent, DP_COM2, LINE, 64);
	bench.line[1].offered = 0;
	firmware_run(AT, 3);
	CHECK(bench.records == 1 && bench.line[1].offered == 0);
}

int main(void)
{
	masks_for_a_character();
	order();
	masked_writer();
	printing_interrupt();
	waits_masked();
	driver();
	dead_line();
	flush();
	panic_in_the_midst();
	ended_writer();
	bulk();
	hit_while_building();
	many_lines_while_building();
	damaged_while_building();
	longer_and_shorter();
	other_line_is_dead();
	return check_status();
}

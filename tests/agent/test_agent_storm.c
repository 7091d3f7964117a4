/* SPDX-License-Identifier: BSD-2-Clause */
/* Storms: hits that keep dp_poll from running and serve requests.  PROTOCOL.md section 3.2 */
#include "bench.h"
#include "check.h"
#include "dp_at_work.h"

#include <string.h>

enum {
	AT = FIRMWARE_TEXT + 0x100
};
#define COUNTS     "name = \"t\"\nvars = 1\noffset = 0x08000100\ninc lv, 0\npush lv, 0\nlog 1\nexit\n"
#define VARS_RESET "\0\0\0\1\1", 5

/* Hits without a dp_poll: status, list and remove are served from them; all else is told to ask
 * again. */
/* proves: R3.18 R3.22 */
static void storm(bool half_sent, unsigned mode)
{
	struct bench_answer answer;
	struct bench_line *line = &bench.line[0];
	uint8_t log[2] = {0xfe, (uint8_t)mode};

	bench_start();
	CHECK(bench_install(COUNTS) == 0);
	bench_ask(DP_CMD_LOG, log, 2);
	firmware_run(AT, 1);
	if (half_sent) {
		line->room = 20;
		dp_poll(&firmware.agent);
	}
	line->room = -1;
	for (unsigned i = 0; i < 2500; i++)
		firmware_run(AT, 1);
	bench_type_request(DP_COM1, 100, DP_CMD_VARS, VARS_RESET);
	firmware_run(AT, 1);
	CHECK(line->answer.seq == 100 && line->answer.payload[1] == DP_ERR_BUSY);
	bench_type_request(DP_COM1, 101, DP_CMD_STATUS, NULL, 0);
	firmware_run(AT, 1);
	CHECK(line->answer.seq == 101 && line->answer.payload[1] == 0);
	bench_type_request(DP_COM1, 102, DP_CMD_VARS, VARS_RESET);
	bench_type_request(DP_COM1, 103, DP_CMD_PROGRAM, "\0", 1);
	firmware_run(AT, 1);
	CHECK(line->answer.seq == 103 && line->answer.payload[1] == 0);
	CHECK(line->bad_frames == 0 && bench.bad_records == 0 && line->gaps == 0);
	bench_type_request(DP_COM1, 104, DP_CMD_REMOVE, "\0", 1);
	firmware_run(AT, 1);
	CHECK(line->answer.seq == 104 && line->answer.payload[1] == 0);
	CHECK(firmware_text_is_original() && firmware.executed == 2505);
	bench_poll();
	bench.seq = 99; /* BUSY was not stored: the same line is executed now */
	answer = bench_ask(DP_CMD_VARS, VARS_RESET);
	CHECK(answer.error == DP_ERR_NO_PROGRAM);
}

static unsigned slots_free(void)
{
	unsigned total, available;

	dp_port_slots(&total, &available);
	return available;
}

/* A probe that ends with this hit, and one that a hit's REMOVE takes away: the step finds its site
 * and slot, and they are released behind it. */
/* proves: P8.1 */
static void removed_in_a_hit(void)
{
	unsigned before;

	bench_start();
	firmware_put_word(AT, (uint32_t)SIM_STEPPED << 24);
	before = slots_free();
	CHECK(bench_install("name = \"once\"\noffset = 0x08000100\nmaxhits = 1\nexit\n") == 0);
	firmware_run(AT, 0);
	firmware_step();
	CHECK(dp_port_pc(&firmware.frame) == DP_SIM_SLOT_BASE && slots_free() == before - 1);
	firmware_step();
	CHECK(dp_port_pc(&firmware.frame) == AT + 4 && firmware_text_is_original());
	bench_remove_all();
	CHECK(bench_install(COUNTS) == 0);
	for (unsigned i = 0; i < 2500; i++)
		firmware_run(AT, 1);
	bench_type_request(DP_COM1, 104, DP_CMD_REMOVE, "\0", 1);
	firmware_run(AT, 0);
	firmware_step();
	CHECK(dp_port_pc(&firmware.frame) == DP_SIM_SLOT_BASE && slots_free() == before - 1);
	firmware_step();
	CHECK(dp_port_pc(&firmware.frame) == AT + 4 && firmware.executed == 2502);
	CHECK(bench.line[0].answer.seq == 104 && firmware_text_is_original());
	CHECK(slots_free() == before && firmware.foreign_traps == 0 &&
	      firmware.agent.cpu[0].in_hit == 0);
}

static bool storming, served;

static void storm_begins(void *context)
{
	(void)context;
	if (!storming || firmware_text_is_original())
		return;
	storming = false;
	for (unsigned i = 0; i < 2500; i++)
		firmware_nested(AT, 1);
	bench_type_request(DP_COM1, 222, DP_CMD_REMOVE, "\377", 1);
	firmware_nested(AT, 1);
	served = firmware_text_is_original() && bench.line[0].answer.seq == 222;
}

/* The storm that a COMMIT lets loose inside dp_poll, from an interrupt that never ends. */
static void storm_inside_poll(void)
{
	uint16_t transaction = 0;

	bench_start();
	CHECK(bench_compile(COUNTS) && bench_upload(&transaction).error == 0);
	storming = true;
	dp_sim.unmasked = storm_begins;
	bench_commit(transaction, DP_COMMIT_NO_IDENTITY, 0);
	dp_sim.unmasked = NULL;
	CHECK(served && !firmware.agent.program[0].object && bench.line[0].bad_frames == 0);
}

/* A dead line costs a storm one time-out now and then, not one for each character of the answer,
 * nor one for each hit; and nothing is lost when it lives again. left: characters it still takes.
 */
static void storm_on_dead_line(int32_t left)
{
	struct bench_line *line = &bench.line[0];
	uint32_t offered, answers;

	bench_start();
	CHECK(bench_install(COUNTS) == 0);
	bench_poll();
	answers = line->answers;
	for (unsigned i = 0; i < 2500; i++)
		firmware_run(AT, 1);
	line->room = left;
	bench_type_request(DP_COM1, 100, DP_CMD_STATUS, NULL, 0);
	bench_type_request(DP_COM1, 101, DP_CMD_REMOVE, "\0", 1);
	offered = line->offered;
	for (unsigned i = 0; i < 1000; i++)
		firmware_run(AT, 1);
	CHECK(line->offered - offered < 5000000); /* two million polls are a time-out */
	CHECK(line->offered - offered > 1000000);
	line->room = -1;
	for (unsigned i = 0; i < 2500; i++)
		firmware_run(AT, 1);
	CHECK(line->answer.seq == 101 && line->answer.payload[1] == 0);
	CHECK(line->answers == answers + 2 && line->bad_frames == 0);
	CHECK(firmware_text_is_original());
}

/* A dead transmitter costs the hits of synchronous mode one time-out, and what waits goes when it
 * lives again. */
static void synchronous_on_dead_line(void)
{
	struct bench_line *line = &bench.line[0];
	uint32_t offered;

	bench_start();
	CHECK(bench_install(COUNTS) == 0);
	CHECK(bench_ask(DP_CMD_LOG, "\376\0", 2).error == 0);
	bench_poll();
	line->room = 0;
	offered = line->offered;
	for (unsigned i = 0; i < 100; i++)
		firmware_run(AT, 1);
	CHECK(line->offered - offered > 1000000 && line->offered - offered < 2100000);
	line->room = -1;
	firmware_run(AT, 1);
	CHECK(bench.records + firmware.agent.cpu[0].ring.dropped == 101 && line->bad_frames == 0);
}

/* Text that the firmware writes on a dead line does not put off what a storm serves on the other.
 */
static void text_on_dead_line_in_storm(void)
{
	bench_start();
	CHECK(bench_install(COUNTS) == 0);
	bench_poll();
	for (unsigned i = 0; i < 2100; i++)
		firmware_run(AT, 1);
	bench.line[0].room = 20;
	bench_type_request(DP_COM1, 100, DP_CMD_STATUS, NULL, 0);
	firmware_run(AT, 1);
	for (unsigned i = 0; i < 2100; i++)
		firmware_run(AT, 1);
	dp_console_write(&firmware.agent, DP_COM1, "gone\n", 5);
	bench_type_request(DP_COM2, 101, DP_CMD_REMOVE, "\0", 1);
	firmware_run(AT, 1);
	CHECK(bench.line[1].answer.seq == 101 && firmware_text_is_original());
}

/* console_in may itself look for the next byte: it comes behind what is being handed out. */
static const char *more;

static void eager_console(void *ctx, uint8_t byte)
{
	struct bench_line *line = ctx;

	line->console[line->console_bytes++] = byte;
	if (*more != '\0')
		dp_rx(&firmware.agent, DP_COM1, (uint8_t)*more++);
}

static void console_that_polls(void)
{
	bench_start();
	firmware.board.com[0].console_in = eager_console;
	more = "0123456789abcdef";
	bench_type_text(DP_COM1, "~x"); /* the longest text that is handed out at once */
	CHECK(*more == '\0' && firmware.agent.wire[0].in.used == 0);
	CHECK(bench.line[0].console_bytes == 2 + 16);
	bench_hello(0x12345679, 0);
	CHECK(bench.line[0].answer.payload[1] == 0);
}

static struct storm_request { /* typed in the storm that follows */
	uint8_t seq, command, bytes;
	uint8_t arguments[6];
} storm_request[2];
static uint32_t storm_session; /* opened by the first of them */
static bool storm_stopped;
static uint8_t storm_error; /* answer to the second */

/* Hits that keep the request that executes from going on, until they are stopped. */
static void storm_in_request(void *context)
{
	(void)context;
	if (!firmware.agent.executing || firmware.agent.executing == DP_WORK_PATROL)
		return;
	dp_sim.unmasked = NULL;
	for (unsigned i = 0; i < 2500; i++)
		firmware_nested(AT, 1);
	for (unsigned i = 0; i < 2; i++) {
		const struct storm_request *r = &storm_request[i];

		bench_type_request(DP_COM1, r->seq, r->command, r->arguments, r->bytes);
		firmware_nested(AT, 1);
		firmware_nested(AT + 8, 1);
		if (storm_session != 0)
			bench.session = storm_session;
	}
	storm_stopped = firmware_word(AT) == (0x10000000 | (AT & 0xffff)) &&
			bench.line[0].answer.seq == storm_request[1].seq;
	storm_error = bench.line[0].answer.payload[1];
}

/* What COMMIT and TEXT leave open to interrupts can be stormed: REMOVE is served there, and the
 * request goes on as if it had come before. */
/* proves: R3.22 */
static void storm_inside_request(void)
{
	static const uint8_t text[13] = {[4] = 0x08, [10] = 1}; /* 256 bytes from 0x08000000 */
	struct bench_answer answer;
	uint16_t transaction = 0;

	bench_start();
	CHECK(bench_install(COUNTS) == 0);
	CHECK(bench_install("name = \"o\"\noffset = 0x08000108\nexit\n") == 1);
	CHECK(bench_compile("name = \"v\"\noffset = 0x08000100\npush 9\nlog 1\nexit\n"));
	CHECK(bench_upload(&transaction).error == 0);
	storm_request[0] = (struct storm_request){200, DP_CMD_REMOVE, 1, {0}};
	storm_request[1] = (struct storm_request){201, DP_CMD_PROGRAM, 1, {0}};
	storm_stopped = false;
	dp_sim.unmasked = storm_in_request;
	answer = bench_commit(transaction, DP_COMMIT_NO_IDENTITY, 0);
	CHECK(storm_stopped && storm_error == DP_ERR_NO_PROGRAM);
	CHECK(answer.came && answer.error == 0 && answer.payload[11] == 0);
	CHECK(bench.line[0].naks == 0 && bench.line[0].bad_frames == 0 && bench.line[0].gaps == 0);
	CHECK(firmware.agent.programs == 2 && firmware.agent.probes == 2);
	CHECK(firmware.agent.program[1].object == firmware.agent.arena);
	CHECK(firmware.agent.arena_used ==
	      firmware.agent.program[0].held + firmware.agent.program[1].held);
	bench_poll();
	bench.records = 0;
	firmware_run(AT, 1); /* the bytes that moved are the program */
	bench_poll();
	CHECK(bench.records == 1 && bench.record[0].head.bytes == sizeof(dp_word) &&
	      bench_logged(0) == 9);
	storm_request[0] = (struct storm_request){210, DP_CMD_STATUS, 0, {0}};
	storm_request[1] = (struct storm_request){211, DP_CMD_REMOVE, 1, {0xff}};
	storm_stopped = false;
	dp_sim.unmasked = storm_in_request;
	answer = bench_ask(DP_CMD_TEXT, text, sizeof(text));
	CHECK(storm_stopped && answer.came && answer.error == 0);
	CHECK(firmware.agent.programs == 0 && firmware.agent.arena_used == 0);
}

/* A new session in the storm ends the upload that is being looked at; its COMMIT installs nothing
 * and is not answered: nobody waits for it. */
/* proves: R3.23 */
static void storm_new_session(void)
{
	struct bench_line *line = &bench.line[0];
	uint16_t transaction = 0;

	bench_start();
	CHECK(bench_install(COUNTS) == 0);
	CHECK(bench_compile("name = \"v\"\noffset = 0x08000100\nexit\n"));
	CHECK(bench_upload(&transaction).error == 0);
	storm_request[0] =
		(struct storm_request){1, DP_CMD_HELLO, 6, {DP_PROTOCOL_VERSION, 0, 0, 0, 9, 0x0f}};
	storm_request[1] = (struct storm_request){2, DP_CMD_REMOVE, 1, {0xff}};
	storm_session = 9;
	dp_sim.unmasked = storm_in_request;
	line->answers = 0;
	bench_commit(transaction, DP_COMMIT_NO_IDENTITY, 0);
	storm_session = 0;
	CHECK(storm_stopped);
	CHECK(line->answers == 2 && line->answer.seq == 2 && line->answer.bytes == 3);
	line->answer.bytes = 0;
	bench_type_request(DP_COM1, 2, DP_CMD_REMOVE, "\377", 1); /* again: the stored answer */
	bench_poll();
	CHECK(line->answers == 3 && line->answer.seq == 2 && line->answer.bytes == 3);
	CHECK(line->answer.payload[0] == DP_CMD_REMOVE && line->answer.payload[1] == 0 &&
	      line->answer.payload[2] == 1);
	CHECK(firmware.agent.programs == 0 && firmware_text_is_original());
	CHECK(bench_ask(DP_CMD_STATUS, NULL, 0).error == 0 && bench_install(COUNTS) == 0);
}

/* So does the end of the session in the storm: the arena moves when a program goes, and bytes that
 * nobody verified must not be armed in the upload's place. */
/* proves: R3.23 */
static void storm_close(void)
{
	uint16_t transaction = 0;

	bench_start();
	CHECK(bench_install(COUNTS) == 0);
	CHECK(bench_install("name = \"o\"\noffset = 0x08000108\nexit\n") == 1);
	CHECK(bench_compile("name = \"v\"\noffset = 0x08000110\nexit\n"));
	CHECK(bench_upload(&transaction).error == 0);
	storm_request[0] = (struct storm_request){1, DP_CMD_REMOVE, 1, {0}};
	storm_request[1] = (struct storm_request){2, DP_CMD_CLOSE, 0, {0}};
	dp_sim.unmasked = storm_in_request;
	bench.line[0].answers = 0;
	bench_commit(transaction, DP_COMMIT_NO_IDENTITY, 0);
	CHECK(storm_stopped && bench.line[0].answers == 2);
	CHECK(firmware.agent.programs == 1 && !firmware.agent.program[0].object);
	CHECK(firmware_word(AT + 16) == (0x10000000 | ((AT + 16) & 0xffff)));
	bench_start();
}

/* The firmware locks the agent while a COMMIT is at work: nothing is installed. */
static void lock_in_request(void *context)
{
	(void)context;
	if (firmware_text_is_original())
		return;
	dp_sim.unmasked = NULL;
	dp_lock(&firmware.agent);
}

/* proves: A2.15 */
static void locked_meanwhile(void)
{
	uint16_t transaction = 0;

	bench_start();
	CHECK(bench_compile("name = \"v\"\noffset = 0x08000108\nexit\n"));
	CHECK(bench_upload(&transaction).error == 0);
	dp_sim.unmasked = lock_in_request;
	CHECK(bench_commit(transaction, DP_COMMIT_NO_IDENTITY, 0).error == DP_ERR_BUSY);
	CHECK(dp_sim.unmasked == NULL && firmware.agent.locked);
	CHECK(bench_commit(transaction, DP_COMMIT_NO_IDENTITY, 0).error == DP_ERR_LOCKED);
	CHECK(firmware.agent.programs == 0 && firmware_text_is_original());
}

/* dp_poll from a timer that interrupts dp_poll does nothing, and must not count as one. */
/* proves: A2.6 */
static void storm_with_idle_polls(void)
{
	bench_start();
	CHECK(bench_install(COUNTS) == 0);
	firmware.agent.polling = 1; /* as if starved inside it */
	for (unsigned i = 0; i < 2500; i++) {
		firmware_run(AT, 1);
		CHECK(!dp_poll(&firmware.agent));
	}
	bench_type_request(DP_COM1, 104, DP_CMD_REMOVE, "\0", 1);
	firmware_run(AT, 1);
	CHECK(firmware_text_is_original());
}

static void hit_on_a_slow_line(void *context)
{
	(void)context;
	if (!firmware.agent.executing)
		return;
	dp_sim.unmasked = NULL;
	bench.line[0].room = 5;
	firmware_nested(AT, 1);
	bench.line[0].room = -1;
}

/* A hit comes during a COMMIT and sends its record on a transmitter that stops: the record's line
 * stays whole, and a repeat of COMMIT gets the answer. */
static void record_during_commit(void)
{
	uint8_t commit[4] = {0, 0, DP_COMMIT_NO_IDENTITY, 0};
	struct bench_line *line = &bench.line[0];
	char request[DP_LINE_MAX];
	uint16_t transaction = 0;
	struct bench_answer uploaded;
	size_t n;

	bench_start();
	CHECK(bench_install("name = \"r\"\noffset = 0x08000100\npush 1\nlog 1\nexit\n") == 0);
	CHECK(bench_ask(DP_CMD_LOG, "\376\0", 2).error == 0);
	CHECK(bench_compile("name = \"s\"\noffset = 0x08000108\nexit\n"));
	uploaded = bench_upload(&transaction);
	CHECK(uploaded.error == 0);
	commit[0] = (uint8_t)(transaction >> 8);
	commit[1] = (uint8_t)transaction;
	bench_poll();
	n = bench_request(request, 200, DP_CMD_COMMIT, commit, sizeof(commit));
	dp_sim.unmasked = hit_on_a_slow_line;
	bench_type(DP_COM1, request, n);
	bench_poll();
	CHECK(dp_sim.unmasked == NULL && firmware.agent.programs == 2);
	dp_sim.unmasked = NULL;
	bench_type(DP_COM1, request, n);
	bench_poll();
	CHECK(line->answer.seq == 200 && line->answer.payload[1] == 0);
	CHECK(bench.records == 1 && line->gaps == 0 && line->bad_frames == 0);
	CHECK(line->text_bytes == 0 && firmware.agent.programs == 2);
}

int main(void)
{
	storm(false, DP_MODE_BUFFERED);
	storm(true, DP_MODE_BUFFERED);
	storm(true, DP_MODE_SYNCHRONOUS);
	removed_in_a_hit();
	storm_inside_poll();
	storm_inside_request();
	storm_new_session();
	storm_close();
	locked_meanwhile();
	storm_with_idle_polls();
	storm_on_dead_line(0);
	storm_on_dead_line(30);
	synchronous_on_dead_line();
	text_on_dead_line_in_storm();
	console_that_polls();
	record_during_commit();
	return check_status();
}

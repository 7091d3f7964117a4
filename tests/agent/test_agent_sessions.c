/* SPDX-License-Identifier: BSD-2-Clause */
/* Sessions: their rights, their owner, who takes them over, and recorded ones.  PROTOCOL.md section
 * 5 */
#include "bench.h"
#include "check.h"

#include "dp_bytes.h"
#include "dp_crc.h"

#include <stdio.h>
#include <string.h>

enum {
	AT = FIRMWARE_TEXT + 0x100,
	ALL = DP_RIGHT_LOOK | DP_RIGHT_LOG | DP_RIGHT_INSERT
};
#define COUNTS "name = \"t\"\nvars = 1\noffset = 0x08000100\ninc lv, 0\npush lv, 0\nlog 1\nexit\n"

static struct bench_answer hello(uint32_t session, uint8_t rights, const char *owner)
{
	uint8_t arguments[DP_PAYLOAD_MAX - 1] = {DP_PROTOCOL_VERSION};

	dp_put_u32(arguments + 1, session);
	arguments[5] = rights;
	memcpy(arguments + 6, owner, strlen(owner));
	return bench_ask(DP_CMD_HELLO, arguments, 6 + strlen(owner));
}

/* Opens a session and speaks in it from now on. */
static struct bench_answer enter(uint32_t session, uint8_t rights, const char *owner)
{
	struct bench_answer answer = hello(session, rights, owner);

	if (answer.came && answer.error == 0)
		bench.session = session;
	return answer;
}

/* --- rights --- */

/* Each request in a session with each right: the right of commands.def, and no other, opens it. */
/* proves: R5.41 R5.42 */
static void right_of_each_request(void)
{
	static const struct {
		uint8_t command, right;
	} rows[] = {
#define DP_CMD(number, name, text, from_hit, right, repeatable) {DP_CMD_##name, DP_RIGHT_##right},
#include "commands.def"
	};
	static const uint8_t rights[] = {0, DP_RIGHT_LOOK, DP_RIGHT_LOG, DP_RIGHT_INSERT};
	uint8_t zeros[16] = {0};

	bench_cold();
	for (unsigned r = 0; r < sizeof(rights); r++)
		for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
			/* These ask for WRITE as well, as INSERT does of a program that writes. */
			bool writes =
				rows[i].command == DP_CMD_STORE || rows[i].command == DP_CMD_HALT ||
				rows[i].command == DP_CMD_STEP || rows[i].command == DP_CMD_RESUME;
			bool lacks = (rows[i].right != 0 && rows[i].right != rights[r]) || writes;

			CHECK(enter(100 + r, rights[r], "").payload[11] == rights[r]);
			CHECK((bench_error(rows[i].command, zeros, sizeof(zeros)) ==
			       DP_ERR_NO_RIGHT) == lacks);
		}
	CHECK(enter(7, 0xff, "").payload[11] == (ALL | DP_RIGHT_WRITE));
	CHECK(bench_error(DP_CMD_STORE, zeros, sizeof(zeros)) == 0);
	CHECK(enter(8, DP_RIGHT_LOOK, "").error == 0);
	CHECK(bench_error(DP_CMD_VARS, "\377\0\0\1\1", 5) == DP_ERR_NO_RIGHT);
	CHECK(bench_error(DP_CMD_VARS, "\377\0\0\1\0", 5) == 0);
}

/* --- owners --- */

static bool owner_is(const struct bench_answer *answer, const char *owner)
{
	return answer->error == DP_ERR_IN_USE && answer->bytes == 2 + strlen(owner) &&
	       memcmp(answer->payload + 2, owner, strlen(owner)) == 0;
}

/* proves: R5.43 R5.44 */
static void second_host_is_refused(void)
{
	struct bench_answer answer, stored;

	bench_cold();
	CHECK(enter(1, ALL, "first").error == 0);
	CHECK(bench_install(COUNTS) == 0);
	stored = bench_ask(DP_CMD_REMOVE, "\0", 1);
	CHECK(stored.error == 0 && stored.payload[0] == 1);
	dp_sim.ticks += 3500000;
	bench.com = DP_COM2;
	answer = hello(2, ALL, "second");
	CHECK(owner_is(&answer, "first") && bench_number(&answer, 0, 2) == 3);
	dp_sim.ticks += 1000000000ull;
	answer = hello(2, ALL, "second");
	CHECK(owner_is(&answer, "first") && bench_number(&answer, 0, 2) == 60);
	CHECK(bench.line[1].notices == 0 && bench.line[0].naks == 0);
	/* the owner's stored answer is still there */
	bench.com = DP_COM1;
	bench.seq -= 3;
	CHECK(bench_error(DP_CMD_REMOVE, "\0", 1) == 0);
	bench.seq += 2;
	answer = hello(2, ALL, "second"); /* and that counted as a request */
	CHECK(owner_is(&answer, "first") && bench_number(&answer, 0, 2) == 0);
	CHECK(bench_error(DP_CMD_STATUS, NULL, 0) == 0);
	/* the same session again, and one that says it is nobody's */
	CHECK(enter(1, ALL, "first again").error == 0);
	answer = hello(3, 0, "");
	CHECK(owner_is(&answer, "first again"));
	CHECK(enter(1, ALL, "").error == 0 && enter(4, ALL, "fourth").error == 0);
}

/* proves: R5.45 */
static void closed(void)
{
	bench_cold();
	CHECK(enter(1, ALL, "first").error == 0);
	CHECK(bench_install(COUNTS) == 0);
	CHECK(bench_error(DP_CMD_BEGIN, "\0\0\0\100\1\2\3\4", 8) == 0);
	CHECK(bench_error(DP_CMD_CLOSE, NULL, 0) == 0);
	bench.seq--;
	CHECK(bench_error(DP_CMD_CLOSE, NULL, 0) == 0); /* its answer was lost */
	CHECK(bench_error(DP_CMD_STATUS, NULL, 0) == DP_ERR_NO_RIGHT);
	CHECK(!firmware.agent.upload.open && firmware.agent.program[0].object);
	CHECK(enter(2, ALL, "second").error == 0 && bench.line[0].notices == 1); /* BOOT */
	CHECK(bench_error(DP_CMD_STATUS, NULL, 0) == 0);
}

static bool taken_told(const struct bench_line *line, const char *by)
{
	const struct dp_frame_in *notice = &line->notice_of[DP_NOTICE_SESSION_TAKEN];
	const uint8_t *digits = notice->payload + DP_STREAM_HEAD + 2;
	char text[DP_OWNER_MAX + 1] = "";

	for (unsigned i = 0; DP_STREAM_HEAD + 2 + 2 * i < notice->bytes; i++)
		text[i] = (char)(digits[2 * i] << 4 | digits[2 * i + 1]);
	return notice->payload[DP_STREAM_HEAD + 1] == DP_NOTICE_SESSION_TAKEN &&
	       strcmp(text, by) == 0;
}

/* On the owner's line the notice stands before the answer; its number is that of the next line. */
/* proves: R5.46 R4.20 */
static void taken_over(enum dp_com_index com, bool storm)
{
	struct bench_line *line = &bench.line[0];
	uint32_t before;
	uint8_t arguments[] = {DP_PROTOCOL_VERSION, 0, 0, 0, 2, ALL | DP_RIGHT_TAKE, 's', 'e'};
	char text[DP_LINE_MAX];

	bench_cold();
	bench_poll();
	CHECK(enter(1, ALL, "first").error == 0);
	CHECK(bench_install(COUNTS) == 0);
	for (unsigned i = 0; storm && i < 2500; i++)
		firmware_run(AT, 1);
	before = bench.line[com].answers;
	bench_type(com, text, bench_request(text, 77, DP_CMD_HELLO, arguments, sizeof(arguments)));
	if (storm)
		firmware_run(AT, 1);
	else
		bench_poll();
	CHECK(bench.line[com].answers == before + 1 && bench.line[com].answer.payload[1] == 0);
	bench.session = 2;
	if (!storm || com == DP_COM1)
		CHECK(taken_told(line, "se"));
	bench_poll();
	CHECK(taken_told(line, "se") && bench.line[1].notices == 0);
	if (com == DP_COM1)
		CHECK(strstr((char *)line->out + (storm ? 0 : 1), "~N") <
		      strstr((char *)line->out, "~Z4D"));
	bench.com = com;
	CHECK(bench_error(DP_CMD_REMOVE, "\377", 1) == 0);
	bench_poll();
	CHECK(line->gaps == 0 && line->bad_frames == 0); /* the notice took no number */
}

/* --- recorded sessions --- */

static char tape[64][DP_LINE_MAX];
static size_t tape_bytes[64];
static unsigned tape_lines;

static void record(uint8_t command, const void *arguments, size_t bytes)
{
	tape_bytes[tape_lines] =
		bench_request(tape[tape_lines], ++bench.seq, command, arguments, bytes);
	tape_lines++;
}

static void play(void)
{
	for (unsigned i = 0; i < tape_lines; i++) {
		bench_type(DP_COM1, tape[i], tape_bytes[i]);
		bench_poll();
	}
}

/* A recorded session installs its program again in this start of the agent, and nothing in another.
 */
/* proves: R5.47 A1.19 */
static void recorded_session(void)
{
	uint8_t arguments[DP_PAYLOAD_MAX - 1], first[DP_NONCE_BYTES];
	uint8_t hello_arguments[] = {DP_PROTOCOL_VERSION, 0, 0, 0, 9, ALL, 'x'};
	uint8_t commit[4] = {0, 1, DP_COMMIT_NO_IDENTITY, 0};

	bench_cold();
	CHECK(bench_compile(COUNTS));
	memcpy(first, firmware.agent.nonce, sizeof(first));
	bench.session = 9;
	tape_lines = 0;
	record(DP_CMD_HELLO, hello_arguments, sizeof(hello_arguments));
	dp_put_u32(arguments, bench.object_bytes);
	dp_put_u32(arguments + 4, dp_crc32(0, bench.object, bench.object_bytes));
	record(DP_CMD_BEGIN, arguments, 8);
	for (uint32_t at = 0; at < bench.object_bytes; at += DP_DATA_MAX) {
		uint32_t left = bench.object_bytes - at,
			 n = left < DP_DATA_MAX ? left : DP_DATA_MAX;

		dp_put_u16(arguments, 1);
		dp_put_u32(arguments + 2, at);
		memcpy(arguments + 6, bench.object + at, n);
		record(DP_CMD_DATA, arguments, 6 + n);
	}
	record(DP_CMD_COMMIT, commit, sizeof(commit));
	play();
	CHECK(firmware.agent.programs == 1);
	bench_warm();
	CHECK(memcmp(first, firmware.agent.nonce, sizeof(first)) != 0);
	play();
	CHECK(firmware.agent.programs == 0 && !firmware.agent.upload.open);
	CHECK(bench.line[0].naks == tape_lines - 1 && firmware_text_is_original());
	/* the board's entropy makes a difference where nothing else does */
	bench_cold();
	firmware.board.entropy = 0x0123456789abcdef;
	bench_warm();
	memcpy(first, firmware.agent.nonce, sizeof(first));
	bench_cold();
	firmware.board.entropy = 0x0123456789abcdf0;
	bench_warm();
	CHECK(memcmp(first, firmware.agent.nonce, sizeof(first)) != 0);
}

/* --- originals --- */

/* proves: R5.48 */
static void whole_original(void)
{
	struct bench_answer answer, probe;

	bench_cold();
	CHECK(enter(1, ALL, "").error == 0 && bench_install(COUNTS) == 0);
	probe = bench_ask(DP_CMD_PROBE, "\0\0", 2);
	answer = bench_ask(DP_CMD_ORIGINAL, "\0\0", 2);
	CHECK(answer.error == 0 && answer.bytes == probe.payload[17]);
	CHECK(memcmp(answer.payload, firmware.original + 0x100, answer.bytes) == 0);
	CHECK(bench_error(DP_CMD_ORIGINAL, "\0\1", 2) == DP_ERR_BAD_RANGE);
	CHECK(bench_error(DP_CMD_ORIGINAL, "\1\0", 2) == DP_ERR_NO_PROGRAM);
	CHECK(bench_install("name = \"w\"\nmodtype = kmod\noffset = 0x100\nexit\n") == 1);
	answer = bench_ask(DP_CMD_ORIGINAL, "\1\0", 2);
	CHECK(answer.error == 0 && answer.bytes == 0); /* not placed */
}

int main(void)
{
	right_of_each_request();
	second_host_is_refused();
	closed();
	taken_over(DP_COM1, false);
	taken_over(DP_COM2, false);
	taken_over(DP_COM1, true);
	recorded_session();
	whole_original();
	return check_status();
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The sealed session: who overhears, injects, replays or changes lines moves nothing.
 * PROTOCOL.md 5.2 */
#include "sealed_host.h"

#include <stdio.h>

static void hit(unsigned hits)
{
	while (hits-- > 0)
		firmware_run(AT, 1);
}

static uint32_t state(void)
{
	const struct dp_agent *a = &firmware.agent;
	uint32_t crc = dp_crc32(0, a->program, sizeof(a->program));

	crc = dp_crc32(crc, a->arena, sizeof(a->arena));
	crc = dp_crc32(crc, &a->upload, sizeof(a->upload));
	crc = dp_crc32(crc, &a->transmit.target, 2);
	crc = dp_crc32(crc, &a->link.count, sizeof(a->link.count));
	return dp_crc32(crc, firmware.text, sizeof(firmware.text));
}

/* --- the tests --- */

/* proves: R5.78 R5.80 R5.81 */
static void a_session(void)
{
	cold();
	CHECK(ask(DP_CMD_STATUS, NULL, 0) == 0);
	install();
	hit(3);
	CHECK(ask(DP_CMD_VARS, "\0\0\0\2\0", 5) == 0 && bench_word(answer.payload + 4) == 3);
	for (unsigned i = 0; i < 600; i++) /* the number on the line goes round */
		CHECK(ask(DP_CMD_STATUS, NULL, 0) == 0);
	CHECK(ask(DP_CMD_REMOVE, "\377", 1) == 0 && firmware.agent.programs == 0);
	CHECK(ask(DP_CMD_CLOSE, NULL, 0) == 0 && ask(DP_CMD_STATUS, NULL, 0) == DP_ERR_NO_RIGHT);
}

/* What somebody without the key can compute: the right CRC of a line. */
/* proves: R5.82 R5.86 */
static void injected(void)
{
	char line[DP_LINE_MAX];
	bool sealed;
	uint32_t before, naks;

	cold();
	install();
	before = state();
	naks = bench.line[0].naks;
	for (unsigned seq = 0; seq < 256; seq++) {
		size_t n = bench_request(line, (uint8_t)seq, DP_CMD_REMOVE, "\377", 1);

		CHECK(typed(line, n, 0, &sealed) == -1);
	}
	CHECK(bench.line[0].naks == naks + 256 && state() == before);
	CHECK(ask(DP_CMD_STATUS, NULL, 0) == 0 && firmware.agent.programs == 1);
}

/* Each bit of a line, each digit of its seal. */
/* proves: R5.82 */
static void changed(void)
{
	char line[DP_LINE_MAX], bad[DP_LINE_MAX];
	bool sealed;
	uint32_t before;
	size_t n;

	cold();
	install();
	before = state();
	n = sealed_line(line, count + 1, DP_CMD_REMOVE, "\377", 1);
	for (size_t at = 2; at < n - 1; at++)
		for (const char *digit = dp_digit; digit < dp_digit + 16; digit++) {
			memcpy(bad, line, n);
			bad[at] = *digit;
			CHECK(*digit == line[at] || typed(bad, n, 0, &sealed) == -1);
		}
	CHECK(state() == before);
	CHECK(typed(line, n, ++count, &sealed) == 0 && sealed && firmware.agent.programs == 0);
}

/* Every line of the session again: none is executed. */
static void play(void)
{
	uint32_t before = state();
	bool sealed;

	for (unsigned i = 0; i < tape_lines && i < TAPE_MAX; i++)
		typed(tape[i], tape_bytes[i], count, &sealed);
	CHECK(state() == before);
}

/* proves: R5.81 R5.83 */
static void recorded(void)
{
	unsigned lines;

	cold();
	install();
	CHECK(ask(DP_CMD_REMOVE, "\377", 1) == 0 && ask(DP_CMD_VARS, "\377\0\0\1\1", 5) == 0);
	lines = tape_lines;
	play();
	for (unsigned rounds = 0; rounds < 2; rounds++) {
		for (unsigned i = 0; i < 256 - 8; i++) {
			uint32_t before = count;

			tape_lines = TAPE_MAX - 1; /* not on the tape */
			CHECK(ask(DP_CMD_STATUS, NULL, 0) == 0 && count == before + 1);
		}
		/* each line once when its number on the line is the next one, and again later */
		for (unsigned i = 0; i < 16; i++) {
			tape_lines = lines;
			play();
			tape_lines = TAPE_MAX - 1;
			CHECK(ask(DP_CMD_STATUS, NULL, 0) == 0);
		}
	}
	CHECK(firmware.agent.programs == 0 && firmware_text_is_original());
}

/* A request whose answer was lost: the stored answer, until a later one was answered. */
/* proves: R5.83 */
static void repeated(void)
{
	char line[DP_LINE_MAX];
	struct dp_frame_in first;
	bool sealed;
	size_t n;

	cold();
	install();
	hit(5);
	n = sealed_line(line, ++count, DP_CMD_VARS, "\0\0\0\2\1", 5);
	CHECK(typed(line, n, count, &sealed) == 0 && sealed);
	first = answer;
	hit(2);
	CHECK(typed(line, n, count, &sealed) == 0 && sealed);
	CHECK(is_same(&first));
	CHECK(firmware.agent.program[0].view.lv[0] == 2);
	bench.com = DP_COM2; /* on the other line it is not executed either */
	CHECK(typed(line, n, count, &sealed) == 0 && sealed);
	CHECK(is_same(&first));
	CHECK(firmware.agent.program[0].view.lv[0] == 2);
	CHECK(ask(DP_CMD_STATUS, NULL, 0) == 0);
	bench.com = DP_COM1;
	CHECK(typed(line, n, count, &sealed) == -1 && firmware.agent.program[0].view.lv[0] == 2);
	count += 200; /* counts that nobody saw */
	CHECK(ask(DP_CMD_STATUS, NULL, 0) == 0);
}

/* In a storm a hit computes the seals. A request that is answered BUSY is executed never. */
/* proves: R5.82 R5.84 */
static void in_a_storm(void)
{
	char line[DP_LINE_MAX], reset[DP_LINE_MAX];
	uint32_t from = 0, naks;
	bool sealed;
	size_t n, reset_bytes;

	cold();
	install();
	hit(2100);
	n = bench_request(line, (uint8_t)(count + 1), DP_CMD_REMOVE, "\377", 1);
	bench_type(DP_COM1, line, n);
	firmware_run(AT, 1);
	CHECK(firmware.agent.programs == 1);
	from = bench.line[0].out_bytes;
	reset_bytes = sealed_line(reset, ++count, DP_CMD_VARS, "\0\0\0\2\1", 5);
	bench_type(DP_COM1, reset, reset_bytes);
	firmware_run(AT, 1);
	CHECK(last_answer(DP_COM1, from) == DP_ERR_BUSY);
	CHECK(answer.check == seal_of(count, 'Z', answer.payload, answer.bytes));
	CHECK(typed(reset, reset_bytes, count, &sealed) == DP_ERR_BUSY && sealed);
	naks = bench.line[0].naks;
	CHECK(firmware.agent.program[0].view.lv[0] > 2000);
	hit(2100);
	from = bench.line[0].out_bytes;
	n = sealed_line(line, ++count, DP_CMD_REMOVE, "\377", 1);
	bench_type(DP_COM1, line, n);
	firmware_run(AT, 1);
	CHECK(last_answer(DP_COM1, from) == 0 && firmware.agent.programs == 0);
	CHECK(answer.check == seal_of(count, 'Z', answer.payload, answer.bytes));
	CHECK(bench.line[0].naks == naks);
}

/* The proof again, as long as its answer is the stored one; no second session key. */
/* proves: R5.79 R5.85 A1.26 */
static void proofs(void)
{
	char line[DP_LINE_MAX];
	uint8_t prove[9];
	bool sealed;
	size_t n;

	cold();
	proof_fields(prove, SESSION, 1);
	n = bench_request(line, bench.seq, DP_CMD_PROVE, prove, 9);
	CHECK(typed(line, n, 0, &sealed) == 0 && !sealed);
	CHECK(bench_ask(DP_CMD_PROVE, prove, 9).came == false);
	CHECK(ask(DP_CMD_STATUS, NULL, 0) == 0);
	CHECK(typed(line, n, 0, &sealed) == -1);
	CHECK(ask(DP_CMD_PROVE, prove, 9) == DP_ERR_BAD_REQUEST);
	CHECK(ask(DP_CMD_STATUS, NULL, 0) == 0);
	/* who proves without the seal: a host of before, or one that was deceived */
	CHECK(enter(0, 8) == OPEN && !firmware.agent.link.sealed);
	CHECK(bench_ask(DP_CMD_STATUS, NULL, 0).error == 0);
	CHECK(bench_ask(DP_CMD_REMOVE, "\377", 1).error == DP_ERR_NO_RIGHT);
	CHECK(enter(0, 9) == OPEN);
	firmware.board.unsealed = true;
	CHECK(enter(0, 8) == ALL && bench_ask(DP_CMD_REMOVE, "\377", 1).error == 0);
	CHECK(enter(1, 9) == ALL && ask(DP_CMD_STATUS, NULL, 0) == 0);
	firmware.board.unsealed = false;
}

/* HELLO ends the session, with the CRC: nothing of it is worth anything then. */
/* proves: R5.85 */
static void ended(void)
{
	cold();
	install();
	CHECK(enter(1, 9) == ALL);
	play();
	CHECK(ask(DP_CMD_STATUS, NULL, 0) == 0 && firmware.agent.programs == 1);
	CHECK(bench_hello(77, 0).came && !firmware.agent.link.sealed);
	play();
	CHECK(firmware.agent.programs == 1);
}

/* Counts do not begin again: the lines of the first 256 requests are worth nothing behind the last
 * count. */
/* proves: R5.83 */
static void last_counts(void)
{
	uint32_t naks, executed;

	cold();
	install();
	CHECK(tape_lines < 200);
	firmware.agent.link.count = count = UINT32_MAX - 250;
	tape_lines = 0;
	while (count < UINT32_MAX - 200)
		CHECK(ask(DP_CMD_STATUS, NULL, 0) == 0);
	count = UINT32_MAX - 1;
	CHECK(ask(DP_CMD_STATUS, NULL, 0) == 0);
	executed = firmware.agent.link.count;
	naks = bench.line[0].naks;
	for (count = 0; count < 250; count++) {
		char line[DP_LINE_MAX];
		bool sealed;
		size_t n = sealed_line(line, count, DP_CMD_REMOVE, "\377", 1);

		CHECK(typed(line, n, count, &sealed) == -1);
	}
	CHECK(executed == UINT32_MAX && firmware.agent.link.count == executed);
	CHECK(bench.line[0].naks == naks + 250 && firmware.agent.programs == 1);
}

/* A program at an interrupt in the middle of a hash finds none of its parts. Here: the state is
 * what the model says, and what the agent leaves in its own memory is nothing else. */
/* proves: R5.80 */
static void the_key(void)
{
	const struct dp_secret *secret = &firmware.agent.secret;

	cold();
	for (unsigned i = 0; i < DP_KEY_BYTES; i++)
		CHECK((uint8_t)(secret->key[i / 8][i / 4 % 2] >> i % 4 * 8) == session_key[i]);
	for (unsigned i = 0; i < 2; i++)
		CHECK(secret->hash[i].blank[0] == 0 && secret->hash[i].blank[1] == 0);
}

int main(void)
{
	a_session();
	injected();
	changed();
	recorded();
	repeated();
	in_a_storm();
	proofs();
	ended();
	last_counts();
	the_key();
	return check_status();
}

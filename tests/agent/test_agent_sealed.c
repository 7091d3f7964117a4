/* SPDX-License-Identifier: BSD-2-Clause */
/* The sealed session: who overhears, injects, replays or changes lines moves nothing. The host of
 * this test has its own seals, by dp_siphash.h; the agent has another code.  PROTOCOL.md 5.2 */
#include "bench.h"
#include "check.h"

#include "dp_bytes.h"
#include "dp_crc.h"
#include "dp_siphash.h"

#include <stdio.h>
#include <string.h>

enum {
	AT = FIRMWARE_TEXT + 0x100,
	ALL = DP_RIGHT_LOOK | DP_RIGHT_LOG | DP_RIGHT_INSERT,
	OPEN = DP_RIGHT_LOOK | DP_RIGHT_LOG,
	SESSION = 9,
	TAPE_MAX = 64,
};
#define LOGS "name = \"t\"\nvars = 1\noffset = 0x08000100\ninc lv, 0\npush lv, 0\nlog 1\nexit\n"

static const uint8_t key[DP_KEY_BYTES] = {0x5a, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
static uint8_t session_key[DP_KEY_BYTES];
static uint32_t count; /* of the last request */

/* --- the host --- */

static uint32_t seal_of(uint32_t of, char type, const uint8_t *payload, size_t bytes)
{
	uint8_t message[7 + DP_PAYLOAD_MAX];

	dp_put_u32(message, of);
	message[4] = (uint8_t)type;
	message[5] = (uint8_t)of;
	message[6] = (uint8_t)bytes;
	memcpy(message + 7, payload, bytes);
	return (uint32_t)dp_siphash(session_key, message, 7 + bytes);
}

/* A request line with its seal. */
static size_t sealed_line(char *line, uint32_t of, uint8_t command, const void *arguments,
			  size_t bytes)
{
	uint8_t payload[DP_PAYLOAD_MAX] = {command};
	size_t n;

	if (bytes > 0)
		memcpy(payload + 1, arguments, bytes);
	n = dp_frame_put_control(line, DP_FRAME_REQUEST, (uint8_t)of, payload, bytes + 1, 0);
	dp_digits_put(line + n - 9, seal_of(of, 'Q', payload, bytes + 1), 8);
	return n;
}

/* The last answer that the line has sent, by whatever check; its error, or -1: none. */
static struct dp_frame_in answer;
static int last_answer(enum dp_com_index com, uint32_t from)
{
	struct bench_line *line = &bench.line[com];
	int error = -1;

	for (uint32_t i = from; i + 10 < line->out_bytes; i++) {
		const uint8_t *text = line->out + i, *end;

		if (text[0] != '~' || text[1] != 'Z')
			continue;
		end = memchr(text, '\n', line->out_bytes - i);
		if (!end)
			break;
		dp_frame_check(text, (size_t)(end + 1 - text), bench_seed(bench.session), &answer);
		error = answer.payload[1];
	}
	return error;
}

/* Is the last answer this one, whole? */
static bool is_same(const struct dp_frame_in *other)
{
	return answer.type == other->type && answer.seq == other->seq &&
	       answer.check == other->check && answer.bytes == other->bytes &&
	       memcmp(answer.payload, other->payload, answer.bytes) == 0;
}

/* Type a line. Returns the error of the answer, -1 without one. *sealed: its check is the seal. */
static int typed(const char *line, size_t bytes, uint32_t of, bool *sealed)
{
	uint32_t from = bench.line[bench.com].out_bytes;
	int error;

	bench_type(bench.com, line, bytes);
	bench_poll();
	error = last_answer(bench.com, from);
	*sealed = error >= 0 && answer.check == seal_of(of, 'Z', answer.payload, answer.bytes);
	return error;
}

static char tape[TAPE_MAX][DP_LINE_MAX];
static size_t tape_bytes[TAPE_MAX];
static unsigned tape_lines;

/* A sealed request with the next count, noted on the tape. Returns its error. */
static int ask(uint8_t command, const void *arguments, size_t bytes)
{
	char *line = tape[tape_lines % TAPE_MAX];
	bool sealed;
	int error;

	count++;
	tape_bytes[tape_lines % TAPE_MAX] = sealed_line(line, count, command, arguments, bytes);
	error = typed(line, tape_bytes[tape_lines++ % TAPE_MAX], count, &sealed);
	CHECK(error >= 0 && sealed && answer.seq == (uint8_t)count);
	return error;
}

static uint64_t proof_of(uint8_t *message, uint8_t rights, unsigned form)
{
	memcpy(message, firmware.agent.nonce, DP_NONCE_BYTES);
	dp_put_u32(message + DP_NONCE_BYTES, SESSION);
	message[12] = rights;
	message[13] = 1;
	return dp_siphash(key, message, 13 + form);
}

/* HELLO and PROVE. Returns the rights. */
static uint8_t enter(unsigned form, size_t prove_bytes)
{
	uint8_t hello[] = {DP_PROTOCOL_VERSION, 0, 0, 0, SESSION, ALL}, message[15], prove[9];
	struct bench_answer proved;

	CHECK(bench_ask(DP_CMD_HELLO, hello, sizeof(hello)).error == 0);
	bench.session = SESSION;
	dp_put_u64(prove, proof_of(message, ALL, form));
	prove[8] = (uint8_t)form;
	for (unsigned half = 0; half < 2; half++) {
		uint64_t hash;

		message[14] = (uint8_t)(2 + half);
		hash = dp_siphash(key, message, 15);
		for (unsigned i = 0; i < 8; i++)
			session_key[8 * half + i] = (uint8_t)(hash >> 8 * i);
	}
	count = 0;
	proved = bench_ask(DP_CMD_PROVE, prove, prove_bytes);
	CHECK(proved.came && proved.error == 0);
	return proved.payload[0];
}

static void cold(void)
{
	bench_cold();
	firmware.board.key = key;
	tape_lines = 0;
	CHECK(enter(1, 9) == ALL && firmware.agent.link.sealed);
}

/* Upload and install through sealed lines. */
static void install(void)
{
	uint8_t arguments[DP_PAYLOAD_MAX - 1], commit[4] = {0, 1, DP_COMMIT_NO_IDENTITY, 0};

	CHECK(bench_compile(LOGS));
	dp_put_u32(arguments, bench.object_bytes);
	dp_put_u32(arguments + 4, dp_crc32(0, bench.object, bench.object_bytes));
	CHECK(ask(DP_CMD_BEGIN, arguments, 8) == 0);
	dp_put_u16(commit, (uint16_t)(answer.payload[2] << 8 | answer.payload[3]));
	for (uint32_t at = 0; at < bench.object_bytes; at += DP_DATA_MAX) {
		uint32_t left = bench.object_bytes - at,
			 n = left < DP_DATA_MAX ? left : DP_DATA_MAX;

		memcpy(arguments, commit, 2);
		dp_put_u32(arguments + 2, at);
		memcpy(arguments + 6, bench.object + at, n);
		CHECK(ask(DP_CMD_DATA, arguments, 6 + n) == 0);
	}
	CHECK(ask(DP_CMD_COMMIT, commit, 4) == 0 && firmware.agent.programs == 1);
}

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
	uint8_t prove[9], message[15];
	bool sealed;
	size_t n;

	cold();
	dp_put_u64(prove, proof_of(message, ALL, 1));
	prove[8] = 1;
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

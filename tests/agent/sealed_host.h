/* SPDX-License-Identifier: BSD-2-Clause */
/* The host of a sealed session, for tests of the agent: its own seals, by dp_siphash.h, while the
 * agent has another code.  PROTOCOL.md 5.2 */
#ifndef SEALED_HOST_H
#define SEALED_HOST_H

#include "bench.h"
#include "check.h"

#include "dp_bytes.h"
#include "dp_crc.h"
#include "dp_siphash.h"

#include <string.h>

enum {
	AT = FIRMWARE_TEXT + 0x100,
	ALL = DP_RIGHT_LOOK | DP_RIGHT_LOG | DP_RIGHT_INSERT,
	OPEN = DP_RIGHT_LOOK | DP_RIGHT_LOG,
	SESSION = 9,
	TAPE_MAX = 64,
	ANY_SEQ = 256,
};
#define LOGS "name = \"t\"\nvars = 1\noffset = 0x08000100\ninc lv, 0\npush lv, 0\nlog 1\nexit\n"

static const uint8_t key[DP_KEY_BYTES] = {0x5a, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
static uint8_t session_key[DP_KEY_BYTES];
static uint32_t count; /* of the last request */

static inline uint32_t seal_of(uint32_t of, char type, const uint8_t *payload, size_t bytes)
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
static inline size_t sealed_line(char *line, uint32_t of, uint8_t command, const void *arguments,
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

static struct dp_frame_in answer;

/* The last answer to a request that the line has sent, by whatever check; its error, or -1: none.
 * seq: ANY_SEQ: to any request. */
static inline int answer_to(enum dp_com_index com, uint32_t from, unsigned seq)
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
		if (seq != ANY_SEQ && dp_hex_number(text + 2, 2) != seq)
			continue;
		dp_frame_check(text, (size_t)(end + 1 - text), bench_seed(bench.session), &answer);
		error = answer.payload[1];
	}
	return error;
}

static inline int last_answer(enum dp_com_index com, uint32_t from)
{
	return answer_to(com, from, ANY_SEQ);
}

/* Is the last answer this one, whole? */
static inline bool is_same(const struct dp_frame_in *other)
{
	return answer.type == other->type && answer.seq == other->seq &&
	       answer.check == other->check && answer.bytes == other->bytes &&
	       memcmp(answer.payload, other->payload, answer.bytes) == 0;
}

/* Type a line. Returns the error of the answer, -1 without one. *sealed: its check is the seal. */
static inline int typed(const char *line, size_t bytes, uint32_t of, bool *sealed)
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
static inline int ask(uint8_t command, const void *arguments, size_t bytes)
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

/* message: room for 15 bytes. */
static inline uint64_t proof_of(uint8_t *message, uint32_t session, unsigned form)
{
	memcpy(message, firmware.agent.nonce, DP_NONCE_BYTES);
	dp_put_u32(message + DP_NONCE_BYTES, session);
	message[12] = ALL;
	message[13] = 1;
	return dp_siphash(key, message, 13 + form);
}

/* The fields of PROVE for the session and the nonce that the agent has now: 9 bytes. */
static inline void proof_fields(uint8_t *fields, uint32_t session, unsigned form)
{
	uint8_t message[15];

	dp_put_u64(fields, proof_of(message, session, form));
	fields[8] = (uint8_t)form;
}

/* What a right proof begins: the session key, and the counts. */
static inline void begin_counts(uint32_t session)
{
	uint8_t message[15];

	proof_of(message, session, 1);
	for (unsigned half = 0; half < 2; half++) {
		uint64_t hash;

		message[14] = (uint8_t)(2 + half);
		hash = dp_siphash(key, message, 15);
		for (unsigned i = 0; i < 8; i++)
			session_key[8 * half + i] = (uint8_t)(hash >> 8 * i);
	}
	count = 0;
}

/* The fields of HELLO, without an owner: 6 bytes. */
static inline void hello_fields(uint8_t *fields, uint32_t session)
{
	fields[0] = DP_PROTOCOL_VERSION;
	dp_put_u32(fields + 1, session);
	fields[5] = ALL;
}

static inline void greet(void)
{
	uint8_t hello[6];

	hello_fields(hello, SESSION);
	CHECK(bench_ask(DP_CMD_HELLO, hello, sizeof(hello)).error == 0);
	bench.session = SESSION;
}

/* HELLO and PROVE. Returns the rights. */
static inline uint8_t enter(unsigned form, size_t prove_bytes)
{
	uint8_t prove[9];
	struct bench_answer proved;

	greet();
	proof_fields(prove, SESSION, form);
	begin_counts(SESSION);
	proved = bench_ask(DP_CMD_PROVE, prove, prove_bytes);
	CHECK(proved.came && proved.error == 0);
	return proved.payload[0];
}

static inline void cold(void)
{
	bench_cold();
	firmware.board.key = key;
	tape_lines = 0;
	CHECK(enter(1, 9) == ALL && firmware.agent.link.sealed);
}

/* Upload and install through sealed lines. */
static inline void install_source(const char *source)
{
	uint8_t arguments[DP_PAYLOAD_MAX - 1], commit[4] = {0, 1, DP_COMMIT_NO_IDENTITY, 0};

	CHECK(bench_compile(source));
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

static inline void install(void)
{
	install_source(LOGS);
}

#endif

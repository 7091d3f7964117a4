/* SPDX-License-Identifier: BSD-2-Clause */
/* Rights by the board's key: who has it, who has not, and what a recorded session is worth.
 * PROTOCOL.md 5.2 */
#include "bench.h"
#include "check.h"

#include "dp_bytes.h"
#include "dp_crc.h"
#include "dp_siphash.h"

#include <string.h>

enum {
	ALL = DP_RIGHT_LOOK | DP_RIGHT_LOG | DP_RIGHT_INSERT,
	RIGHTS_AT = 11 /* in the answer to HELLO, behind command and error */
};
#define LOGS "name = \"t\"\noffset = 0x08000100\npush 1\nlog 1\nexit\n"

static uint64_t entropy = 0x0123456789abcdef;
static uint8_t key[DP_KEY_BYTES] = {0x5a, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

/* A start of which boot and clock do not tell that it is another one. */
static void power_on(uint64_t bits)
{
	firmware.board.entropy = bits;
	memset(&firmware.keep, 0x5a, sizeof(firmware.keep));
	bench_warm();
}

static void cold(void)
{
	bench_cold();
	firmware.board.key = key;
	firmware.board.unsealed = true;
	power_on(++entropy);
}

/* Open a session and speak in it. Returns the rights that HELLO grants. */
static uint8_t enter(uint32_t session, uint8_t rights)
{
	uint8_t arguments[] = {DP_PROTOCOL_VERSION, 0, 0, 0, 0, rights};
	struct bench_answer answer;

	dp_put_u32(arguments + 1, session);
	answer = bench_ask(DP_CMD_HELLO, arguments, sizeof(arguments));
	CHECK(answer.came && answer.error == 0);
	bench.session = session;
	return answer.payload[RIGHTS_AT];
}

/* Of the nonce that the agent has now. */
static uint64_t proof_of(const uint8_t *with, uint32_t session, uint8_t rights)
{
	uint8_t message[DP_NONCE_BYTES + 5];

	memcpy(message, firmware.agent.nonce, DP_NONCE_BYTES);
	dp_put_u32(message + DP_NONCE_BYTES, session);
	message[sizeof(message) - 1] = rights;
	return dp_siphash(with, message, sizeof(message));
}

/* The error; the rights granted, when there is none, are in *rights. */
static uint8_t prove(uint64_t proof, uint8_t *rights)
{
	uint8_t arguments[DP_PROOF_BYTES];
	struct bench_answer answer;

	dp_put_u64(arguments, proof);
	answer = bench_ask(DP_CMD_PROVE, arguments, sizeof(arguments));
	CHECK(answer.came && (answer.error != 0 || answer.bytes == 1));
	*rights = answer.payload[0];
	return answer.error;
}

/* Each request that needs a right is refused before the proof, whatever its right. */
/* proves: R5.49 R5.104 A1.21 A3.35 */
static void nothing_before_the_proof(void)
{
	static const struct {
		uint8_t command, right;
	} rows[] = {
#define DP_CMD(number, name, text, from_hit, right, repeatable) {DP_CMD_##name, DP_RIGHT_##right},
#include "commands.def"
	};
	uint8_t zeros[16] = {0}, rights;

	cold();
	CHECK(enter(7, ALL) == 0);
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].right != 0)
			CHECK(bench_error(rows[i].command, zeros, sizeof(zeros)) ==
			      DP_ERR_NO_RIGHT);
	CHECK(prove(proof_of(key, 7, ALL), &rights) == 0 && rights == ALL);
	CHECK(bench_error(DP_CMD_STATUS, NULL, 0) == 0 && bench_install(LOGS) == 0);
	/* the nonce has served its proof */
	CHECK(prove(proof_of(key, 7, ALL), &rights) == DP_ERR_BAD_REQUEST);
	CHECK(bench_error(DP_CMD_STATUS, NULL, 0) == 0);
	CHECK(bench_error(DP_CMD_CLOSE, NULL, 0) == 0);
	CHECK(prove(proof_of(key, 7, ALL), &rights) == DP_ERR_BAD_REQUEST);
	CHECK(bench_error(DP_CMD_STATUS, NULL, 0) == DP_ERR_NO_RIGHT);
	/* a board without a key grants with HELLO */
	firmware.board.key = NULL;
	CHECK(enter(8, ALL) == ALL && prove(0, &rights) == 0 && rights == ALL);
}

/* The proof is of these rights and of this session, and the key is read at each proof. */
/* proves: R5.50 */
static void wrong_proofs(void)
{
	uint8_t other[DP_KEY_BYTES], rights;
	uint64_t proof;

	memcpy(other, key, sizeof(other));
	other[15] ^= 1;
	cold();
	CHECK(enter(1, ALL) == 0);
	CHECK(prove(proof_of(other, 1, ALL), &rights) == DP_ERR_WRONG_PROOF);
	/* the session has had its chance */
	proof = proof_of(key, 1, ALL);
	CHECK(prove(proof, &rights) == DP_ERR_WRONG_PROOF);
	CHECK(bench_error(DP_CMD_STATUS, NULL, 0) == DP_ERR_NO_RIGHT);
	/* and the next one has another nonce */
	CHECK(enter(1, ALL) == 0 && prove(proof, &rights) == DP_ERR_WRONG_PROOF);
	CHECK(enter(2, DP_RIGHT_LOOK) == 0);
	CHECK(prove(proof_of(key, 2, ALL), &rights) == DP_ERR_WRONG_PROOF);
	CHECK(enter(3, ALL) == 0);
	CHECK(prove(proof_of(key, 2, ALL), &rights) == DP_ERR_WRONG_PROOF);
	/* one bit of the proof, each one */
	for (unsigned bit = 0; bit < 64; bit++) {
		CHECK(enter(4 + bit, ALL) == 0);
		proof = proof_of(key, 4 + bit, ALL) ^ 1ull << bit;
		CHECK(prove(proof, &rights) == DP_ERR_WRONG_PROOF);
	}
	CHECK(enter(100, ALL) == 0);
	key[15] ^= 1; /* the firmware has another key now */
	CHECK(prove(proof_of(key, 100, ALL), &rights) == 0 && rights == ALL);
	key[15] ^= 1;
	CHECK(bench_error(DP_CMD_PROVE, "\0\0\0\0\0\0\0", 7) == DP_ERR_BAD_REQUEST);
}

/* proves: R5.51 */
static void locked(void)
{
	uint8_t rights;

	cold();
	CHECK(enter(1, 0xff) == 0);
	dp_lock(&firmware.agent);
	CHECK(prove(proof_of(key, 1, 0xff), &rights) == 0 && rights == DP_RIGHT_LOOK);
	CHECK(enter(2, ALL) == 0);
	CHECK(prove(proof_of(key, 2, ALL), &rights) == 0 && rights == DP_RIGHT_LOOK);
	CHECK(bench_error(DP_CMD_STATUS, NULL, 0) == 0);
	CHECK(bench_error(DP_CMD_REMOVE, "\377", 1) == DP_ERR_LOCKED);
}

/* --- recorded sessions --- */

static char tape[64][DP_LINE_MAX];
static size_t tape_bytes[64];
static unsigned tape_lines;

static void record(uint8_t command, const void *arguments, size_t bytes)
{
	tape_bytes[tape_lines] =
		bench_request(tape[tape_lines], ++bench.seq, command, arguments, bytes);
	bench_type(DP_COM1, tape[tape_lines], tape_bytes[tape_lines]);
	bench_poll();
	tape_lines++;
}

static void play(void)
{
	for (unsigned i = 0; i < tape_lines; i++) {
		bench_type(DP_COM1, tape[i], tape_bytes[i]);
		bench_poll();
	}
}

/* A session that has installed a program installs nothing when it is played again: in the same
 * start of the agent, in the next one, and while another host works. */
/* proves: R5.52 */
static void recorded_session(void)
{
	uint8_t hello[] = {DP_PROTOCOL_VERSION, 0, 0, 0, 9, ALL}, arguments[DP_PAYLOAD_MAX - 1];
	uint8_t commit[4] = {0, 1, DP_COMMIT_NO_IDENTITY, 0}, rights;
	struct bench_answer answer;

	cold();
	CHECK(bench_compile(LOGS));
	tape_lines = 0;
	bench.session = 9;
	record(DP_CMD_HELLO, hello, sizeof(hello));
	dp_put_u64(arguments, proof_of(key, 9, ALL));
	record(DP_CMD_PROVE, arguments, DP_PROOF_BYTES);
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
	CHECK(firmware.agent.programs == 1);
	record(DP_CMD_REMOVE, "\377", 1);
	CHECK(firmware.agent.programs == 0);
	tape_lines--;
	play();
	CHECK(firmware.agent.programs == 0 && !firmware.agent.upload.open);
	record(DP_CMD_CLOSE, NULL, 0);
	tape_lines--;
	play();
	CHECK(firmware.agent.programs == 0 && !firmware.agent.upload.open);
	bench_warm();
	play();
	CHECK(firmware.agent.programs == 0 && !firmware.agent.upload.open);
	CHECK(firmware_text_is_original());
	/* after a power cycle; with the random bits of that start it would be worth something */
	power_on(entropy + 1);
	play();
	CHECK(firmware.agent.programs == 0 && !firmware.agent.upload.open);
	power_on(entropy);
	play();
	CHECK(firmware.agent.programs == 1);
	power_on(++entropy);
	/* and the host with the key gets in as before */
	CHECK(enter(10, ALL) == 0 && prove(proof_of(key, 10, ALL), &rights) == 0);
	answer = bench_ask(DP_CMD_STATUS, NULL, 0);
	CHECK(answer.error == 0);
}

/* A HELLO whose answer was lost is sent again, before any proof: the nonce stays. */
static void repeated_hello(void)
{
	uint8_t nonce[DP_NONCE_BYTES], rights;

	cold();
	CHECK(enter(1, ALL) == 0);
	memcpy(nonce, firmware.agent.nonce, sizeof(nonce));
	CHECK(enter(1, ALL) == 0);
	CHECK(memcmp(nonce, firmware.agent.nonce, sizeof(nonce)) == 0);
	CHECK(prove(proof_of(key, 1, ALL), &rights) == 0 && rights == ALL);
	CHECK(enter(1, ALL) == 0);
	CHECK(memcmp(nonce, firmware.agent.nonce, sizeof(nonce)) != 0);
	CHECK(bench_error(DP_CMD_STATUS, NULL, 0) == DP_ERR_NO_RIGHT);
}

int main(void)
{
	nothing_before_the_proof();
	wrong_proofs();
	locked();
	recorded_session();
	repeated_hello();
	return check_status();
}

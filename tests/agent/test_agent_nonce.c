/* SPDX-License-Identifier: BSD-2-Clause */
/* The source of the nonce of a board with a key: what dp_init refuses, and what a seed is worth.
 * PROTOCOL.md 5.2, "Nonce" */
#include "bench.h"
#include "check.h"

#include "dp_lock.h"
#include "dp_bytes.h"
#include "dp_siphash.h"

#include <string.h>

enum {
	LIMITS_SOURCE_AT = 44, /* in the answer, behind command and error */
	STARTS = 300,
};

static uint8_t key[DP_KEY_BYTES] = {0x5a, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

/* --- memory that keeps 8 bytes without power --- */

static struct {
	uint8_t bytes[8];
	unsigned reads, writes;
	bool unreadable, unwritable, forgetful;
} kept;

static bool seed(uint8_t bytes[8], bool write)
{
	*(write ? &kept.writes : &kept.reads) += 1;
	if (write && !kept.unwritable && !kept.forgetful)
		memcpy(kept.bytes, bytes, 8);
	else if (!write)
		memcpy(bytes, kept.bytes, 8);
	return write ? !kept.unwritable : !kept.unreadable;
}

/* Power on a board with these sources. */
static enum dp_err start(const uint8_t *with_key, uint64_t entropy, bool with_seed)
{
	bench_cold();
	firmware.board.key = with_key;
	firmware.board.entropy = entropy;
	firmware.board.seed = with_seed ? seed : NULL;
	memset(&firmware.keep, 0x5a, sizeof(firmware.keep));
	kept.reads = kept.writes = 0;
	return firmware_boot();
}

static uint64_t nonce(void)
{
	uint64_t number;

	memcpy(&number, firmware.agent.nonce, sizeof(number));
	return number - ((uint64_t)firmware.agent.boot << 48);
}

static uint8_t source_told(void)
{
	uint8_t hello[] = {DP_PROTOCOL_VERSION, 0, 0, 0, 9, DP_RIGHT_LOOK}, message[13], prove[8];

	CHECK(bench_ask(DP_CMD_HELLO, hello, sizeof(hello)).error == 0);
	bench.session = 9;
	memcpy(message, firmware.agent.nonce, DP_NONCE_BYTES);
	memcpy(message + DP_NONCE_BYTES, hello + 1, 5);
	dp_put_u64(prove, dp_siphash(key, message, sizeof(message)));
	CHECK(bench_ask(DP_CMD_PROVE, prove, sizeof(prove)).error == 0);
	return bench_ask(DP_CMD_LIMITS, NULL, 0).payload[LIMITS_SOURCE_AT];
}

/* --- the tests --- */

/* No agent runs, nothing is patched, and the keeping memory that fails is not believed. */
/* proves: A1.27 A3.47 R5.88 */
static void refused(void)
{
	CHECK(start(key, 0, false) == DP_ERR_NO_ENTROPY && !dp_the_agent);
	kept.unreadable = true;
	CHECK(start(key, 0, true) == DP_ERR_NO_ENTROPY && kept.writes == 0);
	kept.unreadable = false;
	kept.unwritable = true;
	CHECK(start(key, 0, true) == DP_ERR_NO_ENTROPY && kept.writes == 1);
	kept.unwritable = false;
	kept.forgetful = true;
	CHECK(start(key, 0, true) == DP_ERR_NO_ENTROPY && kept.reads == 2);
	kept.forgetful = false;
	CHECK(start(key, 0, true) == DP_ERR_OK && start(key, 1, false) == DP_ERR_OK);
	/* without a key nobody needs a source, and no seed is used up */
	CHECK(start(NULL, 0, true) == DP_ERR_OK && kept.reads == 0);
}

/* Each start has the hash of another number, which is no longer there when it is used. */
/* proves: A1.19 A1.27 */
static void counted(void)
{
	static uint64_t seen[STARTS];

	memset(kept.bytes, 0xff, 8); /* erased flash */
	for (unsigned i = 0; i < STARTS; i++) {
		uint8_t before[8];

		memcpy(before, kept.bytes, 8);
		CHECK(start(key, 0, true) == DP_ERR_OK && kept.writes == 1);
		seen[i] = nonce();
		if (sizeof(dp_word) == 4 && !DP_PORT_BIG_ENDIAN)
			CHECK(seen[i] == dp_siphash(key, before, 8));
		for (unsigned k = 0; k < i; k++)
			CHECK(seen[k] != seen[i]);
	}
	CHECK(kept.bytes[0] == (STARTS - 1) % 256 && kept.bytes[1] == (STARTS - 1) / 256);
	/* who knows the number does not know the nonce */
	memset(kept.bytes, 0xff, 8);
	key[3] ^= 1;
	CHECK(start(key, 0, true) == DP_ERR_OK && nonce() != seen[0]);
	key[3] ^= 1;
}

/* What the slots hold at power-on is mixed in, and is no source. */
/* proves: A1.19 */
static void mixed(void)
{
	static uint8_t slots[64];
	uint64_t plain;

	CHECK(start(key, 1, false) == DP_ERR_OK);
	plain = nonce();
	memset(slots, 0xc3, sizeof(slots));
	firmware.memory.slots = slots;
	firmware.memory.slot_bytes = sizeof(slots);
	memset(&firmware.keep, 0x5a, sizeof(firmware.keep));
	CHECK(firmware_boot() == DP_ERR_OK && nonce() != plain);
	firmware.board.entropy = 0;
	CHECK(firmware_boot() == DP_ERR_NO_ENTROPY);
}

/* proves: R5.87 */
static void told(void)
{
	CHECK(start(key, 1, true) == DP_ERR_OK && kept.reads == 0);
	CHECK(source_told() == DP_NONCE_GENERATOR);
	CHECK(start(key, 0, true) == DP_ERR_OK && source_told() == DP_NONCE_SEED);
	CHECK(start(NULL, 0, false) == DP_ERR_OK && source_told() == DP_NONCE_NONE);
	CHECK(start(NULL, 1, false) == DP_ERR_OK && source_told() == DP_NONCE_GENERATOR);
}

int main(void)
{
	refused();
	counted();
	mixed();
	told();
	return check_status();
}

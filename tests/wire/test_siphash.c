/* SPDX-License-Identifier: BSD-2-Clause */
/* SipHash-2-4 against vectors of its authors: key 00 01 .. 0f, messages of 0 to n - 1 bytes 00 01
 * .. Source: "SipHash: a fast short-input PRF", appendix A (15 bytes), and
 * vectors_sip64 of the reference code (the others). */
#include "check.h"
#include "dp_siphash.h"

int main(void)
{
	static const struct {
		unsigned bytes;
		uint64_t hash;
	} vectors[] = {
		{0, 0x726fdb47dd0e0e31},  {1, 0x74f839c593dc67fd}, {2, 0x0d6c8009d9a94f5a},
		{3, 0x85676696d7fb7e2d},  {4, 0xcf2794e0277187b7}, {5, 0x18765564cd99a68d},
		{6, 0xcbc9466e58fee3ce},  {7, 0xab0200f58b01d137}, {8, 0x93f5f5799a932462},
		{15, 0xa129ca6149be45e5},
	};
	uint8_t key[DP_KEY_BYTES] = {0}, message[64] = {0};

	for (unsigned i = 0; i < sizeof(message); i++)
		message[i] = (uint8_t)i;
	for (unsigned i = 0; i < sizeof(key); i++)
		key[i] = (uint8_t)i;
	for (unsigned i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++)
		CHECK(dp_siphash(key, message, vectors[i].bytes) == vectors[i].hash);
	return check_status();
}

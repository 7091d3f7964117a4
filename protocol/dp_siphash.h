/* SPDX-License-Identifier: BSD-2-Clause */
/* SipHash-2-4: the proof of a key (PROTOCOL.md 5.2). In a header: of the agent's files only the
 * feature ACCESS has it.
 * Source: "SipHash: a fast short-input PRF", 2012. */
#ifndef DP_SIPHASH_H
#define DP_SIPHASH_H

#include <stddef.h>
#include <stdint.h>

enum {
	DP_KEY_BYTES = 16,
	DP_PROOF_BYTES = 8
};

static inline uint64_t dp_sip_turned(uint64_t value, unsigned bits)
{
	return value << bits | value >> (64 - bits);
}

/* One round: two halves that differ in distances and in who meets whom. */
static inline void dp_sip_half(uint64_t *a, uint64_t *b, uint64_t *c, uint64_t *d, unsigned b_bits,
			       unsigned d_bits)
{
	*a += *b;
	*b = dp_sip_turned(*b, b_bits) ^ *a;
	*a = dp_sip_turned(*a, 32);
	*c += *d;
	*d = dp_sip_turned(*d, d_bits) ^ *c;
}

static void dp_sip_rounds(uint64_t v[4], unsigned count)
{
	while (count-- > 0) {
		dp_sip_half(&v[0], &v[1], &v[2], &v[3], 13, 16);
		dp_sip_half(&v[2], &v[1], &v[0], &v[3], 17, 21);
	}
}

/* 8 bytes, the first lowest; shifts by constants need no function of the compiler's library. Out of
 * line: rights.c has 764 bytes of text in place of 788 (Thumb-2), 1,344 in place of 1,408 (MIPS).
 */
static __attribute__((__noinline__)) uint64_t dp_sip_word(const uint8_t *bytes)
{
	uint64_t word = 0;

	for (unsigned i = 8; i-- > 0;)
		word = word << 8 | bytes[i];
	return word;
}

/* The hash of a message under a key. Any context.
 * key: DP_KEY_BYTES bytes, only read. */
static inline uint64_t dp_siphash(const uint8_t *key, const uint8_t *message, size_t bytes)
{
	const uint64_t k0 = dp_sip_word(key), k1 = dp_sip_word(key + 8);
	uint64_t v[4], word;
	uint8_t block[8];

	v[0] = k0 ^ 0x736f6d6570736575u;
	v[1] = k1 ^ 0x646f72616e646f6du;
	v[2] = k0 ^ 0x6c7967656e657261u;
	v[3] = k1 ^ 0x7465646279746573u;
	for (size_t at = 0; at <= bytes; at += 8) {
		for (unsigned i = 0; i < 8; i++)
			block[i] = at + i < bytes ? message[at + i] : 0;
		if (bytes - at < 8) /* the last block ends with the length */
			block[7] = (uint8_t)bytes;
		word = dp_sip_word(block);
		v[3] ^= word;
		dp_sip_rounds(v, 2);
		v[0] ^= word;
	}
	v[2] ^= 0xff;
	dp_sip_rounds(v, 4);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

#endif

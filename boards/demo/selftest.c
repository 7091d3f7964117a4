/* SPDX-License-Identifier: BSD-2-Clause */
#include "selftest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checksum.h"
#include "kernel.h"
#include "mix.h"
#include "queue.h"

/* The caller may be more urgent than the sensor task, which must not fall behind without load. */
#define ROUNDS_AT_ONCE 16u

static uint32_t random_next(uint32_t *state)
{
	uint32_t x = *state;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	return *state = x;
}

static uint32_t add_word(uint32_t crc, uint32_t word)
{
	return checksum_words(crc, &word, 1);
}

static int compare_words(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

PROBE_TARGET static uint32_t test_sort(uint32_t crc, uint32_t *seed)
{
	uint32_t v[48];

	for (unsigned i = 0; i < 48; i++)
		v[i] = random_next(seed);
	qsort(v, 48, sizeof(v[0]), compare_words);
	return checksum_words(crc, v, 48);
}

PROBE_TARGET static uint32_t test_text(uint32_t crc, uint32_t *seed)
{
	char text[80];
	int n = snprintf(text, sizeof(text), "%ld/%08lx/%s/%c/%5u",
			 (long)(int32_t)random_next(seed), (unsigned long)random_next(seed),
			 "probe", (int)('a' + *seed % 26), (unsigned)(*seed & 0xfff));

	crc = checksum_bytes(crc, text, (size_t)n);
	crc = add_word(crc, (uint32_t)strtoul(text + strcspn(text, "/") + 1, NULL, 16));
	return add_word(crc, (uint32_t)strlen(text));
}

/* One at a time, and in batches, with nobody else at this queue. */
PROBE_TARGET static uint32_t test_queue(uint32_t crc, uint32_t *seed)
{
	static struct msg ring[12], out[12];
	static struct queue q;
	struct msg m = {.kind = 7};
	uint32_t n;

	queue_init(&q, "selftest", ring, 12);
	for (unsigned round = 0; round < 4; round++) {
		for (unsigned i = 0; i < 14; i++) {
			m.sequence = i;
			m.value[round] = random_next(seed);
			m.tick = round;
			crc = add_word(crc, queue_put(&q, &m));
		}
		queue_get(&q, &m);
		crc = add_word(crc, m.check);
		n = queue_get_batch(&q, out, 7 + round);
		for (unsigned i = 0; i < n; i++)
			crc = add_word(crc, out[i].check ^ out[i].sequence);
		crc = add_word(crc, q.count);
	}
	return crc;
}

PROBE_TARGET static uint32_t test_mix(uint32_t crc, uint32_t *seed)
{
	uint8_t bytes[61];
	uint32_t a = random_next(seed), b = random_next(seed);
	uint64_t wide = mix_long((uint64_t)a << 32 | b, random_next(seed) >> (a & 15));

	crc = add_word(crc, mix_branches(a));
	crc = add_word(crc, mix_recursion(10 + (a & 3)));
	crc = add_word(crc, mix_bytes(bytes, sizeof(bytes), b));
	crc = checksum_bytes(crc, bytes, sizeof(bytes));
	crc = add_word(crc, (uint32_t)wide);
	crc = add_word(crc, (uint32_t)(wide >> 32));
	crc = add_word(crc, mix_calls(b, mix_branches));
	crc = add_word(crc, mix_conditions((int32_t)a, (int32_t)b));
	return add_word(crc, mix_conditions((int32_t)(a & 0x7ff), (int32_t)(b & 0x7ff)));
}

PROBE_TARGET uint32_t selftest_run(uint32_t rounds)
{
	uint32_t crc = 0;
	uint32_t seed = 0x2545f491u;

	for (uint32_t round = 1; round <= rounds; round++) {
		crc = test_sort(crc, &seed);
		crc = test_text(crc, &seed);
		crc = test_queue(crc, &seed);
		crc = test_mix(crc, &seed);
		if (round % ROUNDS_AT_ONCE == 0)
			task_sleep_ms(1);
	}
	return crc;
}

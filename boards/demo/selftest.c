/* SPDX-License-Identifier: BSD-2-Clause */
/* Run a deterministic workload and print its CRC. */
#include "selftest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checksum.h"
#include "kernel.h"
#include "library.h"
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
	int32_t first = (int32_t)random_next(seed);
	uint32_t second = random_next(seed);
	int n = snprintf(text, sizeof(text), "%ld/%08lx/%s/%c/%5u", (long)first,
			 (unsigned long)second, "probe", (int)('a' + *seed % 26),
			 (unsigned)(*seed & 0xfff));

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

/* --- the library, in the corners that the rest leaves out --- */

static int compare_bytes(const void *a, const void *b)
{
	return *(const uint8_t *)a - *(const uint8_t *)b;
}

static int compare_pairs(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;
	int first = compare_words(&x[0], &y[0]);

	return first != 0 ? first : compare_words(&x[1], &y[1]);
}

/* Every alignment of both ends, lengths on both sides of what is done in blocks. */
static uint32_t library_copy(uint32_t crc)
{
	uint8_t from[160], to[160];
	uint32_t seed = 0x13579bdfu;

	for (unsigned i = 0; i < sizeof(from); i++)
		from[i] = (uint8_t)random_next(&seed);
	for (unsigned i = 0; i < 160; i++) {
		unsigned length = i < 80 ? i % 20 : i % 80 + 64;

		memset(to, (int)i, sizeof(to));
		memcpy(to + (i & 3), from + (i >> 2 & 3), length);
		memmove(to + 5 + (i & 7), to + 8, length);
		memset(to + 100 + (i & 3), 0x5a, i % 37);
		crc = checksum_bytes(crc, to, sizeof(to));
	}
	return crc;
}

static uint32_t library_strings(uint32_t crc)
{
	char a[48], b[48];

	for (unsigned i = 0; i < 40; i++) {
		char *x = a + (i & 3), *y = b + (i / 3 & 3);
		int order;

		memset(a, 'a' + (int)i % 5, sizeof(a));
		memset(b, 'a' + (int)i % 5, sizeof(b));
		x[i] = '\0';
		y[i] = i & 1 ? 'z' : '\0';
		y[i + 1] = '\0';
		order = strcmp(x, y);
		crc = add_word(crc, (order > 0) - (order < 0) + 2u);
		x[i / 2] = 'A';
		order = strcmp(x, y);
		crc = add_word(crc, (order > 0) - (order < 0) + 2u);
		y[i / 2] = '-';
		crc = add_word(crc, (uint32_t)(strlen(y) + strcspn(y, "-A")));
		for (char *word = strtok(y, "-z"); word; word = strtok(NULL, "-z"))
			crc = add_word(crc, (uint32_t)strlen(word));
	}
	return crc;
}

static uint32_t library_format(uint32_t crc)
{
	static const char *const numbers[] = {"%d",   "%5d",   "%-7d|",   "%+d", "% d", "%05d",
					      "%.4d", "%8.3d", "%u",      "%o",  "%#o", "%x",
					      "%#X",  "%08x",  "%-#10x|", "%i",  "%hd", "%hhu"};
	static const int values[] = {0, 1, -1, 42, -12345, 2147483647, -2147483647 - 1};
	char text[64];

	for (unsigned i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		for (unsigned k = 0; k < sizeof(values) / sizeof(values[0]); k++) {
			int n = snprintf(text, k == 5 ? 5 : sizeof(text), numbers[i], values[k]);

			crc = add_word(checksum_bytes(crc, text, strlen(text)), (uint32_t)n);
		}
	}
	snprintf(text, sizeof(text), "%s|%8s|%-8s|%.2s|%c|%%|%*d|%-*d|%.*s", "probe", "ab", "cd",
		 "efgh", 'x', 6, 77, 6, 88, 3, "ijklmn");
	crc = checksum_bytes(crc, text, strlen(text));
	crc = add_word(crc, (uint32_t)strtoul(" 0x7fFg", NULL, 0));
	crc = add_word(crc, (uint32_t)strtoul("0777", NULL, 0));
	crc = add_word(crc, (uint32_t)strtoul("-19", NULL, 10));
	crc = add_word(crc, (uint32_t)strtoul("99999999999", NULL, 10));
	return add_word(crc, (uint32_t)strtoul("zz", NULL, 36));
}

static uint32_t library_divide(uint32_t crc)
{
	uint32_t seed = 0x2468ace1u;

	for (unsigned i = 0; i < 256; i++) {
		uint64_t a = (uint64_t)random_next(&seed) << 32 | random_next(&seed);
		uint64_t b = (uint64_t)random_next(&seed) << 32 | random_next(&seed);
		uint64_t q, r;

		a >>= i & 63;
		b = b >> (i * 7 & 63) | 1;
		if (i % 16 == 0)
			a = b;
		q = a / b;
		r = a % b;
		crc = add_word(crc, (uint32_t)q);
		crc = add_word(crc, (uint32_t)(q >> 32));
		crc = add_word(crc, (uint32_t)r);
		crc = add_word(crc, (uint32_t)(r >> 32));
		crc = add_word(crc, (uint32_t)((int32_t)a / (int32_t)(b | 4)));
	}
	return crc;
}

static uint32_t library_sort_one(uint32_t crc, unsigned kind, unsigned n, unsigned bytes,
				 int (*compare)(const void *a, const void *b))
{
	uint32_t v[128] = {0}, seed = kind + 1;

	for (unsigned k = 0; k < 128; k++) { /* random, rising, falling, few values */
		uint32_t value = kind & 1 ? random_next(&seed) % (kind & 2 ? 3u : 1000u)
					  : (kind & 2 ? k : 128 - k);
		if (bytes == 1)
			((uint8_t *)v)[k] = (uint8_t)value;
		else
			v[k] = value;
	}
	qsort(v, n, bytes, compare);
	return bytes == 1 ? checksum_bytes(crc, v, n) : checksum_words(crc, v, n * bytes / 4);
}

static uint32_t library_sort(uint32_t crc)
{
	static const struct {
		unsigned bytes;
		int (*compare)(const void *a, const void *b);
	} elements[] = {{1, compare_bytes}, {4, compare_words}, {8, compare_pairs}};
	static const unsigned counts[] = {1, 2, 6, 8, 9, 41, 64};

	for (unsigned i = 0; i < 24; i++)
		crc = library_sort_one(crc, i, counts[i % 7], elements[i % 3].bytes,
				       elements[i % 3].compare);
	return crc;
}

static uint32_t library_heap(uint32_t crc)
{
	void *held[8] = {NULL};

	for (unsigned i = 0; i < 64; i++) {
		unsigned which = i * 5 & 7, bytes = 8 + (i * 37 & 127);

		if (i % 3 == 0) {
			void *grown = realloc(held[which], bytes);

			held[which] = grown != NULL ? grown : held[which];
		} else {
			free(held[which]);
			held[which] = malloc(bytes);
		}
		crc = add_word(crc, held[which] != NULL);
		if (held[which] != NULL)
			memset(held[which], (int)i, bytes);
	}
	for (unsigned i = 0; i < 8; i++)
		free(held[i]);
	return crc;
}

uint32_t selftest_library(void)
{
	uint32_t crc = library_copy(0);

	crc = library_strings(crc);
	crc = library_format(crc);
	crc = library_divide(crc);
	crc = library_sort(crc);
	return library_full(library_heap(crc));
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

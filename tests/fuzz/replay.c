/* SPDX-License-Identifier: BSD-2-Clause */
/* Feeds a fuzz target without libFuzzer: the files given, then the same ones damaged at random,
 * the same way each time.   usage: fuzz_NAME ROUNDS FILE... */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

enum {
	INPUT_MAX = 65536,
	DAMAGE_MAX = 8
};

static uint32_t seed = 1;

/* xorshift32: Marsaglia, "Xorshift RNGs", 2003. */
static uint32_t next_random(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed;
}

/* On a heap block of exact size, so that the sanitizer sees one byte too many. */
static void feed(const uint8_t *data, size_t bytes)
{
	uint8_t *copy = malloc(bytes ? bytes : 1);

	if (!copy)
		abort();
	if (bytes)
		memcpy(copy, data, bytes);
	LLVMFuzzerTestOneInput(copy, bytes);
	free(copy);
}

static size_t damage(uint8_t *data, size_t bytes)
{
	for (uint32_t n = 1 + next_random() % DAMAGE_MAX; n > 0 && bytes > 0; n--) {
		size_t at = next_random() % bytes;

		switch (next_random() % 4) {
		case 0:
			data[at] = (uint8_t)next_random();
			break;
		case 1:
			data[at] ^= (uint8_t)(1u << next_random() % 8);
			break;
		case 2: /* cut */
			bytes = at;
			break;
		default: /* repeat what stands before */
			memmove(data + at, data, bytes - at);
			break;
		}
	}
	return bytes;
}

static size_t load(const char *path, uint8_t *data)
{
	FILE *file = fopen(path, "rb");
	size_t bytes;

	if (!file) {
		perror(path);
		exit(2);
	}
	bytes = fread(data, 1, INPUT_MAX, file);
	fclose(file);
	return bytes;
}

int main(int argc, char **argv)
{
	static uint8_t original[INPUT_MAX], data[INPUT_MAX];
	unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;

	feed(original, 0);
	for (int i = 2; i < argc; i++)
		feed(original, load(argv[i], original));
	for (unsigned long round = 0; round < rounds; round++) {
		size_t bytes = 1 + next_random() % 256;

		if (argc > 2) {
			bytes = load(argv[2 + round % (unsigned long)(argc - 2)], data);
		} else {
			for (size_t k = 0; k < bytes; k++)
				data[k] = (uint8_t)next_random();
		}
		feed(data, damage(data, bytes));
	}
	printf("%d files, %lu damaged inputs\n", argc > 2 ? argc - 2 : 0, rounds);
	return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Random numbers that are the same everywhere: splitmix64 (Steele, Lea, Flood, 2014). */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct random {
	uint64_t state;
};

static inline uint64_t random_bits(struct random *random)
{
	uint64_t z = random->state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

/* 0 .. limit-1; 0 when there is nothing to choose from */
static inline unsigned random_below(struct random *random, unsigned limit)
{
	return limit ? (unsigned)(random_bits(random) % limit) : 0;
}

/* Once in `n` times. */
static inline bool random_one_in(struct random *random, unsigned n)
{
	return random_below(random, n) == 0;
}

#endif

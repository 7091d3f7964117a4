/* SPDX-License-Identifier: BSD-2-Clause */
/* Random choices of the tests in which probes come and go. */
#ifndef RANDOM_PROBES_H
#define RANDOM_PROBES_H

#include "bench.h"

static uint32_t seed;

/* A number below the limit, at most 65536. */
static inline unsigned draw(unsigned below)
{
	seed = seed * 1664525u + 1013904223u;
	return (seed >> 16) % below;
}

/* The address of a place for probes; the places are apart. */
static inline dp_addr place(unsigned i)
{
	return FIRMWARE_TEXT + 0x100 + 0x40 * i;
}

#endif

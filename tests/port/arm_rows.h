/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of the ARM decode tables, as the tests of the decoder read them. */
#ifndef ARM_ROWS_H
#define ARM_ROWS_H

#include "../../port/arm/arm_decode.h"
#include "check.h"

/* A row as mask and value, its group's with it, read from the packed table `next`. */
struct row {
	uint32_t mask, value;
	unsigned treat;
};

static inline struct row row_of(const uint8_t *next, unsigned number)
{
	struct row r, group = {.treat = DP_ARM_GROUP};

	for (;;) {
		unsigned nibbles;

		r = (struct row){.treat = *next++ & 63};
		nibbles = *next++;
		for (int shift = 28; shift >= 0; shift -= 4) {
			if (!(nibbles >> shift / 4 & 1))
				continue;
			if (*next >> 4) { /* not a register */
				r.mask |= (uint32_t)(*next >> 4) << shift;
				r.value |= (uint32_t)(*next & 15) << shift;
			}
			next++;
		}
		if (r.treat == DP_ARM_GROUP)
			group = r;
		else if (number-- == 0)
			break;
	}
	CHECK((r.value & group.mask) == (group.value & r.mask)); /* more than the group, not else */
	r.mask |= group.mask;
	r.value |= group.value;
	return r;
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* The sealed session: a hash under the session key in place of the check of a line.
 * PROTOCOL.md 5.2.
 */
#ifndef DPH_SEALED_H
#define DPH_SEALED_H

#include "dp_frame.h"
#include "dp_siphash.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	DPH_COUNTS_AHEAD = 200, /* of the last answered one: lines have the low 8 bits */
};

/* The counts of a sealed session. All zeros: the session is not sealed. */
struct dph_sealed {
	bool on;
	uint8_t key[DP_KEY_BYTES];
	uint32_t count;    /* of the last request that got one */
	uint32_t answered; /* the highest one with an answer */
};

/* Seal the session from here on. message: what its proof is made of, with its form. */
void dph_sealed_begin(struct dph_sealed *sealed, const uint8_t *key, const uint8_t *message,
		      size_t bytes);

/* Return the last count that has these low bits. */
uint32_t dph_sealed_count(const struct dph_sealed *sealed, uint8_t seq);

/* Write a line of type REQUEST, as dp_frame_put_control does. */
size_t dph_sealed_put(const struct dph_sealed *sealed, char *line, uint8_t seq,
		      const uint8_t *payload, size_t bytes);
/* Return whether the line is an answer with the right seal. frame: as dp_frame_check has left it.
 */
bool dph_sealed_answer(struct dph_sealed *sealed, const struct dp_frame_in *frame);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Checksums of text as it was before probes. */
#ifndef DP_TEXT_CRC_H
#define DP_TEXT_CRC_H

#include "dp_state.h"

/* Compute the CRC-32 of `bytes` bytes of memory.
 * original: with originals in place of traps.
 * context: interrupts are masked for a piece at a time.
 * returns: false when the memory is not readable. */
bool dp_text_crc(dp_addr address, uint32_t bytes, bool original, uint32_t *crc);

#endif

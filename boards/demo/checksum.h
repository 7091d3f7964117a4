/* SPDX-License-Identifier: BSD-2-Clause */
/* CRC-32 (IEEE 802.3, reflected) over words, low byte first, so that all CPUs agree. */
#ifndef DEMO_CHECKSUM_H
#define DEMO_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* Continue crc (0 to begin) over n words or bytes. Any context. */
uint32_t checksum_words(uint32_t crc, const uint32_t *words, size_t n);
uint32_t checksum_bytes(uint32_t crc, const void *bytes, size_t n);

#endif

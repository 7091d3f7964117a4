/* SPDX-License-Identifier: BSD-2-Clause */
/* The agent's own copy, clear and compare: the agent must not hit a probe on the firmware's
 * memcpy. */
#ifndef DP_MEMORY_H
#define DP_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Upwards, a byte at a time: overlap is allowed when `to` lies below `from`. */
void dp_copy(void *to, const void *from, size_t bytes);
/* The same, a word at a time: both ends and the length are multiples of 4. */
void dp_copy_words(void *to, const void *from, size_t bytes);
void dp_clear(void *to, size_t bytes);
bool dp_equal(const void *a, const void *b, size_t bytes);

#endif

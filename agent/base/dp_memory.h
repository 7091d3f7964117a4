/* SPDX-License-Identifier: BSD-2-Clause */
/* The agent's own copy, clear and compare: the agent must not hit a probe on the firmware's
 * memcpy. Unaligned numbers in target order: code operands, log bytes. */
#ifndef DP_MEMORY_H
#define DP_MEMORY_H

#include "dp_port.h"

/* Upwards, a byte at a time: overlap is allowed when `to` lies below `from`. */
void dp_copy(void *to, const void *from, size_t bytes);
/* The same, a word at a time: both ends and the length are multiples of 4. */
void dp_copy_words(void *to, const void *from, size_t bytes);
void dp_clear(void *to, size_t bytes);
/* The same, a word at a time, as dp_copy_words. */
void dp_clear_words(void *to, size_t bytes);
bool dp_equal(const void *a, const void *b, size_t bytes);

/* Packed, so that each number is one access where the CPU allows it and a few where not, never a
 * call to memcpy. */
struct dp_packed_u16 {
	uint16_t v;
} __attribute__((packed, may_alias));
struct dp_packed_u32 {
	uint32_t v;
} __attribute__((packed, may_alias));
struct dp_packed_word {
	dp_word v;
} __attribute__((packed, may_alias));

/* On a target its own order is the native one; the simulator also runs the other. */
#if DP_PORT_BIG_ENDIAN == (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
#define DP_ORDER_U16(v)  (v)
#define DP_ORDER_U32(v)  (v)
#define DP_ORDER_WORD(v) (v)
#else
#define DP_ORDER_U16(v) __builtin_bswap16(v)
#define DP_ORDER_U32(v) __builtin_bswap32(v)
#if DP_WORD_BITS == 64
#define DP_ORDER_WORD(v) __builtin_bswap64(v)
#else
#define DP_ORDER_WORD(v) __builtin_bswap32(v)
#endif
#endif

static inline uint16_t dp_load_u16(const uint8_t *p)
{
	return DP_ORDER_U16(((const struct dp_packed_u16 *)p)->v);
}

static inline dp_word dp_load_word(const uint8_t *p)
{
	return DP_ORDER_WORD(((const struct dp_packed_word *)p)->v);
}

static inline void dp_store_u16(uint8_t *p, uint16_t v)
{
	((struct dp_packed_u16 *)p)->v = DP_ORDER_U16(v);
}

static inline void dp_store_u32(uint8_t *p, uint32_t v)
{
	((struct dp_packed_u32 *)p)->v = DP_ORDER_U32(v);
}

static inline void dp_store_word(uint8_t *p, dp_word v)
{
	((struct dp_packed_word *)p)->v = DP_ORDER_WORD(v);
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Slots: copies of displaced instructions in executable memory.  port/README.md 7
 * What is the same on every CPU: who has which, which are free, which may still hold a context.
 * What stands in one is the port's. */
#ifndef DP_SLOTS_H
#define DP_SLOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A slot is `words` words. The last is its state: the address it serves, bit 0 set when released;
 * ~0 when free, ~1 when taken and no trap has led here yet. The last slot of the pool is for sites
 * that found none. */
struct dp_slot_pool {
	uint32_t *word;
	uint16_t words;
	uint16_t count;
};

enum {
	DP_SLOT_SCRATCH = 0xfe,
	DP_SLOT_NONE = 0xff,
	DP_SLOTS_MAX = 0xfd
};

/* Lay slots out from start to end. Returns false when there is not room for one. */
bool dp_slots_init(struct dp_slot_pool *pool, uintptr_t start, uintptr_t end, unsigned words);

/* A slot with this content (words - 1 words) for the address. Returns its number, or
 * DP_SLOT_SCRATCH when none is free. A released slot that is the same is taken again: a context
 * may still be in it. */
uint8_t dp_slots_take(struct dp_slot_pool *pool, uint32_t address, const uint32_t *content);

/* The site of the slot carries a trap now: from here on a context may be in it. For the port's
 * dp_port_arm; until then dp_slots_at knows no address. */
void dp_slots_armed(struct dp_slot_pool *pool, uint8_t number, uint32_t address);

/* Give back. keep: a context may be in it until dp_port_quiescent, if it ever carried a trap. */
void dp_slots_release(struct dp_slot_pool *pool, uint8_t number, bool keep);

/* Fill the slot of last resort and return its words. */
uint32_t *dp_slots_scratch(struct dp_slot_pool *pool, uint32_t address, const uint32_t *content);

static inline uint32_t *dp_slots_words(const struct dp_slot_pool *pool, uint8_t number)
{
	return pool->word + (size_t)number * pool->words;
}

static inline bool dp_slots_contain(const struct dp_slot_pool *pool, uintptr_t pc)
{
	return pc - (uintptr_t)pool->word < (uintptr_t)pool->count * pool->words * 4;
}

/* The words of the slot that contains pc. Slot sizes need not be powers of two, and there may be no
 * division: the last words say where slots end. */
const uint32_t *dp_slots_at(const struct dp_slot_pool *pool, uintptr_t pc);

/* --- supplied by the port; its struct dp_port_site has a `slot`, a number. dp_slots.c defines
 * dp_port_slot, dp_port_quiescent and dp_port_slots with these --- */

struct dp_slot_pool *dp_slots_pool(void);
/* Written words become instructions. */
void dp_port_text_written(uintptr_t address, size_t bytes);

#endif

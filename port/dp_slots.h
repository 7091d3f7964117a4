/* SPDX-License-Identifier: BSD-2-Clause */
/* Slots hold copies of displaced instructions in executable memory.  port/README.md 7
 * The pool is common to every CPU: the owner of each slot, the free slots, the slots that a context
 * may still execute. The port supplies the content of a slot. */
#ifndef DP_SLOTS_H
#define DP_SLOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The slots of an agent. A slot has `words` words of 4 bytes. The last word is the slot's state:
 *     the address of its site, bit 0 set when released;
 *     ~0: free;
 *     ~1: taken, and no trap has led here yet.
 * The last slot of the pool is the slot of last resort, for sites without a slot. */
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

/* Lay slots out from start to end.
 * words: of each slot.
 * Context: THREAD, from dp_port_attach.
 * Returns false when the memory has no room for a slot. */
bool dp_slots_init(struct dp_slot_pool *pool, uintptr_t start, uintptr_t end, unsigned words);

/* Take a slot for an address. A released slot with the same address and content is taken again: a
 * context may still execute that slot.
 * content: words - 1 words.
 * Context: THREAD.
 * Returns the number of the slot; DP_SLOT_SCRATCH when no slot is free. */
uint8_t dp_slots_take(struct dp_slot_pool *pool, uint32_t address, const uint32_t *content);

/* Note that the slot's site carries a trap: from now on a context may execute the slot. The state
 * word of the slot gets the site's address. The port's dp_port_arm calls this function.
 * Context: THREAD or HIT. */
void dp_slots_armed(struct dp_slot_pool *pool, uint8_t number, uint32_t address);

/* Release a slot.
 * keep: the site carried a trap once. The slot then stays bound until dp_port_quiescent, because
 * a context may execute the slot.
 * Context: THREAD. */
void dp_slots_release(struct dp_slot_pool *pool, uint8_t number, bool keep);

/* Fill the slot of last resort and return its words. Context: HIT. */
uint32_t *dp_slots_scratch(struct dp_slot_pool *pool, uint32_t address, const uint32_t *content);

static inline uint32_t *dp_slots_words(const struct dp_slot_pool *pool, uint8_t number)
{
	return pool->word + (size_t)number * pool->words;
}

static inline bool dp_slots_contain(const struct dp_slot_pool *pool, uintptr_t pc)
{
	return pc - (uintptr_t)pool->word < (uintptr_t)pool->count * pool->words * 4;
}

/* Return the words of the slot that contains pc. Slot sizes need not be powers of two, and the CPU
 * may have no division: the function walks the pool.
 * pc: inside the pool (dp_slots_contain).
 * Context: ANY. */
const uint32_t *dp_slots_at(const struct dp_slot_pool *pool, uintptr_t pc);

/* --- supplied by the port, whose struct dp_port_site has the number of the slot as `slot`.
 * dp_slots.c defines dp_port_slot, dp_port_quiescent and dp_port_slots with these functions --- */

/* Return the pool of the agent. Context: ANY. */
struct dp_slot_pool *dp_slots_pool(void);

#endif

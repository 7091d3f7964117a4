/* SPDX-License-Identifier: BSD-2-Clause */
/* Slots hold copies of displaced instructions in executable memory.  port/README.md 7
 * The pool is common to every CPU: the owner of each slot, the free slots, the slots that a context
 * may still execute. The port composes the content of a slot. */
#ifndef DP_SLOTS_H
#define DP_SLOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dprobes_cpu.h"

struct dp_site;

enum dp_slot_state {
	DP_SLOT_FREE,
	DP_SLOT_TAKEN,    /* by a site, and no trap has led here yet */
	DP_SLOT_ARMED,    /* the site carries a trap, or did */
	DP_SLOT_RELEASED, /* no site has the slot, but a context may be in it: the first epoch */
};

/* The slots of an agent. A slot has DP_PORT_SLOT_BYTES: DP_SLOT_WORDS words of content, then the
 * address of its site. Behind the slots stands one byte for each, its state. The last slot of the
 * pool is the slot of last resort, for sites without a slot.
 * A released slot keeps the epoch of its release as its state. dp_port_quiescent begins a new
 * epoch, and so frees the slots of older ones without a look at each. After 253 epochs a slot of
 * the same number may look bound again, until the next epoch. */
struct dp_slot_pool {
	uint8_t *start;
	uint8_t *state; /* enum dp_slot_state, or an epoch above DP_SLOT_RELEASED */
	uint16_t count;
	uint8_t epoch; /* of slots that are released now, DP_SLOT_RELEASED to 255 */
	bool released; /* a slot was, in this epoch */
};

enum {
	DP_SLOT_WORDS = (DP_PORT_SLOT_BYTES - sizeof(DPROBES_WORD)) / 4,
	DP_SLOT_SCRATCH = 0xfe,
	DP_SLOT_NONE = 0xff,
	DP_SLOTS_MAX = 0xfd
};
_Static_assert(DP_PORT_SLOT_BYTES % DP_PORT_SLOT_ALIGN == 0 &&
		       DP_PORT_SLOT_ALIGN % sizeof(DPROBES_WORD) == 0,
	       "each slot begins at DP_PORT_SLOT_ALIGN and has an aligned address");

/* Lay slots out from start to end.
 * Context: THREAD, from dp_port_attach.
 * Returns false when the memory has no room for a slot. */
bool dp_slots_init(struct dp_slot_pool *pool, uintptr_t start, uintptr_t end);

/* Take a slot for a site. A released slot with the same address and content is taken again: a
 * context may still execute that slot.
 * insn: for dp_slots_compose.
 * Context: THREAD.
 * Returns the number of the slot; DP_SLOT_SCRATCH when no slot is free. */
uint8_t dp_slots_take(struct dp_slot_pool *pool, const struct dp_site *site, uint32_t insn);

/* Note that the slot's site carries a trap: from now on a context may execute the slot. dp_patch.c
 * calls this function.
 * Context: THREAD or HIT. */
void dp_slots_armed(struct dp_slot_pool *pool, uint8_t number);

/* Release a slot.
 * keep: a context leaves the slot without a trap. If the site carried a trap once, the slot then
 * stays bound until dp_port_quiescent, because a context may execute the slot.
 * Context: THREAD. */
void dp_slots_release(struct dp_slot_pool *pool, uint8_t number, bool keep);

/* Fill the slot of last resort and return its words. Context: HIT. */
uint32_t *dp_slots_scratch(struct dp_slot_pool *pool, DPROBES_WORD address,
			   const uint32_t *content);

static inline uint32_t *dp_slots_words(const struct dp_slot_pool *pool, unsigned number)
{
	return (uint32_t *)(void *)(pool->start + (size_t)number * DP_PORT_SLOT_BYTES);
}

/* The address of the site of a slot. words: of the slot. */
static inline DPROBES_WORD *dp_slots_address(const uint32_t *words)
{
	return (DPROBES_WORD *)(uintptr_t)&words[DP_SLOT_WORDS];
}

static inline bool dp_slots_contain(const struct dp_slot_pool *pool, uintptr_t pc)
{
	return pc - (uintptr_t)pool->start < (uintptr_t)pool->count * DP_PORT_SLOT_BYTES;
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

/* Compose the content of a slot of the site.
 * insn: of dp_slots_take.
 * slot: address of the slot, on which jumps in the content may depend.
 * content: room for DP_SLOT_WORDS words.
 * Context: THREAD. */
void dp_slots_compose(const struct dp_site *site, uint32_t insn, uintptr_t slot, uint32_t *content);

#endif

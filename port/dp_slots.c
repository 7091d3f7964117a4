/* SPDX-License-Identifier: BSD-2-Clause */
/* The slot pool takes, binds and frees slots. */
#include "dp_slots.h"

#include "dp_port.h"

enum {
	RELEASED = 1
};
#define DP_FREE  0xffffffffu
#define DP_TAKEN 0xfffffffeu /* by a site without a trap so far */

static uint32_t *state_of(const struct dp_slot_pool *pool, unsigned number)
{
	return dp_slots_words(pool, (uint8_t)number) + pool->words - 1;
}

bool dp_slots_init(struct dp_slot_pool *pool, uintptr_t start, uintptr_t end, unsigned words)
{
	pool->word = (uint32_t *)start;
	pool->words = (uint16_t)words;
	pool->count = 0;
	while (start + 4 * words <= end && pool->count <= DP_SLOTS_MAX) {
		*state_of(pool, pool->count) = DP_FREE;
		pool->count++;
		start += 4 * words;
	}
	return pool->count > 0;
}

static bool same(const struct dp_slot_pool *pool, const uint32_t *words, const uint32_t *content)
{
	for (unsigned i = 0; i + 1 < pool->words; i++)
		if (words[i] != content[i])
			return false;
	return true;
}

static uint32_t *fill(struct dp_slot_pool *pool, unsigned number, uint32_t state,
		      const uint32_t *content)
{
	uint32_t *words = dp_slots_words(pool, (uint8_t)number);
	unsigned last = pool->words - 1u;

	for (unsigned i = 0; i < last; i++)
		words[i] = content[i];
	words[last] = state;
	dp_port_text_written((uintptr_t)words, 4u * pool->words);
	return words;
}

uint8_t dp_slots_take(struct dp_slot_pool *pool, uint32_t address, const uint32_t *content)
{
	unsigned found = DP_SLOT_SCRATCH;

	for (unsigned i = 0; i + 1 < pool->count; i++) {
		uint32_t *state = state_of(pool, i);

		if (*state == (address | RELEASED) &&
		    same(pool, dp_slots_words(pool, (uint8_t)i), content)) {
			*state = address;
			return (uint8_t)i;
		}
		if (*state == DP_FREE && found == DP_SLOT_SCRATCH)
			found = i;
	}
	if (found != DP_SLOT_SCRATCH)
		fill(pool, found, DP_TAKEN, content);
	return (uint8_t)found;
}

uint32_t *dp_slots_scratch(struct dp_slot_pool *pool, uint32_t address, const uint32_t *content)
{
	return fill(pool, pool->count - 1u, address, content);
}

void dp_slots_armed(struct dp_slot_pool *pool, uint8_t number, uint32_t address)
{
	if (number < DP_SLOT_SCRATCH)
		*state_of(pool, number) = address;
}

void dp_slots_release(struct dp_slot_pool *pool, uint8_t number, bool keep)
{
	if (number + 1u >= pool->count)
		return;
	if (keep && *state_of(pool, number) != DP_TAKEN)
		*state_of(pool, number) |= RELEASED;
	else
		*state_of(pool, number) = DP_FREE;
}

#if DP_WITH_INTEGRITY
const void *dp_port_slot(const struct dp_site *site, size_t *bytes)
{
	const struct dp_slot_pool *pool = dp_slots_pool();

	*bytes = site->port.slot + 1u < pool->count ? 4u * (pool->words - 1u) : 0;
	return dp_slots_words(pool, site->port.slot);
}
#endif

void dp_port_quiescent(void)
{
	struct dp_slot_pool *pool = dp_slots_pool();

	for (unsigned i = 0; i + 1u < pool->count; i++)
		if (*state_of(pool, i) & RELEASED)
			*state_of(pool, i) = DP_FREE;
}

void dp_port_slots(unsigned *total, unsigned *available)
{
	const struct dp_slot_pool *pool = dp_slots_pool();
	unsigned free = 0;

	for (unsigned i = 0; i + 1u < pool->count; i++)
		if (*state_of(pool, i) == DP_FREE)
			free++;
	*total = pool->count - 1u;
	*available = free;
}

const uint32_t *dp_slots_at(const struct dp_slot_pool *pool, uintptr_t pc)
{
	const uint32_t *words = pool->word;

	while (pc - (uintptr_t)words >= 4u * pool->words)
		words += pool->words;
	return words;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The slot pool takes, binds and frees slots. */
#include "dp_port.h" /* first: it names the functions of the simulated port's forms */

#include "dp_patch.h"
#include "dp_slots.h"

bool dp_slots_init(struct dp_slot_pool *pool, uintptr_t start, uintptr_t end)
{
	start = (start + DP_PORT_SLOT_ALIGN - 1) & ~(uintptr_t)(DP_PORT_SLOT_ALIGN - 1);
	pool->start = (uint8_t *)start;
	pool->count = 0;
	pool->epoch = DP_SLOT_RELEASED;
	pool->released = false;
	while (start + DP_PORT_SLOT_BYTES + pool->count < end && pool->count <= DP_SLOTS_MAX) {
		start += DP_PORT_SLOT_BYTES;
		pool->count++;
	}
	pool->state = (uint8_t *)start;
	for (unsigned i = 0; i < pool->count; i++)
		pool->state[i] = DP_SLOT_FREE;
	return pool->count > 0;
}

static bool is_free(const struct dp_slot_pool *pool, unsigned number)
{
	uint8_t state = pool->state[number];

	return state == DP_SLOT_FREE || (state >= DP_SLOT_RELEASED && state != pool->epoch);
}

static bool same(const uint32_t *words, const uint32_t *content)
{
	for (unsigned i = 0; i < DP_SLOT_WORDS; i++)
		if (words[i] != content[i])
			return false;
	return true;
}

static uint32_t *fill(const struct dp_slot_pool *pool, unsigned number, dp_addr address,
		      const uint32_t *content)
{
	uint32_t *words = dp_slots_words(pool, number);

	for (unsigned i = 0; i < DP_SLOT_WORDS; i++)
		words[i] = content[i];
	*dp_slots_address(words) = address;
	dp_patch_publish((uintptr_t)words, 4 * DP_SLOT_WORDS);
	return words;
}

/* May the site take the slot, in which a context may stand? */
static bool serves(const struct dp_slot_pool *pool, unsigned number, const struct dp_site *site,
		   uint32_t insn)
{
	const uint32_t *words = dp_slots_words(pool, number);
	uint32_t content[DP_SLOT_WORDS];

	if (pool->state[number] != pool->epoch || *dp_slots_address(words) != site->address)
		return false;
	dp_slots_compose(site, insn, (uintptr_t)words, content);
	return same(words, content);
}

uint8_t dp_slots_take(struct dp_slot_pool *pool, const struct dp_site *site, uint32_t insn)
{
	uint32_t content[DP_SLOT_WORDS];

	for (unsigned i = 0; i + 1u < pool->count; i++)
		if (serves(pool, i, site, insn)) {
			pool->state[i] = DP_SLOT_ARMED;
			return (uint8_t)i;
		}
	for (unsigned i = 0; i + 1u < pool->count; i++)
		if (is_free(pool, i)) {
			pool->state[i] = DP_SLOT_TAKEN;
			dp_slots_compose(site, insn, (uintptr_t)dp_slots_words(pool, i), content);
			fill(pool, i, site->address, content);
			return (uint8_t)i;
		}
	return DP_SLOT_SCRATCH;
}

uint32_t *dp_slots_scratch(struct dp_slot_pool *pool, dp_addr address, const uint32_t *content)
{
	return fill(pool, pool->count - 1u, address, content);
}

void dp_slots_armed(struct dp_slot_pool *pool, uint8_t number)
{
	if (number + 1u < pool->count)
		pool->state[number] = DP_SLOT_ARMED;
}

void dp_slots_release(struct dp_slot_pool *pool, uint8_t number, bool keep)
{
	if (number + 1u >= pool->count)
		return;
	keep = keep && pool->state[number] != DP_SLOT_TAKEN;
	pool->released |= keep;
	pool->state[number] = keep ? pool->epoch : DP_SLOT_FREE;
}

#if DP_WITH_INTEGRITY
const void *dp_port_slot(const struct dp_site *site, size_t *bytes)
{
	const struct dp_slot_pool *pool = dp_slots_pool();

	*bytes = site->port.slot + 1u < pool->count ? 4 * DP_SLOT_WORDS : 0;
	return dp_slots_words(pool, site->port.slot);
}
#endif

void dp_port_quiescent(void)
{
	struct dp_slot_pool *pool = dp_slots_pool();

	if (pool->released)
		pool->epoch = pool->epoch == UINT8_MAX ? DP_SLOT_RELEASED : pool->epoch + 1u;
	pool->released = false;
}

void dp_port_slots(unsigned *total, unsigned *available)
{
	const struct dp_slot_pool *pool = dp_slots_pool();

	*total = pool->count - 1u;
	*available = 0;
	for (unsigned i = 0; i < *total; i++)
		*available += is_free(pool, i);
}

const uint32_t *dp_slots_at(const struct dp_slot_pool *pool, uintptr_t pc)
{
	const uint8_t *slot = pool->start;

	while (pc - (uintptr_t)slot >= DP_PORT_SLOT_BYTES)
		slot += DP_PORT_SLOT_BYTES;
	return (const uint32_t *)(const void *)slot;
}

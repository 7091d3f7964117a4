/* SPDX-License-Identifier: BSD-2-Clause */
/* The request MAP: entries of a map, as the host reads them. PROTOCOL.md 2.3, 5 */
#include "dp_exchange.h"

#include "dp_at_work.h"
#include "dp_fields.h"
#include "dp_lock.h"
#include "dp_map.h"
#include "dp_memory.h"
#include "dp_object.h"

#if DP_WITH_COUNTS
enum {
	DP_HOW_LOOK,
	DP_HOW_CLEAR,
	DP_HOW_TAKE,
	DP_MAP_END = 0xffff,
	DP_OPEN_TRIES = 8,
	DP_WORD_PARTS = sizeof(dp_word) / 4 /* of a word: 32 bits each */
};
_Static_assert((DP_MAP_WORDS_MAX + 3) / 4 + DP_MAP_ENTRY_BYTES <= DP_MAP_ANSWER_BYTES,
	       "each entry fits an answer");

/* Append the lowest bytes of a number, the low one first: 0, 1, 2 or 4. Returns the code of their
 * count. */
static unsigned pack_number(uint8_t *to, unsigned *used, uint32_t value)
{
	unsigned code = value == 0 ? 0 : value < 0x100 ? 1 : value < 0x10000 ? 2 : 3;

	for (unsigned n = code == 3 ? 4 : code; n > 0; n--, value >>= 8)
		to[(*used)++] = (uint8_t)value;
	return code;
}

/* Pack an entry. Returns its bytes. */
static unsigned pack(uint8_t *to, const dp_word *words, unsigned count)
{
	unsigned used = 0, at = 0;

	for (unsigned i = 0; i < count * DP_WORD_PARTS; i++) {
		if (i % 4 == 0) {
			at = used++;
			to[at] = 0;
		}
		to[at] |= (uint8_t)(pack_number(
					    to, &used,
					    (uint32_t)(words[i / DP_WORD_PARTS] >>
						       (i % DP_WORD_PARTS ? 32 % DP_WORD_BITS : 0)))
				    << i % 4 * 2);
	}
	return used;
}

static dp_word *entry_of(const struct dp_map_storage *in, unsigned place)
{
	return in->entry + place * in->words;
}

/* Copy the entry of the place. Returns its words, 0: there is none. */
static unsigned copy_entry(const struct dp_map_storage *in, unsigned place, dp_word *words)
{
	const dp_word *entry = entry_of(in, place);
	dp_irq irq = dp_lock_take();
	unsigned count = in->mark[place] & DP_MAP_USED ? in->words : 0;

	for (unsigned i = 0; i < count; i++)
		words[i] = entry[i];
	dp_lock_give(irq);
	return count;
}

/* Clear or take the entry, unless a hit has changed it since it was copied: then false. A request
 * whose session a hit has ended changes nothing: nobody gets the answer. */
static bool change_entry(const struct dp_map_storage *in, unsigned place, unsigned how,
			 const dp_word *words, const struct dp_agent *agent)
{
	dp_word *entry = entry_of(in, place);
	dp_irq irq = dp_lock_take();
	bool same = in->mark[place] & DP_MAP_USED;

	for (unsigned i = 0; i < in->words && same; i++)
		same = entry[i] == words[i];
	if (same && dp_work_is_ours(agent)) {
		if (how == DP_HOW_TAKE)
			in->mark[place] = DP_MAP_GAP;
		else
			for (unsigned i = in->map->keys; i < in->words; i++)
				entry[i] = 0;
	}
	dp_lock_give(irq);
	return same;
}

/* Close the gap that an entry has left, an entry a time. */
static void close_gap(const struct dp_map_storage *in, unsigned place)
{
	unsigned looks = 0;
	bool open = true;

	while (open) {
		dp_irq irq = dp_lock_take();

		open = dp_map_close(in, &place, &looks);
		dp_lock_give(irq);
	}
}

enum outcome {
	DP_DONE,
	DP_NO_ROOM, /* in the answer */
	DP_CHANGED  /* by a hit, meanwhile */
};

/* Read, and clear or take, the entry of a place. Each update by a hit is in the entry that is
 * taken, or in the next one. */
static enum outcome try_place(const struct dp_map_storage *in, unsigned place, unsigned how,
			      struct dp_exchange *ex)
{
	uint8_t packed[DP_MAP_ANSWER_BYTES];
	dp_word words[DP_MAP_WORDS_MAX];
	unsigned count = copy_entry(in, place, words), bytes = pack(packed, words, count);

	if (ex->tail.count + bytes > DP_MAP_ANSWER_BYTES)
		return DP_NO_ROOM;
	if (count > 0 && how != DP_HOW_LOOK && !change_entry(in, place, how, words, ex->agent))
		return DP_CHANGED;
	dp_copy(ex->words + ex->tail.count, packed, bytes);
	ex->tail.count = (uint8_t)(ex->tail.count + bytes);
	return DP_DONE;
}

/* An entry that hits change at each try is read with interrupts masked. */
static bool read_place(const struct dp_map_storage *in, unsigned *place, unsigned how,
		       struct dp_exchange *ex)
{
	enum outcome outcome = DP_CHANGED;

	for (unsigned tries = 0; tries < DP_OPEN_TRIES && outcome == DP_CHANGED; tries++)
		outcome = try_place(in, *place, how, ex);
	if (outcome == DP_CHANGED) {
		dp_irq irq = dp_lock_take();

		outcome = try_place(in, *place, how, ex);
		dp_lock_give(irq);
	}
	if (outcome == DP_NO_ROOM)
		return false;
	if (in->mark[*place] == DP_MAP_GAP)
		close_gap(in, *place); /* another entry may stand there now */
	else
		++*place;
	return true;
}

static bool has_no_entries(const struct dp_map *map)
{
	return map->kind >= DP_MAP_SCALE && map->kind != DP_MAP_SPECULATION;
}

enum dp_err dp_do_map(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a)
{
	unsigned index = DP_ARG(ex, map, map), how = DP_ARG(ex, map, how);
	unsigned place = DP_ARG(ex, map, from);
	struct dp_map *maps = ex->program->view.maps;
	struct dp_map_storage in;
	enum dp_err error;

	(void)a;
	if (how > DP_HOW_TAKE)
		return DP_ERR_BAD_REQUEST;
	error = dp_may(agent, how != DP_HOW_LOOK ? DP_RIGHT_INSERT : 0);
	if (error != DP_ERR_OK)
		return error;
	if (index >= ex->program->maps || has_no_entries(&maps[index]))
		return DP_ERR_MAP_RANGE;
	dp_map_find(&in, maps, &maps[index]);
	ex->tail.bytes = ex->words;
	while (place <= in.mask && read_place(&in, &place, how, ex))
		;
	ex->n.map.next = (uint16_t)(place <= in.mask ? place : DP_MAP_END);
	ex->n.map.dropped = maps[index].dropped;
	return DP_ERR_OK;
}
#endif

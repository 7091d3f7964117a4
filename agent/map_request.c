/* SPDX-License-Identifier: BSD-2-Clause */
/* The request MAP: entries of a map, as the host reads them. PROTOCOL.md 2.3, 5 */
#include "dp_map_request.h"

#include "dp_at_work.h"
#include "dp_fields.h"
#include "dp_map.h"
#include "dp_memory.h"
#include "dp_object.h"

#if DP_WITH_D
enum {
	HOW_LOOK,
	HOW_CLEAR,
	HOW_TAKE,
	END = 0xffff,
	PARTS = sizeof(dp_word) / 4 /* of a word: 32 bits each */
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

	for (unsigned i = 0; i < count * PARTS; i++) {
		if (i % 4 == 0) {
			at = used++;
			to[at] = 0;
		}
		to[at] |= (uint8_t)(pack_number(to, &used,
						(uint32_t)(words[i / PARTS] >>
							   (i % PARTS ? 32 % DP_WORD_BITS : 0)))
				    << i % 4 * 2);
	}
	return used;
}

static void clear_values(const struct dp_map_storage *in, dp_word *entry)
{
	for (unsigned i = in->map->keys; i < in->words; i++)
		entry[i] = 0;
}

/* Read, and clear or take, the entry of a place in one masked moment. A request whose session a hit
 * has ended changes nothing: nobody gets the answer.
 * Returns false: the answer has no room for the entry. */
static bool read_place(const struct dp_map_storage *in, unsigned *place, unsigned how,
		       struct dp_exchange *ex)
{
	uint8_t packed[DP_MAP_ANSWER_BYTES];
	dp_irq irq = dp_port_mask();
	dp_word *entry = in->entry + *place * in->words;
	unsigned bytes = in->mark[*place] ? pack(packed, entry, in->words) : 0;
	bool fits = ex->tail.count + bytes <= DP_MAP_ANSWER_BYTES;
	bool changes = fits && bytes > 0 &&
		       (DP_THIS_CPU(ex->agent)->in_hit || !dp_work_abandoned(ex->agent));

	if (changes && how == HOW_CLEAR)
		clear_values(in, entry);
	if (changes && how == HOW_TAKE)
		dp_map_remove(in, *place); /* another entry may stand there now */
	else
		*place += fits;
	dp_port_unmask(irq);
	if (fits)
		dp_copy(ex->words + ex->tail.count, packed, bytes);
	ex->tail.count = (uint8_t)(ex->tail.count + (fits ? bytes : 0));
	return fits;
}

enum dp_err dp_do_map(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a)
{
	unsigned index = DP_ARG(ex, map, map), how = DP_ARG(ex, map, how);
	unsigned place = DP_ARG(ex, map, from);
	struct dp_map *maps = ex->program->view.maps;
	struct dp_map_storage in;

	(void)a;
	if (how > HOW_TAKE)
		return DP_ERR_BAD_REQUEST;
	if (how != HOW_LOOK && dp_may(agent, DP_RIGHT_INSERT) != DP_ERR_OK)
		return dp_may(agent, DP_RIGHT_INSERT);
	if (index >= ex->program->maps || maps[index].kind >= DP_MAP_SCALE)
		return DP_ERR_MAP_RANGE;
	dp_map_find(&in, maps, &maps[index]);
	ex->tail.bytes = ex->words;
	while (place <= in.mask && read_place(&in, &place, how, ex))
		;
	ex->n.map.next = (uint16_t)(place <= in.mask ? place : END);
	ex->n.map.dropped = maps[index].dropped;
	return DP_ERR_OK;
}
#endif

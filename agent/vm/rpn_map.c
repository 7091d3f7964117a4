/* SPDX-License-Identifier: BSD-2-Clause */
/* The instructions of maps. The verifier has accepted the section MAPS: kinds and sizes are good,
 * and each instruction names a map that it takes. PROTOCOL.md 2.3 */
#include "dp_map.h"

#include "dp_long.h"
#include "dp_object.h"

#if DP_WITH_COUNTS
/* take() writes each word of the map that another function reads. The analyzer does not follow the
 * count of the words, so these checks would report a word as not written. */
/* clang-format off */
/* NOLINTBEGIN(clang-analyzer-core.UndefinedBinaryOperatorResult,clang-analyzer-core.CallAndMessage,clang-analyzer-core.uninitialized.Assign) */
/* clang-format on */
/* --- the stack ----------------------------------------------------------------------------- */

/* Pop words into an array: the last of it was the top. */
static void take(struct dp_vm *vm, dp_word *words, unsigned count)
{
	while (count-- > 0) {
		words[count] = vm->stack[vm->tsp & DP_STACK_MASK];
		vm->tsp = (vm->tsp + 1) & DP_STACK_MASK;
	}
}

static void put(struct dp_vm *vm, const dp_word *words, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		vm->tsp = (vm->tsp - 1) & DP_STACK_MASK;
		vm->stack[vm->tsp] = words ? words[i] : 0;
	}
}

/* --- places -------------------------------------------------------------------------------- */

/* map: no view. Inlined, as look_for: 30 instructions a count less (Cortex-A9). */
static inline __attribute__((__always_inline__)) void
storage_of(struct dp_map_storage *in, struct dp_map *maps, const struct dp_map *map)
{
	in->map = map;
	in->mark = (uint16_t *)(void *)((uint8_t *)maps + map->marks);
	in->entry = (dp_word *)(void *)((uint8_t *)maps + map->entries);
	in->mask = map->places - 1u;
	in->words = (unsigned)map->keys + map->values;
}

void dp_map_find(struct dp_map_storage *in, struct dp_map *maps, const struct dp_map *map)
{
	storage_of(in, maps, map->kind == DP_MAP_VIEW ? &maps[map->of] : map);
}

static unsigned looks(const struct dp_map_storage *in)
{
	return in->mask < DP_MAP_LOOKS ? in->mask + 1 : DP_MAP_LOOKS;
}

static uint16_t mark_of(const dp_word *keys, unsigned count)
{
	uint32_t hash = 0;

	for (unsigned i = 0; i < count; i++)
		hash = (hash ^ (uint32_t)(keys[i] ^ keys[i] >> DP_WORD_BITS / 2)) * 0x9e3779b1u;
	return (uint16_t)(DP_MAP_USED | hash >> 17);
}

static bool same(const dp_word *a, const dp_word *b, unsigned count)
{
	while (count-- > 0)
		if (*a++ != *b++)
			return false;
	return true;
}

enum {
	DP_NO_PLACE = -1,
	DP_OVERRUN = -2
};
struct search {
	struct dp_map_storage in;
	const dp_word *keys;
	uint16_t mark;
	bool there; /* the place has an entry of these keys; else it is free */
};

/* A place whose entry was taken just now, or DP_NO_PLACE. */
static int find_gap(const struct dp_map_storage *in, unsigned place)
{
	for (unsigned n = looks(in); n-- > 0; place = (place + 1) & in->mask)
		if (in->mark[place] == DP_MAP_GAP)
			return (int)place;
	return DP_NO_PLACE;
}

/* Does the place have the entry with the keys? mark: theirs. Inlined, as storage_of: 11
 * instructions a count less (Cortex-A9). */
static inline __attribute__((__always_inline__)) bool
is_at(const struct dp_map_storage *in, unsigned place, const dp_word *keys, uint16_t mark)
{
	return in->mark[place] == mark && same(in->entry + place * in->words, keys, in->map->keys);
}

/* The place of the entry with the keys, or the first free one behind its home; DP_NO_PLACE: neither
 * is there. passed: the places before it. Inlined, as storage_of: 30 instructions less. */
static inline __attribute__((__always_inline__)) int
look_for(const struct dp_map_storage *in, const dp_word *keys, uint16_t mark, unsigned *passed)
{
	unsigned place = mark & in->mask;

	for (*passed = 0; *passed < looks(in); ++*passed, place = (place + 1) & in->mask)
		if (in->mark[place] == 0 || is_at(in, place, keys, mark))
			return (int)place;
	return DP_NO_PLACE;
}

/* Find the place of the keys. Returns it, DP_NO_PLACE, or OVERRUN: the budget is used up. */
static int find(struct dp_run *run, struct search *s)
{
	const struct dp_map_storage *in = &s->in;
	unsigned passed;
	int place;

	s->mark = mark_of(s->keys, in->map->keys);
	place = look_for(in, s->keys, s->mark, &passed);
	s->there = false;
	if (!dp_charge(run, passed))
		return DP_OVERRUN;
	if (place == DP_NO_PLACE)
		return find_gap(in, s->mark & in->mask);
	s->there = in->mark[place] != 0;
	return place;
}

static dp_word *values_at(const struct search *s, int place)
{
	return s->in.entry + (unsigned)place * s->in.words + s->in.map->keys;
}

/* The values of the found place; a free one becomes an entry with zeros. */
static dp_word *make(struct search *s, int place)
{
	dp_word *entry = s->in.entry + (unsigned)place * s->in.words;

	if (s->there)
		return values_at(s, place);
	s->in.mark[place] = s->mark;
	for (unsigned i = 0; i < s->in.words; i++)
		entry[i] = i < s->in.map->keys ? s->keys[i] : 0;
	return values_at(s, place);
}

static unsigned distance(const struct dp_map_storage *in, unsigned place)
{
	return (place - in->mark[place]) & in->mask;
}

/* The next entry that may move to the gap: no place before it is closer to its home. in->mask + 1:
 * there is none. An entry lies no farther than `looks` places from its home. */
static unsigned next_to_move(const struct dp_map_storage *in, unsigned gap, unsigned *looked)
{
	for (unsigned n = 1; n < looks(in); n++) {
		unsigned place = (gap + n) & in->mask;

		++*looked;
		if (in->mark[place] == 0)
			break;
		if (in->mark[place] != DP_MAP_GAP && distance(in, place) >= n)
			return place;
	}
	return in->mask + 1;
}

bool dp_map_close(const struct dp_map_storage *in, unsigned *place, unsigned *looked)
{
	unsigned gap = *place, next;

	if (in->mark[gap] != DP_MAP_GAP) /* a handler has put an entry there */
		return false;
	next = next_to_move(in, gap, looked);
	if (next > in->mask) {
		in->mark[gap] = 0;
		return false;
	}
	in->mark[gap] = in->mark[next];
	for (unsigned i = 0; i < in->words; i++)
		in->entry[gap * in->words + i] = in->entry[next * in->words + i];
	in->mark[next] = DP_MAP_GAP;
	*place = next;
	return true;
}

unsigned dp_map_remove(const struct dp_map_storage *in, unsigned place)
{
	unsigned looked = 0;

	in->mark[place] = DP_MAP_GAP;
	while (dp_map_close(in, &place, &looked))
		;
	return looked;
}

/* --- aggregations -------------------------------------------------------------------------- */

/* to += from, both of `count` words, the lowest first. */
static void accumulate(dp_word *to, const dp_word *from, unsigned count)
{
	dp_word carry = 0;

	for (unsigned i = 0; i < count; i++) {
		dp_word sum = to[i] + from[i];
		dp_word carries = sum < from[i];

		to[i] = sum + carry;
		carry = carries | (dp_word)(to[i] < sum);
	}
}

static bool less(const dp_word *a, const dp_word *b, bool is_signed)
{
	const dp_word top = is_signed ? (dp_word)1 << (DP_WORD_BITS - 1) : 0;

	return a[1] == b[1] ? a[0] < b[0] : (a[1] ^ top) < (b[1] ^ top);
}

#if DP_WITH_D
/* The product of two words. */
static void multiply(dp_word a, dp_word b, dp_word product[2])
{
	const unsigned half = DP_WORD_BITS / 2;
	const dp_word mask = ((dp_word)1 << half) - 1;
	dp_word low = (a & mask) * (b & mask), high = (a >> half) * (b >> half);
	dp_word first = (a >> half) * (b & mask), second = (a & mask) * (b >> half);
	dp_word middle = (low >> half) + (first & mask) + (second & mask);

	product[0] = (low & mask) | middle << half;
	product[1] = high + (first >> half) + (second >> half) + (middle >> half);
}

/* squares += v * v; four words. */
static void add_square(dp_word *squares, const dp_word *v, bool is_signed)
{
	dp_word size[2] = {v[0], v[1]}, term[4] = {0, 0, 0, 0};

	if (is_signed && v[1] >> (DP_WORD_BITS - 1)) {
		size[0] = 0 - v[0];
		size[1] = ~v[1] + (size[0] == 0);
	}
	multiply(size[0], size[0], term);
	multiply(size[1], size[1], term + 2);
	accumulate(squares, term, 4);
	multiply(size[0], size[1], term + 1);
	term[0] = term[3] = 0;
	accumulate(squares, term, 4);
	accumulate(squares, term, 4);
}

#else
/* There is no map STDDEV. */
static void add_square(dp_word *squares, const dp_word *v, bool is_signed)
{
	(void)squares, (void)v, (void)is_signed;
}
#endif

/* The argument of `add map`: low word, high word. */
static void take_argument(struct dp_vm *vm, const struct dp_map *map, dp_word v[2])
{
	dp_word word[2];

	if (DP_WORD_BITS < 64 && (map->flags & DP_MAP_WIDE)) {
		take(vm, word, 2);
		v[0] = word[!DP_PORT_BIG_ENDIAN]; /* the lower address was on top */
		v[1] = word[DP_PORT_BIG_ENDIAN];
		return;
	}
	take(vm, v, 1);
	v[1] = (map->flags & DP_MAP_SIGNED) ? 0 - (v[0] >> (DP_WORD_BITS - 1)) : 0;
}

static void count_one(dp_word *count)
{
	*count += *count != (dp_word)-1;
}

static void update(const struct dp_map *map, dp_word *values, const dp_word v[2])
{
	bool is_signed = map->flags & DP_MAP_SIGNED;

	switch (map->kind) {
	case DP_MAP_COUNT:
		count_one(values);
		return;
	case DP_MAP_MIN:
	case DP_MAP_MAX:
		if (values[2] && !(map->kind == DP_MAP_MIN ? less(v, values, is_signed)
							   : less(values, v, is_signed)))
			return;
		values[0] = v[0];
		values[1] = v[1];
		values[2] = 1;
		return;
	case DP_MAP_STDDEV:
		add_square(values + 3, v, is_signed);
		/* fall through */
	case DP_MAP_AVG:
		values[2]++;
		/* fall through */
	case DP_MAP_SUM:
		accumulate(values, v, 2);
		return;
	default: /* one word of an array */
		values[map->kind == DP_MAP_VIEW ? map->at : 0] += v[0];
		return;
	}
}

/* --- instructions -------------------------------------------------------------------------- */

static enum dp_next push_map(struct dp_run *run, const struct dp_map *map, struct search *s)
{
	int place = find(run, s);
	unsigned at = map->kind == DP_MAP_VIEW ? map->at : 0;

	put(run->vm, s->there ? values_at(s, place) + at : NULL, map->values);
	return place == DP_OVERRUN ? DP_NEXT_BUDGET : DP_NEXT_GO;
}

static bool all_zero(const dp_word *words, unsigned count)
{
	while (count-- > 0)
		if (*words++ != 0)
			return false;
	return true;
}

/* Write the values to the place; an entry without a value is freed. */
static enum dp_next write_values(struct dp_run *run, const struct dp_map *map, struct search *s,
				 int place, const dp_word *from)
{
	dp_word *values;

	values = make(s, place);
	for (unsigned i = 0; i < map->values; i++)
		values[i + (map->kind == DP_MAP_VIEW ? map->at : 0)] = from[i];
	if (!all_zero(values, s->in.map->values))
		return DP_NEXT_GO;
	return dp_charge(run, dp_map_remove(&s->in, (unsigned)place)) ? DP_NEXT_GO : DP_NEXT_BUDGET;
}

/* A host reads the count of the array, not of its views. */
static void count_dropped(const struct dp_run *run, struct dp_map *map)
{
	struct dp_map *array = map->kind == DP_MAP_VIEW ? &run->program->maps[map->of] : map;

	array->dropped++;
}

/* pop map, add map: a new key needs a free place. */
static enum dp_next write_map(struct dp_run *run, struct dp_map *map, struct search *s, unsigned op,
			      const dp_word *from)
{
	int place = find(run, s);

	if (place == DP_OVERRUN)
		return DP_NEXT_BUDGET;
	if (op == RPN_POP_MAP && !s->there && all_zero(from, map->values))
		return DP_NEXT_GO; /* so the entry is already */
	if (place == DP_NO_PLACE) {
		count_dropped(run, map);
		return DP_NEXT_GO;
	}
	if (op == RPN_POP_MAP)
		return write_values(run, map, s, place, from);
	update(map, make(s, place), from);
	return DP_NEXT_GO;
}

#if DP_WITH_D
static enum dp_next bucket(struct dp_run *run, const struct dp_map *scale)
{
	bool is_signed = scale->flags & DP_MAP_SIGNED;
	uint64_t value;
	dp_word word;

	if (scale->flags & DP_MAP_WIDE) {
		value = dp_long_pop(run->vm);
	} else {
		take(run->vm, &word, 1);
		value = is_signed ? (uint64_t)(int64_t)(dp_sword)word : word;
	}
	word = dp_map_bucket(scale, value, is_signed);
	put(run->vm, &word, 1);
	return dp_charge(run, scale->a == DP_SCALE_POWERS   ? RPN_POWERS_STEPS
			      : scale->a == DP_SCALE_LINEAR ? RPN_LINEAR_STEPS
							    : RPN_MAGNITUDES_STEPS)
		       ? DP_NEXT_GO
		       : DP_NEXT_BUDGET;
}

#endif

enum dp_next dp_map_step(struct dp_run *run, unsigned op, unsigned index)
{
	struct dp_map *map = &run->program->maps[index];
	dp_word words[DP_MAP_WORDS_MAX];
	struct search s;

#if DP_WITH_D
	if (op == RPN_BUCKET)
		return bucket(run, map);
#endif
	if (!dp_charge(run, (dp_word)RPN_MAP_STEPS + map->keys + map->values))
		return DP_NEXT_BUDGET;
	if (op == RPN_POP_MAP)
		take(run->vm, words + map->keys, map->values);
	else if (op == RPN_ADD_MAP && map->kind != DP_MAP_COUNT)
		take_argument(run->vm, map, words + map->keys);
	take(run->vm, words, map->keys);
	dp_map_find(&s.in, run->program->maps, map);
	s.keys = words;
	return op == RPN_PUSH_MAP ? push_map(run, map, &s)
				  : write_map(run, map, &s, op, words + map->keys);
}

bool dp_map_count(struct dp_map *maps, unsigned index, const dp_word *keys)
{
	const struct dp_map *map = &maps[index];
	const uint16_t mark = mark_of(keys, map->keys);
	struct dp_map_storage in;
	unsigned place, left;

	storage_of(&in, maps, map);
	place = mark & in.mask;
	for (left = looks(&in); left > 0 && in.mark[place] != 0; left--) {
		if (is_at(&in, place, keys, mark)) {
			count_one(in.entry + place * in.words + map->keys);
			return true;
		}
		place = (place + 1) & in.mask;
	}
	return false;
}
/* clang-format off */
/* NOLINTEND(clang-analyzer-core.UndefinedBinaryOperatorResult,clang-analyzer-core.CallAndMessage,clang-analyzer-core.uninitialized.Assign) */
/* clang-format on */
#endif

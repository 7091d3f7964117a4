/* SPDX-License-Identifier: BSD-2-Clause */
/* Entries of readings are added up in words as the target counts them (map_kinds.def): values are
 * computed when they are printed. */
#define _GNU_SOURCE
#include "totals.h"

#include "dp_object.h"

#include <stdlib.h>
#include <string.h>

enum {
	AVERAGED = 2, /* the word behind the sum: number of updates, or whether there is a value */
	SQUARES = 3   /* first word of 128 bits */
};

static size_t key_words(const struct dph_total *total)
{
	return dph_aggregate_key_words(total->aggregation, total->word_bytes);
}

/* --- numbers of several words -------------------------------------------------------------- */

/* Add numbers of `bits`, low word first. */
static void add_number(const struct dph_total *total, uint64_t *to, const uint64_t *from,
		       unsigned bits)
{
	const unsigned word_bits = 8 * total->word_bytes;
	const uint64_t mask = word_bits == 64 ? UINT64_MAX : ((uint64_t)1 << word_bits) - 1;
	unsigned carry = 0;
	for (unsigned i = 0; i < bits / word_bits; i++) {
		const unsigned __int128 sum = (unsigned __int128)to[i] + from[i] + carry;
		to[i] = (uint64_t)sum & mask;
		carry = (unsigned)(sum >> word_bits);
	}
}

static int64_t number(const struct dph_total *total, const uint64_t *words)
{
	return total->word_bytes == 4 ? (int64_t)(words[0] | words[1] << 32) : (int64_t)words[0];
}

static void keep_extreme(const struct dph_total *total, uint64_t *to, const uint64_t *from,
			 bool largest)
{
	const uint64_t sign = (uint64_t)total->aggregation->is_signed
			      << 63; /* puts the negatives first */
	const uint64_t old = (uint64_t)number(total, to) ^ sign;
	const uint64_t now = (uint64_t)number(total, from) ^ sign;
	const bool better = largest ? now > old : now < old;
	if (from[AVERAGED] && (!to[AVERAGED] || better))
		memcpy(to, from, (AVERAGED + 1) * sizeof(*to));
}

/* Add an entry to another one of the same keys. */
static void add_entry(const struct dph_total *total, uint64_t *to, const uint64_t *from)
{
	const struct dph_format_aggregation *a = total->aggregation;
	to += key_words(total);
	from += key_words(total);
	switch (a->function) {
	case DPH_AGGREGATE_min:
	case DPH_AGGREGATE_max:
		keep_extreme(total, to, from, a->function == DPH_AGGREGATE_max);
		break;
	case DPH_AGGREGATE_stddev:
		add_number(total, to + SQUARES, from + SQUARES, 128);
		to[AVERAGED] += from[AVERAGED];
		add_number(total, to, from, 64);
		break;
	case DPH_AGGREGATE_avg:
		to[AVERAGED] += from[AVERAGED];
		add_number(total, to, from, 64);
		break;
	case DPH_AGGREGATE_sum:
		add_number(total, to, from, 64);
		break;
	default: /* counts, which have 64 bits here */
		if (a->increments)
			add_number(total, to, from, 64);
		else
			to[0] += from[0];
		break;
	}
}

/* --- entries ------------------------------------------------------------------------------- */

static int compare(const struct dph_total *total, const uint64_t *a, const uint64_t *b)
{
	for (size_t i = 0; i < key_words(total); i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

static int by_keys(const void *a, const void *b, void *total)
{
	return compare(total, a, b);
}

bool dph_total_fits(const struct dph_total *total)
{
	const struct dph_format_aggregation *a = total->aggregation;
	return total->each >= key_words(total) + dph_aggregate_words(a);
}

void dph_total_add(struct dph_total *total, const uint64_t *words, size_t count, uint32_t dropped)
{
	const size_t bytes = total->each * sizeof(*words);
	total->dropped = dropped;
	if (!dph_total_fits(total) || count == 0)
		return;
	uint64_t *fresh = dph_malloc(count * bytes);
	uint64_t *all = dph_malloc((total->count + count) * bytes);
	memcpy(fresh, words, count * bytes);
	qsort_r(fresh, count, bytes, by_keys, total);
	size_t made = 0, old = 0, next = 0;
	while (old < total->count || next < count) {
		const uint64_t *a = total->words + old * total->each;
		const uint64_t *b = fresh + next * total->each;
		const int order = old == total->count ? 1
				  : next == count     ? -1
						      : compare(total, a, b);
		uint64_t *last = all + (made - (made > 0)) * total->each;
		const uint64_t *entry = order <= 0 ? a : b;
		order <= 0 ? old++ : next++;
		if (made > 0 && compare(total, last, entry) == 0)
			add_entry(total, last, entry);
		else
			memcpy(all + made++ * total->each, entry, bytes);
	}
	free(fresh);
	free(total->words);
	total->words = all;
	total->count = total->room = made;
}

/* --- updates of the host ------------------------------------------------------------------- */

enum {
	UPDATE_WORDS = 8 + DP_MAP_HOLDS_STDDEV /* of keys, and of the largest value */
};

/* Put a number of `bits`, low word first. */
static void put_number(const struct dph_total *total, uint64_t *to, unsigned __int128 value,
		       unsigned bits)
{
	const unsigned word_bits = 8 * total->word_bytes;
	for (unsigned i = 0; i < bits / word_bits; i++) {
		to[i] = word_bits == 64 ? (uint64_t)value : (uint32_t)value;
		value >>= word_bits;
	}
}

/* The words of an entry that has seen one value. */
static void put_value(const struct dph_total *total, uint64_t *to, int64_t value)
{
	const struct dph_format_aggregation *a = total->aggregation;
	const __int128 wide = a->is_signed ? (__int128)value : (__int128)(uint64_t)value;
	if (!dph_aggregate_has_value(a) || a->function >= DPH_AGGREGATE_quantize) {
		to[0] = 1;
		return;
	}
	put_number(total, to, (unsigned __int128)wide, 64);
	if (a->function != DPH_AGGREGATE_sum)
		to[AVERAGED] = 1;
	if (a->function == DPH_AGGREGATE_stddev)
		put_number(total, to + SQUARES, (unsigned __int128)wide * (unsigned __int128)wide,
			   128);
}

/* The first entry whose keys are not below these. */
static size_t place_of(const struct dph_total *total, const uint64_t *words)
{
	size_t low = 0, high = total->count;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (compare(total, total->words + middle * total->each, words) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void insert(struct dph_total *total, size_t at, const uint64_t *words)
{
	const size_t bytes = total->each * sizeof(*words);
	total->words = dph_grow(total->words, &total->room, total->count, bytes);
	uint64_t *to = total->words + at * total->each;
	memmove(to + total->each, to, (total->count - at) * bytes);
	memcpy(to, words, bytes);
	total->count++;
}

void dph_total_count(struct dph_total *total, const uint64_t *keys, int64_t value)
{
	uint64_t words[UPDATE_WORDS] = {0};
	const size_t count = key_words(total);
	if (!dph_total_fits(total) || total->each > UPDATE_WORDS)
		return;
	memcpy(words, keys, count * sizeof(*keys));
	put_value(total, words + count, value);
	const size_t at = place_of(total, words);
	if (at < total->count && compare(total, total->words + at * total->each, words) == 0)
		add_entry(total, total->words + at * total->each, words);
	else
		insert(total, at, words);
}

/* --- the actions --------------------------------------------------------------------------- */

void dph_total_clear(struct dph_total *total)
{
	const size_t keys = key_words(total);
	for (size_t i = 0; i < total->count; i++)
		memset(total->words + i * total->each + keys, 0,
		       (total->each - keys) * sizeof(*total->words));
}

void dph_total_trunc(struct dph_total *total, int64_t most)
{
	size_t count, kept = 0;
	struct dph_aggregated *rows = dph_aggregate(total->aggregation, total->words, total->count,
						    total->each, total->word_bytes, &count);
	const uint64_t wanted = most < 0 ? 0 - (uint64_t)most : (uint64_t)most;
	const size_t left = wanted < count ? (size_t)wanted : count;
	const size_t first = most < 0 ? 0 : count - left; /* rows ascend */
	for (size_t i = 0; i < total->count; i++) {
		const uint64_t *entry = total->words + i * total->each;
		bool stays = false;
		for (size_t k = first; k < first + left && !stays; k++)
			stays = dph_aggregate_is_of(total->aggregation, rows[k].keys, entry,
						    total->word_bytes);
		if (stays)
			memmove(total->words + kept++ * total->each, entry,
				total->each * sizeof(*entry));
	}
	total->count = kept;
	dph_aggregated_free(rows, count);
}

static struct dph_factor *factor_of(const struct dph_total *total, const struct dph_aggregated *row)
{
	for (size_t i = 0; i < total->factor_count; i++)
		if (memcmp(total->factors[i].keys, row->keys, sizeof(row->keys)) == 0)
			return &total->factors[i];
	return NULL;
}

void dph_total_normalize(struct dph_total *total, int64_t factor)
{
	size_t count;
	if (factor == 0)
		return;
	free(total->factors);
	total->factors = NULL;
	total->factor_count = 0;
	if (factor == 1)
		return;
	struct dph_aggregated *rows = dph_aggregate(total->aggregation, total->words, total->count,
						    total->each, total->word_bytes, &count);
	total->factors = dph_malloc((count + 1) * sizeof(*total->factors));
	for (size_t i = 0; i < count; i++) {
		struct dph_factor *made = &total->factors[total->factor_count++];
		memcpy(made->keys, rows[i].keys, sizeof(made->keys));
		made->factor = factor;
	}
	dph_aggregated_free(rows, count);
}

/* The smallest number divided by -1 has no place. */
static int64_t divided(int64_t value, int64_t factor)
{
	return factor == -1 ? (int64_t)(0 - (uint64_t)value) : value / factor;
}

/* An unsigned value stays so, but for a factor below 0. */
static void divide_unsigned(struct dph_aggregated *row, int64_t factor)
{
	const uint64_t value = (uint64_t)row->value;
	if (factor >= 1)
		row->value = (int64_t)(value / (uint64_t)factor);
	else if (factor <= -1)
		row->value = (int64_t)(0 - value / (0 - (uint64_t)factor));
	row->is_unsigned = factor > 0;
}

static void divide(struct dph_aggregated *row, int64_t factor)
{
	if (row->is_unsigned)
		divide_unsigned(row, factor);
	else
		row->value = divided(row->value, factor);
}

struct dph_aggregated *dph_total_rows(const struct dph_total *total, size_t *found)
{
	struct dph_aggregated *rows = dph_aggregate(total->aggregation, total->words, total->count,
						    total->each, total->word_bytes, found);
	for (size_t i = 0; i < *found && total->factor_count > 0; i++) {
		const struct dph_factor *by = factor_of(total, &rows[i]);
		if (!by)
			continue;
		divide(&rows[i], by->factor);
		for (size_t b = 0; b < rows[i].bucket_count; b++)
			rows[i].buckets[b].value = divided(rows[i].buckets[b].value, by->factor);
	}
	if (total->formats)
		dph_format_sort(total->formats, total->aggregation, total->word_bytes, rows,
				*found);
	return rows;
}

void dph_total_free(struct dph_total *total)
{
	free(total->words);
	free(total->factors);
}

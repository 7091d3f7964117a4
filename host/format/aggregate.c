/* SPDX-License-Identifier: BSD-2-Clause */
/* Entries of a map become the values of an aggregation. The target has sums and counts; division
 * and roots are done here. */
#include "compute.h"
#include "format.h"

#include "dp_object.h"

#include <stdlib.h>
#include <string.h>

/* --- numbers of several words -------------------------------------------------------------- */

/* The words of an entry behind keys and bucket, as the map's kind says (map_kinds.def). */
static int64_t signed_word(uint64_t word, unsigned word_bytes)
{
	return word_bytes == 4 ? (int64_t)(int32_t)(uint32_t)word : (int64_t)word;
}

/* Low word, high word. A 64-bit target's high word only tells an overflow. */
static int64_t pair(const uint64_t *words, unsigned word_bytes)
{
	return word_bytes == 4 ? (int64_t)(words[0] | words[1] << 32) : (int64_t)words[0];
}

/* The low 128 bits. */
static unsigned __int128 of_words(const uint64_t *words, unsigned word_bytes)
{
	unsigned __int128 value = 0;
	for (unsigned i = 16 / word_bytes; i > 0; i--)
		value = value << 8 * word_bytes | words[i - 1];
	return value;
}

/* The largest number whose square is not more. */
static int64_t root(unsigned __int128 square)
{
	uint64_t value = 0;
	for (uint64_t bit = (uint64_t)1 << 62; bit > 0; bit >>= 1)
		if ((unsigned __int128)(value | bit) * (value | bit) <= square)
			value |= bit;
	return (int64_t)value;
}

/* How many values an average has; 0 also where the answer is damaged. */
static int64_t count_of(const uint64_t *words)
{
	return words[2] <= INT64_MAX ? (int64_t)words[2] : 0;
}

/* The sum has the sign of its values. */
static __int128 sum_of(const struct dph_format_aggregation *a, const uint64_t *words,
		       unsigned word_bytes)
{
	const int64_t sum = pair(words, word_bytes);
	return a->is_signed ? (__int128)sum : (__int128)(uint64_t)sum;
}

static int64_t average(const struct dph_format_aggregation *a, const uint64_t *words,
		       unsigned word_bytes)
{
	const int64_t n = count_of(words);
	return n ? (int64_t)(sum_of(a, words, word_bytes) / n) : 0;
}

/* The squares of the distances from the average in whole numbers have the sum `around`. What the
 * average lacks is `rest` / n. */
static int64_t deviation(const struct dph_format_aggregation *a, const uint64_t *words,
			 unsigned word_bytes)
{
	const int64_t n = count_of(words);
	const __int128 sum = sum_of(a, words, word_bytes);
	if (!n)
		return 0;
	const unsigned __int128 count = (unsigned __int128)n, mean = (unsigned __int128)(sum / n),
				rest = (unsigned __int128)(sum % n);
	const unsigned __int128 around =
		of_words(words + 3, word_bytes) - count * mean * mean - 2 * mean * rest;
	if (around > ~(unsigned __int128)0 / count) /* the rest is nothing to it */
		return root(around / count);
	return root((around * count - rest * rest) / (count * count));
}

/* Counts, deviations and increments have a sign. */
static bool is_unsigned(const struct dph_format_aggregation *a)
{
	return !a->is_signed && a->function >= DPH_AGGREGATE_sum &&
	       a->function <= DPH_AGGREGATE_max;
}

static int64_t value_of(const struct dph_format_aggregation *a, const uint64_t *words,
			unsigned word_bytes)
{
	switch (a->function) {
	case DPH_AGGREGATE_count:
		return (int64_t)words[0];
	case DPH_AGGREGATE_avg:
		return average(a, words, word_bytes);
	case DPH_AGGREGATE_stddev:
		return deviation(a, words, word_bytes);
	case DPH_AGGREGATE_sum:
	case DPH_AGGREGATE_min:
	case DPH_AGGREGATE_max:
		return pair(words, word_bytes);
	default:
		return a->increments ? pair(words, word_bytes) : (int64_t)words[0];
	}
}

/* --- buckets ------------------------------------------------------------------------------- */

static int64_t power_of(int64_t base, unsigned exponent)
{
	int64_t value = 1;
	while (exponent-- > 0)
		value *= base;
	return value;
}

/* Bucket n has the numbers of n bits. The last one ends with the largest number. */
static struct dph_bucket unsigned_bucket(int64_t n)
{
	const uint64_t low = n > 64 ? UINT64_MAX : (uint64_t)1 << (n - 1);
	return (struct dph_bucket){.low = (int64_t)low,
				   .high = (int64_t)(n < 64 ? 2 * low : UINT64_MAX),
				   .is_unsigned = true};
}

/* Bucket n has the numbers of n bits, -n their negatives. */
static struct dph_bucket power_bucket(int64_t n)
{
	const unsigned bits = (unsigned)(n < 0 ? -n : n);
	if (bits > 63)
		return (struct dph_bucket){.low = n < 0 ? INT64_MIN : INT64_MAX,
					   .high = n < 0 ? -INT64_MAX : INT64_MAX};
	const int64_t low = bits ? (int64_t)((uint64_t)1 << (bits - 1)) : 0;
	const int64_t last = low + (bits ? low - 1 : 0); /* no overflow */
	if (n < 0)
		return (struct dph_bucket){.low = -last, .high = -low + 1};
	return (struct dph_bucket){.low = low, .high = last < INT64_MAX ? last + 1 : last};
}

static struct dph_bucket linear_bucket(const int64_t *scale, int64_t n)
{
	const int64_t base = scale[0], step = scale[1], levels = scale[2];
	return (struct dph_bucket){
		.low = base + (n - 1) * step,
		.high = base + n * step,
		.below = n == 0,
		.above = n > levels,
	};
}

/* As rpn_bucket.c counts them. */
static struct dph_bucket magnitude_bucket(const int64_t *scale, int64_t n)
{
	const int64_t factor = scale[0];
	int64_t begin = power_of(factor, (unsigned)scale[1]), first = 1;
	if (n <= 0)
		return (struct dph_bucket){.low = begin, .high = begin, .below = true};
	for (int64_t m = scale[1]; m <= scale[2]; m++, begin *= factor) {
		const int64_t end = begin * factor, steps = end < scale[3] ? end : scale[3];
		const int64_t buckets = steps - steps / factor, width = end / steps;
		if (n < first + buckets)
			return (struct dph_bucket){.low = begin + (n - first) * width,
						   .high = begin + (n - first + 1) * width};
		first += buckets;
	}
	return (struct dph_bucket){.low = begin, .high = begin, .above = true};
}

struct dph_bucket dph_aggregate_bucket(const struct dph_format_aggregation *a, int64_t n)
{
	if (a->function == DPH_AGGREGATE_quantize)
		return n > 0 && !a->is_signed ? unsigned_bucket(n) : power_bucket(n);
	return a->function == DPH_AGGREGATE_lquantize ? linear_bucket(a->scale, n)
						      : magnitude_bucket(a->scale, n);
}

/* Does a value stand in front of the end of bucket n? */
static bool is_in_front(const struct dph_format_aggregation *a, __int128 value, int64_t n)
{
	const struct dph_bucket bucket = dph_aggregate_bucket(a, n);
	const __int128 high =
		bucket.is_unsigned ? (__int128)(uint64_t)bucket.high : (__int128)bucket.high;
	return bucket.above || value < high;
}

/* The number of the last bucket, or more. */
static int64_t last_bucket(const struct dph_format_aggregation *a)
{
	if (a->function == DPH_AGGREGATE_quantize)
		return a->is_signed ? 63 : 64;
	return a->function == DPH_AGGREGATE_lquantize
		       ? a->scale[2] + 1
		       : a->scale[3] * (a->scale[2] - a->scale[1] + 1) + 1;
}

/* Buckets ascend: the one of the value is the first that ends behind it. */
int64_t dph_aggregate_bucket_of(const struct dph_format_aggregation *a, int64_t value)
{
	const __int128 wide = a->is_signed ? (__int128)value : (__int128)(uint64_t)value;
	int64_t first = a->function == DPH_AGGREGATE_quantize && a->is_signed ? -64 : 0;
	int64_t last = last_bucket(a);
	while (first < last) {
		const int64_t middle = first + (last - first) / 2;
		if (is_in_front(a, wide, middle))
			last = middle;
		else
			first = middle + 1;
	}
	return first;
}

static bool is_distribution(const struct dph_format_aggregation *a)
{
	return a->function >= DPH_AGGREGATE_quantize;
}

/* --- entries -------------------------------------------------------------------------------- */

/* One entry, before those of a distribution are put together. */
struct entry {
	uint64_t keys[8];
	int64_t bucket, value;
};

enum {
	BUCKETS_MAX = DP_SCALE_LEVELS_MAX + 1 /* either side of 0; more are a damaged answer */
};

static int compare_keys(const uint64_t *a, const uint64_t *b)
{
	for (unsigned i = 0; i < 8; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

static int by_key(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	const int keys = compare_keys(x->keys, y->keys);
	return keys ? keys : (x->bucket > y->bucket) - (x->bucket < y->bucket);
}

static __int128 number(const struct dph_aggregated *row)
{
	return row->is_unsigned ? (__int128)(uint64_t)row->value : (__int128)row->value;
}

double dph_aggregated_double(const struct dph_aggregated *row)
{
	return (double)number(row);
}

int dph_aggregated_compare(const struct dph_aggregated *a, const struct dph_aggregated *b)
{
	return (number(a) > number(b)) - (number(a) < number(b));
}

static int by_value(const void *a, const void *b)
{
	const struct dph_aggregated *x = a, *y = b;
	const int values = dph_aggregated_compare(x, y);
	return values ? values : compare_keys(x->keys, y->keys);
}

/* Signed keys get their sign. */
static uint64_t key_of(const struct dph_format_field *field, uint64_t word, unsigned word_bytes)
{
	return field->is_signed ? (uint64_t)signed_word(word, word_bytes) : word;
}

static const unsigned words_of[DPH_AGGREGATES] = {
#define AGGREGATION(name, map, least, most, value) [DPH_AGGREGATE_##name] = DP_MAP_HOLDS_##map,
#include "aggregations.def"
};

unsigned dph_aggregate_words(const struct dph_format_aggregation *a)
{
	return a->increments ? DP_MAP_HOLDS_SUM : words_of[a->function];
}

unsigned dph_format_key_words(const struct dph_format_field *field, unsigned word_bytes)
{
	if (field->form != DPH_FIELD_CHARACTERS && field->form != DPH_FIELD_WORDS &&
	    field->form != DPH_FIELD_OBJECT)
		return 1;
	return field->bytes > word_bytes ? (unsigned)(field->bytes + word_bytes - 1) / word_bytes
					 : 1;
}

uint64_t dph_format_key_number(const struct dph_format_field *field, const uint64_t *words,
			       unsigned word_bytes)
{
	if (field->form != DPH_FIELD_WORDS || dph_format_key_words(field, word_bytes) == 1)
		return words[0];
	return words[0] << 8 * word_bytes | dph_format_narrow(words[1], word_bytes, false);
}

/* Without the bucket. */
static unsigned own_key_words(const struct dph_format_aggregation *a, unsigned word_bytes)
{
	unsigned words = 0;
	for (size_t i = 0; i < a->key_count; i++)
		words += dph_format_key_words(&a->keys[i], word_bytes);
	return words;
}

unsigned dph_aggregate_key_words(const struct dph_format_aggregation *a, unsigned word_bytes)
{
	return own_key_words(a, word_bytes) + is_distribution(a);
}

/* The words of the keys, each with its sign. Returns their number. */
static unsigned take_keys(const struct dph_format_aggregation *a, uint64_t keys[8],
			  const uint64_t *words, unsigned word_bytes)
{
	unsigned at = 0;
	for (size_t i = 0; i < a->key_count; i++) {
		const unsigned first = at;
		for (unsigned n = dph_format_key_words(&a->keys[i], word_bytes); n-- > 0; at++)
			keys[at] = at == first ? key_of(&a->keys[i], words[at], word_bytes)
					       : words[at];
	}
	return at;
}

bool dph_aggregate_is_of(const struct dph_format_aggregation *a, const uint64_t *keys,
			 const uint64_t *words, unsigned word_bytes)
{
	uint64_t others[8];
	const unsigned count = take_keys(a, others, words, word_bytes);
	return memcmp(keys, others, count * sizeof(*keys)) == 0;
}

/* Has an entry the words that its function needs? An object may say otherwise. */
static bool is_whole(const struct dph_format_aggregation *a, unsigned each, unsigned word_bytes)
{
	return own_key_words(a, word_bytes) <= 8 &&
	       each >= dph_aggregate_key_words(a, word_bytes) + dph_aggregate_words(a);
}

static int64_t near(int64_t bucket)
{
	const int64_t least = bucket < -BUCKETS_MAX ? -BUCKETS_MAX : bucket;
	return least > BUCKETS_MAX ? BUCKETS_MAX : least;
}

static struct entry entry_of(const struct dph_format_aggregation *a, const uint64_t *words,
			     unsigned word_bytes)
{
	struct entry entry = {.value = 0};
	size_t at = take_keys(a, entry.keys, words, word_bytes);
	if (is_distribution(a))
		entry.bucket = near(signed_word(words[at++], word_bytes));
	entry.value = value_of(a, words + at, word_bytes);
	return entry;
}

/* Sums wrap at 64 bits here as on the target. */
static int64_t added(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

/* The buckets of a key, from the first to the last; those between them are 0. */
static void take_buckets(struct dph_aggregated *to, const struct dph_format_aggregation *a,
			 const struct entry *entries, size_t count)
{
	const int64_t first = entries[0].bucket, last = entries[count - 1].bucket;
	to->first = first;
	to->bucket_count = (size_t)(last - first) + 1;
	to->buckets = dph_malloc(to->bucket_count * sizeof(*to->buckets));
	for (size_t i = 0; i < to->bucket_count; i++)
		to->buckets[i] = dph_aggregate_bucket(a, first + (int64_t)i);
	for (size_t i = 0; i < count; i++) {
		struct dph_bucket *bucket = &to->buckets[entries[i].bucket - first];
		bucket->value = added(bucket->value, entries[i].value);
		to->value = added(to->value, entries[i].value);
	}
}

struct dph_aggregated *dph_aggregate(const struct dph_format_aggregation *a, const uint64_t *words,
				     size_t count, unsigned each, unsigned word_bytes,
				     size_t *found)
{
	struct entry *entries = dph_malloc((count + 1) * sizeof(*entries));
	struct dph_aggregated *list = dph_malloc((count + 1) * sizeof(*list));
	*found = 0;
	count = is_whole(a, each, word_bytes) ? count : 0;
	for (size_t i = 0; i < count; i++)
		entries[i] = entry_of(a, words + i * each, word_bytes);
	qsort(entries, count, sizeof(*entries), by_key);
	for (size_t i = 0, next; i < count; i = next) {
		struct dph_aggregated *to = &list[(*found)++];
		*to = (struct dph_aggregated){.is_unsigned = is_unsigned(a)};
		memcpy(to->keys, entries[i].keys, sizeof(to->keys));
		for (next = i + 1; is_distribution(a) && next < count &&
				   compare_keys(entries[next].keys, to->keys) == 0;)
			next++;
		if (is_distribution(a))
			take_buckets(to, a, entries + i, next - i);
		else
			to->value = entries[i].value;
	}
	free(entries);
	qsort(list, *found, sizeof(*list), by_value);
	return list;
}

void dph_aggregated_free(struct dph_aggregated *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(list[i].buckets);
	free(list);
}

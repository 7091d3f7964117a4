/* SPDX-License-Identifier: BSD-2-Clause */
/* Aggregations of the direct evaluator: what D.md says of each function. */
#include "d_tree.h"

#include <inttypes.h>
#include <stdio.h>

/* --- updates --- */

static uint64_t magnitude(int64_t value)
{
	return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

/* The lowest number of the power-of-two bucket. */
static int64_t power_bucket(int64_t value)
{
	uint64_t power = 1;

	if (value == 0)
		return 0;
	while (power <= magnitude(value) / 2)
		power *= 2;
	if (value > 0)
		return (int64_t)power;
	return power >> 63 ? INT64_MIN : -(int64_t)(2 * power - 1);
}

static int64_t linear_bucket(int64_t value)
{
	const int64_t end = D_LOW + D_LEVELS * D_STEP;

	if (value < D_LOW)
		return D_LOW - 1;
	return value >= end ? end : value - (value - D_LOW) % D_STEP;
}

/* Numbers from 2^63 on, which no int64_t has, are one bucket. */
static int64_t bucket_of(const struct dt_aggregation *a, int64_t value)
{
	if (a->function == DT_QUANTIZE && !a->type.is_signed && value < 0)
		return INT64_MIN;
	if (a->function == DT_QUANTIZE)
		return power_bucket(value);
	return a->function == DT_LQUANTIZE ? linear_bucket(value) : 0;
}

/* Is a before b as numbers of the type? */
static bool before(struct dt_type type, int64_t a, int64_t b)
{
	return type.is_signed ? a < b : (uint64_t)a < (uint64_t)b;
}

static struct dt_total *total_of(struct dt_run *run, unsigned index, const uint64_t keys[D_KEYS],
				 int64_t bucket)
{
	struct dt_total *list = run->totals[index];
	const unsigned count = run->total_count[index];
	unsigned i = 0;

	while (i < count && (list[i].keys[0] != keys[0] || list[i].keys[1] != keys[1] ||
			     list[i].bucket != bucket))
		i++;
	if (i == D_ENTRIES) {
		run->full = true;
		return list;
	}
	if (i == count)
		list[run->total_count[index]++] =
			(struct dt_total){.keys = {keys[0], keys[1]}, .bucket = bucket};
	return &list[i];
}

void dt_update(struct dt_run *run, unsigned index, const uint64_t keys[D_KEYS], uint64_t value,
	       uint64_t more)
{
	const struct dt_aggregation *a = &run->program->aggregations[index];
	const int64_t number = (int64_t)value;
	struct dt_total *total = total_of(run, index, keys, bucket_of(a, number));

	if (!total->count++)
		total->least = total->largest = number;
	total->sum = (int64_t)((uint64_t)total->sum + (a->increments ? more : value));
	if (a->function == DT_STDDEV) /* its values have 32 bits */
		total->squares += number * number;
	if (before(a->type, number, total->least))
		total->least = number;
	if (before(a->type, total->largest, number))
		total->largest = number;
}

/* --- values --- */

/* The largest number whose square is not more. */
static int64_t root(__int128 square)
{
	int64_t low = 0, high = (int64_t)1 << 32;

	while (high - low > 1) {
		const int64_t middle = low + (high - low) / 2;

		*((__int128)middle * middle <= square ? &low : &high) = middle;
	}
	return low;
}

/* Values of 32 bits: no number here has more than 128. */
static int64_t deviation(const struct dt_total *total)
{
	const __int128 n = (__int128)total->count, sum = total->sum;

	return root((n * total->squares - sum * sum) / (n * n));
}

static int64_t value_of(const struct dt_aggregation *a, const struct dt_total *total)
{
	switch (a->function) {
	case DT_SUM:
		return total->sum;
	case DT_MIN:
		return total->least;
	case DT_MAX:
		return total->largest;
	case DT_AVG:
		return a->type.is_signed ? total->sum / (int64_t)total->count
					 : (int64_t)((uint64_t)total->sum / total->count);
	case DT_STDDEV:
		return deviation(total);
	default:
		return a->increments ? total->sum : (int64_t)total->count;
	}
}

/* --- text --- */

static size_t print_number(struct dt_type type, uint64_t number, char *text, size_t room)
{
	return (size_t)(type.is_signed ? snprintf(text, room, " %" PRId64, (int64_t)number)
				       : snprintf(text, room, " %" PRIu64, number));
}

/* Counts, deviations and sums of increments have a sign. */
static struct dt_type value_type(const struct dt_aggregation *a)
{
	const bool has_type = a->function == DT_SUM || a->function == DT_MIN ||
			      a->function == DT_MAX || a->function == DT_AVG;

	return has_type ? a->type : (struct dt_type){.bits = 64, .is_signed = true};
}

static size_t print_bucket(const struct dt_aggregation *a, int64_t bucket, char *text, size_t room)
{
	if (a->type.is_signed || a->function != DT_QUANTIZE)
		return (size_t)snprintf(text, room, " [%" PRId64 "]", bucket);
	return (size_t)snprintf(text, room, " [%" PRIu64 "]", (uint64_t)bucket);
}

void dt_print_totals(const struct dt_run *run, char *text, size_t room)
{
	size_t bytes = 0;

	*text = 0;
	for (unsigned i = 0; i < D_AGGREGATIONS; i++)
		for (unsigned k = 0; k < run->total_count[i]; k++) {
			const struct dt_aggregation *a = &run->program->aggregations[i];
			const struct dt_total *total = &run->totals[i][k];
			const int64_t value = value_of(a, total);

			if (a->function >= DT_QUANTIZE && !value)
				continue; /* no row has this bucket, or its row is 0 */
			bytes += (size_t)snprintf(text + bytes, room - bytes, "n%u", i);
			for (unsigned n = 0; n < a->key_count; n++)
				bytes += print_number(a->keys[n], total->keys[n], text + bytes,
						      room - bytes);
			if (a->function >= DT_QUANTIZE)
				bytes += print_bucket(a, total->bucket, text + bytes, room - bytes);
			bytes += print_number(value_type(a), (uint64_t)value, text + bytes,
					      room - bytes);
			bytes += (size_t)snprintf(text + bytes, room - bytes, "\n");
		}
}

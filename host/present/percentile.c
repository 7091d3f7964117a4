/* SPDX-License-Identifier: BSD-2-Clause */
/* Percentiles of a distribution. */
#include "percentile.h"

/* The value behind this part of a bucket, which has whole numbers. */
static struct dp_bucket_view inside(const struct dp_bucket_view *bucket, double part)
{
	const uint64_t most = bucket->high != bucket->low
				      ? (uint64_t)bucket->high - (uint64_t)bucket->low - 1
				      : 0; /* the last number that there is */
	uint64_t behind = (uint64_t)(part * (double)most);
	if (behind > most)
		behind = most;
	const int64_t value = (int64_t)((uint64_t)bucket->low + behind);
	return (struct dp_bucket_view){.low = value,
				       .high = value,
				       .is_unsigned = bucket->is_unsigned,
				       .value = bucket->value};
}

bool dph_percentile(const struct dp_bucket_view *buckets, size_t count, unsigned percent,
		    struct dp_bucket_view *found)
{
	double sum = 0, before = 0;
	for (size_t i = 0; i < count; i++) {
		if (buckets[i].value < 0)
			return false;
		sum += (double)buckets[i].value;
	}
	const double wanted = sum * percent / 100;
	for (size_t i = 0; i < count; i++) {
		const double value = (double)buckets[i].value;
		if (value > 0 && before + value >= wanted) {
			*found = buckets[i].below || buckets[i].above
					 ? buckets[i]
					 : inside(&buckets[i], (wanted - before) / value);
			return true;
		}
		before += value;
	}
	return false;
}

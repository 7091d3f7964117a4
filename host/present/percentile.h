/* SPDX-License-Identifier: BSD-2-Clause */
/* Percentiles of a distribution. */
#ifndef DPH_PERCENTILE_H
#define DPH_PERCENTILE_H

#include <dprobes/readings.h>

/* Estimate the value that so many percent of the values do not exceed. The values of a bucket count
 * as evenly spread.
 * found: receives the value in `low`, or the first or last bucket where that has no bound.
 * Returns false: the distribution has no values, or negative increments. */
bool dph_percentile(const struct dp_bucket_view *buckets, size_t count, unsigned percent,
		    struct dp_bucket_view *found);

#endif

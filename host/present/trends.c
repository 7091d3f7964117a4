/* SPDX-License-Identifier: BSD-2-Clause */
/* Rates of aggregations, and their last readings as a line of characters. */
#define _GNU_SOURCE
#include "trends.h"

#include <string.h>

static bool has_rate(const struct dph_format_aggregation *a)
{
	return a->function == DPH_AGGREGATE_count || a->function == DPH_AGGREGATE_sum ||
	       a->function >= DPH_AGGREGATE_quantize;
}

static struct dph_trend *find(const struct dph_trends *trends, const uint64_t *keys)
{
	for (size_t i = 0; i < trends->count; i++)
		if (memcmp(trends->list[i].keys, keys, sizeof(trends->list[i].keys)) == 0)
			return &trends->list[i];
	return NULL;
}

/* A key that no reading has had counts from 0. */
static struct dph_trend *trend_of(struct dph_trends *trends, const uint64_t *keys)
{
	struct dph_trend *trend = find(trends, keys);
	if (trend)
		return trend;
	trends->list =
		dph_grow(trends->list, &trends->capacity, trends->count, sizeof(*trends->list));
	trend = &trends->list[trends->count++];
	*trend = (struct dph_trend){.last = 0};
	memcpy(trend->keys, keys, sizeof(trend->keys));
	return trend;
}

void dph_trend_append(struct dph_trend *trend, double reading)
{
	if (trend->count == DPH_TREND_READINGS)
		memmove(trend->list, trend->list + 1, --trend->count * sizeof(*trend->list));
	trend->list[trend->count++] = reading;
}

void dph_trends_note(struct dph_trends *trends, const struct dph_format_aggregation *a,
		     const struct dph_aggregated *rows, size_t count, uint64_t now_ms)
{
	const double seconds = (double)(now_ms - trends->at_ms) / 1000;
	for (size_t i = 0; i < count; i++) {
		struct dph_trend *trend = trend_of(trends, rows[i].keys);
		const double value = dph_aggregated_double(&rows[i]), change = value - trend->last;
		if (!has_rate(a))
			dph_trend_append(trend, value);
		else if (trends->at_ms && seconds > 0)
			dph_trend_append(trend, change / seconds);
		trend->last = value;
	}
	trends->at_ms = now_ms;
}

static double size_of(double reading)
{
	return reading < 0 ? -reading : reading;
}

/* A character for a reading, by the largest size. A float that is no number has the first one. */
static char level_of(double size, double most)
{
	static const char levels[] = " .:-=+*#%@";
	const size_t last = sizeof(levels) - 2;
	if (most > 0 && size >= most)
		return levels[last];
	return most > 0 && size > 0 ? levels[(size_t)(size / most * (double)last)] : levels[0];
}

void dph_trend_line(const struct dph_trend *trend, char text[DPH_TREND_ROOM])
{
	double most = 0;
	for (unsigned i = 0; i < trend->count; i++)
		most = size_of(trend->list[i]) > most ? size_of(trend->list[i]) : most;
	text[0] = '|';
	for (unsigned i = 0; i < trend->count; i++)
		text[i + 1] = level_of(size_of(trend->list[i]), most);
	text[trend->count + 1] = '|';
	text[trend->count + 2] = '\0';
}

char *dph_trend_text(const struct dph_trends *trends, const struct dph_format_aggregation *a,
		     const struct dph_aggregated *row)
{
	const struct dph_trend *trend = find(trends, row->keys);
	char line[DPH_TREND_ROOM];
	if (!trend || !trend->count)
		return NULL;
	dph_trend_line(trend, line);
	if (!has_rate(a))
		return dph_strdup(line);
	return dph_print("%10.1f/s %s", trend->list[trend->count - 1], line);
}

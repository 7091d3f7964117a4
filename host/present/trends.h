/* SPDX-License-Identifier: BSD-2-Clause */
/* The readings of an aggregation one after the other: how fast each key counts. */
#ifndef DPH_PRESENT_TRENDS_H
#define DPH_PRESENT_TRENDS_H

#include "format/format.h"

enum {
	DPH_TREND_READINGS = 60
};

/* A key, and its last readings. */
struct dph_trend {
	uint64_t keys[8];
	double last; /* value of the last reading */
	double list[DPH_TREND_READINGS];
	unsigned count;
};

struct dph_trends {
	struct dph_trend *list;
	size_t count, capacity;
	uint64_t at_ms; /* of the last reading; 0: there is none */
};

/* Put a reading behind the others; the first of many goes. */
void dph_trend_append(struct dph_trend *trend, double reading);
enum {
	DPH_TREND_ROOM = DPH_TREND_READINGS + 3
};
/* The readings as characters of growing weight between bars: "|.:-|". */
void dph_trend_line(const struct dph_trend *trend, char text[DPH_TREND_ROOM]);

/* Take a reading. A count or sum has a rate per second; of another function the value is kept. */
void dph_trends_note(struct dph_trends *trends, const struct dph_format_aggregation *a,
		     const struct dph_aggregated *rows, size_t count, uint64_t now_ms);
/* Return the rate of a key, and a line with a character for each reading, from the heap; null:
 * there is no reading. */
char *dph_trend_text(const struct dph_trends *trends, const struct dph_format_aggregation *a,
		     const struct dph_aggregated *row);

#endif

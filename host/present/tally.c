/* SPDX-License-Identifier: BSD-2-Clause */
/* The tally keeps one copy of equal records, found by their line of text. */
#define _GNU_SOURCE
#include "tally.h"

#include "base/name_index.h"
#include "base/pool.h"
#include "dp_record.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

struct entry {
	struct dp_record_style style;
	struct dp_log_record record;
	uint64_t times;
	size_t order; /* of arrival */
};

struct dph_tally {
	struct dph_pool pool; /* copies of the data that the records point at */
	struct dph_name_index index;
	struct entry *entries;
	size_t count, capacity;
};

struct dph_tally *dph_tally_new(void)
{
	return dph_malloc(sizeof(struct dph_tally));
}

static void forget(struct dph_tally *tally)
{
	dph_pool_free(&tally->pool);
	free(tally->index.entries);
	free(tally->entries);
	*tally = (struct dph_tally){0};
}

void dph_tally_free(struct dph_tally *tally)
{
	if (tally == NULL)
		return;
	forget(tally);
	free(tally);
}

/* The record as the text format prints it. */
static char *line_of(const struct dp_record_style *style, const struct dp_log_record *record)
{
	struct dp_record_view view;
	char *line = NULL;
	size_t bytes;
	FILE *out = open_memstream(&line, &bytes);

	if (out == NULL)
		return dph_strdup("");
	dp_record_view_read(&view, style, record);
	dph_show_record(out, &view);
	dp_record_view_free(&view);
	fclose(out);
	return line;
}

static void keep(struct dph_tally *tally, const struct dp_record_style *style,
		 const struct dp_log_record *record, const char *line)
{
	struct entry entry = {.style = *style, .record = *record, .order = tally->count};

	entry.record.data =
		memcpy(dph_pool_take(&tally->pool, record->bytes + 1), record->data, record->bytes);
	if (record->probe != NULL)
		entry.record.probe = memcpy(dph_pool_take(&tally->pool, sizeof *record->probe),
					    record->probe, sizeof *record->probe);
	dph_name_index_add(&tally->index, 0, dph_pool_copy(&tally->pool, line, strlen(line)),
			   tally->count);
	tally->entries =
		dph_grow(tally->entries, &tally->capacity, tally->count, sizeof *tally->entries);
	tally->entries[tally->count++] = entry;
}

void dph_tally_add(struct dph_tally *tally, const struct dp_record_style *style,
		   const struct dp_log_record *record)
{
	struct dp_log_record timeless = *record;
	struct dp_record_style again = *style;
	char *line;
	size_t found;

	timeless.ticks_known = false;
	timeless.items &= (uint8_t)~DP_ITEM_TSC;
	again.again = true;
	line = line_of(&again, &timeless);
	found = dph_name_index_find(&tally->index, 0, line);
	if (found == DPH_NAME_NONE) {
		found = tally->count;
		keep(tally, &again, &timeless, line);
	}
	tally->entries[found].times++;
	free(line);
}

static int by_times(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->times != y->times)
		return x->times > y->times ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

void dph_tally_tell(struct dph_tally *tally, struct dp_sink *sink)
{
	if (tally->count > 0)
		qsort(tally->entries, tally->count, sizeof *tally->entries, by_times);
	for (size_t i = 0; i < tally->count; i++) {
		const struct entry *entry = &tally->entries[i];
		struct dp_record_view view;

		dp_record_view_read(&view, &entry->style, &entry->record);
		view.times = entry->times;
		dp_sink_record(sink, &view);
		dp_record_view_free(&view);
	}
	forget(tally);
}

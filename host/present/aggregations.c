/* SPDX-License-Identifier: BSD-2-Clause */
/* Aggregations of a D program as readings. */
#define _GNU_SOURCE
#include "formats.h"

#include <dprobes/readings.h>

#include "base/utf8.h"
#include "dp_bytes.h"
#include "object/object_read.h"
#include "text.h"
#include "value_text.h"

#include <stdlib.h>
#include <string.h>

enum {
	ENTRIES_MAX = 1 << 20, /* of a kept total */
	COLUMNS_MAX = 128,     /* of a packed distribution; a wider one has a picture */
	POWERS_MAX = 63        /* of two, in quantize; one more without a sign */
};

static const char *const function_names[DPH_AGGREGATES] = {
#define AGGREGATION(name, map, least, most, value) #name,
#include "format/aggregations.def"
};

bool dp_formats_aggregation(const struct dp_formats *formats, unsigned index,
			    struct dp_aggregation_info *info)
{
	if (index >= formats->formats.aggregation_count)
		return false;
	const struct dph_format_aggregation *a = &formats->formats.aggregations[index];
	*info = (struct dp_aggregation_info){
		.name = a->name,
		.map = (uint8_t)a->map,
		.words = formats->totals[index].each,
		.of_host = dph_aggregate_of_host(a),
	};
	return true;
}

/* The keys of all rows. */
struct key_list {
	struct dph_pool pool;
	struct dp_value *values; /* key_count a row */
	char **texts;
	unsigned width;
};

static struct key_list key_list(const struct dp_formats *formats,
				const struct dph_format_aggregation *a,
				const struct dph_aggregated *rows, size_t count)
{
	const struct dph_format_record record = dph_formats_namer(formats);
	const size_t all = count * a->key_count;
	struct key_list keys = {.values = dph_malloc((all + 1) * sizeof(*keys.values)),
				.texts = dph_malloc((all + 1) * sizeof(*keys.texts))};
	for (size_t i = 0; i < count; i++) {
		const uint64_t *words = rows[i].keys;
		unsigned width = 0;
		for (size_t k = 0; k < a->key_count; k++) {
			const size_t at = i * a->key_count + k;
			keys.values[at] = dph_format_key(&record, &keys.pool, &a->keys[k], words);
			keys.texts[at] = dph_value_text(&keys.values[at]);
			words += dph_format_key_words(&a->keys[k], record.word_bytes);
			width = keys.values[at].form == DP_VALUE_STACK
					? 0
					: width + (unsigned)strlen(keys.texts[at]) + 2;
		}
		keys.width = width > keys.width ? width : keys.width;
	}
	return keys;
}

static void free_keys(struct key_list *keys, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(keys->texts[i]);
	free(keys->texts);
	free(keys->values);
	dph_pool_free(&keys->pool);
}

static struct dp_bucket_view bucket_view(const struct dph_bucket *bucket)
{
	return (struct dp_bucket_view){
		.low = bucket->low,
		.high = bucket->high,
		.is_unsigned = bucket->is_unsigned,
		.below = bucket->below,
		.above = bucket->above,
		.value = bucket->value,
	};
}

/* The buckets of a distribution, from the heap. */
static struct dp_bucket_view *bucket_views(const struct dph_aggregated *row)
{
	struct dp_bucket_view *buckets = dph_malloc((row->bucket_count + 1) * sizeof(*buckets));
	for (size_t i = 0; i < row->bucket_count; i++)
		buckets[i] = bucket_view(&row->buckets[i]);
	return buckets;
}

/* The empty buckets at both sides of a distribution. */
struct beside {
	struct dp_bucket_view first, last;
	bool has_first, has_last;
};

static bool is_on_scale(const struct dph_format_aggregation *a, int64_t n)
{
	return a->function != DPH_AGGREGATE_quantize ||
	       (n >= -POWERS_MAX && n <= POWERS_MAX + !a->is_signed);
}

static struct beside beside(const struct dph_format_aggregation *a,
			    const struct dph_aggregated *row)
{
	const size_t count = row->bucket_count;
	const int64_t below = row->first - 1, above = row->first + (int64_t)count;
	struct beside made = {.has_first = count && !row->buckets[0].below && is_on_scale(a, below),
			      .has_last = count && !row->buckets[count - 1].above &&
					  is_on_scale(a, above)};
	struct dph_bucket bucket;
	if (made.has_first) {
		bucket = dph_aggregate_bucket(a, below);
		made.first = bucket_view(&bucket);
	}
	if (made.has_last) {
		bucket = dph_aggregate_bucket(a, above);
		made.last = bucket_view(&bucket);
	}
	return made;
}

/* The columns that the distributions of all keys share; none: each has a picture. */
struct columns {
	int64_t first, last; /* buckets */
	struct dp_bucket_view ends[2];
	bool there;
};

static struct columns columns_of(const struct dp_formats *formats,
				 const struct dph_format_aggregation *a,
				 const struct dph_aggregated *rows, size_t count)
{
	struct columns columns = {.first = INT64_MAX, .last = INT64_MIN};
	for (size_t i = 0; i < count && rows[i].bucket_count; i++) {
		const int64_t last = rows[i].first + (int64_t)rows[i].bucket_count - 1;
		columns.first = rows[i].first < columns.first ? rows[i].first : columns.first;
		columns.last = last > columns.last ? last : columns.last;
	}
	columns.there = formats->formats.order.packed && columns.first <= columns.last &&
			columns.last - columns.first < COLUMNS_MAX;
	if (columns.there) {
		const struct dph_bucket first = dph_aggregate_bucket(a, columns.first),
					last = dph_aggregate_bucket(a, columns.last);
		columns.ends[0] = bucket_view(&first);
		columns.ends[1] = bucket_view(&last);
	}
	return columns;
}

bool dph_formats_has_units(const struct dp_formats *formats, const struct dph_total *total)
{
	return formats->formats.order.units && total->aggregation->is_time && !total->factor_count;
}

/* "@name[caller, pid]" */
static char *aggregation_text(const struct dph_format_aggregation *a)
{
	char *text = dph_print("@%s", a->name);
	for (size_t i = 0; i < a->key_count; i++) {
		char *longer = dph_print("%s%s%s%s", text, i ? ", " : "[", a->keys[i].text,
					 i + 1 == a->key_count ? "]" : "");
		free(text);
		text = longer;
	}
	return text;
}

/* The rows of counts and distributions count hits; of others only the keys are counted. */
static bool counts_hits(const struct dph_format_aggregation *a)
{
	return !a->increments &&
	       (a->function == DPH_AGGREGATE_count || a->function >= DPH_AGGREGATE_quantize);
}

/* "@[caller]  3.0 s, 6461 hits, 0 lost" */
static char *head_text(const struct dp_formats *formats, const struct dph_total *total,
		       const struct dph_aggregated *rows, size_t count)
{
	const bool hits = counts_hits(total->aggregation);
	char *name = aggregation_text(total->aggregation);
	uint64_t sum = 0;
	for (size_t i = 0; hits && i < count; i++)
		sum += (uint64_t)rows[i].value;
	char *text = dph_print("%s  %.1f s, %llu %s, %llu lost", name, formats->seconds,
			       (unsigned long long)(hits ? sum : count), hits ? "hits" : "key(s)",
			       (unsigned long long)total->dropped);
	free(name);
	return text;
}

/* The value of the longest bar; 0: no bars. Values below 0 have none. */
static uint64_t bar_most(const struct dp_formats *formats, const struct dph_aggregated *rows,
			 size_t count)
{
	uint64_t most = 0;
	for (size_t i = 0; formats->heads && count > 1 && i < count; i++) {
		const uint64_t value = (uint64_t)rows[i].value;
		if ((rows[i].value < 0 && !rows[i].is_unsigned) || rows[i].bucket_count)
			return 0;
		most = value > most ? value : most;
	}
	return most;
}

/* What all rows of a table share. */
struct table {
	const struct dp_formats *formats;
	const struct dph_total *total;
	const struct dph_trends *trends; /* null: not live */
	struct key_list keys;
	struct columns columns;
	const char *head; /* null: none */
	uint64_t bar_most;
};

static void tell_row(const struct table *table, const struct dph_aggregated *row, size_t index,
		     struct dp_sink *sink)
{
	const struct dp_formats *formats = table->formats;
	const struct dph_format_aggregation *a = table->total->aggregation;
	const struct columns *columns = &table->columns;
	struct dp_bucket_view *buckets = bucket_views(row);
	const bool packed = columns->there && row->bucket_count;
	const struct beside sides = beside(a, row);
	char *trend = table->trends ? dph_trend_text(table->trends, a, row) : NULL;
	const struct dp_aggregation_view view = {
		.name = a->name,
		.function = function_names[a->function],
		.keys = (const char *const *)table->keys.texts + index * a->key_count,
		.key_values = table->keys.values + index * a->key_count,
		.key_count = a->key_count,
		.value = row->value,
		.is_unsigned = row->is_unsigned,
		.buckets = buckets,
		.bucket_count = row->bucket_count,
		.key_width = table->keys.width,
		.first = index == 0,
		.head = index == 0 ? table->head : NULL,
		.bar_most = table->bar_most,
		.trend = trend,
		.units = dph_formats_has_units(formats, table->total),
		.summary = formats->formats.order.units,
		.zoomed = formats->formats.order.zoomed,
		.pack_first = packed ? &columns->ends[0] : NULL,
		.pack_last = packed ? &columns->ends[1] : NULL,
		.pack_before = packed ? (size_t)(row->first - columns->first) : 0,
		.pack_after =
			packed ? (size_t)(columns->last - row->first + 1) - row->bucket_count : 0,
		.beside_first = sides.has_first ? &sides.first : NULL,
		.beside_last = sides.has_last ? &sides.last : NULL,
	};
	dp_sink_reading(sink, DP_READING_AGGREGATION, &view);
	free(buckets);
	free(trend);
}

void dph_formats_show_picture(const struct dp_formats *formats, FILE *out,
			      const struct dph_format_aggregation *a,
			      const struct dph_aggregated *row)
{
	struct dp_bucket_view *buckets = bucket_views(row);
	const struct beside sides = beside(a, row);
	const struct dp_aggregation_view view = {
		.name = a->name,
		.function = function_names[a->function],
		.value = row->value,
		.beside_first = sides.has_first ? &sides.first : NULL,
		.beside_last = sides.has_last ? &sides.last : NULL,
		.buckets = buckets,
		.bucket_count = row->bucket_count,
		.zoomed = formats->formats.order.zoomed,
	};
	dph_show_distribution(out, &view);
	free(buckets);
}

static void tell_drop(const char *name, bool array, uint32_t dropped, struct dp_sink *sink)
{
	const struct dp_map_drop_view view = {name, array, dropped};
	if (dropped)
		dp_sink_reading(sink, DP_READING_MAP_DROP, &view);
}

/* trends: null: rates are not printed. */
/* The head is that of all rows, of which `most` are printed. */
static void tell_rows(const struct dp_formats *formats, const struct dph_total *total,
		      struct dph_aggregated *rows, size_t count, size_t most,
		      const struct dph_trends *trends, struct dp_sink *sink)
{
	const struct dph_format_aggregation *a = total->aggregation;
	const bool cut = most > 0 && most < count;
	const bool descends = formats->formats.order.reversed;
	const size_t first = cut && !descends ? count - most : 0;
	const bool headed = formats->seconds > 0 && (formats->heads || trends);
	char *head = headed ? head_text(formats, total, rows, count) : NULL;
	count = cut && descends ? most : count;
	struct table table = {formats,
			      total,
			      trends,
			      key_list(formats, a, rows + first, count - first),
			      columns_of(formats, a, rows + first, count - first),
			      head,
			      bar_most(formats, rows + first, count - first)};
	for (size_t i = 0; i < count - first; i++)
		tell_row(&table, &rows[first + i], i, sink);
	tell_drop(a->name, false, total->dropped, sink);
	free_keys(&table.keys, (count - first) * a->key_count);
	free(head);
}

void dph_formats_tell_total(const struct dp_formats *formats, size_t index, size_t most,
			    struct dp_sink *sink)
{
	size_t count;
	struct dph_aggregated *rows = dph_total_rows(&formats->totals[index], &count);
	tell_rows(formats, &formats->totals[index], rows, count, most, NULL, sink);
	dph_aggregated_free(rows, count);
}

struct dph_aggregated *dph_formats_rows(const struct dp_formats *formats, size_t index,
					size_t *count, uint64_t *dropped)
{
	*dropped = formats->totals[index].dropped;
	return dph_total_rows(&formats->totals[index], count);
}

void dph_formats_rows_free(struct dph_aggregated *rows, size_t count)
{
	dph_aggregated_free(rows, count);
}

char *dph_formats_first_key(const struct dp_formats *formats, size_t index,
			    const struct dph_aggregated *row)
{
	const struct dph_format_record record = dph_formats_namer(formats);
	struct dph_pool pool = {0};
	const struct dp_value key = dph_format_key(
		&record, &pool, &formats->formats.aggregations[index].keys[0], row->keys);
	char *text = dph_value_text(&key);
	dph_pool_free(&pool);
	return text;
}

unsigned dph_formats_first_words(const struct dp_formats *formats, size_t index)
{
	return dph_format_key_words(&formats->formats.aggregations[index].keys[0],
				    formats->program.word_bytes);
}

void dp_formats_add(struct dp_formats *formats, unsigned index, const uint64_t *words,
		    size_t entries, uint32_t dropped)
{
	if (index < formats->formats.aggregation_count)
		dph_total_take(&formats->totals[index], words, entries, dropped);
}

void dp_formats_drop(struct dp_formats *formats, unsigned index, uint32_t dropped)
{
	if (index < formats->formats.array_count)
		formats->drops[index] = dropped;
}

bool dp_formats_acts(const struct dp_formats *formats, unsigned point)
{
	const struct dph_formats *f = &formats->formats;
	if (point >= f->point_count)
		return false;
	const struct dph_format_layout *layout = &f->layouts[f->points[point].layout];
	for (size_t i = 0; i < layout->clause_count; i++)
		for (size_t k = 0; k < layout->clauses[i].action_count; k++)
			if (layout->clauses[i].actions[k].kind >= DPH_ACTION_PRINTA)
				return true;
	return false;
}

/* Words in the byte order of the host, which reads them again: a number of entries, then these, of
 * each aggregation. */
void dp_formats_save(const struct dp_formats *formats, FILE *file)
{
	for (size_t i = 0; i < formats->formats.aggregation_count; i++) {
		const struct dph_total *total = &formats->totals[i];
		/* Words of the host's own mean nothing to another process. */
		const uint64_t count = dph_aggregate_of_host(total->aggregation) ? 0 : total->count;
		fwrite(&count, sizeof(count), 1, file);
		if (count)
			fwrite(total->words, sizeof(*total->words), count * total->each, file);
	}
}

void dp_formats_restore(struct dp_formats *formats, FILE *file)
{
	for (size_t i = 0; i < formats->formats.aggregation_count; i++) {
		struct dph_total *total = &formats->totals[i];
		uint64_t count;
		if (fread(&count, sizeof(count), 1, file) != 1 || count > ENTRIES_MAX)
			return;
		const size_t words = (size_t)count * total->each;
		uint64_t *list = dph_malloc((words + 1) * sizeof(*list));
		const bool whole = fread(list, sizeof(*list), words, file) == words;
		if (whole)
			dph_total_add(total, list, (size_t)count, total->dropped);
		free(list);
		if (!whole)
			return;
	}
}

bool dp_formats_dropped(const struct dp_formats *formats)
{
	for (size_t i = 0; i < formats->formats.aggregation_count; i++)
		if (formats->totals[i].dropped)
			return true;
	for (size_t i = 0; i < formats->formats.array_count; i++)
		if (formats->drops[i])
			return true;
	return false;
}

void dp_formats_tell_drops(struct dp_formats *formats, struct dp_sink *sink)
{
	for (size_t i = 0; i < formats->formats.aggregation_count; i++) {
		struct dph_total *total = &formats->totals[i];
		if (total->dropped != total->told)
			tell_drop(total->aggregation->name, false, total->dropped, sink);
		total->told = total->dropped;
	}
	for (size_t i = 0; i < formats->formats.array_count; i++) {
		if (formats->drops[i] != formats->told[i])
			tell_drop(formats->formats.arrays[i].name, true, formats->drops[i], sink);
		formats->told[i] = formats->drops[i];
	}
}

uint64_t dp_formats_aggrate_ms(const struct dp_formats *formats)
{
	return formats->formats.aggregation_count ? formats->formats.aggrate_ms : 0;
}

bool dp_formats_counts(const struct dp_formats *formats)
{
	const struct dph_formats *f = &formats->formats;
	for (size_t i = 0; i < f->layout_count; i++)
		for (size_t k = 0; k < f->layouts[i].clause_count; k++) {
			const struct dph_format_clause *clause = &f->layouts[i].clauses[k];
			for (size_t n = 0; n < clause->action_count; n++)
				if (clause->actions[n].kind < DPH_ACTION_PRINTA &&
				    clause->actions[n].kind != DPH_ACTION_EXIT)
					return false;
		}
	return f->aggregation_count > 0;
}

/* A handler without clauses in its layout sends nothing but its faults. */
bool dp_formats_records(const struct dp_formats *formats)
{
	const struct dph_formats *f = &formats->formats;
	for (size_t i = 0; i < f->point_count; i++)
		if (strcmp(f->points[i].part[DPH_PROBE_PROVIDER], "dtrace") != 0 &&
		    f->layouts[f->points[i].layout].clause_count > 0)
			return true;
	return false;
}

static void tell_array_drops(const struct dp_formats *formats, struct dp_sink *sink)
{
	for (size_t i = 0; i < formats->formats.array_count; i++)
		tell_drop(formats->formats.arrays[i].name, true, formats->drops[i], sink);
}

void dp_formats_tell_totals(const struct dp_formats *formats, bool all, unsigned long most,
			    struct dp_sink *sink)
{
	for (size_t i = 0; i < formats->formats.aggregation_count; i++)
		if (all || !formats->totals[i].printed)
			dph_formats_tell_total(formats, i, most, sink);
	tell_array_drops(formats, sink);
}

void dp_formats_tell_live(struct dp_formats *formats, uint64_t now_ms, unsigned long most,
			  struct dp_sink *sink)
{
	for (size_t i = 0; i < formats->formats.aggregation_count; i++) {
		const struct dph_total *total = &formats->totals[i];
		size_t count;
		struct dph_aggregated *rows = dph_total_rows(total, &count);
		dph_trends_note(&formats->trends[i], total->aggregation, rows, count, now_ms);
		tell_rows(formats, total, rows, count, most, &formats->trends[i], sink);
		dph_aggregated_free(rows, count);
	}
	tell_array_drops(formats, sink);
}

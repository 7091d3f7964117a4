/* SPDX-License-Identifier: BSD-2-Clause */
/* This file prints aggregations as DTrace prints them: keys at the left, the value at the right,
 * and a picture of a distribution. */
#include "percentile.h"
#include "stack_text.h"
#include "text.h"

#include "base/plain.h"

#include <inttypes.h>
#include <string.h>

enum {
	BAR_COLUMNS = 40,
	SHORT_BAR_COLUMNS = 20, /* behind a value */
	PICTURE_COLUMNS = 64,   /* of its first line */
	TEXT_ROOM = DPH_VALUE_ROOM
};

/* A call stack has lines of its own; what follows begins a new one. */
static void print_stack(FILE *out, const char *lines, bool begun)
{
	if (begun)
		putc('\n', out);
	dph_put_stack_lines(out, lines);
}

/* Returns the number of characters of the last line. */
static size_t print_keys(FILE *out, const struct dp_aggregation_view *view)
{
	size_t printed = 0;
	for (size_t i = 0; i < view->key_count; i++) {
		if (view->key_values != NULL && view->key_values[i].form == DP_VALUE_STACK) {
			print_stack(out, view->keys[i], printed > 0);
			printed = 0;
			continue;
		}
		fputs("  ", out);
		dph_plain_print(view->keys[i], out);
		printed += strlen(view->keys[i]) + 2;
	}
	if ((view->bucket_count == 0 || view->pack_first) && printed > 0)
		for (; printed < view->key_width; printed++)
			putc(' ', out);
	return printed;
}

static double size_of(int64_t value)
{
	return value < 0 ? -(double)value : (double)value;
}

void dph_aggregation_value_text(char *text, size_t room, int64_t value, bool is_unsigned,
				bool units)
{
	static const struct {
		double ns;
		const char *name;
	} rows[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}};
	const double number = is_unsigned ? (double)(uint64_t)value : (double)value;
	const double size = number < 0 ? -number : number;
	for (size_t i = 0; units && i < sizeof(rows) / sizeof(*rows); i++)
		if (size >= rows[i].ns) {
			snprintf(text, room, "%.2f %s", number / rows[i].ns, rows[i].name);
			return;
		}
	if (is_unsigned)
		snprintf(text, room, "%" PRIu64 "%s", (uint64_t)value, units ? " ns" : "");
	else
		snprintf(text, room, "%" PRId64 "%s", value, units ? " ns" : "");
}

/* Negative values stand left of the axis in a picture of their own size. */
static double largest(const struct dp_aggregation_view *view)
{
	double most = 0;
	for (size_t i = 0; i < view->bucket_count; i++)
		if (size_of(view->buckets[i].value) > most)
			most = size_of(view->buckets[i].value);
	return most;
}

static double total(const struct dp_aggregation_view *view)
{
	double sum = 0;
	for (size_t i = 0; i < view->bucket_count; i++)
		sum += size_of(view->buckets[i].value);
	return sum;
}

static void print_bar(FILE *out, int64_t value, double sum)
{
	const double size = size_of(value);
	const int64_t filled = sum > 0 ? (int64_t)(size * BAR_COLUMNS / sum + 0.5) : 0;
	putc('|', out);
	for (int64_t i = 0; i < BAR_COLUMNS; i++)
		putc(i < filled ? '@' : ' ', out);
	fprintf(out, " %" PRId64 "\n", value);
}

/* The bound that is next to 0 names a power of two. */
static int64_t bound(const struct dp_bucket_view *bucket, bool powers)
{
	if (bucket->below)
		return bucket->high;
	return powers && bucket->low < 0 && !bucket->is_unsigned ? bucket->high - 1 : bucket->low;
}

static bool is_powers(const struct dp_aggregation_view *view)
{
	return strcmp(view->function, "quantize") == 0;
}

static void bound_text(char *text, size_t room, const struct dp_bucket_view *bucket,
		       const struct dp_aggregation_view *view)
{
	char value[TEXT_ROOM];
	dph_aggregation_value_text(value, sizeof(value), bound(bucket, is_powers(view)),
				   bucket->is_unsigned, view->units);
	snprintf(text, room, "%s%s", bucket->below ? "< " : bucket->above ? ">= " : "", value);
}

/* "  p50 3.10 us" */
static void percentile_text(char *text, size_t room, const struct dp_aggregation_view *view,
			    unsigned percent)
{
	struct dp_bucket_view found;
	char value[TEXT_ROOM + 4];
	*text = '\0';
	if (!dph_percentile(view->buckets, view->bucket_count, percent, &found))
		return;
	if (found.below || found.above)
		bound_text(value, sizeof(value), &found, view);
	else
		dph_aggregation_value_text(value, sizeof(value), found.low, found.is_unsigned,
					   view->units);
	snprintf(text, room, "  p%u %s", percent, value);
}

/* The number of values and two percentiles end where the first line of the picture ends. */
static void print_summary(FILE *out, const struct dp_aggregation_view *view, size_t printed)
{
	char count[TEXT_ROOM], middle[2 * TEXT_ROOM], most[2 * TEXT_ROOM];
	snprintf(count, sizeof(count), "n %" PRId64, view->value);
	percentile_text(middle, sizeof(middle), view, 50);
	percentile_text(most, sizeof(most), view, 99);
	const size_t wide = printed + 2 + strlen(count) + strlen(middle) + strlen(most);
	fprintf(out, "%*s%s%s%s", wide < PICTURE_COLUMNS ? (int)(PICTURE_COLUMNS - wide) + 2 : 2,
		"", count, middle, most);
}

/* "  |@@@@@" */
static void print_at_signs(FILE *out, const struct dp_aggregation_view *view)
{
	const double part = (double)(uint64_t)view->value / (double)view->bar_most;
	fputs("  |", out);
	for (int i = 0; i < (int)(part * SHORT_BAR_COLUMNS + 0.5); i++)
		putc('@', out);
}

static void print_row(FILE *out, const struct dp_bucket_view *bucket,
		      const struct dp_aggregation_view *view, double sum)
{
	char text[TEXT_ROOM + 4];
	bound_text(text, sizeof(text), bucket, view);
	fprintf(out, "%*s ", DPH_VALUE_COLUMNS, text);
	print_bar(out, bucket->value, sum);
}

/* What the longest bar stands for. */
static double whole(const struct dp_aggregation_view *view)
{
	return view->zoomed ? largest(view) : total(view);
}

/* The darker the character, the larger the bucket; a bucket that is not 0 is no blank. */
static char shade(int64_t value, double sum)
{
	static const char shades[] = " .:-=+*#%@";
	const double size = size_of(value);
	const size_t most = sizeof(shades) - 2;
	if (!value)
		return ' ';
	const size_t index = (size_t)(size * (double)most / sum + 0.5);
	return shades[index < 1 ? 1 : index > most ? most : index];
}

/* The first bucket, a column for each, the last one, and the sum. */
static void print_packed(FILE *out, const struct dp_aggregation_view *view)
{
	const double sum = whole(view);
	char first[TEXT_ROOM + 4], last[TEXT_ROOM + 4];
	bound_text(first, sizeof(first), view->pack_first, view);
	bound_text(last, sizeof(last), view->pack_last, view);
	fprintf(out, "  %*s |%*s", DPH_VALUE_COLUMNS, first, (int)view->pack_before, "");
	for (size_t i = 0; i < view->bucket_count; i++)
		putc(shade(view->buckets[i].value, sum), out);
	fprintf(out, "%*s| %-*s %*" PRId64 "\n", (int)view->pack_after, "", DPH_VALUE_COLUMNS / 2,
		last, DPH_VALUE_COLUMNS / 2, view->value);
}

void dph_show_distribution(FILE *out, const struct dp_aggregation_view *view)
{
	const double sum = whole(view);
	fprintf(out, "\n%*s  ------------- Distribution ------------- count\n", DPH_VALUE_COLUMNS,
		"value");
	if (view->beside_first)
		print_row(out, view->beside_first, view, sum);
	for (size_t i = 0; i < view->bucket_count; i++)
		print_row(out, &view->buckets[i], view, sum);
	if (view->beside_last)
		print_row(out, view->beside_last, view, sum);
}

/* The value, and behind it the trend or the bar. */
static void print_value(FILE *out, const struct dp_aggregation_view *view, const char *value)
{
	fprintf(out, "  %*s", DPH_VALUE_COLUMNS, value);
	if (view->trend)
		fprintf(out, "  %s", view->trend);
	else if (view->bar_most > 0)
		print_at_signs(out, view);
	putc('\n', out);
}

void dph_show_aggregation(FILE *out, const struct dp_aggregation_view *view)
{
	char value[TEXT_ROOM];
	dph_aggregation_value_text(value, sizeof(value), view->value, view->is_unsigned,
				   view->units);
	if (view->first || (view->bucket_count > 0 && !view->pack_first))
		putc('\n', out);
	if (view->head) {
		dph_plain_print(view->head, out);
		putc('\n', out);
	}
	const size_t printed = print_keys(out, view);
	if (view->summary && view->bucket_count > 0 && !view->pack_first)
		print_summary(out, view, printed);
	if (view->pack_first)
		print_packed(out, view);
	else if (view->bucket_count > 0)
		dph_show_distribution(out, view);
	else
		print_value(out, view, value);
}

static const struct {
	const char *kind, *text;
} drops[] = {
	[DP_DROP_UPDATES] = {"dropped", "update(s) dropped: no place was left; #pragma D option "
					"aggsize=N"},
	[DP_DROP_STORES] = {"stores_dropped", "store(s) dropped: no place was left; #pragma D "
					      "option dynvarsize=N"},
	[DP_DROP_RECORDS] = {"speculation_dropped", "record(s) dropped: no room was left in the "
						    "buffer; #pragma D option specsize=N"},
	[DP_DROP_UNAVAILABLE] = {"speculation_unavailable", "time(s) without a free buffer; "
							    "#pragma D option nspec=N"},
	[DP_DROP_BUSY] = {"speculation_busy",
			  "time(s) without a free buffer, while a committed one "
			  "waited to be sent; #pragma D option nspec=N"},
};

const char *dph_drop_kind(enum dp_map_drop kind)
{
	return drops[kind].kind;
}

void dph_show_map_drop(FILE *out, const struct dp_map_drop_view *view)
{
	fprintf(out, "%s%s: %" PRIu32 " %s\n", view->kind == DP_DROP_UPDATES ? "@" : "", view->name,
		view->dropped, drops[view->kind].text);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* This file prints aggregations as DTrace prints them: keys at the left, the value at the right,
 * and a picture of a distribution. */
#include "text.h"

#include "base/plain.h"

#include <inttypes.h>
#include <string.h>

enum {
	BAR_COLUMNS = 40,
	VALUE_COLUMNS = 16
};

static void print_keys(FILE *out, const struct dp_aggregation_view *view)
{
	size_t printed = 0;
	for (size_t i = 0; i < view->key_count; i++) {
		fputs("  ", out);
		dph_plain_print(view->keys[i], out);
		printed += strlen(view->keys[i]) + 2;
	}
	if (view->bucket_count == 0 || view->pack_first)
		for (; printed < view->key_width; printed++)
			putc(' ', out);
}

/* Negative values stand left of the axis in a picture of their own size. */
static int64_t largest(const struct dp_aggregation_view *view)
{
	int64_t most = 0;
	for (size_t i = 0; i < view->bucket_count; i++) {
		const int64_t value = view->buckets[i].value;
		const int64_t size = value < 0 ? -value : value;
		most = size > most ? size : most;
	}
	return most;
}

static int64_t total(const struct dp_aggregation_view *view)
{
	int64_t sum = 0;
	for (size_t i = 0; i < view->bucket_count; i++)
		sum += view->buckets[i].value < 0 ? -view->buckets[i].value
						  : view->buckets[i].value;
	return sum;
}

static void print_bar(FILE *out, int64_t value, int64_t sum)
{
	const int64_t size = value < 0 ? -value : value;
	const int64_t filled = sum ? (int64_t)((double)size * BAR_COLUMNS / (double)sum + 0.5) : 0;
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
	return powers && bucket->low < 0 ? bucket->high - 1 : bucket->low;
}

static void bound_text(char *text, size_t room, const struct dp_bucket_view *bucket, bool powers)
{
	snprintf(text, room, "%s%" PRId64,
		 bucket->below   ? "< "
		 : bucket->above ? ">= "
				 : "",
		 bound(bucket, powers));
}

static void print_row(FILE *out, const struct dp_bucket_view *bucket, bool powers, int64_t sum)
{
	char text[32];
	bound_text(text, sizeof(text), bucket, powers);
	fprintf(out, "%*s ", VALUE_COLUMNS, text);
	print_bar(out, bucket->value, sum);
}

/* What the longest bar stands for. */
static int64_t whole(const struct dp_aggregation_view *view)
{
	const int64_t most = largest(view);
	return view->zoomed || !most ? most : total(view);
}

static bool is_powers(const struct dp_aggregation_view *view)
{
	return strcmp(view->function, "quantize") == 0;
}

/* The darker the character, the larger the bucket; a bucket that is not 0 is no blank. */
static char shade(int64_t value, int64_t sum)
{
	static const char shades[] = " .:-=+*#%@";
	const int64_t size = value < 0 ? -value : value;
	const size_t most = sizeof(shades) - 2;
	if (!size || !sum)
		return ' ';
	const size_t index = (size_t)((double)size * (double)most / (double)sum + 0.5);
	return shades[index < 1 ? 1 : index > most ? most : index];
}

/* The first bucket, a column for each, the last one, and the sum. */
static void print_packed(FILE *out, const struct dp_aggregation_view *view)
{
	const int64_t sum = whole(view);
	char first[32], last[32];
	bound_text(first, sizeof(first), view->pack_first, is_powers(view));
	bound_text(last, sizeof(last), view->pack_last, is_powers(view));
	fprintf(out, "  %*s |%*s", VALUE_COLUMNS, first, (int)view->pack_before, "");
	for (size_t i = 0; i < view->bucket_count; i++)
		putc(shade(view->buckets[i].value, sum), out);
	fprintf(out, "%*s| %-*s %*" PRId64 "\n", (int)view->pack_after, "", VALUE_COLUMNS / 2, last,
		VALUE_COLUMNS / 2, view->value);
}

void dph_show_distribution(FILE *out, const struct dp_aggregation_view *view)
{
	const int64_t sum = whole(view);
	const bool powers = is_powers(view);
	fprintf(out, "\n%*s  ------------- Distribution ------------- count\n", VALUE_COLUMNS,
		"value");
	for (size_t i = 0; i < view->bucket_count; i++)
		print_row(out, &view->buckets[i], powers, sum);
}

void dph_show_aggregation(FILE *out, const struct dp_aggregation_view *view)
{
	if (view->first || (view->bucket_count > 0 && !view->pack_first))
		putc('\n', out);
	print_keys(out, view);
	if (view->pack_first)
		print_packed(out, view);
	else if (view->bucket_count > 0)
		dph_show_distribution(out, view);
	else
		fprintf(out, "  %*" PRId64 "%s%s\n", VALUE_COLUMNS, view->value,
			view->trend ? "  " : "", view->trend ? view->trend : "");
}

void dph_show_map_drop(FILE *out, const struct dp_map_drop_view *view)
{
	if (view->array)
		fprintf(out,
			"%s: %" PRIu32
			" store(s) dropped: no place was left; #pragma D option dynvarsize=N\n",
			view->name, view->dropped);
	else
		fprintf(out,
			"@%s: %" PRIu32
			" update(s) dropped: no place was left; #pragma D option aggsize=N\n",
			view->name, view->dropped);
}

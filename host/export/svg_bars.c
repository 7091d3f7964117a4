/* SPDX-License-Identifier: BSD-2-Clause */
/* Bars of the latest values of aggregations. */
#include "svg_bars.h"

#include "svg_draw.h"

#include "base/pool.h"
#include "present/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	HEADING = 34,
	GROUP = 26, /* height of the name of a group */
	VALUES = 90 /* width of the values behind the bars */
};

static char *joined_keys(const struct dp_aggregation_view *view)
{
	char *text = dph_strdup("");

	for (size_t i = 0; i < view->key_count; i++) {
		char *longer = dph_print("%s%s%s", text, i > 0 ? ", " : "", view->keys[i]);

		free(text);
		text = longer;
	}
	return text;
}

char *dph_bars_key(const struct dp_aggregation_view *view)
{
	char *keys = joined_keys(view);
	char *name = view->key_count > 0 ? dph_print("@%s[%s]", view->name, keys)
					 : dph_print("@%s", view->name);

	free(keys);
	return name;
}

char *dph_bars_bucket(const struct dp_bucket_view *bucket)
{
	if (bucket->below)
		return dph_print("below %" PRId64, bucket->high);
	if (bucket->above && bucket->is_unsigned)
		return dph_print("%" PRIu64 " and more", (uint64_t)bucket->low);
	if (bucket->above)
		return dph_print("%" PRId64 " and more", bucket->low);
	if (bucket->is_unsigned)
		return dph_print("[%" PRIu64 ", %" PRIu64 ")", (uint64_t)bucket->low,
				 (uint64_t)bucket->high);
	return dph_print("[%" PRId64 ", %" PRId64 ")", bucket->low, bucket->high);
}

/* Behind the most bars there are no new ones, and no new groups. */
static void put(struct dph_bars *bars, const char *group, const char *name, double value,
		const char *text)
{
	const bool is_full = bars->names.count >= DPH_BARS_MAX;
	const size_t in = is_full ? dph_name_index_find(&bars->groups.index, 0, group)
				  : dph_intern(&bars->groups, group);
	size_t at = DPH_NAME_NONE;

	if (!is_full)
		at = dph_intern_in(&bars->names, in, name);
	else if (in != DPH_NAME_NONE)
		at = dph_name_index_find(&bars->names.index, in, name);
	if (at == DPH_NAME_NONE) {
		bars->left_out++;
		return;
	}
	free(bars->bars[at].text);
	bars->bars[at] = (struct dph_bar){in, value, dph_strdup(text)};
}

static void put_buckets(struct dph_bars *bars, const struct dp_aggregation_view *view)
{
	char *key = dph_bars_key(view);
	char *group = dph_print("%s %s", key, view->function);
	char text[DPH_VALUE_ROOM];

	for (size_t i = 0; i < view->bucket_count; i++) {
		char *name = dph_bars_bucket(&view->buckets[i]);

		snprintf(text, sizeof text, "%" PRId64, view->buckets[i].value);
		put(bars, group, name, (double)view->buckets[i].value, text);
		free(name);
	}
	free(group);
	free(key);
}

void dph_bars_add(struct dph_bars *bars, const struct dp_aggregation_view *view)
{
	char text[DPH_VALUE_ROOM];
	char *group, *name;

	if (view->bucket_count > 0) {
		put_buckets(bars, view);
		return;
	}
	dph_aggregation_value_text(text, sizeof text, view->value, view->is_unsigned, view->units);
	group = dph_print("@%s %s", view->name, view->function);
	name = joined_keys(view);
	put(bars, group, name,
	    view->is_unsigned ? (double)(uint64_t)view->value : (double)view->value, text);
	free(group);
	free(name);
}

double dph_bars_height(const struct dph_bars *bars)
{
	if (bars->names.count == 0)
		return 0;
	return HEADING + (double)bars->groups.count * GROUP +
	       (double)(bars->names.count + (bars->left_out > 0)) * DPH_SVG_ROW;
}

static double size_of(double value)
{
	return value < 0 ? -value : value;
}

static double most_of(const struct dph_bars *bars, size_t group)
{
	double most = 0;

	for (size_t i = 0; i < bars->names.count; i++)
		if (bars->bars[i].group == group && size_of(bars->bars[i].value) > most)
			most = size_of(bars->bars[i].value);
	return most;
}

/* The bars of a group, from y on. Returns the y behind. */
static double draw_group(const struct dph_bars *bars, FILE *out, size_t group, double y)
{
	const double most = most_of(bars, group);
	const double room = DPH_SVG_RIGHT - DPH_SVG_LEFT - VALUES;

	dph_svg_text(out, DPH_SVG_LEFT, y + 18, "start", 120, bars->groups.names[group]);
	y += GROUP;
	for (size_t i = 0; i < bars->names.count; i++) {
		const struct dph_bar *bar = &bars->bars[i];
		const double width = most > 0 ? size_of(bar->value) / most * room : 0;

		if (bar->group != group)
			continue;
		dph_svg_text(out, DPH_SVG_LEFT - 8, y + 12, "end", DPH_SVG_LABEL,
			     bars->names.names[i]);
		dph_svg_rect(out, DPH_SVG_LEFT, y + 1, width, DPH_SVG_ROW - 4,
			     bar->value < 0 ? "#d62728" : "#4e79a7", NULL);
		dph_svg_text(out, DPH_SVG_LEFT + width + 6, y + 12, "start", 30, bar->text);
		y += DPH_SVG_ROW;
	}
	return y;
}

void dph_bars_draw(const struct dph_bars *bars, FILE *out, double y)
{
	char text[64];

	dph_svg_heading(out, y + 18, "Histogram");
	y += HEADING;
	for (size_t group = 0; group < bars->groups.count; group++)
		y = draw_group(bars, out, group, y);
	snprintf(text, sizeof text, "%zu more values found no room", bars->left_out);
	if (bars->left_out > 0)
		dph_svg_text(out, DPH_SVG_LEFT, y + 12, "start", 80, text);
}

void dph_bars_free(struct dph_bars *bars)
{
	for (size_t i = 0; i < bars->names.count && i < DPH_BARS_MAX; i++)
		free(bars->bars[i].text);
	dph_interned_free(&bars->groups);
	dph_interned_free(&bars->names);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The export flame: a picture of call stacks. Each function stands on its caller, as wide as its
 * share of the stacks; functions of one caller stand in the order of their names. */
#define _GNU_SOURCE
#include "exports.h"
#include "stacks.h"
#include "svg_draw.h"

#include "base/pool.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	HEADING = 30, /* above the innermost functions */
	FOOT = 46,    /* below the outermost ones */
	MARGIN = 10,  /* left and right */
	LETTER = 7,   /* width of a character, about */
	LABEL = 3     /* characters that a label needs at least */
};

static const double narrowest = 0.2; /* what is less wide is not drawn */

/* --- the picture ---------------------------------------------------------------------------- */

struct flame {
	const struct dph_stacks *stacks;
	FILE *out;
	size_t *order;  /* nodes by their caller, and then by name */
	double *x;      /* of each node; below 0: not placed */
	double bottom;  /* of the outermost functions */
	size_t narrow;  /* functions that are not drawn */
	double a_stack; /* width of one */
};

static int by_caller(const void *a, const void *b, void *context)
{
	const struct dph_stacks *stacks = context;
	const size_t left = *(const size_t *)a, right = *(const size_t *)b;
	/* The outermost ones have the number 0 here. */
	const size_t one = stacks->nodes[left].caller + 1, other = stacks->nodes[right].caller + 1;

	if (one != other)
		return one < other ? -1 : 1;
	return strcmp(stacks->names.names[left], stacks->names.names[right]);
}

/* Equal names have one colour in each place: a warm one. */
static const char *colour_of(const char *name, char room[8])
{
	uint32_t hash = 2166136261u; /* FNV-1a */

	for (; *name != '\0'; name++)
		hash = (hash ^ (uint8_t)*name) * 16777619u;
	snprintf(room, 8, "#%02x%02x%02x", 215 + hash % 40, 80 + hash / 40 % 130, hash / 5200 % 60);
	return room;
}

static void draw_node(struct flame *flame, size_t node, double x)
{
	const struct dph_stack_node *at = &flame->stacks->nodes[node];
	const char *name = flame->stacks->names.names[node];
	const double width = (double)at->count * flame->a_stack;
	const double y = flame->bottom - (at->depth + 1) * (double)DPH_SVG_ROW;
	const size_t letters = (size_t)(width / LETTER);
	char room[8], *title;

	if (width < narrowest) {
		flame->narrow++;
		return;
	}
	title = dph_print("%s: %" PRIu64 " of %" PRIu64 " (%.1f %%), itself %" PRIu64, name,
			  at->count, flame->stacks->count,
			  100.0 * (double)at->count / (double)flame->stacks->count, at->own);
	dph_svg_rect(flame->out, x, y, width > 1 ? width - 0.5 : width, DPH_SVG_ROW - 1,
		     colour_of(name, room), title);
	free(title);
	if (letters >= LABEL)
		dph_svg_text(flame->out, x + 3, y + 13, "start", letters - 2, name);
}

/* A caller comes before its functions in `order`, because its number is lower. */
static void draw_nodes(struct flame *flame)
{
	const struct dph_stacks *stacks = flame->stacks;
	size_t caller = DPH_STACK_NONE;
	double next = MARGIN;

	for (size_t i = 0; i < stacks->names.count; i++) {
		const size_t node = flame->order[i];

		if (stacks->nodes[node].caller != caller) {
			caller = stacks->nodes[node].caller;
			next = flame->x[caller];
		}
		flame->x[node] = next;
		draw_node(flame, node, next);
		next += (double)stacks->nodes[node].count * flame->a_stack;
	}
}

static unsigned deepest(const struct dph_stacks *stacks)
{
	unsigned depth = 0;

	for (size_t i = 0; i < stacks->names.count; i++)
		depth = stacks->nodes[i].depth + 1 > depth ? stacks->nodes[i].depth + 1 : depth;
	return depth;
}

/* What the picture leaves out, a sentence each that applies. */
static void draw_foot(const struct flame *flame)
{
	const struct dph_stacks *stacks = flame->stacks;
	const struct {
		uint64_t count;
		const char *text;
	} rows[] = {
		{flame->narrow, "functions are too narrow to be drawn"},
		{stacks->cut, "stacks are cut"},
		{stacks->lost, "records were lost"},
		{stacks->without, "records have no call stack"},
	};
	char *text = dph_strdup("");

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *longer;

		if (rows[i].count == 0)
			continue;
		longer = dph_print("%s%s%" PRIu64 " %s", text, *text != '\0' ? "; " : "",
				   rows[i].count, rows[i].text);
		free(text);
		text = longer;
	}
	dph_svg_text(flame->out, MARGIN, flame->bottom + 18, "start", 190, text);
	free(text);
	text = dph_print("the first cut one: %s", stacks->why != NULL ? stacks->why : "");
	if (stacks->why != NULL)
		dph_svg_text(flame->out, MARGIN, flame->bottom + 34, "start", 190, text);
	free(text);
}

static void draw(const struct dph_stacks *stacks, FILE *out)
{
	const size_t count = stacks->names.count;
	struct flame flame = {
		.stacks = stacks,
		.out = out,
		.order = dph_malloc((count + 1) * sizeof *flame.order),
		.x = dph_malloc((count + 1) * sizeof *flame.x),
		.bottom = HEADING + deepest(stacks) * (double)DPH_SVG_ROW,
		.a_stack = (double)(DPH_SVG_WIDTH - 2 * MARGIN) / (double)stacks->count,
	};
	char *heading = dph_print("%" PRIu64 " call stacks", stacks->count);

	for (size_t i = 0; i < count; i++)
		flame.order[i] = i;
	qsort_r(flame.order, count, sizeof *flame.order, by_caller, (void *)(uintptr_t)stacks);
	dph_svg_begin(out, flame.bottom + FOOT);
	dph_svg_text(out, MARGIN, 18, "start", 80, heading);
	draw_nodes(&flame);
	draw_foot(&flame);
	dph_svg_end(out);
	free(heading);
	free(flame.order);
	free(flame.x);
}

static void draw_nothing(FILE *out)
{
	dph_svg_begin(out, 40);
	dph_svg_text(out, MARGIN, 24, "start", 80,
		     "There is no record with a call stack: stack().");
	dph_svg_end(out);
}

static bool end(struct dp_sink *sink)
{
	struct dph_stacks *stacks = sink->state;

	if (stacks->count > 0)
		draw(stacks, sink->options.out);
	else
		draw_nothing(sink->options.out);
	dph_stacks_free(stacks);
	return fflush(sink->options.out) == 0;
}

extern const struct dp_sink_kind dph_export_flame;
const struct dp_sink_kind dph_export_flame = {
	.name = "flame",
	.tables = 1u << DP_TABLE_RECORDS,
	.state_bytes = sizeof(struct dph_stacks),
	.begin = dph_stacks_begin,
	.record = dph_stacks_record,
	.gap = dph_stacks_gap,
	.end = end,
};

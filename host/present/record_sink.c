/* SPDX-License-Identifier: BSD-2-Clause */
/* The sink passes data to the functions of a format and drops data without such a function. */
#include <dprobes/record_sink.h>

#include <dprobes/formats.h>
#include <dprobes/host.h>
#include <dprobes/templates.h>

#include "base/pool.h"
#include "dp_record.h"
#include "made.h"
#include "sink_points.h"

#include <stdlib.h>
#include <string.h>

#define SINK(name) extern const struct dp_sink_kind dph_sink_##name;
#include "sink_kinds.def"

const struct dp_sink_kind *const dp_sink_kinds[] = {
#define SINK(name) &dph_sink_##name,
#include "sink_kinds.def"
};
const size_t dp_sink_kind_count = sizeof dp_sink_kinds / sizeof dp_sink_kinds[0];

const struct dp_sink_kind *dp_sink_kind_named(const char *name)
{
	for (size_t i = 0; i < dp_sink_kind_count; i++)
		if (strcmp(dp_sink_kinds[i]->name, name) == 0)
			return dp_sink_kinds[i];
	return NULL;
}

struct dp_sink *dp_sink_open(const struct dp_sink_kind *kind, const struct dp_sink_options *options)
{
	struct dp_sink *sink = calloc(1, sizeof *sink);
	void *state = calloc(1, kind->state_bytes + 1);

	if (sink == NULL || state == NULL) {
		free(sink);
		free(state);
		return NULL;
	}
	*sink = (struct dp_sink){.kind = kind, .options = *options, .state = state, .seconds = -1};
	if (kind->begin != NULL)
		kind->begin(sink);
	return sink;
}

bool dp_sink_line(struct dp_sink *sink, const char *text, size_t count)
{
	return sink->kind->line == NULL || sink->kind->line(sink, text, count);
}

bool dp_sink_record(struct dp_sink *sink, const struct dp_record_view *record)
{
	const bool good = dph_sink_point(sink, record);

	return (sink->kind->record == NULL || sink->kind->record(sink, record)) && good;
}

bool dp_sink_gap(struct dp_sink *sink, const struct dp_gap *gap)
{
	return sink->kind->gap == NULL || sink->kind->gap(sink, gap);
}

bool dp_sink_notice(struct dp_sink *sink, const struct dp_notice_view *notice)
{
	return sink->kind->notice == NULL || sink->kind->notice(sink, notice);
}

bool dp_sink_reading(struct dp_sink *sink, enum dp_reading_kind kind, const void *view)
{
	return sink->kind->reading == NULL || sink->kind->reading(sink, kind, view);
}

bool dp_sink_console(struct dp_sink *sink, const uint8_t *text, size_t count)
{
	return sink->kind->console == NULL || sink->kind->console(sink, text, count);
}

bool dp_sink_close(struct dp_sink *sink)
{
	bool good;

	if (sink == NULL)
		return true;
	good = sink->kind->end == NULL || sink->kind->end(sink);
	good = !ferror(sink->options.out) && good;
	free(sink->state);
	free(sink->told);
	free(sink);
	return good;
}

/* --- words --- */

/* Does the object of the program say that the data is words? */
static bool is_words(const struct dp_record_style *style, const struct dp_log_record *r)
{
	return style->object != NULL && r->probe != NULL && !r->cut &&
	       r->head.kind == DP_RECORD_LOG && r->bytes % style->word_bytes == 0 &&
	       dp_object_words(style->object, r->probe->point);
}

static uint64_t word_at(const struct dp_record_style *style, const uint8_t *data)
{
	uint64_t word = 0;

	for (unsigned i = 0; i < style->word_bytes; i++)
		word = word << 8 | data[style->big_endian ? i : style->word_bytes - 1 - i];
	return word;
}

static void fill_words(struct dp_record_view *view, const struct dp_record_style *style)
{
	const struct dp_log_record *r = view->record;
	char text[DP_NAME_ROOM];

	if (!is_words(style, r))
		return;
	view->word_count = r->bytes / style->word_bytes;
	view->words = dph_malloc((view->word_count + 1) * sizeof *view->words);
	for (size_t i = 0; i < view->word_count; i++)
		view->words[i] = word_at(style, r->data + i * style->word_bytes);
	if (style->names == NULL)
		return;
	view->word_texts = dph_malloc((view->word_count + 1) * sizeof(char *));
	for (size_t i = 0; i < view->word_count; i++)
		view->word_texts[i] = dph_strdup(dp_image_word(style->names, view->words[i], text));
}

/* --- views --- */

/* --- records of a program that prints them itself --- */

enum {
	COLUMNS_OF_FLOW = 40,
	COLUMNS_OF_PROBE = 32
};

/* The line above the columns, as DTrace prints it. */
static const char *column_names(const struct dp_record_style *style)
{
	return dp_formats_has_flow(style->formats) ? "CPU FUNCTION"
						   : "CPU     ID                    FUNCTION:NAME";
}

static char *columns_text(const struct dp_record_style *style, const struct dp_log_record *r)
{
	const char *probe = dp_formats_probe(style->formats, r->probe->point, false);
	char *flow = dp_formats_flow(style->formats, r->probe->point, r->cpu);

	if (flow != NULL) {
		char *columns = dph_print("%3u %-*s ", r->cpu, COLUMNS_OF_FLOW, flow);

		free(flow);
		return columns;
	}
	return dph_print("%3u %6u %*s ", r->cpu, r->probe->point + 1u, COLUMNS_OF_PROBE, probe);
}

/* The formats of the record's program; null: it has none, or they are not known. */
static const struct dp_formats *formats_of(const struct dp_record_style *style,
					   const struct dp_log_record *r)
{
	return r->probe != NULL && r->probe->program == style->program ? style->formats : NULL;
}

/* False: the record is of another program, or its data is not as the formats say. */
static bool formatted(struct dp_record_view *view, const struct dp_record_style *style,
		      const struct dp_log_record *r)
{
	struct dp_formats_record said;
	struct dp_record_made *made;

	if (formats_of(style, r) == NULL || r->cut || r->head.kind != DP_RECORD_LOG)
		return false;
	said = (struct dp_formats_record){
		.point = r->probe->point,
		.data = r->data,
		.bytes = r->bytes,
		.exception = (r->head.flags & DP_RECORD_EXCEPTION) != 0,
		.exception_code = r->fault.exception,
		.parameter = r->fault.parameter,
		.budget = (r->head.flags & DP_RECORD_BUDGET) != 0,
		.seconds_known = r->ticks_known && style->hz != 0,
		.seconds = style->hz != 0 ? (double)r->ticks / style->hz : 0,
		.began_ns = style->began_ns,
		.again = style->again,
	};
	made = dph_made_read(style->formats, &said);
	if (made == NULL)
		return false;
	*view = (struct dp_record_view){
		.record = r,
		.word_bytes = style->word_bytes,
		.hz = style->hz,
		.desc = dp_formats_probe(style->formats, r->probe->point, true),
		.own = true,
		.columns = style->bare ? NULL : columns_text(style, r),
		.column_names = column_names(style),
		.status = made->status,
		.left_out = made->recorded.left_out || made->recorded.counted,
		.counted = made->recorded.counted,
		.values = made->recorded.values,
		.value_count = made->recorded.count,
		.formats = style->formats,
		.made = made,
		.began_ns = style->began_ns,
	};
	return true;
}

void dp_record_view_read(struct dp_record_view *view, const struct dp_record_style *style,
			 const struct dp_log_record *record)
{
	const struct dp_templates *templates = dph_templates_for(style, record);

	if (formatted(view, style, record))
		return;
	*view = (struct dp_record_view){
		.record = record,
		.word_bytes = style->word_bytes,
		.hz = style->hz,
		.desc = dp_template_desc(templates, record->major, record->minor),
		.names = style->names,
		.object = style->object,
		.status = -1,
		.formats = formats_of(style, record),
		.began_ns = style->began_ns,
		.made = dph_made_plain(style, record),
	};
	fill_words(view, style);
}

/* A view of another maker has its texts alone. */
const char *dp_record_view_text(const struct dp_record_view *view)
{
	return view->text != NULL || view->made == NULL ? view->text : dph_made_text(view->made);
}

const char *dp_record_view_args(const struct dp_record_view *view)
{
	return view->args != NULL || view->made == NULL ? view->args : dph_made_args(view->made);
}

static char *copy_of(const char *text)
{
	return text != NULL ? dph_strdup(text) : NULL;
}

void dp_record_view_fill(struct dp_record_view *view, const struct dp_record_style *style,
			 const struct dp_log_record *record)
{
	dp_record_view_read(view, style, record);
	view->text = copy_of(dp_record_view_text(view));
	view->args = copy_of(dp_record_view_args(view));
}

void dp_record_view_free(struct dp_record_view *view)
{
	for (size_t i = 0; view->word_texts != NULL && i < view->word_count; i++)
		free(view->word_texts[i]);
	free(view->word_texts);
	free(view->words);
	free(view->text);
	free(view->columns);
	free(view->args);
	dph_made_free(view->made);
}

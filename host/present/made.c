/* SPDX-License-Identifier: BSD-2-Clause */
/* Values of a record, and the texts that sinks make of them. */
#define _GNU_SOURCE
#include "made.h"

#include "fault_text.h"

#include <dprobes/templates.h>

#include "dp_record.h"
#include "record_text.h"
#include "value_json.h"

#include <stdlib.h>
#include <string.h>

/* --- life ---------------------------------------------------------------------------------- */

static struct dp_record_made *take(struct dp_formats *formats)
{
	struct dp_record_made *made = formats->waiting;
	if (!made)
		made = dph_malloc(sizeof(*made));
	formats->waiting = made->next;
	made->next = NULL;
	made->formats = formats;
	return made;
}

static void give_back(struct dp_record_made *made)
{
	struct dp_formats *formats = made->formats;
	struct dph_pool pool = made->pool;
	dph_pool_next_job(&pool);
	*made = (struct dp_record_made){.next = formats->waiting, .pool = pool};
	formats->waiting = made;
}

void dph_made_free(struct dp_record_made *made)
{
	if (!made)
		return;
	free(made->text);
	free(made->args);
	if (made->formats)
		give_back(made);
	else
		free(made);
}

void dph_made_free_all(struct dp_formats *formats)
{
	while (formats->waiting) {
		struct dp_record_made *made = formats->waiting;
		formats->waiting = made->next;
		dph_pool_free(&made->pool);
		free(made);
	}
}

/* --- records of a program ------------------------------------------------------------------ */

/* What an act prints is kept for the text: later acts of the record change the aggregations. */
static void do_act(struct dp_record_made *made, struct dph_action *action)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);
	if (!out)
		return;
	dph_formats_act(made->formats, out, action->act);
	fclose(out);
	if (bytes)
		action->printed = dph_pool_copy(&made->pool, text, bytes);
	free(text);
}

/* again: the updates of the record were done. */
static void do_acts(struct dp_record_made *made, bool again)
{
	for (struct dph_action *a = made->recorded.actions; a; a = a->next)
		if (a->act)
			do_act(made, a);
		else if (!a->fault && a->kind == DPH_ACTION_COUNT && !again)
			dph_formats_count(made->formats, a);
		else if (!a->fault && a->kind == DPH_ACTION_EXIT)
			made->status = (int)(a->values[0]->number & 0xff);
}

struct dp_record_made *dph_made_read(const struct dp_formats *formats,
				     const struct dp_formats_record *record)
{
	struct dp_record_made *made = take((struct dp_formats *)(uintptr_t)formats);
	const struct dph_format_record data = dph_formats_data(formats, record);
	const bool read = !record->budget && dph_format_read(&data, &made->pool, &made->recorded);
	made->point = record->point;
	made->status = -1;
	made->budget = record->budget;
	made->exception = record->exception_code;
	made->parameter = record->parameter;
	made->early = !read;
	if (read) {
		do_acts(made, record->again);
		return made;
	}
	made->recorded = (struct dph_recorded){0};
	if (record->exception || record->budget)
		return made;
	dph_made_free(made);
	return NULL;
}

/* A handler that ended early has no data. */
static char *early_text(const struct dp_record_made *made)
{
	const char *probe = dp_formats_probe(made->formats, made->point, true);
	char *reason = made->exception ? dph_fault_reason(made->exception, made->parameter) : NULL;
	char *text = dph_print(
		"error on enabled probe ID %u (%s): %s\n", made->point + 1, probe ? probe : "?",
		made->budget ? "the step budget ended the handler; its data is dropped"
		: reason     ? reason
			     : "an exception ended the handler, such as an invalid "
			       "address or a division by zero");
	free(reason);
	return text;
}

/* --- records by templates ------------------------------------------------------------------ */

struct dp_record_made *dph_made_plain(const struct dp_record_style *style,
				      const struct dp_log_record *record)
{
	if (!style->templates && !style->names)
		return NULL;
	struct dp_record_made *made = dph_malloc(sizeof(*made));
	made->style = *style;
	made->record = record;
	made->status = -1;
	return made;
}

/* Null: without templates; a stack trace has a text with names. */
static char *template_text(const struct dp_record_style *style, const struct dp_log_record *r)
{
	const struct dp_template_record record = {
		.major = r->major,
		.minor = r->minor,
		.data = r->data,
		.bytes = r->bytes,
		.word_bytes = style->word_bytes,
		.big_endian = style->big_endian,
		.leftover = style->leftover,
		.names = style->names,
		.object = style->names ? style->object : NULL,
	};
	if (r->head.kind == DP_RECORD_TRACE)
		return dp_template_trace(&record);
	if (!style->templates)
		return NULL;
	return dp_template_text(dph_templates_for(style, r), &record);
}

const struct dp_templates *dph_templates_for(const struct dp_record_style *style,
					     const struct dp_log_record *r)
{
	const bool known = r->probe && !r->cut && r->head.kind == DP_RECORD_LOG;
	return known ? style->templates : NULL;
}

/* --- texts --------------------------------------------------------------------------------- */

const char *dph_made_text(struct dp_record_made *made)
{
	if (made->text_made)
		return made->text;
	made->text_made = true;
	made->text = !made->formats ? template_text(&made->style, made->record)
		     : made->early  ? early_text(made)
				   : dph_recorded_text(made->formats, made->point, &made->recorded);
	return made->text;
}

const char *dph_made_args(struct dp_record_made *made)
{
	if (made->args_made)
		return made->args;
	made->args_made = true;
	if (made->formats)
		made->args = dph_values_json(made->recorded.values, made->recorded.count);
	return made->args;
}

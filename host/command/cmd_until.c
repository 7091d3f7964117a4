/* SPDX-License-Identifier: BSD-2-Clause */
/* The search of --until matches an expression with texts of records, notices and console lines. */
#define _GNU_SOURCE
#include "cmd_until.h"

#include "base/pool.h"
#include "present/text.h"

#include <stdlib.h>
#include <string.h>

bool dph_until_init(struct dph_until *until, const struct dph_cli *cli, int *status)
{
	memset(until, 0, sizeof *until);
	if (cli->until == NULL)
		return true;
	if (regcomp(&until->text, cli->until, REG_EXTENDED | REG_NOSUB) != 0) {
		*status =
			dph_cli_usage(cli, "--until: '%s' is not a regular expression", cli->until);
		return false;
	}
	until->wanted = true;
	return true;
}

void dph_until_free(struct dph_until *until)
{
	if (until->wanted)
		regfree(&until->text);
}

static bool looking(const struct dph_until *until)
{
	return until->wanted && !until->seen;
}

static void look_at(struct dph_until *until, const char *text)
{
	if (looking(until) && regexec(&until->text, text, 0, NULL, 0) == 0)
		until->seen = true;
}

static void look_at_lines(struct dph_until *until, char *text)
{
	char *rest = NULL;

	for (char *line = strtok_r(text, "\n", &rest); line != NULL;
	     line = strtok_r(NULL, "\n", &rest))
		look_at(until, line);
}

/* Codes, items and data in the notation of the text format. */
static void look_at_line(struct dph_until *until, const struct dp_record_view *record)
{
	char *line = NULL;
	size_t bytes;
	FILE *out = open_memstream(&line, &bytes);

	if (out == NULL)
		return;
	dph_show_record_head(out, record);
	dph_show_record_data(out, record);
	fclose(out);
	look_at(until, line);
	free(line);
}

/* The line without names; with names, that line too. */
static void look_at_fields(struct dph_until *until, const struct dp_record_view *record)
{
	struct dp_record_view plain = *record;

	plain.names = NULL;
	plain.word_texts = NULL;
	look_at_line(until, &plain);
	if (record->names != NULL)
		look_at_line(until, record);
}

void dph_until_record(struct dph_until *until, const struct dp_record_view *record)
{
	const unsigned flags = record->record->head.flags;
	const char *made;
	char *text;

	if (!looking(until))
		return;
	look_at_fields(until, record);
	for (const struct dph_flag_sentence *f = dph_flag_sentences; f->sentence != NULL; f++)
		if (flags & f->flag)
			look_at(until, f->sentence);
	made = dp_record_view_text(record);
	if (made == NULL)
		return;
	if (record->desc != NULL)
		look_at(until, record->desc);
	text = dph_strdup(made);
	look_at_lines(until, text);
	free(text);
}

void dph_until_notice(struct dph_until *until, const struct dp_notice_view *notice)
{
	char *line = NULL;
	size_t bytes;
	FILE *out = looking(until) ? open_memstream(&line, &bytes) : NULL;

	if (out == NULL)
		return;
	dph_show_notice(out, notice);
	fclose(out);
	look_at_lines(until, line);
	free(line);
}

/* Look at the text of a line. */
static void look_at_console(struct dph_until *until)
{
	until->line[until->line_used] = '\0';
	if (looking(until) && regexec(&until->text, until->line, 0, NULL, 0) == 0)
		until->seen = true;
}

void dph_until_console(struct dph_until *until, const uint8_t *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const bool text = dph_escape_next(&until->escape, bytes[i]) == DPH_ESCAPE_NONE;

		if (text && bytes[i] != '\n' && bytes[i] != '\r' && bytes[i] != '\0')
			until->line[until->line_used++] = (char)bytes[i];
		if (bytes[i] != '\n' && until->line_used < sizeof until->line - 1)
			continue;
		look_at_console(until);
		until->line_used = 0;
	}
	until->fresh = until->line_used > 0;
}

void dph_until_pause(struct dph_until *until)
{
	if (!until->fresh && until->line_used > 0)
		look_at_console(until);
	until->fresh = false;
}

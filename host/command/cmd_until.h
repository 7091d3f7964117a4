/* SPDX-License-Identifier: BSD-2-Clause */
/* --until stops a command when fields of a record, a notice, or a line of the console match. The
 * format of the output has no influence.
 * Texts of a record, each matched alone: codes, items and data as one line ("DProbes(3,9) pid=4
 * 01ff"), with names also as a line with names; the sentence of each flag; the description of
 * its template; each line of the template's text.
 * Text of a notice: its sentence and arguments as one line ("notice: the agent started: boot 2,
 * 0 site(s) restored"). */
#ifndef DPH_CMD_UNTIL_H
#define DPH_CMD_UNTIL_H

#include "base/escape.h"
#include "cli.h"

#include <regex.h>

struct dph_until {
	bool wanted, seen;
	regex_t text;
	char line[512]; /* of the console, as far as it has come, without escape sequences */
	size_t line_used;
	struct dph_escape escape;
	bool fresh; /* the line has grown since the last pause */
};

/* Compile the expression. Returns false with *status set when the expression is not valid. */
bool dph_until_init(struct dph_until *until, const struct dph_cli *cli, int *status);
void dph_until_free(struct dph_until *until);

void dph_until_record(struct dph_until *until, const struct dp_record_view *record);
void dph_until_notice(struct dph_until *until, const struct dp_notice_view *notice);
/* Text that is known to be no part of a frame. A prompt has no newline: the beginning of a line
 * counts, too, behind a pause. */
void dph_until_console(struct dph_until *until, const uint8_t *bytes, size_t count);
/* A turn of waiting has ended. When it has brought no text of the console, there is a pause. */
void dph_until_pause(struct dph_until *until);

#endif

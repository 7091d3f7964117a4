/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of samples as text: the functions with the most samples first. */
#define _GNU_SOURCE
#include "text.h"

#include "base/plain.h"
#include "base/pool.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The widths of the columns whose entries are names. */
struct widths {
	unsigned task, function; /* task: 0: no such column */
};

static const char *known(const char *text)
{
	return text != NULL ? text : "?";
}

static void widen(unsigned *width, const char *text)
{
	const size_t bytes = strlen(known(text));

	*width = bytes > *width ? (unsigned)bytes : *width;
}

static struct widths widths_of(const struct dph_profile_view *view)
{
	struct widths widths = {.function = sizeof "FUNCTION" - 1};

	for (size_t i = 0; i < view->row_count; i++) {
		widen(&widths.function, view->rows[i].function);
		if (view->rows[i].task == NULL)
			continue;
		widen(&widths.task, "TASK");
		widen(&widths.task, view->rows[i].task);
	}
	return widths;
}

/* Print a line that a terminal does not break, and free the text. A character of several bytes is
 * whole or left out. */
static void put_line(FILE *out, const struct dph_profile_view *view, char *text)
{
	size_t bytes = strlen(text);

	if (view->columns != 0 && bytes > view->columns) {
		bytes = view->columns;
		while (bytes > 0 && ((uint8_t)text[bytes] & 0xc0) == 0x80)
			bytes--;
	}
	while (bytes > 0 && text[bytes - 1] == ' ')
		bytes--;
	text[bytes] = '\0';
	dph_plain_print(text, out);
	putc('\n', out);
	free(text);
}

/* "97 samples/s for 5.0 s: 485 samples, 0 lost"; on a narrow terminal in two lines. */
static void put_head(FILE *out, const struct dph_profile_view *view)
{
	char *rate = dph_print("%" PRIu64 " samples/s for %.1f s:", view->rate, view->seconds);
	char *full = view->keys_full > 0 ? dph_print(" (keys full: %" PRIu64 ")", view->keys_full)
					 : dph_strdup("");
	char *found =
		dph_print("%" PRIu64 " samples, %" PRIu64 " lost%s", view->total, view->lost, full);

	if (view->columns != 0 && strlen(rate) + 1 + strlen(found) > view->columns) {
		put_line(out, view, rate);
		put_line(out, view, found);
	} else {
		put_line(out, view, dph_print("%s %s", rate, found));
		free(rate);
		free(found);
	}
	free(full);
}

static void put_row(FILE *out, const struct dph_profile_view *view, const struct widths *widths,
		    const char *numbers, const char *task, const char *function, const char *place)
{
	const bool tasks = widths->task > 0;

	put_line(out, view,
		 dph_print("%s  %-*s%s%-*s  %s", numbers, (int)widths->task,
			   tasks ? known(task) : "", tasks ? "  " : "", (int)widths->function,
			   function, place));
}

/* Samples that the firmware has not asked for are in no count. */
static void put_rarely(FILE *out, const struct dph_profile_view *view)
{
	if (view->came > 0)
		put_line(out, view,
			 dph_print("the firmware asked for %.0f samples/s: its interrupt was held "
				   "off, or came less often",
				   view->came));
}

void dph_show_profile(FILE *out, const struct dph_profile_view *view)
{
	const struct widths widths = widths_of(view);

	put_head(out, view);
	put_rarely(out, view);
	if (view->row_count > 0)
		put_row(out, view, &widths, " SHARE  SAMPLES", "TASK", "FUNCTION", "LINE");
	for (size_t i = 0; i < view->row_count; i++) {
		const struct dph_share_view *row = &view->rows[i];
		char *numbers = dph_print("%5.1f%%  %7" PRIu64, row->percent, row->samples);

		put_row(out, view, &widths, numbers, row->task, known(row->function),
			row->place != NULL ? row->place : "");
		free(numbers);
	}
	if (view->more > 0)
		put_line(out, view,
			 dph_print("%zu more: --top %zu prints all", view->more,
				   view->row_count + view->more));
}

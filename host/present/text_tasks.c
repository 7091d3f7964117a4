/* SPDX-License-Identifier: BSD-2-Clause */
/* Tasks as text: a row of a table, or a task with its functions. */
#include "text.h"

#include "base/plain.h"
#include "stack_text.h"

#include <inttypes.h>
#include <string.h>

enum {
	LEFT_ROOM = 32,
	INDENT = 14 /* as stack_text.c has it */
};

static void put_name(FILE *out, const struct dph_task_view *view)
{
	const size_t columns = strlen(view->name);

	dph_plain_print(view->name, out);
	if (columns < view->name_width)
		fprintf(out, "%*s", (int)(view->name_width - columns), "");
}

/* Where a task waits, and for what. */
static void put_where(FILE *out, const struct dph_task_view *view)
{
	if (view->where != NULL)
		dph_plain_print(view->where, out);
	else if (view->why != NULL)
		fprintf(out, "? (%s)", view->why);
	else
		putc('-', out);
	if (view->waiting != NULL) {
		fputs(" [", out);
		dph_plain_print(view->waiting, out);
		putc(']', out);
	} else if (view->object != 0) {
		fprintf(out, " [0x%" PRIx64 "]", view->object);
	}
	putc('\n', out);
}

static void show_row(FILE *out, const struct dph_task_view *view)
{
	char left[LEFT_ROOM] = "-";

	if (view->first)
		fprintf(out, "%-*s  %-9s  %4s  %10s  WAITS-IN\n", (int)view->name_width, "TASK",
			"STATE", "PRIO", "STACK-LEFT");
	if (view->left_known)
		snprintf(left, sizeof left, "%" PRIu64, view->left);
	put_name(out, view);
	fprintf(out, "  %-9s  %4" PRId64 "  %10s  ", view->state, view->priority, left);
	put_where(out, view);
}

static void put_stack_use(FILE *out, const struct dph_task_view *view)
{
	if (!view->left_known)
		return;
	fprintf(out, ", %" PRIu64, view->left);
	if (view->stack_bytes != 0)
		fprintf(out, " of %" PRIu64, view->stack_bytes);
	fputs(" bytes of its stack unused", out);
}

static void show_stack(FILE *out, const struct dph_task_view *view)
{
	if (!view->first)
		putc('\n', out);
	dph_plain_print(view->name, out);
	fprintf(out, " at 0x%" PRIx64 ": %s, priority %" PRId64, view->block, view->state,
		view->priority);
	put_stack_use(out, view);
	putc('\n', out);
	for (size_t i = 0; i < view->frame_count; i++)
		dph_put_code_frame(out, view->debug, &view->frames[i], view->pc);
	if (view->why != NULL)
		fprintf(out, "%*s[%s%s]\n", INDENT, "",
			view->frame_count > 0 ? "no caller found: " : "", view->why);
	else if (!view->saved)
		fprintf(out, "%*s[its registers are in the CPU]\n", INDENT, "");
}

void dph_show_task(FILE *out, const struct dph_task_view *view)
{
	if (view->framed)
		show_stack(out, view);
	else
		show_row(out, view);
}

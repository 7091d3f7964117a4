/* SPDX-License-Identifier: BSD-2-Clause */
/* This file prints records, gaps and notices as text: the seed's DProbes line (usenix-2001 section
 * 5) and sentences. */
#include "text.h"

#include "base/plain.h"
#include <dprobes/errors.h>
#include <dprobes/host.h>
#include "json.h"
#include "wire/messages.h"

#include "dp_errors.h"
#include "dp_record.h"
#include "dp_rpn.h"

#include <inttypes.h>
#include <string.h>

const struct dph_flag_sentence dph_flag_sentences[] = {
	{DP_RECORD_EXCEPTION, "ended by an exception"},
	{DP_RECORD_BUDGET, "ended by the step budget"},
	{DP_RECORD_FAULTED, "the probed instruction faulted"},
	{DP_RECORD_TRUNCATED, "stack trace cut"},
	{0, NULL},
};

/* A task name may have any bytes. */
static void print_name(FILE *out, const char *name)
{
	for (; *name != '\0'; name++)
		putc(*name > ' ' && *name < 0x7f ? *name : '.', out);
}

static void print_address(FILE *out, const struct dp_record_view *view, const char *item,
			  uint64_t address)
{
	char text[DP_NAME_ROOM];
	const char *name = dp_image_name(view->names, address, text);

	fprintf(out, " %s=", item);
	if (name != NULL)
		dph_plain_print(name, out);
	else
		fprintf(out, "%0*" PRIx64, (int)view->word_bytes * 2, address);
}

/* Seconds with as many digits as one tick needs, at most 9. */
static void print_time(FILE *out, const struct dp_record_view *view)
{
	const uint64_t tsc = view->record->tsc;
	int digits = 0;

	for (uint64_t steps = 1; steps < view->hz && digits < 9; steps *= 10)
		digits++;
	if (view->names != NULL && view->hz != 0)
		fprintf(out, " tsc=%.*fs", digits, (double)tsc / view->hz);
	else
		fprintf(out, " tsc=%08" PRIx32 ":%08" PRIx32, (uint32_t)(tsc >> 32), (uint32_t)tsc);
}

/* decisions.txt C132: cpu name pid pc sp tsc. */
static void print_items(FILE *out, const struct dp_record_view *view)
{
	const struct dp_log_record *r = view->record;

	if (r->items & DP_ITEM_CPU)
		fprintf(out, " cpu=%u", r->cpu);
	if (r->items & DP_ITEM_NAME) {
		fputs(" name=", out);
		print_name(out, r->task);
	}
	if (r->items & DP_ITEM_PID)
		fprintf(out, " pid=%" PRIu32, r->pid);
	if (r->items & DP_ITEM_PC)
		print_address(out, view, "pc", r->pc);
	if (r->items & DP_ITEM_SP)
		print_address(out, view, "sp", r->sp);
	if (r->items & DP_ITEM_TSC)
		print_time(out, view);
}

void dph_show_record_head(FILE *out, const struct dp_record_view *view)
{
	const struct dp_log_record *r = view->record;

	fprintf(out, "DProbes(%u,%u)", r->major, r->minor);
	if (r->head.kind == DP_RECORD_TRACE)
		fputs(" trace", out);
	if (r->probe == NULL)
		fprintf(out, " probe=%u", r->head.probe);
	print_items(out, view);
}

void dph_show_record_data(FILE *out, const struct dp_record_view *view)
{
	const struct dp_log_record *r = view->record;

	if (r->bytes == 0)
		return;
	for (size_t i = 0; view->word_texts != NULL && i < view->word_count; i++)
		fprintf(out, " %s", view->word_texts[i]);
	if (view->word_texts != NULL)
		return;
	putc(' ', out);
	dph_print_hex(out, r->data, r->bytes);
}

/* The first line ends with the description; the text begins below it. */
static void print_template(FILE *out, const struct dp_record_view *view, const char *text)
{
	if (view->desc != NULL) {
		fputs(" - ", out);
		dph_plain_print(view->desc, out);
	}
	if (strcmp(text, "\n") != 0)
		putc('\n', out);
	dph_plain_print_lines(text, out);
}

static bool line_of(const struct dp_record_view *view, uint32_t code, const char **file,
		    unsigned *line)
{
	return view->object != NULL && view->record->probe != NULL &&
	       dp_object_line(view->object, code, file, line);
}

/* As a name where it is an address of the firmware that has one. */
static void print_parameter(FILE *out, const struct dp_record_view *view)
{
	const uint64_t parameter = view->record->fault.parameter;
	char text[DP_NAME_ROOM];
	const char *name = view->record->fault.exception == RPN_X_INVALID_ADDR
				   ? dp_image_name(view->names, parameter, text)
				   : NULL;

	if (name == NULL)
		snprintf(text, sizeof text, "0x%" PRIx64, parameter);
	fputs(" (", out);
	dph_plain_print(name != NULL ? name : text, out);
	putc(')', out);
}

bool dph_exception_line(const struct dp_record_view *view, const char **file, unsigned *line)
{
	const struct dp_log_record *r = view->record;

	return r->head.flags & DP_RECORD_FAULT && r->fault.place > 0 &&
	       line_of(view, r->fault.place - 1u, file, line);
}

/* The exception, its parameter where it has one, and the line of the instruction. An agent without
 * the part FAULTS tells none of them: then the line of the handler. */
static void print_exception(FILE *out, const struct dp_record_view *view)
{
	const struct dp_log_record *r = view->record;
	struct dp_point_info point;
	const char *file, *where = " at ";
	unsigned line;
	bool found = dph_exception_line(view, &file, &line);

	if (r->head.flags & DP_RECORD_FAULT) {
		fprintf(out, ": %s", dp_exception_name(r->fault.exception));
		if (dp_exception_has_parameter(r->fault.exception))
			print_parameter(out, view);
	} else if (view->names != NULL && view->object != NULL && r->probe != NULL &&
		   dp_object_point(view->object, r->probe->point, &point)) {
		where = " in the handler at ";
		found = line_of(view, point.entry, &file, &line);
	}
	if (found) {
		fputs(where, out);
		dph_plain_print(file, out);
		fprintf(out, ":%u", line);
	}
}

/* How often a record of --tally came. */
static void print_times(FILE *out, const struct dp_record_view *view)
{
	if (view->times != 0)
		fprintf(out, "%7" PRIu64 "  ", view->times);
}

/* A program that prints its records itself has the whole line. */
static void print_own(FILE *out, const struct dp_record_view *view, const char *text)
{
	const size_t bytes = strlen(text);
	const bool line = view->columns != NULL || view->times != 0;

	print_times(out, view);
	if (view->columns != NULL)
		dph_plain_print_lines(view->columns, out);
	dph_plain_print_lines(text, out);
	if (line && (bytes == 0 || text[bytes - 1] != '\n'))
		putc('\n', out);
}

void dph_show_record(FILE *out, const struct dp_record_view *view)
{
	const struct dp_log_record *r = view->record;
	const char *text = dp_record_view_text(view);

	if (view->own) {
		print_own(out, view, text);
		return;
	}
	print_times(out, view);
	dph_show_record_head(out, view);
	if (text == NULL)
		dph_show_record_data(out, view);
	for (const struct dph_flag_sentence *f = dph_flag_sentences; f->sentence != NULL; f++)
		if (r->head.flags & f->flag) {
			fprintf(out, " <%s", f->sentence);
			if (f->flag == DP_RECORD_EXCEPTION)
				print_exception(out, view);
			putc('>', out);
		}
	if (r->cut)
		fputs(" <shorter than its items>", out);
	if (text != NULL)
		print_template(out, view, text);
	else
		putc('\n', out);
}

static void print_full(FILE *out, const struct dp_gap *gap)
{
	if (gap->hz != 0)
		fprintf(out, "ring full: for %.6f s", (double)gap->ticks / gap->hz);
	else
		fprintf(out, "ring full: for %" PRIu64 " tick(s)", gap->ticks);
	fprintf(out, " records found the agent's ring full, %" PRIu32 " record(s) of stream %u\n",
		gap->count, gap->stream);
}

void dph_show_gap(FILE *out, const struct dp_gap *gap)
{
	switch (gap->kind) {
	case DP_GAP_RECORDS:
		fprintf(out, "lost: %" PRIu32 " record(s) of stream %u on the line\n", gap->count,
			gap->stream);
		break;
	case DP_GAP_NOTICES:
		fprintf(out, "lost: %" PRIu32 " notice(s) of stream %u on the line\n", gap->count,
			gap->stream);
		break;
	case DP_GAP_DROPPED:
		fprintf(out,
			"lost: %" PRIu32 " record(s) of stream %u found the agent's ring full; log "
			"less, or raise DP_RING_BYTES\n",
			gap->count, gap->stream);
		break;
	case DP_GAP_UNREADABLE:
		fprintf(out,
			"lost: a line of stream %u with a right check makes no sense; use the "
			"dprobes that matches the agent\n",
			gap->stream);
		break;
	case DP_GAP_MISSED:
		fprintf(out,
			"missed: %" PRIu32
			" hit(s) on stream %u ran no handler because another hit was active\n",
			gap->count, gap->stream);
		break;
	case DP_GAP_WITHDRAWN:
		fprintf(out,
			"withdrawn: the record of probe %u at tick %" PRIx64
			" is void, its instruction faulted\n",
			gap->probe, gap->ticks);
		break;
	case DP_GAP_FULL:
		print_full(out, gap);
		break;
	}
}

/* Read the fields of a notice; false: the notice is too short. */
static bool read_notice(const struct dp_notice_view *view, const struct dph_form *form, void *to)
{
	struct dph_reader reader = {
		.p = view->notice->arguments,
		.left = view->notice->bytes,
		.word_bytes = view->word_bytes,
	};

	dph_read(&reader, form, to);
	return !reader.cut;
}

/* " (queue_put+0x12)", or nothing. */
static void print_place(FILE *out, const struct dp_notice_view *view, uint64_t address)
{
	char text[DP_NAME_ROOM];

	if (dp_image_name(view->names, address, text) == NULL)
		return;
	fputs(" (", out);
	dph_plain_print(text, out);
	putc(')', out);
}

/* ": probe 3 at 0x80001234 (queue_put+0x12)" */
static void print_probe_at(FILE *out, const struct dp_notice_view *view, unsigned probe,
			   uint64_t address)
{
	fprintf(out, ": probe %u at 0x%0*" PRIx64, probe, (int)view->word_bytes * 2, address);
	print_place(out, view, address);
}

/* Say where the target is stopped, and how it goes on. */
static void print_stop(FILE *out, const struct dp_notice_view *view,
		       const struct dp_stopped_notice *stop)
{
	if (stop->probe != DP_NO_NUMBER)
		print_probe_at(out, view, stop->probe, stop->pc);
	else
		fputs(" in dprobes_poll", out);
	fputs("; 'dprobes regs' prints the registers, 'dprobes resume' lets the target go on", out);
}

static void print_resume(FILE *out, const struct dp_resumed_notice *resumed)
{
	static const char *const why[] = {"", " by a request", " by a typed line",
					  " by itself: no request came"};
	const uint64_t ticks = (uint64_t)resumed->ticks_above << 32 | resumed->ticks;

	if (resumed->why < sizeof why / sizeof *why)
		fputs(why[resumed->why], out);
	fprintf(out, "; the stop lasted %" PRIu64 " tick(s)", ticks);
}

static void print_notice_arguments(FILE *out, const struct dp_notice_view *view)
{
	const int digits = (int)view->word_bytes * 2;
	union {
#define DP_MESSAGE(message, kind) struct dp_##message##_##kind message##_##kind;
#include "messages.def"
	} a;

#define HAS(message) read_notice(view, DPH_OF(message, &a.message))
	switch (view->notice->number) {
	case DP_NOTICE_BOOT:
		if (HAS(boot_notice))
			fprintf(out, ": boot %u, %u site(s) restored", a.boot_notice.boot,
				a.boot_notice.restored);
		break;
	case DP_NOTICE_PROBE_DISABLED:
		if (HAS(probe_disabled_notice))
			fprintf(out, ": probe %u", a.probe_disabled_notice.probe);
		break;
	case DP_NOTICE_TOO_OFTEN:
		if (HAS(too_often_notice))
			fprintf(out, ": probe %u", a.too_often_notice.probe);
		break;
	case DP_NOTICE_STRAY_TRAP:
		if (HAS(stray_trap_notice)) {
			fprintf(out, ": pc=%0*" PRIx64, digits, a.stray_trap_notice.pc);
			print_place(out, view, a.stray_trap_notice.pc);
			fprintf(out, " found 0x%08" PRIx32, a.stray_trap_notice.found);
		}
		break;
	case DP_NOTICE_TEXT_CHANGED:
		if (HAS(text_changed_notice)) {
			print_probe_at(out, view, a.text_changed_notice.probe,
				       a.text_changed_notice.address);
			fprintf(out, ", found 0x%08" PRIx32, a.text_changed_notice.found);
		}
		break;
	case DP_NOTICE_WATCH_LOST:
		if (HAS(watch_lost_notice))
			print_probe_at(out, view, a.watch_lost_notice.probe,
				       a.watch_lost_notice.address);
		break;
	case DP_NOTICE_LINE_LOST:
		if (HAS(line_lost_notice))
			fprintf(out, ": %u line(s)", a.line_lost_notice.lines);
		break;
	case DP_NOTICE_PROGRAM_DAMAGED:
		if (HAS(program_damaged_notice))
			fprintf(out, ": program %u", a.program_damaged_notice.program);
		break;
	case DP_NOTICE_MODULE_REFUSED:
		if (HAS(module_refused_notice))
			fprintf(out, ": program %u, probe point %u: %s",
				a.module_refused_notice.program, a.module_refused_notice.point,
				dp_error_sentence(a.module_refused_notice.error));
		break;
	case DP_NOTICE_REMOVED:
		if (HAS(removed_notice))
			fprintf(out, ": %u program(s)", a.removed_notice.programs);
		break;
	case DP_NOTICE_TABLES_DAMAGED:
		if (HAS(tables_damaged_notice) && a.tables_damaged_notice.trap_lost != 0)
			fprintf(out, ": a trap was not found and may remain in the text");
		break;
	case DP_NOTICE_STOPPED:
		if (HAS(stopped_notice))
			print_stop(out, view, &a.stopped_notice);
		break;
	case DP_NOTICE_RESUMED:
		if (HAS(resumed_notice))
			print_resume(out, &a.resumed_notice);
		break;
	default:
		break;
	}
#undef HAS
}

void dph_show_notice(FILE *out, const struct dp_notice_view *view)
{
	fprintf(out, "notice: %s", dp_notice_sentence(view->notice->number));
	print_notice_arguments(out, view);
	putc('\n', out);
}

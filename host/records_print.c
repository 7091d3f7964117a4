/* SPDX-License-Identifier: BSD-2-Clause */
#include "dprobes_records.h"

#include "dprobes_errors.h"
#include "dprobes_templates.h"
#include "json.h"

#include "dp_bytes.h"
#include "dp_errors.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	enum dp_record_flag flag;
	const char *json, *text;
} flags[] = {
	{DP_RECORD_EXCEPTION, "exception", "ended by an exception"},
	{DP_RECORD_BUDGET, "budget", "ended by the step budget"},
	{DP_RECORD_FAULTED, "faulted", "the probed instruction faulted"},
	{DP_RECORD_TRUNCATED, "truncated", "stack trace cut"},
};
enum {
	FLAGS = sizeof flags / sizeof flags[0]
};

/* A task name may hold anything. */
static void print_name(FILE *out, const char *name)
{
	for (; *name != '\0'; name++)
		putc(*name > ' ' && *name < 0x7f ? *name : '.', out);
}

/* decisions.txt C132: cpu name pid pc sp tsc. */
static void print_items(const struct dp_record_style *style, const struct dp_log_record *r)
{
	const int digits = (int)style->word_bytes * 2;

	if (r->items & DP_ITEM_CPU)
		fprintf(style->out, " cpu=%u", r->cpu);
	if (r->items & DP_ITEM_NAME) {
		fputs(" name=", style->out);
		print_name(style->out, r->task);
	}
	if (r->items & DP_ITEM_PID)
		fprintf(style->out, " pid=%" PRIu32, r->pid);
	if (r->items & DP_ITEM_PC)
		fprintf(style->out, " pc=%0*" PRIx64, digits, r->pc);
	if (r->items & DP_ITEM_SP)
		fprintf(style->out, " sp=%0*" PRIx64, digits, r->sp);
	if (r->items & DP_ITEM_TSC)
		fprintf(style->out, " tsc=%08" PRIx32 ":%08" PRIx32, (uint32_t)(r->tsc >> 32),
			(uint32_t)r->tsc);
}

/* The templates that may be asked: where codes or items are not known the data is only bytes. */
static const struct dp_templates *templates_for(const struct dp_record_style *style,
						const struct dp_log_record *r)
{
	const bool known = r->probe != NULL && !r->cut && r->head.kind == DP_RECORD_LOG;

	return known ? style->templates : NULL;
}

/* Null: without templates. */
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
	};

	if (style->templates == NULL)
		return NULL;
	if (r->head.kind == DP_RECORD_TRACE)
		return dp_template_trace(&record);
	return dp_template_text(templates_for(style, r), &record);
}

/* The first line ends with the description; the text begins below it. */
static void print_template(const struct dp_record_style *style, const struct dp_log_record *r,
			   const char *text)
{
	const char *desc = dp_template_desc(templates_for(style, r), r->major, r->minor);

	if (desc != NULL)
		fprintf(style->out, " - %s", desc);
	if (strcmp(text, "\n") != 0)
		putc('\n', style->out);
	fputs(text, style->out);
}

static void print_text(const struct dp_record_style *style, const struct dp_log_record *r)
{
	char *text = template_text(style, r);

	fprintf(style->out, "DProbes(%u,%u)", r->major, r->minor);
	if (r->head.kind == DP_RECORD_TRACE)
		fputs(" trace", style->out);
	if (r->probe == NULL)
		fprintf(style->out, " probe=%u", r->head.probe);
	print_items(style, r);
	if (text == NULL && r->bytes > 0) {
		putc(' ', style->out);
		dp_print_hex(style->out, r->data, r->bytes);
	}
	for (size_t i = 0; i < FLAGS; i++)
		if (r->head.flags & flags[i].flag)
			fprintf(style->out, " <%s>", flags[i].text);
	if (r->cut)
		fputs(" <shorter than its items>", style->out);
	if (text != NULL)
		print_template(style, r, text);
	else
		putc('\n', style->out);
	free(text);
	fflush(style->out);
}

static void json_items(struct dp_json *json, const struct dp_log_record *r)
{
	if (r->items & DP_ITEM_CPU)
		dp_json_number(json, "cpu", r->cpu);
	if (r->items & DP_ITEM_NAME)
		dp_json_string(json, "name", r->task);
	if (r->items & DP_ITEM_PID)
		dp_json_number(json, "pid", r->pid);
	if (r->items & DP_ITEM_PC)
		dp_json_address(json, "pc", r->pc);
	if (r->items & DP_ITEM_SP)
		dp_json_address(json, "sp", r->sp);
	if (r->items & DP_ITEM_TSC)
		dp_json_number(json, "tsc", r->tsc);
}

static void json_template(const struct dp_record_style *style, const struct dp_log_record *r,
			  struct dp_json *json)
{
	const char *desc = dp_template_desc(templates_for(style, r), r->major, r->minor);
	char *text = template_text(style, r);

	if (text != NULL && desc != NULL)
		dp_json_string(json, "desc", desc);
	if (text != NULL)
		dp_json_string(json, "text", text);
	free(text);
}

static void print_json(const struct dp_record_style *style, const struct dp_log_record *r)
{
	struct dp_json json = dp_json_begin(style->out);

	dp_json_string(&json, "kind", r->head.kind == DP_RECORD_TRACE ? "trace" : "log");
	dp_json_number(&json, "stream", r->stream);
	if (r->probe != NULL) {
		dp_json_string(&json, "program", r->probe->name);
		dp_json_number(&json, "point", r->probe->point);
	}
	dp_json_number(&json, "probe", r->head.probe);
	dp_json_number(&json, "major", r->major);
	dp_json_number(&json, "minor", r->minor);
	if (r->ticks_known)
		dp_json_number(&json, "ticks", r->ticks);
	if (r->ticks_known && style->hz != 0)
		dp_json_seconds(&json, "seconds", (double)r->ticks / style->hz);
	json_items(&json, r);
	for (size_t i = 0; i < FLAGS; i++)
		if (r->head.flags & flags[i].flag)
			dp_json_flag(&json, flags[i].json, true);
	if (r->cut)
		dp_json_flag(&json, "cut", true);
	dp_json_hex(&json, "data", r->data, r->bytes);
	json_template(style, r, &json);
	dp_json_end(&json);
}

void dp_print_record(const struct dp_record_style *style, const struct dp_log_record *record)
{
	if (style->json)
		print_json(style, record);
	else
		print_text(style, record);
}

static const char *const gap_kinds[] = {
	[DP_GAP_LINES] = "lines lost", [DP_GAP_RECORDS] = "records lost",
	[DP_GAP_DROPPED] = "dropped",  [DP_GAP_UNREADABLE] = "unreadable",
	[DP_GAP_MISSED] = "missed",    [DP_GAP_WITHDRAWN] = "withdrawn",
};

static void print_gap_text(FILE *out, const struct dp_gap *gap)
{
	switch (gap->kind) {
	case DP_GAP_LINES:
		fprintf(out,
			"lost: %" PRIu32
			" line(s) of stream %u did not arrive; the next sync tells "
			"how many records they held\n",
			gap->count, gap->stream);
		break;
	case DP_GAP_RECORDS:
		if (gap->count == 0)
			fprintf(out, "not lost: the lines of stream %u held no record\n",
				gap->stream);
		else
			fprintf(out, "lost: %" PRIu32 " record(s) of stream %u on the line\n",
				gap->count, gap->stream);
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
			" hit(s) on stream %u ran no handler because another one "
			"was running\n",
			gap->count, gap->stream);
		break;
	case DP_GAP_WITHDRAWN:
		fprintf(out,
			"withdrawn: the record of probe %u at tick ...%05" PRIx32
			" is void, its instruction faulted\n",
			gap->probe, gap->ticks);
		break;
	}
}

void dp_print_gap(const struct dp_record_style *style, const struct dp_gap *gap)
{
	if (style->json) {
		struct dp_json json = dp_json_begin(style->out);

		dp_json_string(&json, "kind", gap_kinds[gap->kind]);
		dp_json_number(&json, "stream", gap->stream);
		dp_json_number(&json, "count", gap->count);
		if (gap->kind == DP_GAP_WITHDRAWN) {
			dp_json_number(&json, "probe", gap->probe);
			dp_json_number(&json, "ticks20", gap->ticks);
		}
		dp_json_end(&json);
		return;
	}
	print_gap_text(style->out, gap);
	fflush(style->out);
}

static uint64_t notice_word(const struct dp_record_style *style, const uint8_t *p)
{
	return style->word_bytes == 8 ? dp_get_u64(p) : dp_get_u32(p);
}

/* Arguments: notices.def. */
static void print_notice_arguments(const struct dp_record_style *style,
				   const struct dp_notice_in *n)
{
	const uint8_t *a = n->arguments;
	const size_t word = style->word_bytes;

	switch (n->number) {
	case DP_NOTICE_BOOT:
		if (n->bytes >= 3)
			fprintf(style->out, ": boot %u, %u site(s) restored", dp_get_u16(a), a[2]);
		break;
	case DP_NOTICE_PROBE_DISABLED:
		if (n->bytes >= 1)
			fprintf(style->out, ": probe %u", a[0]);
		break;
	case DP_NOTICE_STRAY_TRAP:
		if (n->bytes >= word + 4)
			fprintf(style->out, ": pc=%0*" PRIx64 " found 0x%08" PRIx32, (int)word * 2,
				notice_word(style, a), dp_get_u32(a + word));
		break;
	case DP_NOTICE_TEXT_CHANGED:
		if (n->bytes >= word + 5)
			fprintf(style->out, ": probe %u at 0x%0*" PRIx64 ", found 0x%08" PRIx32,
				a[0], (int)word * 2, notice_word(style, a + 1),
				dp_get_u32(a + 1 + word));
		break;
	case DP_NOTICE_LINE_LOST:
		if (n->bytes >= 2)
			fprintf(style->out, ": %u line(s)", dp_get_u16(a));
		break;
	case DP_NOTICE_PROGRAM_DAMAGED:
		if (n->bytes >= 1)
			fprintf(style->out, ": program %u", a[0]);
		break;
	case DP_NOTICE_MODULE_REFUSED:
		if (n->bytes >= 3)
			fprintf(style->out, ": program %u, probe point %u: %s", a[0], a[2],
				dp_error_sentence(a[1]));
		break;
	case DP_NOTICE_TABLES_DAMAGED:
		if (n->bytes >= 1 && a[0] != 0)
			fprintf(style->out, ": a trap was not found, it may stand in the text");
		break;
	default:
		break;
	}
}

void dp_print_notice(const struct dp_record_style *style, const struct dp_notice_in *notice)
{
	if (style->json) {
		struct dp_json json = dp_json_begin(style->out);

		dp_json_string(&json, "kind", "notice");
		dp_json_number(&json, "stream", notice->stream);
		dp_json_number(&json, "number", notice->number);
		dp_json_string(&json, "text", dp_notice_sentence(notice->number));
		dp_json_hex(&json, "arguments", notice->arguments, notice->bytes);
		dp_json_end(&json);
		return;
	}
	fprintf(style->out, "notice: %s", dp_notice_sentence(notice->number));
	print_notice_arguments(style, notice);
	putc('\n', style->out);
	fflush(style->out);
}

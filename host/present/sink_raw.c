/* SPDX-License-Identifier: BSD-2-Clause */
/* The format raw prints lines in the form of another program. Records are the lines of the agent,
 * symbols a System.map, simulated hits one line each. */
#include "text.h"

#include "json.h"
#include "words.h"

#include <inttypes.h>

static bool line(struct dp_sink *sink, const char *text, size_t count)
{
	fprintf(sink->options.out, "%.*s\n", (int)count, text);
	return fflush(sink->options.out) == 0;
}

static bool gap(struct dp_sink *sink, const struct dp_gap *view)
{
	return dph_show_aside(sink, DP_READING_GAP, view);
}

static void print_symbol(FILE *out, const struct dp_symbol_view *view)
{
	const struct dp_symbol *s = view->symbol;
	const char letter = "dDtT"[(s->kind == DP_SYMBOL_FUNCTION) * 2 + !s->local];

	fprintf(out, "%0*" PRIx64 " %c %s\n", (int)view->digits, s->value, letter, s->name);
}

static void print_hit(FILE *out, const struct dph_hit_view *hit)
{
	const struct sim_result *r = hit->result;

	if (r->end == RPN_END_ABORT)
		return;
	fprintf(out, "%u %u %s ", r->major, r->minor, dph_end_word(r->end));
	if (r->log_bytes == 0)
		putc('-', out);
	dph_print_hex(out, r->log, r->log_bytes);
	putc('\n', out);
	if (r->trace_bytes == 0)
		return;
	fprintf(out, "0 0 trace ");
	dph_print_hex(out, r->trace, r->trace_bytes);
	putc('\n', out);
}

static bool reading(struct dp_sink *sink, enum dp_reading_kind kind, const void *view)
{
	if (kind == DP_READING_SYMBOL)
		print_symbol(sink->options.out, view);
	else if (kind == DP_READING_HIT)
		print_hit(sink->options.out, view);
	else
		return dph_show_aside(sink, kind, view);
	return !ferror(sink->options.out);
}

extern const struct dp_sink_kind dph_sink_raw;
const struct dp_sink_kind dph_sink_raw = {
	.name = "raw",
	.tables = 1u << DP_TABLE_RECORDS | 1u << DP_TABLE_SYMBOLS | 1u << DP_TABLE_HITS,
	.line = line,
	.gap = gap,
	.reading = reading,
};

/* SPDX-License-Identifier: BSD-2-Clause */
/* This file prints simulated hits as text: record, trace, changed memory, stack and end. */
#include "text.h"

#include "base/plain.h"
#include "base/pool.h"
#include <dprobes/errors.h>
#include "made.h"
#include "words.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint64_t log_word(const uint8_t *p, unsigned bytes, bool big)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < bytes; i++)
		value |= (uint64_t)p[i] << 8 * (big ? bytes - 1 - i : i);
	return value;
}

static void print_dump(FILE *out, const uint8_t *bytes, size_t count)
{
	enum {
		LINE = 16
	};

	for (size_t i = 0; i < count; i += LINE) {
		size_t n = count - i < LINE ? count - i : LINE;

		fprintf(out, "    %04zx ", i);
		for (size_t j = 0; j < LINE; j++)
			j < n ? fprintf(out, " %02x", bytes[i + j]) : fputs("   ", out);
		fputs("  ", out);
		for (size_t j = 0; j < n; j++)
			putc(isprint(bytes[i + j]) ? bytes[i + j] : '.', out);
		putc('\n', out);
	}
}

static void print_words(FILE *out, const uint64_t *words, unsigned count)
{
	enum {
		SHOWN = 16
	};
	unsigned i;

	fprintf(out, "  %-9s", "stack");
	for (i = 0; i < count && i < SHOWN; i++)
		fprintf(out, " 0x%" PRIx64, words[i]);
	fprintf(out, i < count ? " and %u more\n" : "\n", count - i);
}

static void print_stack(FILE *out, const struct dph_hit_view *hit)
{
	unsigned size = dph_simulation_form(hit->simulation)->stack_words;
	unsigned count = (size - hit->result->tsp) % size;
	uint64_t words[17];

	for (unsigned i = 0; i < count && i < 17; i++)
		words[i] = dph_simulation_slot(hit->simulation, hit->result->tsp + i);
	if (count == 0)
		fprintf(out, "  stack     empty\n");
	else
		print_words(out, words, count);
}

/* Runs of zero are only counted: there may be 256 variables. */
static void print_variables(FILE *out, const char *name, const uint64_t *values, unsigned count)
{
	unsigned zero = 0;

	for (unsigned i = 0; i < count; i++) {
		if (values[i])
			fprintf(out, "  %s %-6u 0x%" PRIx64 "\n", name, i, values[i]);
		else
			zero++;
	}
	if (zero > 0)
		fprintf(out, "  %s        %s%u are 0\n", name, zero < count ? "the other " : "all ",
			zero);
}

static void print_changes(FILE *out, const struct dph_hit_view *hit)
{
	const struct dph_sim_write *writes;
	size_t count = dph_simulation_writes(hit->simulation, &writes);

	for (size_t i = 0; i < count; i++) {
		fprintf(out, "  wrote     0x%" PRIx64 ":", writes[i].address);
		for (size_t j = 0; j < writes[i].count; j++)
			fprintf(out, " %02x", writes[i].bytes[j]);
		putc('\n', out);
	}
}

/* Each line a step in; the newline that ends a record has no line of its own. */
static void print_template(FILE *out, const char *text)
{
	while (strcmp(text, "\n") != 0 && *text != '\0') {
		const size_t bytes = strcspn(text, "\n");

		char *line = dph_strndup(text, bytes);

		fputs(bytes ? "    " : "", out);
		dph_plain_print(line, out);
		putc('\n', out);
		free(line);
		text += bytes + (text[bytes] == '\n');
	}
}

const char *dph_hit_text(const struct dph_hit_view *hit)
{
	return hit->made != NULL ? dph_made_text(hit->made) : hit->text;
}

const char *dph_hit_args(const struct dph_hit_view *hit)
{
	return hit->made != NULL ? dph_made_args(hit->made) : NULL;
}

static void print_log(FILE *out, const struct dph_hit_view *hit)
{
	const struct dph_sim_form *form = dph_simulation_form(hit->simulation);
	const struct sim_result *r = hit->result;
	const unsigned bytes = form->word_bits / 8;
	const char *text = dph_hit_text(hit);

	fprintf(out, "  record    DProbes(%u,%u) %zu bytes", r->major, r->minor, r->log_bytes);
	if (r->log_bytes > 0 && r->log_bytes % bytes == 0 && r->log_bytes <= 4 * bytes) {
		fprintf(out, " =");
		for (size_t i = 0; i < r->log_bytes; i += bytes)
			fprintf(out, " 0x%" PRIx64, log_word(r->log + i, bytes, form->big_endian));
	}
	if (hit->desc != NULL) {
		fputs(" - ", out);
		dph_plain_print(hit->desc, out);
	}
	putc('\n', out);
	if (text != NULL)
		print_template(out, text);
	else
		print_dump(out, r->log, r->log_bytes);
}

static void print_trace(FILE *out, const struct dph_hit_view *hit)
{
	const struct sim_result *r = hit->result;

	fprintf(out, "  trace     DProbes(0,0) %zu bytes%s\n", r->trace_bytes,
		r->trace_truncated ? ", records did not fit" : "");
	if (hit->trace_text != NULL)
		print_template(out, hit->trace_text);
	else
		print_dump(out, r->trace, r->trace_bytes);
}

static void print_end(FILE *out, const struct dph_hit_view *hit)
{
	static const char *const facilities[] = {"", ", debugger", ", crash dump", ", core dump"};
	const struct sim_result *r = hit->result;
	const char *file;
	unsigned line;

	fprintf(out, "  end       %s",
		hit->counts && r->end == RPN_END_ABORT ? "no record" : dph_end_word(r->end));
	if (r->end == RPN_END_EXCEPTION)
		fprintf(out, ": %s (0x%" PRIx64 ", 0x%" PRIx64 ")",
			dp_exception_name((unsigned)r->exception[0] & 0xffff), r->exception[1],
			r->exception[2]);
	if (r->end == RPN_END_EXCEPTION && r->place > 0 &&
	    dp_object_line(hit->object, r->place - 1u, &file, &line)) {
		fputs(" at ", out);
		dph_plain_print(file, out);
		fprintf(out, ":%u", line);
	}
	if (r->returns)
		fputs(", the function returns", out);
	if (r->returns && r->words > 0)
		fprintf(out, " 0x%" PRIx64, r->result);
	fprintf(out, "%s%s, %" PRIu32 " of %" PRIu32 " steps\n", facilities[r->exit_number],
		r->remove ? ", probe removed" : "", r->steps,
		dph_simulation_form(hit->simulation)->step_budget);
}

void dph_show_hit(FILE *out, const struct dph_hit_view *hit)
{
	const struct sim_program *p = dph_simulation_program(hit->simulation);

	if (hit->committed)
		fprintf(out, "committed: minor %u at ", hit->result->minor);
	else
		fprintf(out, "hit %lu: minor %u at ", hit->number, p->minor);
	if (hit->name != NULL)
		fprintf(out, "%s\n", hit->name);
	else
		fprintf(out, "0x%" PRIx64 "\n", hit->address);
	if (hit->committed) {
		print_log(out, hit);
		return;
	}
	if (hit->result->end != RPN_END_ABORT)
		print_log(out, hit);
	if (hit->result->trace_bytes > 0)
		print_trace(out, hit);
	print_changes(out, hit);
	print_stack(out, hit);
	print_end(out, hit);
}

void dph_show_skipped(FILE *out, const struct dph_skipped_view *skipped)
{
	fprintf(out, "hit %lu: %s\n", skipped->number,
		skipped->ignored ? "ignored" : "the probe is disabled");
}

void dph_show_variables(FILE *out, const struct dph_variables_view *variables)
{
	const struct sim_program *p = variables->program;

	if (p->vars + p->gvars == 0)
		return;
	fprintf(out, "variables:\n");
	print_variables(out, "lv", p->lv, p->vars);
	print_variables(out, "gv", p->gv, p->gvars);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* This file prints readings without a target as text: the verifier's verdict, templates, symbols,
 * places in code. */
#include "text.h"

#include "base/plain.h"
#include "words.h"

#include <inttypes.h>
#include <string.h>

static void print_steps(FILE *out, const struct dp_check_result *r)
{
	const char *why = r->loops       ? "loops"
			  : r->steps_max ? "is long"
					 : "takes counts from the stack";

	if (r->steps_max != 0 && r->steps_max <= r->step_budget)
		fprintf(out, "steps:   at most %u a hit\n", r->steps_max);
	else
		fprintf(out, "steps:   at most %u a hit, by the step budget: the program %s\n",
			r->step_budget, why);
}

static void print_uses(FILE *out, unsigned groups)
{
	const char *separator = "";

	fprintf(out, "uses:    ");
	for (unsigned i = 0; i < DPH_GROUPS; i++)
		if (groups & dph_groups[i].bit) {
			fprintf(out, "%s%s (%s)", separator, dph_groups[i].name,
				dph_groups[i].meaning);
			separator = ", ";
		}
	fprintf(out, "%s\n", *separator ? "" : "only reads and logs");
}

/* No board was asked: the verdict holds for an agent with these limits. */
static void print_assumed(FILE *out, const struct dp_check_options *limits)
{
	fprintf(out,
		"agent:   assumed, %s: logmax %u, excpt_log %u, vars %u, gvars %u, %u probe "
		"points, %u bytes for programs\n",
		limits->read_only ? "read only" : "may write", limits->log_max, limits->trace_max,
		limits->vars_max, limits->gvars_max, limits->probes_max, limits->arena_bytes);
}

/* Records are as long as that at most. */
static void print_line(FILE *out, const struct dp_check_view *check)
{
	const uint64_t hits = dph_line_hits(check);

	if (hits > 0)
		fprintf(out, "line:    at least %" PRIu64 " hits/s fit a line of %d baud\n", hits,
			DPH_LINE_BAUD);
}

static void print_no_plans(FILE *out, const struct dp_check_view *check)
{
	for (size_t i = 0; i < check->no_plan_count; i++) {
		const struct dp_no_plan *row = &check->no_plans[i];

		fputs("plan:    ", out);
		if (row->file != NULL) {
			dph_plain_print(row->file, out);
			fprintf(out, ":%u: ", row->line);
		}
		fprintf(out, "no plan: %s", row->reason);
		if (row->points > 1)
			fprintf(out, " (%u probe points)", row->points);
		fputc('\n', out);
	}
}

void dph_show_check(FILE *out, const struct dp_check_view *check)
{
	const struct dp_check_result *r = check->result;
	const struct dp_program_info *p = check->program;

	if (!r->accepted) {
		fprintf(out, "verdict: refused: %s\n", r->sentence);
		print_assumed(out, &r->limits);
		return;
	}
	if (check->watchpoints > 0)
		fprintf(out,
			"verdict: accepted where the agent has comparators for %u watchpoint(s): "
			"'dprobes insert' asks the agent\n",
			check->watchpoints);
	else
		fprintf(out, "verdict: accepted\n");
	print_assumed(out, &r->limits);
	fprintf(out, "size:    %u bytes to upload, %u of code, %u probe point%s\n", check->bytes,
		p->code_bytes, p->points, p->points == 1 ? "" : "s");
	if (check->taken > 0)
		fprintf(out, "taken:   %u probe point%s only where the branch is taken\n",
			check->taken, check->taken == 1 ? " fires" : "s fire");
	if (check->timers > 0)
		fprintf(out, "timers:  %u of the agent's ('dprobes info' prints how many it has)\n",
			check->timers);
	print_steps(out, r);
	if (r->log_max != UINT32_MAX && r->log_max <= p->logmax)
		fprintf(out, "log:     at most %u bytes a hit\n", r->log_max);
	else
		fprintf(out, "log:     at most %u bytes a hit, by logmax\n", p->logmax);
	if (r->memory > 0)
		fprintf(out, "memory:  %u bytes of the target for variables and maps\n", r->memory);
	print_line(out, check);
	print_no_plans(out, check);
	print_uses(out, r->groups);
}

void dph_show_templates(FILE *out, const struct dp_templates_view *templates)
{
	fprintf(out, "templates: %zu in %s\n", templates->count, templates->path);
	for (size_t i = 0; i < templates->missing_count; i++)
		fprintf(out,
			"           none for DProbes(%u,%" PRIu64 "): its records are dumped\n",
			templates->major, templates->missing[i]);
}

void dph_show_symbol(FILE *out, const struct dp_symbol_view *view)
{
	const struct dp_symbol *s = view->symbol;

	fprintf(out, "%0*" PRIx64 " %6" PRIu64 " %-5s ", (int)view->digits, s->value, s->bytes,
		dph_symbol_type(view));
	dph_plain_print(s->name, out);
	if (s->file != NULL) {
		fputs(" (", out);
		dph_plain_print(s->file, out);
		putc(')', out);
	}
	putc('\n', out);
}

static void print_variable(FILE *out, const struct dp_variable_text *variable)
{
	const size_t bytes = strlen(variable->type);
	const bool pointer = bytes > 0 && variable->type[bytes - 1] == '*';

	fputs("    ", out);
	dph_plain_print(variable->type, out);
	fputs(pointer ? "" : " ", out);
	dph_plain_print(variable->name, out);
	fputs(": ", out);
	dph_plain_print(variable->place, out);
	putc('\n', out);
}

void dph_show_place(FILE *out, const struct dp_place_view *place)
{
	if (place->nowhere) {
		fprintf(out, "%s\n", place->probe);
		return;
	}
	if (place->probe != NULL)
		fprintf(out, "%s ", place->probe);
	fprintf(out, "0x%08" PRIx64 " ", place->address);
	dph_plain_print(place->text, out);
	putc('\n', out);
	if (place->refused != NULL)
		fprintf(out, "    cannot be probed: %s\n", place->refused);
	if (place->prototype != NULL) {
		fputs("    ", out);
		dph_plain_print(place->prototype, out);
		putc('\n', out);
	}
	for (size_t i = 0; i < place->variable_count; i++)
		print_variable(out, &place->variables[i]);
}

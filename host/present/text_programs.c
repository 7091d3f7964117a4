/* SPDX-License-Identifier: BSD-2-Clause */
/* This file prints installed programs, their probes, counters and variables as text. */
#include "text.h"

#include <dprobes/host.h>
#include "base/plain.h"
#include "tables/isas.h"
#include "tables/own_programs.h"
#include "tables/registers.h"
#include "tables/timers.h"
#include "words.h"

#include <inttypes.h>

static void print_count(FILE *out, const char *what, uint32_t value)
{
	if (value != 0)
		fprintf(out, ", %" PRIu32 " %s", value, what);
}

/* An answer has the first 4 bytes of a longer instruction; 0: its length is unknown. */
static unsigned original_digits(const struct dp_probe_answer *p)
{
	const bool shorter = p->insn_bytes > 0 && p->insn_bytes < DPH_OPCODE_MAX;

	return 2 * (shorter ? p->insn_bytes : DPH_OPCODE_MAX);
}

/* "0x60017940 (queue_put, thumb)". name and isa: null where there is none. */
static void print_address(FILE *out, uint64_t address, const char *name, const char *isa)
{
	fprintf(out, "0x%08" PRIx64, address);
	if (!name && !isa)
		return;
	fputs(" (", out);
	dph_plain_print(name ? name : "", out);
	fprintf(out, "%s%s)", name && isa ? ", " : "", isa ? isa : "");
}

/* "0x60017940 (queue_put, thumb)", or the name of an event or a timer, which has no place in the
 * code. */
static void print_point(FILE *out, const struct dp_probe_answer *p, const struct dp_image *names,
			const char *isa)
{
	char text[DP_NAME_ROOM], kind[DPH_WORDS_ROOM], timer[DPH_TIMER_ROOM];
	const char *nowhere = dph_nowhere_name(p->kind, p->address, p->original, timer);

	if (nowhere != NULL) {
		fputs(nowhere, out);
		return;
	}
	print_address(out, p->address, dp_image_name(names, p->address, text), isa);
	if (p->kind <= DP_POINTS_MAX && (DP_POINTS_WATCHED >> p->kind & 1))
		fprintf(out, ", watchpoint %s",
			dph_watch_kinds_text((uint8_t)(1u << p->kind), kind));
	if (p->phase == DP_PHASE_RETURNED)
		fputs(", after return()", out);
}

/* A trap that the agent writes is the usual one. */
static void print_means(FILE *out, const struct dp_installed_view *view,
			const struct dp_probe_view *probe)
{
	const struct dp_site_answer *site = &probe->site;

	if (!probe->placed || (site->means == DPH_MEANS_WORD && !view->extended))
		return;
	fprintf(out, ", by %s", dph_means(site->means));
	if (site->comparator != DP_NO_NUMBER)
		fprintf(out, " %u", site->comparator);
	if (probe->answer.kind != DP_PROBE_BREAK)
		print_count(out, "paused", site->paused);
}

static void print_probe(FILE *out, const struct dp_installed_view *view,
			const struct dp_probe_view *probe)
{
	const struct dp_probe_answer *p = &probe->answer;
	const char *isa = dph_isa_mark(dph_cpu_numbered(view->cpu), p->isa);

	fprintf(out, "  minor %u at ", p->minor);
	print_point(out, p, probe->names, isa);
	fprintf(out, ": %s, %" PRIu32 " hit(s)", dph_probe_state(p->state), p->hits);
	print_count(out, "missed", p->missed);
	print_count(out, "ignored", p->ignored);
	print_count(out, "faulted", p->faulted);
	print_count(out, "dropped", p->dropped);
	print_count(out, "budget overrun(s)", p->overruns);
	print_means(out, view, probe);
	if (view->extended && p->kind != DP_PROBE_TIMER)
		fprintf(out, ", original 0x%0*" PRIx32, (int)original_digits(p), p->original);
	if (view->extended)
		fprintf(out, ", number %u, maxhits %" PRIu32, p->number, p->maxhits);
	putc('\n', out);
}

void dph_show_program(FILE *out, const struct dp_installed_view *view)
{
	const struct dp_program_answer *p = view->program;
	char items[DPH_WORDS_ROOM];

	dph_plain_print(p->name, out);
	fprintf(out, ": program %u, id %" PRIu32 ", major %u, %s, %u probe(s)", p->index, p->id,
		p->major, dph_program_state(p->state), p->probes);
	if (dph_own_program_sentence(p->name) != NULL)
		fprintf(out, ", %s", dph_own_program_sentence(p->name));
	fputs(view->embedded ? ", embedded" : "", out);
	fputs(view->flight ? ", flight recorder" : "", out);
	if (p->items != 0)
		fprintf(out, ", logs %s", dph_items_text(p->items, items));
	if (view->extended)
		fprintf(out, ", object %" PRIu32 " bytes, crc %08" PRIx32 ", %u variable(s)",
			p->bytes, p->crc, p->vars);
	putc('\n', out);
	for (size_t i = 0; i < view->probe_count; i++)
		print_probe(out, view, &view->probes[i]);
}

void dph_show_counts(FILE *out, const struct dp_counts_view *view)
{
	const struct dp_probe_answer *p = view->probe;

	fputs("hits: ", out);
	dph_plain_print(view->program, out);
	fprintf(out, " minor %u at ", p->minor);
	print_point(out, p, view->names, NULL);
	fprintf(out, ": %" PRIu32, p->hits);
	print_count(out, "missed", p->missed);
	print_count(out, "faulted", p->faulted);
	print_count(out, "dropped", p->dropped);
	putc('\n', out);
}

/* `PROGRAM x[key, 1] = "text"` */
static void show_named(FILE *out, const struct dp_variable_view *v)
{
	if (v->program != NULL) {
		dph_plain_print(v->program, out);
		putc(' ', out);
	}
	fputs(v->name, out);
	for (size_t i = 0; i < v->key_count; i++) {
		fputs(i == 0 ? "[" : ", ", out);
		dph_plain_print(v->keys[i], out);
	}
	fputs(v->key_count > 0 ? "] = " : " = ", out);
	fputs(v->is_string ? "\"" : "", out);
	dph_plain_print(v->text, out);
	fputs(v->is_string ? "\"\n" : "\n", out);
}

void dph_show_variable(FILE *out, const struct dp_variable_view *v)
{
	char text[DP_NAME_ROOM];

	if (v->name != NULL) {
		show_named(out, v);
		return;
	}
	if (v->program != NULL)
		dph_plain_print(v->program, out);
	fprintf(out, "%s%u = 0x%0*" PRIx64, v->program != NULL ? " lv " : "gv ", v->index,
		(int)v->word_bytes * 2, v->value);
	if (dp_image_word_named(v->names, v->value)) {
		fputs(" (", out);
		dph_plain_print(dp_image_word(v->names, v->value, text), out);
		fputs(")\n", out);
	} else {
		fprintf(out, " (%" PRIu64 ")\n", v->value);
	}
}

void dph_show_inserted(FILE *out, const struct dp_inserted_view *view)
{
	const struct dp_inserted *in = view->inserted;

	fputs("inserted: ", out);
	dph_plain_print(view->program, out);
	fprintf(out, " as program %u, %u probe(s) armed", in->program, in->armed);
	if (in->waiting > 0)
		fprintf(out, ", %u waiting for their module", in->waiting);
	putc('\n', out);
}

void dph_show_removed(FILE *out, const struct dp_removed_view *view)
{
	fprintf(out, "removed: %u program(s)\n", view->programs);
}

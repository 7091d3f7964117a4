/* SPDX-License-Identifier: BSD-2-Clause */
/* This file prints the agent's identity, parts and limits as text. */
#include "text.h"

#include "base/plain.h"
#include <dprobes/errors.h>
#include <dprobes/host.h>
#include "json.h"
#include "tables/unwatched.h"
#include "words.h"

#include <inttypes.h>
#include <string.h>

static void print_hello(FILE *out, const struct dp_hello_answer *t)
{
	char groups[DPH_WORDS_ROOM], without[DPH_FEATURES_ROOM];

	fprintf(out, "target:   %s, %u-bit, %s-endian, boot %u\n", dp_cpu_text(t->cpu),
		t->word_bytes * 8u, dph_order_word(t->big_endian), t->boot);
	fprintf(out,
		"agent:    version %d.%d, protocol %u, profile %s, instructions %s, on %s, "
		"window %u\n",
		t->agent_version >> 8, t->agent_version & 0xff, t->version,
		dph_profile_word(t->profile), dph_groups_text(t->groups, groups),
		dph_lines_text(t->coms), t->window);
	if (dph_features_left_out(dp_hello_parts(t), without)[0] != '\0')
		fprintf(out, "without:  %s (agent/dp_config.h, DP_WITH_...)\n", without);
	if (t->hz != 0)
		fprintf(out, "time:     %.3f s by the board's clock, %" PRIu32 " ticks a second\n",
			(double)t->ticks / t->hz, t->hz);
}

/* The limits that an agent without the part LIMITS says. */
static void print_hello_limits(FILE *out, const struct dp_hello_answer *t)
{
	if (t->log_max == 0)
		return;
	fprintf(out, "limits:   logmax %u", t->log_max);
	if (t->trace_max != UINT16_MAX)
		fprintf(out, ", excpt_log %u", t->trace_max);
	putc('\n', out);
}

/* What decides where instructions begin. */
static void print_bounds(FILE *out, unsigned cpu, unsigned bounds)
{
	const char *word = dph_bounds_word(cpu, bounds);
	const bool trusted = strcmp(word, "trusted") == 0;

	fprintf(out, "bounds:   %s%s\n", word,
		trusted ? ": the image has no table of functions ('dprobes table')" : "");
}

static void print_nonce(FILE *out, unsigned source)
{
	if (source != DP_NONCE_UNKNOWN)
		fprintf(out, "nonce:    %s: %s\n", dph_nonce_word(source),
			dph_nonce_meaning(source));
}

static void print_limits(FILE *out, const struct dp_limits_answer *l)
{
	fprintf(out,
		"programs: at most %u, %u of %u probes free, %u of %u slots free\n"
		"memory:   %" PRIu32 " of %" PRIu32 " bytes free for programs, ring %" PRIu32
		" bytes, agent %" PRIu32
		" bytes, its stack used at most %u bytes since the agent started\n"
		"limits:   logmax %u, excpt_log %u, vars %u, gvars %u, jmpmax %u, RPN stack %u "
		"words, %" PRIu32 " steps a hit",
		l->programs, l->probes_free, l->probes, l->slots_free, l->slots, l->arena_free,
		l->arena, l->ring, l->agent_bytes, l->stack_high_water, l->log, l->trace, l->vars,
		l->gvars, l->jmpmax, l->stack, l->budget);
	if (l->hits_per_second != 0)
		fprintf(out, ", %" PRIu32 " hits of a probe in a second", l->hits_per_second);
	putc('\n', out);
	if (l->slots_free == 0)
		fputs("slots:    none is free: the next probe takes two traps a hit, until the "
		      "firmware calls dprobes_quiescent\n",
		      out);
	else if (dph_slots_short(l))
		fprintf(out,
			"slots:    %u of %u are free, and no probe is armed: the firmware does not "
			"call dprobes_quiescent (agent/README.md, Tasks)\n",
			l->slots_free, l->slots);
}

static void print_module(FILE *out, const struct dp_module_answer *m)
{
	fputs("module:   ", out);
	dph_plain_print(m->name[0] ? m->name : "image", out);
	fprintf(out, " at 0x%08" PRIx64 ", ", m->base);
	if (m->linked != m->base)
		fprintf(out, "linked at 0x%08" PRIx64 ", ", m->linked);
	fprintf(out, "%" PRIu64 " bytes, %s ", m->bytes, dph_identity_word(m->identity));
	dph_print_hex(out, m->id.bytes, m->id.count);
	if (m->identity == DP_IDENTITY_TEXT_CRC)
		fputs(" (identity by checksum)", out);
	putc('\n', out);
}

static void print_status(FILE *out, const struct dp_status_answer *s)
{
	fprintf(out, "now:      %u program(s), %u probe(s); records go to %s, %s", s->programs,
		s->probes, dph_log_line_name(s->log_target), dph_log_mode_word(s->log_mode));
	if (s->line != DP_LOG_LEAVE)
		fprintf(out, "; this line is %s", dph_log_line_name(s->line));
	fprintf(out,
		"\nrecords:  %" PRIu32 " sent, %" PRIu32 " dropped, %" PRIu32
		" hits missed, %" PRIu32 " withdrawn, %" PRIu32
		" stray trap(s) since the agent started\n",
		s->sent, s->dropped, s->missed, s->withdrawn, s->strays);
	if (s->text_dropped > 0)
		fprintf(out,
			"console:  %" PRIu32
			" character(s) of the firmware dropped since the agent started\n",
			s->text_dropped);
	if (s->own_text)
		fprintf(out, "refused:  every insertion: %s\n", dp_error_sentence(DP_ERR_OWN_TEXT));
}

static void print_behind(FILE *out, unsigned cpu, const char *kinds)
{
	const char *unwatched = dph_unwatched(cpu);

	fprintf(out, "; %s reported behind the access, with a later pc", kinds);
	if (unwatched != NULL)
		fprintf(out, "; %s", unwatched);
}

/* What can stop the CPU at a probe, beside a trap in the text. */
static void print_hardware(FILE *out, unsigned cpu, const struct dp_hardware_answer *h)
{
	char text[DPH_WORDS_ROOM];

	if (h->code == 0 && h->data == 0)
		fputs("stops:    by traps in the text; no comparators", out);
	else
		fprintf(out,
			"stops:    by traps in the text; %u of %u comparators free where text "
			"cannot be written, %u of %u for watchpoints%s",
			h->code_free, h->code, h->data_free, h->data,
			h->shared && h->code > 0 ? " (the same ones)" : "");
	if (h->data > 0)
		fprintf(out, ": %s", dph_watch_kinds_text(h->kinds, text));
	if (h->data > 0 && (h->after & DP_POINTS_WATCHED))
		print_behind(out, cpu, dph_watch_kinds_text(h->after, text));
	if (h->code == 0 && dph_lacks_sentence(h->lacks) != NULL)
		fprintf(out, "; none where text cannot be written: %s",
			dph_lacks_sentence(h->lacks));
	if (h->text_writes > 0)
		fprintf(out, "; %" PRIu32 " write(s) of text by the board", h->text_writes);
	putc('\n', out);
}

static void print_modelled(FILE *out, unsigned cpu, const struct dp_hardware_answer *h)
{
	char text[DPH_UNITS_ROOM];

	if (*dph_modelled_text(cpu, h, text))
		fprintf(out, "modelled: %s: ran on a model alone, on no hardware\n", text);
}

static void print_timers(FILE *out, const struct dp_hardware_answer *h)
{
	if (h->timers == 0)
		return;
	fprintf(out, "timers:   %u, %u free; ", h->timers, h->timers_free);
	if (h->sample_hz != 0)
		fprintf(out, "sampled %" PRIu32 " times a second\n", h->sample_hz);
	else
		fputs("not sampled: the board has no sample_hz (agent/README.md, Timers)\n", out);
}

void dph_show_info(FILE *out, const struct dp_info_view *info)
{
	print_hello(out, info->hello);
	if (info->limits != NULL) {
		print_limits(out, info->limits);
		print_bounds(out, info->hello->cpu, info->limits->bounds);
		print_nonce(out, info->limits->nonce_source);
	} else if (info->limits_known) {
		print_hello_limits(out, info->hello);
	}
	for (size_t i = 0; i < info->module_count; i++)
		print_module(out, &info->modules[i]);
	if (info->hardware != NULL)
		print_hardware(out, info->hello->cpu, info->hardware);
	if (info->hardware != NULL)
		print_modelled(out, info->hello->cpu, info->hardware);
	if (info->hardware != NULL)
		print_timers(out, info->hardware);
	if (info->status != NULL)
		print_status(out, info->status);
}

static void print_left_out(FILE *out, const struct dp_text_view *text)
{
	if (text->left_out > 0)
		fprintf(out,
			"; %" PRIu64 " bytes left out: relocations change them in a way that is "
			"not computed",
			text->left_out);
}

void dph_show_text(FILE *out, const struct dp_text_view *text)
{
	char name[DP_NAME_ROOM];

	if (text->differ == 0) {
		fprintf(out, "text:     %" PRIu64 " bytes, the same as in %s", text->bytes,
			text->elf);
		print_left_out(out, text);
		putc('\n', out);
		return;
	}
	fprintf(out,
		"text:     %s%" PRIu64 " of %" PRIu64
		" bytes, in pieces of 64, differ from %s, the first at 0x%08" PRIx64,
		text->differ >= 4096 ? "at least " : "", text->differ, text->bytes, text->elf,
		text->first);
	if (dp_image_name(text->names, text->first, name) != NULL) {
		fputs(" (", out);
		dph_plain_print(name, out);
		putc(')', out);
	}
	print_left_out(out, text);
	fprintf(out, "; %" PRIu32 " probe(s) armed\n", text->sites);
}

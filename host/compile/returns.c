/* SPDX-License-Identifier: BSD-2-Clause */
/* This step looks at the handlers with `return`: each is for the first instruction of a function,
 * whose extent is known, and which no exception enters. */
#define _GNU_SOURCE
#include "steps.h"

#include "dp_object.h"
#include "symbols/elf_image.h"
#include "symbols/insn_walk.h"
#include "tables/decoders.h"
#include "tables/isas.h"

/* The first `return` of the routine; null: there is none. */
static const struct dph_insn *return_of(const struct dph_routine *routine)
{
	for (size_t i = 0; i < routine->insn_count; i++)
		if (routine->insns[i].op->code == RPN_RETURN)
			return &routine->insns[i];
	return NULL;
}

static void check_words(struct dph_compilation *c, const struct dph_routine *routine)
{
	const unsigned most = (unsigned)sizeof(uint64_t) / c->program.target.word_bytes;
	for (size_t i = 0; i < routine->insn_count; i++) {
		const struct dph_insn *insn = &routine->insns[i];
		if (insn->op->code != RPN_RETURN || insn->value <= most)
			continue;
		dph_error(c, insn->place,
			  "'return %llu': a function returns 0 to %u words; a struct or a number "
			  "of floating point is not returned so",
			  (unsigned long long)insn->value, most);
	}
}

/* Does the function return from an exception? Then an exception enters it, and no call. */
static bool ends_exception(const struct dph_compilation *c, const struct dph_point *point,
			   const struct dp_image *image, uint64_t address)
{
	const struct dp_decoder *decoder = dph_decoder_of(c->program.target.cpu->number);
	const struct dph_isa *isa = dph_isa_numbered(c->program.target.cpu, point->isa);
	struct dp_insn insn;
	if (!decoder || !isa)
		return false;
	for (uint64_t at = address; at < address + point->extent;) {
		const unsigned bytes = dph_insn_bytes_at(image, isa, at);
		if (bytes && dph_insn_at(image, isa, at, &insn) &&
		    decoder->refusal(&insn, decoder->architecture) == DP_REFUSE_EXCEPTION_RETURN)
			return true;
		at += bytes ? bytes : isa->align;
	}
	return false;
}

/* Why no handler of the point may return; null: one may. */
static const char *no_function(const struct dph_compilation *c, const struct dph_point *point)
{
	const struct dp_image *image = dph_images_code(&c->images, c->program.header.modtype);
	const bool module = c->program.header.modtype != DP_MODULE_KERNEL;
	if (point->kind != DP_PROBE_BREAK)
		return "this probe is no breakpoint";
	if (point->phase != DP_PHASE_BEFORE)
		return "this probe runs behind the first instruction; use phase = before";
	if (!point->extent)
		return "where the function begins is not known; give --elf FILE, with its symbols, "
		       "or 'function = BYTES' for one that begins here";
	if (point->before)
		return "this probe is inside a function; probe its first instruction";
	if (image &&
	    ends_exception(c, point, image, point->address + (module ? dph_image_base(image) : 0)))
		return "an exception enters this function, and no call: it has no caller to return "
		       "to";
	return NULL;
}

static void check_point(struct dph_compilation *c, struct dph_point *point)
{
	const struct dph_insn *insn = return_of(&c->program.routines[point->routine]);
	const char *why = insn ? no_function(c, point) : NULL;
	point->returns = insn != NULL;
	if (!why)
		return;
	dph_error(c, insn->place, "'return' lets a function return at its first instruction: %s",
		  why);
	dph_note(c, point->keyword, "the probe is here");
}

void dph_check_returns(struct dph_compilation *c)
{
	for (size_t i = 0; i < c->program.routine_count; i++) {
		const struct dph_routine *routine = &c->program.routines[i];
		const struct dph_insn *insn = routine->name ? return_of(routine) : NULL;
		check_words(c, routine);
		if (insn)
			dph_error(c, insn->place,
				  "'return' is for handlers; procedure %s ends with 'ret'",
				  routine->name);
	}
	for (size_t i = 0; i < c->program.point_count; i++)
		check_point(c, &c->program.points[i]);
}

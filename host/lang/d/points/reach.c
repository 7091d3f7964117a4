/* SPDX-License-Identifier: BSD-2-Clause */
/* The direct ways through a function, from its first instruction on. Code that no direct way
 * reaches is behind an indirect branch: cases of a switch. */
#include "reach.h"

#include "base/pool.h"
#include "debuginfo/tail_calls.h"
#include "symbols/elf_image.h"
#include "symbols/insn_walk.h"

#include <stdlib.h>

bool dph_d_is_inside(const struct d_function *function, uint64_t address)
{
	for (unsigned i = 0; i < function->parts; i++)
		if (address - function->part[i]->value < function->part[i]->bytes)
			return true;
	return false;
}

/* Is this the set of the instruction at the address, and no data? */
static bool is_code(const struct d_function *function, uint64_t address)
{
	const struct dph_isa *found = NULL;
	uint64_t start;
	return dph_image_code(function->d->image, address, &start, &found) == DPH_CODE_INSNS &&
	       (!found || found->number == function->isa->number);
}

bool dph_d_read_insn(const struct d_function *function, uint64_t at, struct dp_insn *insn,
		     unsigned *bytes)
{
	const bool is =
		is_code(function, at) && dph_insn_at(function->d->image, function->isa, at, insn);
	*bytes = is ? insn->count : function->isa->align;
	insn->address = at - function->moved; /* the file has linked addresses */
	return is;
}

/* --- the walk ------------------------------------------------------------------------------ */

enum {
	SEEN = 1,
	COVERED = 2 /* an instruction before makes it conditional */
};

struct walk {
	const struct d_function *function;
	const struct dp_decoder *decoder;
	uint8_t *marks[2]; /* of each unit of a part */
	uint64_t *ahead;   /* addresses still to follow */
	size_t count, capacity;
};

static uint8_t *mark_of(const struct walk *walk, uint64_t address)
{
	const struct d_function *function = walk->function;
	for (unsigned i = 0; i < function->parts; i++) {
		const uint64_t offset = address - function->part[i]->value;
		if (offset < function->part[i]->bytes)
			return &walk->marks[i][offset / function->isa->align];
	}
	return NULL;
}

static void follow_later(struct walk *walk, uint64_t address)
{
	const uint8_t *mark = mark_of(walk, address);
	if (!mark || *mark & SEEN)
		return;
	walk->ahead = dph_grow(walk->ahead, &walk->capacity, walk->count, sizeof(*walk->ahead));
	walk->ahead[walk->count++] = address;
}

/* Mark the instructions that this one makes conditional. */
static void cover(const struct walk *walk, const struct dp_insn *insn, uint64_t at)
{
	const struct dp_decoder *decoder = walk->decoder;
	unsigned count = decoder->covers ? decoder->covers(insn) : 0;
	unsigned bytes = insn->count;
	for (struct dp_insn next; count > 0; count--) {
		at += bytes;
		uint8_t *mark = mark_of(walk, at);
		if (!mark || !dph_d_read_insn(walk->function, at, &next, &bytes))
			return;
		*mark |= COVERED;
	}
}

static bool has_delay_slot(const struct dp_decoder *decoder, const struct dp_insn *insn)
{
	const enum dp_delay delay =
		decoder->delay ? decoder->delay(insn, decoder->architecture) : DP_DELAY_FITS;
	return delay == DP_DELAY_STEPPED || delay == DP_DELAY_OTHER;
}

/* Does no way lead from the instruction to the next one? */
static bool ends(const struct dph_exit *exit, uint8_t mark)
{
	return exit->kind != DPH_EXIT_NONE && exit->kind != DPH_EXIT_PAD &&
	       exit->condition == DP_CONDITION_NONE && !(mark & COVERED);
}

/* Follow one way until it ends, or joins another one. */
static void follow(struct walk *walk, uint64_t at)
{
	struct dp_insn insn;
	unsigned bytes;
	for (uint8_t *mark = mark_of(walk, at); mark && !(*mark & SEEN); mark = mark_of(walk, at)) {
		if (!dph_d_read_insn(walk->function, at, &insn, &bytes))
			return;
		*mark |= SEEN;
		cover(walk, &insn, at);
		const struct dph_exit exit = dph_exit_of(walk->function->isa, &insn);
		if (exit.kind == DPH_EXIT_BRANCH)
			follow_later(walk, exit.target + walk->function->moved);
		at += bytes;
		if (!ends(&exit, *mark))
			continue;
		mark = has_delay_slot(walk->decoder, &insn) ? mark_of(walk, at) : NULL;
		if (mark)
			*mark |= SEEN;
		return;
	}
}

/* --- origins ------------------------------------------------------------------------------- */

enum {
	BEFORE_MAX = 12 /* instructions that a compiler may put between address and branch */
};

/* The instructions of a part in front of one, the nearest first. */
static unsigned read_before(const struct d_function *function, uint64_t at,
			    struct dp_insn before[BEFORE_MAX])
{
	const unsigned align = function->isa->align;
	unsigned count = 0, bytes;
	while (count < BEFORE_MAX && dph_d_is_inside(function, at - align) &&
	       dph_d_read_insn(function, at - align, &before[count], &bytes)) {
		count++;
		at -= align;
	}
	return count;
}

/* Is an instruction of the kind EITHER a case or a call? Others know. */
static enum dph_exit_kind settled(const struct d_function *function, enum dph_exit_kind kind,
				  uint64_t at)
{
	const struct dp_decoder *decoder = dph_decoder_of(function->isa->cpu);
	struct dp_insn before[BEFORE_MAX];
	if (kind != DPH_EXIT_EITHER || !decoder->origin)
		return kind;
	switch (decoder->origin(before, read_before(function, at, before))) {
	case DP_ORIGIN_SUM:
		return DPH_EXIT_CASE;
	case DP_ORIGIN_POINTER:
		return DPH_EXIT_CALL;
	default:
		return DPH_EXIT_EITHER;
	}
}

/* --- a function ---------------------------------------------------------------------------- */

static void look_at_part(const struct walk *walk, const struct dp_symbol *part,
			 struct d_reach *reach)
{
	struct dp_insn insn;
	unsigned bytes;
	for (uint64_t at = part->value; at - part->value < part->bytes; at += bytes) {
		if (!dph_d_read_insn(walk->function, at, &insn, &bytes))
			continue;
		const enum dph_exit_kind kind =
			settled(walk->function, dph_exit_of(walk->function->isa, &insn).kind, at);
		reach->indirect += kind > DPH_EXIT_TABLE;
		reach->cases |= kind == DPH_EXIT_TABLE || kind == DPH_EXIT_CASE;
		reach->rest |= kind != DPH_EXIT_PAD && !(*mark_of(walk, at) & SEEN);
	}
}

struct d_reach dph_d_reach(const struct d_function *function)
{
	struct walk walk = {.function = function, .decoder = dph_decoder_of(function->isa->cpu)};
	struct d_reach reach = {0};
	for (unsigned i = 0; i < function->parts; i++)
		walk.marks[i] = dph_malloc(function->part[i]->bytes / function->isa->align + 1);
	follow_later(&walk, function->part[0]->value);
	while (walk.count > 0)
		follow(&walk, walk.ahead[--walk.count]);
	for (unsigned i = 0; i < function->parts; i++) {
		look_at_part(&walk, function->part[i], &reach);
		free(walk.marks[i]);
	}
	free(walk.ahead);
	return reach;
}

/* --- one branch ---------------------------------------------------------------------------- */

/* Code that no direct way reaches tells that a switch is there. */
static enum d_indirect guess(const struct d_reach *reach, enum dph_exit_kind kind)
{
	if (!reach->rest || (reach->cases && kind == DPH_EXIT_CALL))
		return D_INDIRECT_LEAVES;
	if (kind == DPH_EXIT_CASE || (kind == DPH_EXIT_EITHER && reach->indirect == 1))
		return D_INDIRECT_INSIDE;
	return D_INDIRECT_UNKNOWN;
}

enum d_indirect dph_d_indirect(const struct d_function *function, const struct d_reach *reach,
			       enum dph_exit_kind kind, uint64_t at, const struct dp_insn *insn)
{
	const struct dp_decoder *decoder = dph_decoder_of(function->isa->cpu);
	const unsigned bytes = insn->count * (has_delay_slot(decoder, insn) ? 2 : 1);
	struct dp_debuginfo *debug = function->d->debug;
	const enum dph_tail_call said =
		debug ? dph_tail_call_at(debug, at, bytes) : DPH_TAIL_CALL_UNKNOWN;
	if (said == DPH_TAIL_CALL_IS)
		return D_INDIRECT_LEAVES;
	if (said == DPH_TAIL_CALL_NOT && reach->rest)
		return D_INDIRECT_INSIDE;
	return guess(reach, settled(function, kind, at));
}

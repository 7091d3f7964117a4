/* SPDX-License-Identifier: BSD-2-Clause */
/* The direct ways through a function, from its first instruction on. Code that no direct way
 * reaches is behind an indirect branch: cases of a switch. */
#include "reach.h"

#include "base/pool.h"
#include "debuginfo/tail_calls.h"
#include "symbols/elf_image.h"
#include "symbols/insn_walk.h"

#include <stdlib.h>
#include <string.h>

bool dph_d_is_inside(const struct d_function *function, uint64_t address)
{
	for (unsigned i = 0; i < function->parts; i++)
		if (address - function->part[i].value < function->part[i].bytes)
			return true;
	return false;
}

/* The instruction set of the code at the address; NULL: data. A function of two sets has both. */
static const struct dph_isa *isa_at(const struct d_function *function, uint64_t address)
{
	const struct dph_isa *found = NULL;
	uint64_t start;
	if (dph_image_code(function->d->image, address, &start, &found) != DPH_CODE_INSNS)
		return NULL;
	return found ? found : function->isa;
}

bool dph_d_read_insn(const struct d_function *function, uint64_t at, struct dp_insn *insn,
		     unsigned *bytes)
{
	const struct dph_isa *isa = isa_at(function, at);
	const bool is = isa && dph_insn_at(function->d->image, isa, at, insn);
	*bytes = is ? insn->count : function->isa->align;
	insn->address = at - function->moved; /* the file has linked addresses */
	return is;
}

struct dph_exit dph_d_exit_of(const struct d_function *function, const struct dp_insn *insn)
{
	return dph_exit_of(dph_isa_numbered(function->d->cpu, insn->isa), insn);
}

bool dph_d_has_delay_slot(const struct d_function *function, const struct dp_insn *insn)
{
	const struct dp_decoder *decoder = dph_decoder_of(function->isa->cpu);
	const enum dp_delay delay =
		decoder->delay ? decoder->delay(insn, decoder->architecture) : DP_DELAY_FITS;
	return delay == DP_DELAY_STEPPED || delay == DP_DELAY_OTHER;
}

/* --- the walk ------------------------------------------------------------------------------ */

enum {
	SEEN = 1,
	COVERED = 2 /* an instruction before makes it conditional */
};

struct walk {
	const struct d_function *function;
	const struct dp_decoder *decoder;
	uint8_t *marks[D_PARTS_MAX]; /* of each byte of a part */
	uint64_t *ahead;             /* addresses still to follow */
	size_t count, capacity;
};

static uint8_t *mark_of(const struct walk *walk, uint64_t address)
{
	const struct d_function *function = walk->function;
	for (unsigned i = 0; i < function->parts; i++) {
		const uint64_t offset = address - function->part[i].value;
		if (offset < function->part[i].bytes)
			return &walk->marks[i][offset];
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
		const struct dph_exit exit = dph_d_exit_of(walk->function, &insn);
		if (exit.kind == DPH_EXIT_BRANCH)
			follow_later(walk, exit.target + walk->function->moved);
		at += bytes;
		if (!ends(&exit, *mark))
			continue;
		mark = dph_d_has_delay_slot(walk->function, &insn) ? mark_of(walk, at) : NULL;
		if (mark)
			*mark |= SEEN;
		return;
	}
}

/* --- origins ------------------------------------------------------------------------------- */

/* The instructions of a part in front of one, the nearest first. free() */
static struct dp_insn *read_before(const struct d_function *function, uint64_t address,
				   unsigned *count)
{
	const struct d_part *part = &function->part[0];
	while (address - part->value >= part->bytes)
		part++;
	const size_t most = (address - part->value) / function->isa->align;
	struct dp_insn *before = dph_malloc((most + 1) * sizeof(*before));
	unsigned bytes;
	*count = 0;
	for (uint64_t at = part->value; at < address && *count < most; at += bytes)
		if (dph_d_read_insn(function, at, &before[most - 1 - *count], &bytes))
			++*count;
	memmove(before, before + most - *count, *count * sizeof(*before));
	return before;
}

static enum dp_origin origin_of(const struct d_function *function, const struct dp_insn *branch,
				uint64_t at)
{
	const struct dp_decoder *decoder = dph_decoder_of(function->isa->cpu);
	enum dp_origin origin;
	unsigned count;
	if (!decoder->origin)
		return DP_ORIGIN_UNKNOWN;
	struct dp_insn *before = read_before(function, at, &count);
	origin = decoder->origin(branch, before, count);
	free(before);
	return origin;
}

/* The kind of an indirect branch, by the origin of its address. */
static enum dph_exit_kind settled(const struct d_function *function, enum dph_exit_kind kind,
				  uint64_t at, const struct dp_insn *insn)
{
	if (kind <= DPH_EXIT_TABLE)
		return kind;
	switch (origin_of(function, insn, at)) {
	case DP_ORIGIN_LINK:
		return DPH_EXIT_RETURN;
	case DP_ORIGIN_SUM:
		return kind == DPH_EXIT_EITHER ? DPH_EXIT_CASE : kind;
	case DP_ORIGIN_POINTER:
		return DPH_EXIT_CALL;
	default:
		return kind;
	}
}

/* --- a function ---------------------------------------------------------------------------- */

/* Does a way lead from the instruction to the next one, whatever the instruction does? A call may
 * never return: no call runs in a slot. */
static bool passes(const struct walk *walk, const struct dp_insn *insn, uint8_t mark, bool delayed)
{
	const struct dp_decoder *decoder = walk->decoder;
	return mark == SEEN && !delayed &&
	       dph_d_exit_of(walk->function, insn).kind == DPH_EXIT_NONE &&
	       (!decoder->condition || decoder->condition(insn) == DP_CONDITION_NONE) &&
	       decoder->in_slot(insn, decoder->architecture);
}

static void look_at_part(const struct walk *walk, const struct d_part *part, struct d_reach *reach)
{
	struct dp_insn insn;
	unsigned bytes;
	bool delayed = false;
	for (uint64_t at = part->value; at - part->value < part->bytes; at += bytes) {
		reach->passes_end = false;
		if (!dph_d_read_insn(walk->function, at, &insn, &bytes))
			continue;
		const enum dph_exit_kind kind = settled(
			walk->function, dph_d_exit_of(walk->function, &insn).kind, at, &insn);
		reach->passes_end = passes(walk, &insn, *mark_of(walk, at), delayed);
		reach->last = at;
		delayed = dph_d_has_delay_slot(walk->function, &insn);
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
		walk.marks[i] = dph_malloc(function->part[i].bytes + 1);
	follow_later(&walk, function->part[0].value);
	while (walk.count > 0)
		follow(&walk, walk.ahead[--walk.count]);
	for (unsigned i = function->parts; i-- > 0;) {
		look_at_part(&walk, &function->part[i], &reach);
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
	const unsigned bytes = insn->count * (dph_d_has_delay_slot(function, insn) ? 2 : 1);
	const enum dph_exit_kind found = settled(function, kind, at, insn);
	struct dp_debuginfo *debug = function->d->debug;
	const enum dph_tail_call said =
		debug ? dph_tail_call_at(debug, at, bytes) : DPH_TAIL_CALL_UNKNOWN;
	if (found == DPH_EXIT_RETURN)
		return D_INDIRECT_RETURNS;
	if (said == DPH_TAIL_CALL_IS)
		return D_INDIRECT_LEAVES;
	if (said == DPH_TAIL_CALL_NOT && reach->rest)
		return D_INDIRECT_INSIDE;
	return guess(reach, found);
}

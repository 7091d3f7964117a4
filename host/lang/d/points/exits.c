/* SPDX-License-Identifier: BSD-2-Clause */
/* Probe points where a function is left: its returns, and branches to another function. The walk
 * goes from instruction to instruction; data among the code is passed. */
#include "exits.h"

#include "symbols/code_names.h"
#include "symbols/elf_image.h"
#include "symbols/insn_walk.h"
#include "tables/returns.h"

/* Is this the set of the instruction at the address, and no data? */
static bool is_code(const struct dp_image *image, const struct dph_isa *isa, uint64_t address)
{
	const struct dph_isa *found = NULL;
	uint64_t start;
	return dph_image_code(image, address, &start, &found) == DPH_CODE_INSNS &&
	       (!found || found->number == isa->number);
}

/* Read the instruction at `at`. Returns false: data, or the end of the section. *bytes: to pass. */
static bool read_insn(const struct d_front *d, const struct dph_isa *isa, uint64_t at,
		      struct dp_insn *insn, unsigned *bytes)
{
	const bool is = is_code(d->image, isa, at) && dph_insn_at(d->image, isa, at, insn);
	*bytes = is ? insn->count : isa->align;
	return is;
}

static const struct dph_isa *isa_of(const struct d_front *d, const struct dp_symbol *function)
{
	return d->cpu ? dph_isa_numbered(d->cpu, function->isa) : NULL;
}

void dph_d_instructions(const struct d_front *d, const struct dp_symbol *function,
			dph_d_instruction *visit, void *context)
{
	const struct dph_isa *isa = isa_of(d, function);
	const uint64_t end = function->value + function->bytes;
	struct dp_insn insn;
	unsigned bytes;
	for (uint64_t at = function->value; isa && at < end; at += bytes)
		if (read_insn(d, isa, at, &insn, &bytes))
			visit(context, at);
}

/* Does the branch lead to a routine that returns for the function? The table has the prefixes of
 * their names. */
static bool is_epilogue(const struct d_front *d, const struct dph_isa *isa, uint64_t target)
{
	const struct dp_symbol *symbol = dp_image_function(d->image, target);
	return symbol && symbol->value == target && dph_exit_returns(isa, symbol->name);
}

/* Is the address in the function, or in the cold part of it? */
static bool is_inside(const struct dp_symbol *function, const struct dp_symbol *cold,
		      uint64_t address)
{
	return address - function->value < function->bytes ||
	       (cold && address - cold->value < cold->bytes);
}

/* A function and its cold part leave to elsewhere. */
struct left {
	const struct d_front *d;
	const struct dph_isa *isa;
	const struct dp_symbol *function, *cold;
	uint64_t moved;
	dph_d_exit *visit;
	void *context;
};

static void visit_exit(const struct left *left, struct dp_insn insn, uint64_t at)
{
	uint64_t target = insn.address -= left->moved; /* the file has linked addresses */
	unsigned phase = 0;
	const enum dph_exit_kind kind = dph_exit_of(left->isa, &insn, &phase, &target);
	target += left->moved;
	if (kind == DPH_EXIT_RETURN)
		left->visit(left->context, at, false, phase);
	else if (kind != DPH_EXIT_BRANCH || is_inside(left->function, left->cold, target))
		return;
	else if (is_epilogue(left->d, left->isa, target))
		left->visit(left->context, at, false, DP_PHASE_BEFORE);
	else
		left->visit(left->context, at, true, phase);
}

static void visit_exits(const struct left *left, const struct dp_symbol *part)
{
	const uint64_t end = part->value + part->bytes;
	struct dp_insn insn;
	unsigned bytes;
	for (uint64_t at = part->value; at < end; at += bytes)
		if (read_insn(left->d, left->isa, at, &insn, &bytes))
			visit_exit(left, insn, at);
}

bool dph_d_exits(const struct d_front *d, const struct dp_symbol *function, dph_d_exit *visit,
		 void *context)
{
	struct dp_image_info info;
	dp_image_info(d->image, &info);
	const struct left left = {.d = d,
				  .isa = isa_of(d, function),
				  .function = function,
				  .cold = dph_code_cold(d->image, function),
				  .moved = info.moved,
				  .visit = visit,
				  .context = context};
	if (!left.isa || !dph_exits_known(left.isa))
		return false;
	visit_exits(&left, function);
	if (left.cold)
		visit_exits(&left, left.cold);
	return true;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Probe points where a function is left: its returns, and branches to another function. The walk
 * goes from instruction to instruction; data among the code is passed. */
#include "exits.h"

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

bool dph_d_exits(const struct d_front *d, const struct dp_symbol *function, dph_d_exit *visit,
		 void *context)
{
	const struct dph_isa *isa = isa_of(d, function);
	const uint64_t end = function->value + function->bytes;
	struct dp_image_info info;
	struct dp_insn insn;
	unsigned bytes;
	dp_image_info(d->image, &info);
	if (!isa || !dph_exits_known(isa))
		return false;
	for (uint64_t at = function->value; at < end; at += bytes) {
		uint64_t target = at - info.moved; /* the file has linked addresses */
		unsigned phase = 0;
		if (!read_insn(d, isa, at, &insn, &bytes))
			continue;
		insn.address -= info.moved;
		const enum dph_exit_kind kind = dph_exit_of(isa, &insn, &phase, &target);
		const bool away = target - (function->value - info.moved) >= function->bytes;
		if (kind == DPH_EXIT_RETURN)
			visit(context, at, false, phase);
		else if (kind == DPH_EXIT_BRANCH && away &&
			 is_epilogue(d, isa, target + info.moved))
			visit(context, at, false, DP_PHASE_BEFORE);
		else if (kind == DPH_EXIT_BRANCH && away)
			visit(context, at, true, phase);
	}
	return true;
}

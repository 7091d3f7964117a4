/* SPDX-License-Identifier: BSD-2-Clause */
/* Probe points where a function is left: its returns, and branches to another function. The walk
 * goes from instruction to instruction; data among the code is passed. */
#include "exits.h"

#include "reach.h"
#include "symbols/code_names.h"
#include "symbols/elf_image.h"

static struct d_function function_of(const struct d_front *d, const struct dp_symbol *symbol)
{
	struct d_function function = {.d = d, .part = {symbol}, .parts = 1};
	struct dp_image_info info;
	dp_image_info(d->image, &info);
	function.moved = info.moved;
	function.isa = d->cpu ? dph_isa_numbered(d->cpu, symbol->isa) : NULL;
	return function;
}

void dph_d_instructions(const struct d_front *d, const struct dp_symbol *symbol,
			dph_d_instruction *visit, void *context)
{
	const struct d_function function = function_of(d, symbol);
	const uint64_t end = symbol->value + symbol->bytes;
	struct dp_insn insn;
	unsigned bytes;
	for (uint64_t at = symbol->value; function.isa && at < end; at += bytes)
		if (dph_d_read_insn(&function, at, &insn, &bytes))
			visit(context, at);
}

/* Does the branch lead to a routine that returns for the function? The table has the prefixes of
 * their names. */
static bool is_epilogue(const struct d_function *function, uint64_t target)
{
	const struct dp_symbol *symbol = dp_image_function(function->d->image, target);
	return symbol && symbol->value == target && dph_exit_returns(function->isa, symbol->name);
}

/* A function that is left. */
struct left {
	struct d_function function;
	struct d_reach reach;
	bool followed; /* reach is known */
	dph_d_exit *visit;
	void *context;
};

static bool leaves_by_branch(const struct left *left, uint64_t target, struct d_exit *exit)
{
	exit->way = is_epilogue(&left->function, target) ? D_EXIT_RETURN : D_EXIT_TAIL;
	return !dph_d_is_inside(&left->function, target);
}

static bool leaves_indirectly(struct left *left, const struct dp_insn *insn,
			      enum dph_exit_kind kind, struct d_exit *exit)
{
	enum d_indirect found;
	if (!left->followed)
		left->reach = dph_d_reach(&left->function);
	left->followed = true;
	found = dph_d_indirect(&left->function, &left->reach, kind, exit->address, insn);
	exit->way = found == D_INDIRECT_UNKNOWN ? D_EXIT_UNKNOWN : D_EXIT_TAIL;
	return found != D_INDIRECT_INSIDE;
}

static void visit_exit(struct left *left, const struct dp_insn *insn, uint64_t at)
{
	const struct dph_exit found = dph_exit_of(left->function.isa, insn);
	struct d_exit exit = {.address = at,
			      .way = D_EXIT_RETURN,
			      .phase = found.phase,
			      .taken = found.condition == DP_CONDITION_TAKEN};
	const uint64_t target = found.target + left->function.moved;
	if (found.kind == DPH_EXIT_RETURN ||
	    (found.kind == DPH_EXIT_BRANCH && leaves_by_branch(left, target, &exit)) ||
	    (found.kind > DPH_EXIT_TABLE && leaves_indirectly(left, insn, found.kind, &exit)))
		left->visit(left->context, &exit);
}

static void visit_exits(struct left *left, const struct dp_symbol *part)
{
	const uint64_t end = part->value + part->bytes;
	struct dp_insn insn;
	unsigned bytes;
	for (uint64_t at = part->value; at < end; at += bytes)
		if (dph_d_read_insn(&left->function, at, &insn, &bytes))
			visit_exit(left, &insn, at);
}

bool dph_d_exits(const struct d_front *d, const struct dp_symbol *symbol, dph_d_exit *visit,
		 void *context)
{
	struct left left = {.function = function_of(d, symbol), .visit = visit, .context = context};
	const struct dp_symbol *cold = dph_code_cold(d->image, symbol);
	if (!left.function.isa || !dph_exits_known(left.function.isa))
		return false;
	if (cold)
		left.function.part[left.function.parts++] = cold;
	for (unsigned i = 0; i < left.function.parts; i++)
		visit_exits(&left, left.function.part[i]);
	return true;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Probe points where a function is left: its returns, and branches to another function. The walk
 * goes from instruction to instruction; data among the code is passed. */
#include "exits.h"

#include "base/pool.h"
#include "reach.h"
#include "symbols/code_names.h"
#include "symbols/elf_image.h"

#include <stdlib.h>

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

/* An instruction that may leave a function. */
struct way_out {
	struct dp_insn insn;
	uint64_t address;
	struct dph_exit found;
};

/* A function that is left. */
struct left {
	struct d_function function;
	struct way_out *ways;
	size_t count, room;
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

static void visit_exit(struct left *left, const struct way_out *way)
{
	const enum dph_exit_kind kind = way->found.kind;
	struct d_exit exit = {.address = way->address,
			      .way = D_EXIT_RETURN,
			      .phase = way->found.phase,
			      .taken = way->found.condition == DP_CONDITION_TAKEN};
	const uint64_t target = way->found.target + left->function.moved;
	if (kind == DPH_EXIT_RETURN ||
	    (kind == DPH_EXIT_BRANCH && leaves_by_branch(left, target, &exit)) ||
	    (kind > DPH_EXIT_TABLE && leaves_indirectly(left, &way->insn, kind, &exit)))
		left->visit(left->context, &exit);
}

static void add_part(struct d_function *function, const struct dp_symbol *part)
{
	if (part && function->parts < D_PARTS_MAX)
		function->part[function->parts++] = part;
}

/* Note the instruction, and the cold part that it leads to. */
static void note_way(struct left *left, const struct dp_insn *insn, uint64_t at)
{
	struct d_function *function = &left->function;
	const struct way_out way = {*insn, at, dph_exit_of(function->isa, insn)};
	const bool branch = way.found.kind == DPH_EXIT_BRANCH;
	const uint64_t target = way.found.target + function->moved;
	if ((branch && dph_d_is_inside(function, target)) ||
	    (!branch && way.found.kind != DPH_EXIT_RETURN && way.found.kind <= DPH_EXIT_TABLE))
		return;
	left->ways = dph_grow(left->ways, &left->room, left->count, sizeof(*left->ways));
	left->ways[left->count++] = way;
	if (branch)
		add_part(function, dph_code_cold_at(function->d->image, function->part[0], target));
}

static void note_ways(struct left *left, const struct dp_symbol *part)
{
	const uint64_t end = part->value + part->bytes;
	struct dp_insn insn;
	unsigned bytes;
	for (uint64_t at = part->value; at < end; at += bytes)
		if (dph_d_read_insn(&left->function, at, &insn, &bytes))
			note_way(left, &insn, at);
}

bool dph_d_exits(const struct d_front *d, const struct dp_symbol *symbol, dph_d_exit *visit,
		 void *context)
{
	struct left left = {.function = function_of(d, symbol), .visit = visit, .context = context};
	if (!left.function.isa || !dph_exits_known(left.function.isa))
		return false;
	note_ways(&left, symbol);
	if (left.function.parts == 1) /* A table or a veneer may lead there. */
		add_part(&left.function, dph_code_only_cold(d->image, symbol));
	for (unsigned i = 1; i < left.function.parts; i++)
		note_ways(&left, left.function.part[i]);
	for (size_t i = 0; i < left.count; i++)
		visit_exit(&left, &left.ways[i]);
	free(left.ways);
	return true;
}

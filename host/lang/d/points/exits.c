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
	struct d_function function = {
		.d = d, .symbol = symbol, .part = {{symbol->value, symbol->bytes}}, .parts = 1};
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
	bool open;     /* the last instruction is no way out */
	dph_d_exit *visit;
	void *context;
};

static bool leaves_by_branch(const struct left *left, uint64_t target, struct d_exit *exit)
{
	exit->way = is_epilogue(&left->function, target) ? D_EXIT_RETURN : D_EXIT_TAIL;
	return !dph_d_is_inside(&left->function, target);
}

static const struct d_reach *reach_of(struct left *left)
{
	if (!left->followed)
		left->reach = dph_d_reach(&left->function);
	left->followed = true;
	return &left->reach;
}

static bool leaves_indirectly(struct left *left, const struct dp_insn *insn,
			      enum dph_exit_kind kind, struct d_exit *exit)
{
	static const enum d_exit_way ways[] = {[D_INDIRECT_LEAVES] = D_EXIT_TAIL,
					       [D_INDIRECT_RETURNS] = D_EXIT_RETURN,
					       [D_INDIRECT_UNKNOWN] = D_EXIT_UNKNOWN};
	const enum d_indirect found =
		dph_d_indirect(&left->function, reach_of(left), kind, exit->address, insn);
	exit->way = ways[found];
	if (found == D_INDIRECT_RETURNS && dph_d_has_delay_slot(&left->function, insn))
		exit->phase = DP_PHASE_AFTER; /* the slot may set the result */
	return found != D_INDIRECT_INSIDE;
}

static void visit_exit(struct left *left, const struct way_out *way)
{
	const enum dph_exit_kind kind = way->found.kind;
	struct d_exit exit = {.address = way->address,
			      .isa = way->insn.isa,
			      .way = D_EXIT_RETURN,
			      .phase = way->found.phase,
			      .taken = way->found.condition == DP_CONDITION_TAKEN};
	const uint64_t target = way->found.target + left->function.moved;
	if (kind == DPH_EXIT_RETURN ||
	    (kind == DPH_EXIT_BRANCH && leaves_by_branch(left, target, &exit)) ||
	    (kind > DPH_EXIT_TABLE && leaves_indirectly(left, &way->insn, kind, &exit)))
		left->visit(left->context, &exit);
}

/* A routine with several entries is a function for each entry, which ends where the next one
 * begins: they share the code behind. */
static void end_at_next_entry(struct d_function *function)
{
	struct d_part *own = &function->part[0];
	const uint64_t end = own->value + own->bytes;
	for (uint64_t at = own->value; at < end; at += function->isa->align) {
		const struct dp_symbol *here = dp_image_function(function->d->image, at);
		if (here && here->value == at && at != own->value && here->bytes >= end - at)
			own->bytes = at - own->value;
		if (here && here->value == at && at != own->value)
			return;
	}
}

/* The code may go on in another function, which begins where this one ends: a tail call without a
 * branch. */
static void visit_end(struct left *left)
{
	const struct d_part *own = &left->function.part[0];
	const uint64_t end = own->value + own->bytes;
	const struct dp_symbol *next = dp_image_function(left->function.d->image, end);
	if (!left->open || !next || next->value != end || !reach_of(left)->passes_end)
		return;
	left->visit(left->context, &(struct d_exit){.address = left->reach.last,
						    .isa = left->function.isa->number,
						    .way = D_EXIT_TAIL,
						    .phase = DP_PHASE_BEFORE});
}

static void add_part(struct d_function *function, const struct dp_symbol *part)
{
	if (part && function->parts < D_PARTS_MAX)
		function->part[function->parts++] = (struct d_part){part->value, part->bytes};
}

/* Note the instruction, and the cold part that it leads to. */
static void note_way(struct left *left, const struct dp_insn *insn, uint64_t at)
{
	struct d_function *function = &left->function;
	const struct way_out way = {*insn, at, dph_d_exit_of(function, insn)};
	const bool branch = way.found.kind == DPH_EXIT_BRANCH;
	const uint64_t target = way.found.target + function->moved;
	if (function->parts == 1)
		left->open = way.found.kind == DPH_EXIT_NONE;
	if ((branch && dph_d_is_inside(function, target)) ||
	    (!branch && way.found.kind != DPH_EXIT_RETURN && way.found.kind <= DPH_EXIT_TABLE))
		return;
	left->ways = dph_grow(left->ways, &left->room, left->count, sizeof(*left->ways));
	left->ways[left->count++] = way;
	if (branch)
		add_part(function, dph_code_cold_at(function->d->image, function->symbol, target));
}

static void note_ways(struct left *left, const struct d_part *part)
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
	end_at_next_entry(&left.function);
	note_ways(&left, &left.function.part[0]);
	if (left.function.parts == 1) /* A table or a veneer may lead there. */
		add_part(&left.function, dph_code_only_cold(d->image, symbol));
	for (unsigned i = 1; i < left.function.parts; i++)
		note_ways(&left, &left.function.part[i]);
	for (size_t i = 0; i < left.count; i++)
		visit_exit(&left, &left.ways[i]);
	visit_end(&left);
	free(left.ways);
	return true;
}

bool dph_d_begins_again(const struct d_front *d, const struct dp_symbol *symbol)
{
	const struct d_function function = function_of(d, symbol);
	const uint64_t begin = symbol->value, end = begin + symbol->bytes;
	struct dp_insn insn;
	unsigned bytes;
	if (!function.isa || !dph_exits_known(function.isa))
		return false;
	for (uint64_t at = begin; at < end; at += bytes) {
		if (!dph_d_read_insn(&function, at, &insn, &bytes))
			continue;
		const struct dph_exit exit = dph_d_exit_of(&function, &insn);
		if (exit.kind == DPH_EXIT_BRANCH && exit.target + function.moved == begin)
			return true;
	}
	return false;
}

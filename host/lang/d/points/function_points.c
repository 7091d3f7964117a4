/* SPDX-License-Identifier: BSD-2-Clause */
/* This file finds the points of functions: entries, ways out, instructions, addresses. */
#define _GNU_SOURCE
#include "exits.h"
#include "fields.h"

#include "dp_object.h"
#include "lang/d/read/provider.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void add_entry(void *context, const struct dp_symbol *symbol)
{
	struct d_point *point =
		dph_d_add_point(context, D_POINT_ENTRY, "fbt", symbol->name, "entry");
	point->address = symbol->value;
	point->symbolic = true;
	point->isa = symbol->isa;
}

struct d_point *dph_d_entry_point(struct d_front *d, const struct dp_symbol *symbol,
				  struct dph_place place)
{
	struct d_fields alone = {.d = d, .place = place, .end = &alone.list};
	add_entry(&alone, symbol);
	return alone.list;
}

static void find_entries(struct d_fields *f)
{
	if (dph_d_provider_is(f, "fbt") && dph_d_matches(f->part[DPH_PROBE_NAME], "entry") &&
	    dph_d_matches(f->part[DPH_PROBE_MODULE], dph_d_module_name(f->d)))
		dph_d_each_function(f, add_entry);
}

/* The function with the exits to visit. */
struct leaving {
	struct d_fields *fields;
	const struct dp_symbol *symbol;
};

/* No point is missed where none can be, as in the agent. */
static void note_unknown(const struct leaving *leaving, const struct d_exit *exit)
{
	const struct d_point place = {.kind = D_POINT_RETURN,
				      .address = exit->address,
				      .isa = exit->isa,
				      .symbolic = true};
	struct d_no_exit *unknown = &leaving->fields->unknown;
	if (dph_d_point_refused(leaving->fields->d, &place) != NULL)
		return;
	if (unknown->last != leaving->symbol)
		unknown->functions++;
	unknown->last = leaving->symbol;
	if (unknown->first)
		return;
	unknown->first = leaving->symbol;
	unknown->offset = exit->address - leaving->symbol->value;
}

/* Say once that returns may be missed. */
static void warn_unknown(const struct d_fields *f)
{
	const struct d_no_exit *unknown = &f->unknown;
	if (!unknown->first)
		return;
	dph_warning(f->d, f->place,
		    "'%s' has no point where %s leaves by an indirect branch at +0x%llx, which may "
		    "also choose a case of a switch%s",
		    f->text, unknown->first->name, (unsigned long long)unknown->offset,
		    unknown->functions == 1
			    ? ""
			    : dph_pool_print(f->d->pool, "; %zu more functions have such branches",
					     unknown->functions - 1));
}

static void add_exit(void *context, const struct d_exit *exit)
{
	const struct leaving *leaving = context;
	const bool tail = exit->way == D_EXIT_TAIL;
	if (exit->way == D_EXIT_UNKNOWN)
		note_unknown(leaving, exit);
	if (exit->way == D_EXIT_UNKNOWN || (tail && leaving->fields->d->skip_tails))
		return;
	struct d_point *point =
		dph_d_add_point(leaving->fields, tail ? D_POINT_TAIL : D_POINT_RETURN, "fbt",
				leaving->symbol->name, "return");
	point->address = exit->address;
	point->phase = tail ? DP_PHASE_BEFORE : exit->phase;
	point->offset = exit->address - leaving->symbol->value;
	point->taken = exit->taken;
	point->symbolic = true;
	point->isa = exit->isa;
}

static void add_exits(void *context, const struct dp_symbol *symbol)
{
	struct d_fields *f = context;
	struct leaving leaving = {f, symbol};
	dph_d_exits(f->d, symbol, add_exit, &leaving);
}

static void find_exits(struct d_fields *f)
{
	if (dph_d_provider_is(f, "fbt") && dph_d_matches(f->part[DPH_PROBE_NAME], "return") &&
	    dph_d_matches(f->part[DPH_PROBE_MODULE], dph_d_module_name(f->d)))
		dph_d_each_function(f, add_exits);
	warn_unknown(f);
}

/* "1c", "1c-after", "1c-fault". */
static bool read_offset(const char *text, uint64_t *offset, unsigned *phase)
{
	char *end;
	if (!isxdigit((unsigned char)*text))
		return false;
	*offset = strtoull(text, &end, 16);
	*phase = strcmp(end, "-after") == 0   ? DP_PHASE_AFTER
		 : strcmp(end, "-fault") == 0 ? DP_PHASE_FAULT
					      : DP_PHASE_BEFORE;
	return !*end || *phase != DP_PHASE_BEFORE;
}

static void add_instruction(struct d_fields *f, const struct dp_symbol *symbol, uint64_t offset,
			    unsigned phase, const char *name)
{
	struct d_point *point = dph_d_add_point(f, D_POINT_PLACE, "insn", symbol->name, name);
	point->address = symbol->value + offset;
	point->phase = phase;
	point->symbolic = true;
	point->isa = symbol->isa;
}

static void add_walked(void *context, uint64_t address)
{
	const struct leaving *walk = context;
	const uint64_t offset = address - walk->symbol->value;
	add_instruction(walk->fields, walk->symbol, offset, DP_PHASE_BEFORE,
			dph_pool_print(walk->fields->d->pool, "%llx", (unsigned long long)offset));
}

/* insn::FUNCTION:* is each instruction. */
static void add_instructions(void *context, const struct dp_symbol *symbol)
{
	struct d_fields *f = context;
	struct leaving walk = {f, symbol};
	dph_d_instructions(f->d, symbol, add_walked, &walk);
}

static void add_at_offset(void *context, const struct dp_symbol *symbol)
{
	struct d_fields *f = context;
	uint64_t offset;
	unsigned phase;
	if (read_offset(f->part[DPH_PROBE_NAME], &offset, &phase) &&
	    (!offset || offset < symbol->bytes))
		add_instruction(f, symbol, offset, phase, f->part[DPH_PROBE_NAME]);
}

static void find_instructions(struct d_fields *f)
{
	const bool all = strcmp(f->part[DPH_PROBE_NAME], "*") == 0;
	if (dph_d_provider_named(f, "insn") && *f->part[DPH_PROBE_FUNCTION])
		dph_d_each_function(f, all ? add_instructions : add_at_offset);
}

static void find_address(struct d_fields *f)
{
	const char *name = f->part[DPH_PROBE_NAME];
	char *end;
	if (!dph_d_provider_named(f, "addr") || !isdigit((unsigned char)*name))
		return;
	const uint64_t address = strtoull(name, &end, 0);
	if (*end)
		return;
	const struct dp_symbol *function =
		f->d->image ? dp_image_function(f->d->image, address) : NULL;
	dph_d_add_point(f, D_POINT_PLACE, "addr", function ? function->name : NULL, name)->address =
		address;
}

void dph_d_find_functions(struct d_fields *f)
{
	find_entries(f);
	find_exits(f);
	find_instructions(f);
	find_address(f);
}

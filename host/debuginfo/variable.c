/* SPDX-License-Identifier: BSD-2-Clause */
/* This file finds the variables in scope at an address and the variables of file scope. */
#include "variable.h"

#include "base/diag.h"
#include "ctf.h"
#include "line.h"
#include "scope.h"
#include "steps.h"
#include "symbols/elf_image.h"
#include "type_source.h"

#include <dprobes/host.h>

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

/* --- those of a scope ---------------------------------------------------------------------- */

/* Variables while they are collected, and the source entries that represent them. */
struct collection {
	struct dp_debuginfo *debug;
	const struct dph_scopes *scopes;
	uint64_t address;
	struct dph_variable *list;
	size_t count, room;
	const void **origins; /* source entries of the copies in this scope */
	size_t origin_count, origin_room;
};

static bool is_variable(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);
	return tag == DW_TAG_variable || tag == DW_TAG_formal_parameter;
}

/* The entry that this one is a copy of. */
static bool original(Dwarf_Die *die, Dwarf_Die *of)
{
	Dwarf_Attribute attribute;
	return dwarf_attr(die, DW_AT_abstract_origin, &attribute) &&
	       dwarf_formref_die(&attribute, of);
}

static void note_origin(struct collection *c, Dwarf_Die *die)
{
	Dwarf_Die of;
	if (!original(die, &of))
		return;
	c->origins = dph_grow(c->origins, &c->origin_room, c->origin_count, sizeof(*c->origins));
	c->origins[c->origin_count++] = of.addr;
}

static bool is_noted(const struct collection *c, const Dwarf_Die *die)
{
	for (size_t i = 0; i < c->origin_count; i++)
		if (c->origins[i] == die->addr)
			return true;
	return false;
}

static struct dph_variable variable_of(struct dp_debuginfo *debug, const struct dph_scopes *scopes,
				       Dwarf_Die *die, uint64_t address)
{
	struct dph_variable variable = {.name = dph_die_name(die),
					.type = dph_type_of(debug, die),
					.parameter = dwarf_tag(die) == DW_TAG_formal_parameter,
					.die = dwarf_dieoffset(die)};
	dph_locate(debug, scopes, die, address, &variable.location, &variable.has_list);
	return variable;
}

static void take_variable(struct collection *c, Dwarf_Die *die, unsigned depth)
{
	struct dph_variable variable;
	note_origin(c, die);
	if (!dph_die_name(die))
		return;
	variable = variable_of(c->debug, c->scopes, die, c->address);
	variable.depth = depth;
	c->list = dph_grow(c->list, &c->room, c->count, sizeof(*c->list));
	c->list[c->count++] = variable;
}

/* A block without code of its own: the block's content belongs to the scope around the block. */
static bool is_open_block(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_lexical_block && !dwarf_hasattr(die, DW_AT_low_pc) &&
	       !dwarf_hasattr(die, DW_AT_ranges);
}

static void take_scope(struct collection *c, Dwarf_Die *scope, unsigned depth, unsigned nested)
{
	Dwarf_Die child;
	if (nested > DPH_DEPTH_MAX || dwarf_child(scope, &child) != 0)
		return;
	do {
		if (is_variable(&child))
			take_variable(c, &child, depth);
		else if (is_open_block(&child))
			take_scope(c, &child, depth, nested + 1);
	} while (dwarf_siblingof(&child, &child) == 0 && dph_walk_step(c->debug));
}

/* Compilers leave out copies of variables that have no value in this instance. */
static void take_left_out(struct collection *c, Dwarf_Die *scope, unsigned depth)
{
	Dwarf_Die of, child;
	if (!original(scope, &of) || dwarf_child(&of, &child) != 0)
		return;
	do {
		if (is_variable(&child) && !is_noted(c, &child))
			take_variable(c, &child, depth);
	} while (dwarf_siblingof(&child, &child) == 0 && dph_walk_step(c->debug));
}

size_t dph_variables_at(struct dp_debuginfo *debug, uint64_t address, unsigned outer,
			const struct dph_variable **variables, const char **why)
{
	struct dph_scopes scopes;
	*why = NULL;
	*variables = NULL;
	if (!dph_scopes_at(debug, address, &scopes, why))
		return 0;
	dph_scopes_leave(&scopes, outer);
	struct collection c = {.debug = debug, .scopes = &scopes, .address = address};
	dph_walk_begin(debug);
	for (unsigned i = scopes.count; i-- > scopes.instance;) {
		unsigned depth = scopes.count - 1 - i;
		take_scope(&c, &scopes.list[i], depth, 0);
		take_left_out(&c, &scopes.list[i], depth);
	}
	if (c.count) {
		struct dph_variable *list = dph_pool_take(&debug->pool, c.count * sizeof(*list));
		memcpy(list, c.list, c.count * sizeof(*list));
		*variables = list;
	}
	if (!c.count && dph_unit_is_bare(debug, scopes.unit, &scopes.list[0]))
		*why = "its source was compiled with -g1, which leaves out variables; compile with "
		       "-g";
	free(c.list);
	free(c.origins);
	return c.count;
}

bool dph_variable_at(struct dp_debuginfo *debug, uint64_t address, unsigned outer, const char *name,
		     struct dph_variable *variable, const char **why)
{
	const struct dph_variable *list;
	struct dph_closest closest = dph_closest(name, strlen(name));
	size_t count = dph_variables_at(debug, address, outer, &list, why);
	for (size_t i = 0; i < count; i++) {
		if (strcmp(list[i].name, name) == 0) {
			*variable = list[i];
			return true;
		}
		dph_closest_try(&closest, list[i].name);
	}
	if (!*why && closest.best)
		*why = dph_why(debug, "no variable '%s' is in scope here; did you mean '%s'?", name,
			       closest.best);
	else if (!*why)
		*why = dph_why(debug, "no variable '%s' is in scope here", name);
	return false;
}

bool dph_variable_set_from(struct dp_debuginfo *debug, const struct dph_variable *variable,
			   uint64_t address, uint64_t *from)
{
	Dwarf_Die die;
	Dwarf_Attribute attribute;
	Dwarf_Addr base = 0, start, end;
	Dwarf_Op *ops;
	size_t count;
	ptrdiff_t at = 0;
	bool found = false;
	if (!variable->has_list || !dwarf_offdie(debug->file.dwarf, variable->die, &die) ||
	    !dwarf_attr_integrate(&die, DW_AT_location, &attribute))
		return false;
	dph_walk_begin(debug);
	while ((at = dwarf_getlocations(&attribute, at, &base, &start, &end, &ops, &count)) > 0 &&
	       dph_walk_step(debug)) {
		const uint64_t begin = dph_running(debug, start);
		if (begin <= address || !count || start >= end || (found && begin >= *from))
			continue;
		*from = begin;
		found = true;
	}
	return found;
}

/* --- those of file scope ------------------------------------------------------------------- */

struct search {
	struct dp_debuginfo *debug;
	const char *file, *name;
	Dwarf_Die die;
	unsigned definitions, statics;
	const char *first_file, *other_file;
	struct dph_unit *unit;
};

static bool is_definition(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_variable &&
	       (dwarf_hasattr_integrate(die, DW_AT_location) ||
		dwarf_hasattr_integrate(die, DW_AT_const_value)) &&
	       !dwarf_hasattr(die, DW_AT_declaration);
}

/* The source file that an entry belongs to. */
static const char *file_of(const struct dph_unit *unit, Dwarf_Die *die)
{
	Dwarf_Die declared = dph_die_declaration(*die), its;
	const char *name = unit->name;
	if (declared.addr != die->addr && dwarf_diecu(&declared, &its, NULL, NULL))
		name = dph_die_name(&its);
	return name ? name : "?";
}

static bool visit_global(void *context, Dwarf_Die *die)
{
	struct search *search = context;
	const char *name = is_definition(die) ? dph_die_name(die) : NULL;
	if (!name || strcmp(name, search->name) != 0)
		return true;
	const char *file = file_of(search->unit, die);
	if (search->file && !dph_path_ends(file, search->file))
		return true;
	bool external = dwarf_hasattr_integrate(die, DW_AT_external);
	/* A variable that all units share wins over static variables; two static variables are
	 * ambiguous. */
	if (!external && search->definitions > search->statics)
		return true;
	if (!external && search->statics++)
		search->other_file = file;
	else
		search->first_file = file;
	if (external)
		search->statics = 0;
	search->definitions++;
	search->die = *die;
	return true;
}

static bool global_sentence(struct search *search, const char **why)
{
	struct dp_debuginfo *debug = search->debug;
	if (debug->missing)
		*why = debug->missing;
	else if (search->statics > 1)
		*why = dph_why(debug,
			       "variable '%s' is ambiguous: %s and %s have one; write the file too",
			       search->name, search->first_file, search->other_file);
	else
		*why = dph_why(debug, "the firmware has no variable '%s'%s%s", search->name,
			       search->file ? " in " : "", search->file ? search->file : "");
	return false;
}

/* A variable whose type CTF has; the symbol has the address. Returns false: there is none, or
 * several. */
static bool ctf_global(struct dp_debuginfo *debug, const char *name, struct dph_variable *variable)
{
	const struct dp_symbol *const *symbols;
	const struct dph_type *type = dph_ctf_variable(debug, name);
	if (!type || dph_image_named(debug->image, name, strlen(name), &symbols) != 1)
		return false;
	struct dph_step *step = dph_pool_take(&debug->pool, sizeof(*step));
	struct dph_piece *piece = dph_pool_take(&debug->pool, sizeof(*piece));
	*step = (struct dph_step){DPH_STEP_CONST, (int64_t)symbols[0]->value};
	*piece = (struct dph_piece){.kind = DPH_PIECE_MEMORY, .steps = {step, 1}};
	*variable = (struct dph_variable){
		.name = symbols[0]->name, .type = type, .location = {piece, 1}};
	return true;
}

static void search_unit(struct search *search, struct dph_unit *unit)
{
	search->unit = unit;
	if (!dph_unit_may_have(unit, search->file))
		return;
	dph_walk_begin(search->debug);
	dph_unit_visit(search->debug, unit, visit_global, search);
}

/* The unit of the address, where one source file is one unit; null: there is none. */
static struct dph_unit *own_unit(struct dp_debuginfo *debug, uint64_t address)
{
	const char *why;
	struct dph_unit *unit = address ? dph_unit_at(debug, address, &why) : NULL;
	return unit && unit->name && unit->name[0] != '<' ? unit : NULL;
}

bool dph_variable_global(struct dp_debuginfo *debug, const struct dph_within *within,
			 const char *name, struct dph_variable *variable, const char **why)
{
	struct search search = {.debug = debug, .file = within->file, .name = name};
	struct dph_unit *units, *own = own_unit(debug, within->address);
	size_t count = dph_units(debug, &units);
	if (own)
		search_unit(&search, own);
	const bool is_own = search.definitions != 0;
	for (size_t i = 0; i < count && !is_own; i++)
		search_unit(&search, &units[i]);
	if (!search.definitions && !within->file && ctf_global(debug, name, variable))
		return true;
	if (!search.definitions || search.statics > 1)
		return global_sentence(&search, why);
	dph_walk_begin(debug);
	*variable = variable_of(debug, NULL, &search.die, 0);
	return true;
}

/* --- functions and pointees ---------------------------------------------------------------- */

const struct dph_type *dph_function_type(struct dp_debuginfo *debug, uint64_t address)
{
	struct dph_code_range function;
	const char *why;
	struct dph_unit *unit = dph_unit_at(debug, address, &why);
	if (unit && !unit->split_missing && dph_unit_function(debug, unit, address, &function))
		return dph_unit_is_bare(debug, unit, &function.die)
			       ? NULL
			       : dph_type_of_die(debug, &function.die);
	const struct dp_symbol *symbol = dp_image_function(debug->image, address);
	return symbol ? dph_ctf_function(debug, symbol->name) : NULL;
}

bool dph_function_noreturn(struct dp_debuginfo *debug, uint64_t address)
{
	struct dph_code_range function;
	Dwarf_Attribute attribute;
	bool marked = false;
	const char *why;
	struct dph_unit *unit = dph_unit_at(debug, address, &why);
	return unit && !unit->split_missing && dph_unit_function(debug, unit, address, &function) &&
	       dwarf_attr_integrate(&function.die, DW_AT_noreturn, &attribute) &&
	       dwarf_formflag(&attribute, &marked) == 0 && marked;
}

bool dph_variable_pointee(struct dp_debuginfo *debug, const struct dph_piece *piece,
			  uint64_t address, struct dph_variable *variable)
{
	struct dph_scopes scopes;
	Dwarf_Die die;
	const char *why;
	if (piece->kind != DPH_PIECE_POINTER || !debug->file.dwarf ||
	    !dph_scopes_at(debug, address, &scopes, &why) ||
	    !dwarf_offdie(debug->file.dwarf, piece->die, &die))
		return false;
	dph_walk_begin(debug);
	*variable = variable_of(debug, &scopes, &die, address);
	return true;
}

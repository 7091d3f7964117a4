/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of the firmware: variables in scope, globals, functions, enumerators. */
#define _GNU_SOURCE
#include "check.h"
#include "near.h"
#include "lang/d/read/declared.h"

#include "debuginfo/debuginfo.h"
#include "base/source_path.h"
#include "debuginfo/enumerator.h"
#include "debuginfo/unit.h"
#include "dp_object.h"
#include "symbols/elf_image.h"

#include <stdlib.h>
#include <string.h>

enum {
	UNKNOWN_MAX = 50
};

/* --- locations ----------------------------------------------------------------------------- */

/* Why no probe here can read it. */
static const char *unreadable(const struct dph_d_check *c, const struct dph_variable *variable)
{
	struct d_front *d = c->d;
	uint64_t from;
	for (size_t i = 0; i < variable->location.count; i++) {
		const struct dph_piece *piece = &variable->location.pieces[i];
		if (piece->kind == DPH_PIECE_REFUSED)
			return dph_pool_print(d->pool, "'%s' cannot be read here: %s",
					      variable->name, piece->why ? piece->why : "unknown");
		if (piece->entry && c->point->kind != D_POINT_ENTRY)
			return dph_pool_print(d->pool,
					      "'%s' is kept only as its value at the entry of the "
					      "function; take it at %s:entry",
					      variable->name, c->point->part[DPH_PROBE_FUNCTION]);
	}
	if (variable->has_list &&
	    dph_variable_set_from(d->debug, variable, c->point->address, &from)) {
		char *where = dp_debuginfo_address_text(d->debug, from);
		const char *text =
			dph_pool_print(d->pool,
				       "'%s' has no value at 0x%llx; it is set from "
				       "0x%llx on: %s",
				       variable->name, (unsigned long long)c->point->address,
				       (unsigned long long)from, where);
		free(where);
		return text;
	}
	if (c->point->kind == D_POINT_RETURN || c->point->kind == D_POINT_TAIL)
		return dph_pool_print(d->pool, "'%s' is gone when %s returns; take it at the entry",
				      variable->name, c->point->part[DPH_PROBE_FUNCTION]);
	return dph_pool_print(d->pool, "'%s' is optimised out here", variable->name);
}

static bool is_readable(const struct dph_d_check *c, const struct dph_variable *variable)
{
	bool some = false;
	for (size_t i = 0; i < variable->location.count; i++) {
		const struct dph_piece *piece = &variable->location.pieces[i];
		if (piece->kind == DPH_PIECE_REFUSED ||
		    (piece->entry && c->point->kind != D_POINT_ENTRY))
			return false;
		some = some || piece->kind != DPH_PIECE_ABSENT;
	}
	return some;
}

static void use(const struct dph_d_check *c, struct d_node *node,
		const struct dph_variable *variable)
{
	dph_d_set_wrong(node);
	if (!is_readable(c, variable)) {
		dph_d_error(c->d, D_HERE_LOCATION, node->place, "%s", unreadable(c, variable));
		return;
	}
	struct dph_location *location = dph_pool_take(c->d->pool, sizeof(*location));
	*location = variable->location;
	node->is.type = dph_d_type_of(c->d, variable->type);
	node->is.home = D_HOME_LOCATION;
	node->is.location = location;
	node->is.offset = 0;
}

/* --- searching ----------------------------------------------------------------------------- */

/* The source file of the symbol's code; else the one that the symbol table names. Null: none. */
static const char *file_of(const struct d_front *d, const struct dp_symbol *symbol)
{
	struct dph_unit *unit = NULL;
	const char *why;
	if (d->debug && symbol->kind == DP_SYMBOL_FUNCTION)
		unit = dph_unit_at(d->debug, symbol->value, &why);
	return unit && unit->name ? unit->name : symbol->file;
}

/* The symbols of one name that a program may mean. */
struct meant {
	const struct dp_symbol *first, *other; /* other: at another address; null: there is none */
};

static void take_symbol(struct meant *meant, const struct dp_symbol *symbol)
{
	if (!meant->first)
		meant->first = symbol;
	else if (symbol->value != meant->first->value)
		meant->other = symbol;
}

/* Of several symbols those of the file are meant; without a file those of the probe's file, or else
 * those that all files share. */
static struct meant symbols_meant(const struct dph_d_check *c, const char *name, const char *file)
{
	struct meant all = {0}, shared = {0}, own = {0};
	const struct dp_symbol *const *list;
	const char *why;
	const struct d_front *d = c->d;
	const struct dph_unit *unit = d->debug && c->point->address
					      ? dph_unit_at(d->debug, c->point->address, &why)
					      : NULL;
	const size_t count = d->image ? dph_image_named(d->image, name, strlen(name), &list) : 0;
	for (size_t i = 0; i < count; i++) {
		const char *its = file_of(d, list[i]);
		if (file && !(its && dph_path_ends(its, file)))
			continue;
		take_symbol(&all, list[i]);
		if (!list[i]->local)
			take_symbol(&shared, list[i]);
		if (unit && unit->name && its && strcmp(unit->name, its) == 0)
			take_symbol(&own, list[i]);
	}
	return file ? all : own.first ? own : shared.first ? shared : all;
}

static bool say_meant(const struct dph_d_check *c, struct d_node *node, const struct meant *meant)
{
	const char *a = file_of(c->d, meant->first), *b = file_of(c->d, meant->other);
	dph_d_error(c->d, D_IDENT_AMBIG, node->place,
		    "'%s' is ambiguous: 0x%llx in %s and 0x%llx in %s; write %s", node->text,
		    (unsigned long long)meant->first->value, a ? a : "a file",
		    (unsigned long long)meant->other->value, b ? b : "another one",
		    a ? dph_d_name_of_file(c->d, node->text, a) : "the address");
	dph_d_set_wrong(node);
	return true;
}

/* A function, or an object without a type. */
static bool use_symbol(const struct dph_d_check *c, struct d_node *node, const char *file)
{
	const char *name = node->text;
	const struct meant meant = symbols_meant(c, name, file);
	const struct dp_symbol *symbol = meant.first;
	if (!symbol)
		return false;
	if (meant.other)
		return say_meant(c, node, &meant);
	const struct dph_type *type = c->d->debug && symbol->kind == DP_SYMBOL_FUNCTION
					      ? dph_function_type(c->d->debug, symbol->value)
					      : NULL;
	if (symbol->kind != DP_SYMBOL_FUNCTION) {
		dph_d_error(c->d, D_SYM_NOTYPES, node->place,
			    "the type of '%s' is not known; cast its address: *(uint32_t *)0x%llx",
			    name, (unsigned long long)symbol->value);
		dph_d_set_wrong(node);
		return true;
	}
	node->is.type = (struct d_type){.kind = D_TYPE_FUNCTION, .firmware = type};
	node->is.home = D_HOME_VALUE;
	node->is.constant = true;
	node->is.number = symbol->value;
	return true;
}

/* The unit of the probe comes first, unless the program names a file. */
static struct dph_within within(const struct dph_d_check *c, const char *file)
{
	return (struct dph_within){file ? 0 : c->point->address, file};
}

static bool use_global(const struct dph_d_check *c, struct d_node *node, const char *file,
		       const char **why)
{
	const struct dph_within in = within(c, file);
	struct dph_variable variable;
	*why = "no firmware is given; use --elf FILE";
	if (c->d->debug && dph_variable_global(c->d->debug, &in, node->text, &variable, why)) {
		use(c, node, &variable);
		return true;
	}
	return !strstr(*why, "ambiguous") && use_symbol(c, node, file);
}

/* One place in the frame for the whole function: the function stores a parameter there behind its
 * entry, or the caller has stored it. */
static bool is_in_frame(const struct dph_variable *variable)
{
	return !variable->has_list && variable->location.count == 1 &&
	       variable->location.pieces[0].kind == DPH_PIECE_MEMORY;
}

bool dph_d_check_parameter(const struct dph_d_check *c, struct d_node *node, const char *name)
{
	struct dph_variable variable;
	const char *why;
	if (!dph_variable_at(c->d->debug, c->point->address, c->point->outer, name, &variable,
			     &why) ||
	    !variable.parameter || is_in_frame(&variable) || !is_readable(c, &variable))
		return false;
	use(c, node, &variable);
	return true;
}

static bool use_local(const struct dph_d_check *c, struct d_node *node)
{
	struct dph_variable variable;
	const char *why;
	if (!c->d->debug || dph_d_is_anywhere(c->point) ||
	    !dph_variable_at(c->d->debug, c->point->address, c->point->outer, node->text, &variable,
			     &why))
		return false;
	if (c->point->kind == D_POINT_RETURN && c->point->phase != DP_PHASE_BEFORE) {
		dph_d_error(c->d, D_HERE_LOCATION, node->place,
			    "'%s' is gone when %s has returned; take it at the entry",
			    variable.name, c->point->part[DPH_PROBE_FUNCTION]);
		dph_d_set_wrong(node);
		return true;
	}
	if (variable.parameter && is_in_frame(&variable) &&
	    dph_d_check_passed(c, node, variable.name))
		return true;
	use(c, node, &variable);
	return true;
}

/* Two values of a name, of enums that the probe's file has, or none of which it has. */
static void say_enumerated(const struct dph_d_check *c, struct d_node *node,
			   const struct dph_enumerated *found)
{
	const struct dph_meanings *files = &found->meanings;
	const bool apart = strcmp(files->file, files->other) != 0;
	dph_d_error(c->d, D_IDENT_AMBIG, node->place,
		    "'%s' is ambiguous: %lld in %s and %lld in %s; write %s", node->text,
		    (long long)found->value, files->file, (long long)found->other, files->other,
		    apart ? dph_d_name_of_file(c->d, node->text, files->file) : "the number");
	dph_d_set_wrong(node);
}

static bool use_enumerator(const struct dph_d_check *c, struct d_node *node, const char *file)
{
	const struct dph_within in = within(c, file);
	struct dph_enumerated found;
	if (!c->d->debug || !dph_enumerator_named(c->d->debug, node->text, &in, &found))
		return false;
	if (found.meanings.other)
		say_enumerated(c, node, &found);
	else
		dph_d_set_constant(c->d, node, (uint64_t)found.value, true);
	return true;
}

static bool use_declared(const struct dph_d_check *c, struct d_node *node)
{
	int64_t value;
	if (node->of_file || !dph_d_declared_constant(c->d, node->text, &value))
		return false;
	dph_d_set_constant(c->d, node, (uint64_t)value, true);
	return true;
}

/* A constant of D itself. */
static bool use_constant(const struct dph_d_check *c, struct d_node *node)
{
	static const struct {
		const char *name;
		uint64_t value;
	} constants[] = {
#define CONSTANT(name, value, text) {#name, value},
#include "constants.def"
	};
	for (size_t i = 0; i < sizeof(constants) / sizeof(*constants); i++)
		if (strcmp(constants[i].name, node->text) == 0) {
			dph_d_set_constant(c->d, node, constants[i].value, true);
			return true;
		}
	return false;
}

/* Is it a local variable or parameter at the point, or else a variable of the firmware? */
static bool is_in_scope(const struct dph_d_check *c, const char *name, bool *local)
{
	struct dph_variable found;
	const char *why;
	if (!c->d->debug)
		return false;
	*local = !dph_d_is_anywhere(c->point) &&
		 dph_variable_at(c->d->debug, c->point->address, c->point->outer, name, &found,
				 &why);
	const struct dph_within in = within(c, NULL);
	return *local || dph_variable_global(c->d->debug, &in, name, &found, &why);
}

/* The clause of the first assignment is looked at: its parameters are in scope. */
void dph_d_check_hidden(const struct dph_d_check *c, const struct d_node *node,
			struct d_variable *variable)
{
	bool local;
	if (variable->looked || !is_in_scope(c, variable->name, &local))
		return;
	variable->looked = true;
	dph_warning(c->d, node->place,
		    "'%s' is a variable of the program, and hides one of the firmware; `%s is the "
		    "firmware's",
		    variable->name, variable->name);
}

void dph_d_check_hidden_by_builtin(const struct dph_d_check *c, struct d_node *node)
{
	bool local;
	if (node->told || !is_in_scope(c, node->text, &local) || !local)
		return;
	node->told = true;
	dph_warning(c->d, node->place,
		    "'%s' is a variable of D, and hides one of the firmware; `%s is the firmware's",
		    node->text, node->text);
}

static void unknown(const struct dph_d_check *c, struct d_node *node, const char *why)
{
	const struct dph_variable *list;
	const char *scope_why = NULL;
	const bool scope = c->d->debug && !dph_d_is_anywhere(c->point);
	const size_t count = scope ? dph_variables_at(c->d->debug, c->point->address,
						      c->point->outer, &list, &scope_why)
				   : 0;
	dph_d_set_wrong(node);
	c->d->unknown++;
	if (!count && scope_why && !strstr(why, "ambiguous")) /* the code has no scope */
		why = scope_why;
	const bool everywhere =
		strstr(why, "the firmware has no variable"); /* else why says what to do */
	const bool firmware = node->kind == D_NODE_FIRMWARE;
	const char *instead = firmware ? NULL : dph_d_instead(c, node->text, false);
	const char *best = dph_d_near_name(c, node->text, firmware, everywhere);
	if (strstr(why, "ambiguous"))
		dph_d_error(c->d, D_IDENT_AMBIG, node->place, "%s: FILE`%s", why, node->text);
	else if (instead)
		dph_d_error(c->d, D_IDENT_UNDEF, node->place, "unknown name '%s'%s", node->text,
			    instead);
	else if (best && everywhere)
		dph_d_error(c->d, D_IDENT_UNDEF, node->place,
			    "unknown name '%s'; did you mean '%s'?", node->text, best);
	else
		dph_d_error(c->d, D_IDENT_UNDEF, node->place, "unknown name '%s': %s%s%s%s",
			    node->text, why, best ? "; did you mean '" : "", best ? best : "",
			    best ? "'?" : "");
}

/* A search in vain visits all debug information: some milliseconds. The first UNKNOWN_MAX names
 * that were not found have a message; no name after them is searched. */
static bool is_searched(const struct dph_d_check *c, struct d_node *node)
{
	if (c->d->unknown < UNKNOWN_MAX)
		return true;
	if (c->d->unknown == UNKNOWN_MAX)
		dph_d_error(
			c->d, D_IDENT_UNDEF, node->place,
			"%d names before this one are unknown; names from here on are not searched",
			UNKNOWN_MAX);
	c->d->unknown = UNKNOWN_MAX + 1;
	dph_d_set_wrong(node);
	return false;
}

void dph_d_check_name(const struct dph_d_check *c, struct d_node *node)
{
	const char *why = "";
	if (!is_searched(c, node))
		return;
	if (use_local(c, node) || use_global(c, node, NULL, &why) || use_declared(c, node) ||
	    use_enumerator(c, node, NULL) || use_constant(c, node))
		return;
	unknown(c, node, why);
}

void dph_d_check_firmware(const struct dph_d_check *c, struct d_node *node)
{
	const char *why = "";
	if (!is_searched(c, node))
		return;
	if ((!node->other && use_local(c, node)) || use_global(c, node, node->other, &why) ||
	    use_enumerator(c, node, node->other))
		return;
	unknown(c, node, why);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* This file finds the probe points of descriptions: provider:module:function:name. */
#define _GNU_SOURCE
#include "point.h"

#include "debuginfo/debuginfo.h"
#include "exits.h"
#include "lang/d/read/provider.h"
#include "dp_object.h"
#include "symbols/elf_image.h"
#include "tables/kinds.h"

#include <ctype.h>
#include <limits.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* A description, split. Empty fields match all. */
struct fields {
	struct d_front *d;
	struct dph_place place;
	const char *text;
	const char *part[DPH_PROBE_WHOLE];
	struct d_point *list, **end;
	size_t count;
};

static bool matches(const char *pattern, const char *text)
{
	return !*pattern || fnmatch(pattern, text, 0) == 0;
}

static bool is_glob(const char *text)
{
	return !*text || strpbrk(text, "*?[\\");
}

static bool provider_is(const struct fields *f, const char *name)
{
	return matches(f->part[DPH_PROBE_PROVIDER], name);
}

/* Is the provider written, and this one? */
static bool provider_named(const struct fields *f, const char *name)
{
	return strcmp(f->part[DPH_PROBE_PROVIDER], name) == 0;
}

/* --- points -------------------------------------------------------------------------------- */

static struct d_point *add(struct fields *f, enum d_point_kind kind, const char *provider,
			   const char *function, const char *name)
{
	struct d_point *point = dph_pool_take(f->d->pool, sizeof(*point));
	*point = (struct d_point){
		.kind = kind,
		.part = {provider, dph_d_module_name(f->d), function ? function : "", name},
		.place = f->place,
		.phase = DP_PHASE_BEFORE,
	};
	*f->end = point;
	f->end = &point->next;
	f->count++;
	return point;
}

static const struct dp_symbol *functions(const struct d_front *d, size_t *count)
{
	const struct dp_symbol *symbols = NULL;
	*count = d->image ? dp_image_symbols(d->image, &symbols) : 0;
	return symbols;
}

/* Take one name for an address, the first of the table. */
static bool is_function(const struct dp_symbol *symbols, size_t i)
{
	return symbols[i].kind == DP_SYMBOL_FUNCTION && *symbols[i].name &&
	       (i == 0 || symbols[i - 1].kind != DP_SYMBOL_FUNCTION ||
		symbols[i - 1].value != symbols[i].value);
}

static void add_symbol(struct fields *f, enum d_point_kind kind, const struct dp_symbol *symbol,
		       const char *name)
{
	struct d_point *point = add(f, kind, "fbt", symbol->name, name);
	point->address = symbol->value;
	point->symbolic = true;
	point->isa = symbol->isa;
}

static void find_entries(struct fields *f)
{
	size_t count;
	const struct dp_symbol *symbols = functions(f->d, &count);
	if (!provider_is(f, "fbt") || !matches(f->part[DPH_PROBE_NAME], "entry") ||
	    !matches(f->part[DPH_PROBE_MODULE], dph_d_module_name(f->d)))
		return;
	for (size_t i = 0; i < count; i++)
		if (is_function(symbols, i) &&
		    matches(f->part[DPH_PROBE_FUNCTION], symbols[i].name))
			add_symbol(f, D_POINT_ENTRY, &symbols[i], "entry");
}

/* The function with the exits to visit. */
struct leaving {
	struct fields *fields;
	const struct dp_symbol *symbol;
};

static void add_exit(void *context, uint64_t address, bool tail, unsigned phase)
{
	const struct leaving *leaving = context;
	if (tail && leaving->fields->d->skip_tails)
		return;
	struct d_point *point = add(leaving->fields, tail ? D_POINT_TAIL : D_POINT_RETURN, "fbt",
				    leaving->symbol->name, "return");
	point->address = address;
	point->phase = tail ? DP_PHASE_BEFORE : phase;
	point->offset = address - leaving->symbol->value;
	point->symbolic = true;
	point->isa = leaving->symbol->isa;
}

static void find_exits(struct fields *f)
{
	size_t count;
	const struct dp_symbol *symbols = functions(f->d, &count);
	if (!provider_is(f, "fbt") || !matches(f->part[DPH_PROBE_NAME], "return") ||
	    !matches(f->part[DPH_PROBE_MODULE], dph_d_module_name(f->d)))
		return;
	for (size_t i = 0; i < count; i++) {
		struct leaving leaving = {f, &symbols[i]};
		if (is_function(symbols, i) &&
		    matches(f->part[DPH_PROBE_FUNCTION], symbols[i].name))
			dph_d_exits(f->d, &symbols[i], add_exit, &leaving);
	}
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

static void add_instruction(struct fields *f, const struct dp_symbol *symbol, uint64_t offset,
			    unsigned phase, const char *name)
{
	struct d_point *point = add(f, D_POINT_PLACE, "insn", symbol->name, name);
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
static void find_all_instructions(struct fields *f)
{
	size_t count;
	const struct dp_symbol *symbols = functions(f->d, &count);
	for (size_t i = 0; i < count; i++) {
		struct leaving walk = {f, &symbols[i]};
		if (is_function(symbols, i) &&
		    matches(f->part[DPH_PROBE_FUNCTION], symbols[i].name))
			dph_d_instructions(f->d, &symbols[i], add_walked, &walk);
	}
}

static void find_instructions(struct fields *f)
{
	size_t count;
	const struct dp_symbol *symbols = functions(f->d, &count);
	uint64_t offset;
	unsigned phase;
	if (!provider_named(f, "insn") || !*f->part[DPH_PROBE_FUNCTION])
		return;
	if (strcmp(f->part[DPH_PROBE_NAME], "*") == 0) {
		find_all_instructions(f);
		return;
	}
	if (!read_offset(f->part[DPH_PROBE_NAME], &offset, &phase))
		return;
	for (size_t i = 0; i < count; i++) {
		if (!is_function(symbols, i) ||
		    !matches(f->part[DPH_PROBE_FUNCTION], symbols[i].name) ||
		    (offset && offset >= symbols[i].bytes))
			continue;
		add_instruction(f, &symbols[i], offset, phase, f->part[DPH_PROBE_NAME]);
	}
}

static void find_address(struct fields *f)
{
	const char *name = f->part[DPH_PROBE_NAME];
	char *end;
	if (!provider_named(f, "addr") || !isdigit((unsigned char)*name))
		return;
	const uint64_t address = strtoull(name, &end, 0);
	if (*end)
		return;
	const struct dp_symbol *function =
		f->d->image ? dp_image_function(f->d->image, address) : NULL;
	add(f, D_POINT_PLACE, "addr", function ? function->name : NULL, name)->address = address;
}

/* A wildcard alone means no event: the provider or the name is written. */
static void find_event(struct fields *f, const char *event, enum d_point_kind kind, unsigned number)
{
	const char *name = f->part[DPH_PROBE_NAME];
	if (!provider_is(f, "dtrace") || !matches(name, event) ||
	    (!provider_named(f, "dtrace") && strcmp(name, event) != 0))
		return;
	struct d_point *point = add(f, kind, "dtrace", NULL, event);
	point->part[DPH_PROBE_MODULE] = "";
	point->address = number;
}

static void find_events(struct fields *f)
{
	find_event(f, "BEGIN", D_POINT_EVENT, DP_EVENT_BEGIN);
	find_event(f, "END", D_POINT_EVENT, DP_EVENT_END);
	find_event(f, "ERROR", D_POINT_ERROR, 0);
}

static bool is_number(const char *text)
{
	return *text && strspn(text, "0123456789") == strlen(text);
}

/* Read line:FILE:FUNCTION:NUMBER, or FILE:NUMBER. Returns false where the text is no place of a
 * source. */
static bool find_line(struct fields *f, const char **why)
{
	const char *name = f->part[DPH_PROBE_NAME], *file = f->part[DPH_PROBE_MODULE];
	const char *function = f->part[DPH_PROBE_FUNCTION];
	struct dp_code_place *places;
	if (!is_number(name) || !provider_is(f, "line"))
		return false;
	if (!*file && strchr(function, '.')) {
		file = function;
		function = "";
	}
	if (!strchr(file, '.'))
		return false;
	*why = "no firmware is given; use --elf FILE";
	const unsigned long long number = strtoull(name, NULL, 10);
	if (number > UINT_MAX) {
		*why = "no file has so many lines";
		return true;
	}
	const size_t count =
		f->d->debug ? dp_debuginfo_places(f->d->debug, file, (unsigned)number, &places, why)
			    : 0;
	for (size_t i = 0; i < count; i++) {
		if (!matches(function, places[i].function ? places[i].function : ""))
			continue;
		struct d_point *point = add(f, D_POINT_PLACE, "line", places[i].function, name);
		point->part[DPH_PROBE_MODULE] = file;
		point->address = places[i].address;
		point->outer = places[i].outer;
		if (f->d->first_line)
			break;
	}
	if (count)
		free(places);
	return true;
}

/* --- descriptions -------------------------------------------------------------------------- */

static bool split(struct fields *f)
{
	const char *at = f->text;
	size_t colons = 0;
	for (const char *c = at; *c; c++)
		colons += *c == ':';
	if (colons >= DPH_PROBE_WHOLE) {
		dph_d_error(f->d, D_PDESC_INVAL, f->place,
			    "'%s' has %zu fields; a description is provider:module:function:name",
			    f->text, colons + 1);
		return false;
	}
	for (unsigned i = 0; i < DPH_PROBE_WHOLE; i++)
		f->part[i] = "";
	for (size_t i = DPH_PROBE_NAME - colons; i <= DPH_PROBE_NAME; i++) {
		const size_t bytes = strcspn(at, ":");
		f->part[i] = dph_pool_copy(f->d->pool, at, bytes);
		at += bytes + (at[bytes] == ':');
	}
	return true;
}

/* profile-97 and tick-1s have no provider in front: the word before the number is one. */
static const char *provider_of(const struct fields *f)
{
	const char *name = f->part[DPH_PROBE_NAME], *dash = strchr(name, '-');
	const size_t bytes = dash ? (size_t)(dash - name) : 0;
	if (*f->part[DPH_PROBE_PROVIDER] || !dash || !isdigit((unsigned char)dash[1]))
		return f->part[DPH_PROBE_PROVIDER];
	for (size_t i = 0; i < dph_d_provider_count; i++)
		if (dph_d_providers[i].missing && strlen(dph_d_providers[i].name) == bytes &&
		    strncmp(dph_d_providers[i].name, name, bytes) == 0)
			return dph_d_providers[i].name;
	return f->part[DPH_PROBE_PROVIDER];
}

/* A provider that is not there has a sentence of its own. */
static bool provider_there(struct fields *f)
{
	const char *name = provider_of(f);
	struct dph_closest closest = dph_closest(name, strlen(name));
	if (is_glob(name))
		return true;
	for (size_t i = 0; i < dph_d_provider_count; i++) {
		if (!dph_d_providers[i].missing)
			dph_closest_try(&closest, dph_d_providers[i].name);
		if (strcmp(dph_d_providers[i].name, name) != 0)
			continue;
		if (dph_d_providers[i].missing)
			dph_d_error(f->d, D_PDESC_ZERO, f->place, "provider '%s': %s", name,
				    dph_d_providers[i].missing);
		return !dph_d_providers[i].missing;
	}
	if (closest.best)
		dph_d_error(f->d, D_PDESC_ZERO, f->place,
			    "there is no provider '%s'; did you mean '%s'?", name, closest.best);
	else
		dph_d_error(f->d, D_PDESC_ZERO, f->place,
			    "there is no provider '%s' here; 'dprobes probes' lists what there is",
			    name);
	return false;
}

/* The function of C++ whose mangled name has this one: "_ZN5queue3putEv" has "3put". Null: none. */
static const char *mangled(const struct fields *f, const char *name)
{
	size_t count;
	const struct dp_symbol *symbols = functions(f->d, &count);
	const char *part = dph_pool_print(f->d->pool, "%zu%s", strlen(name), name);
	for (size_t i = 0; i < count; i++)
		if (is_function(symbols, i) && strncmp(symbols[i].name, "_Z", 2) == 0 &&
		    strstr(symbols[i].name, part))
			return symbols[i].name;
	return NULL;
}

static void no_function(struct fields *f)
{
	const char *name = f->part[DPH_PROBE_FUNCTION];
	size_t count;
	const struct dp_symbol *symbols = functions(f->d, &count);
	struct dph_closest closest = dph_closest(name, strlen(name));
	for (size_t i = 0; i < count; i++)
		if (symbols[i].kind == DP_SYMBOL_FUNCTION)
			dph_closest_try(&closest, symbols[i].name);
	if (mangled(f, name))
		closest.best = mangled(f, name);
	struct dph_inlined inlined;
	if (f->d->debug && dph_inlined_named(f->d->debug, name, &inlined))
		dph_d_error(f->d, D_PDESC_ZERO, f->place,
			    "'%s' matches nothing: all calls of '%s' are inlined; probe its lines, "
			    "from %s:%u on",
			    f->text, name, inlined.file ? inlined.file : "its file", inlined.line);
	else if (closest.best)
		dph_d_error(f->d, D_PDESC_ZERO, f->place,
			    "'%s' matches nothing: no function '%s'; did you mean '%s'?", f->text,
			    name, closest.best);
	else
		dph_d_error(f->d, D_PDESC_ZERO, f->place,
			    "'%s' matches nothing: the firmware has no function '%s'", f->text,
			    name);
}

static bool has_function(const struct fields *f)
{
	size_t count;
	const struct dp_symbol *symbols = functions(f->d, &count);
	for (size_t i = 0; i < count; i++)
		if (is_function(symbols, i) &&
		    matches(f->part[DPH_PROBE_FUNCTION], symbols[i].name))
			return true;
	return false;
}

static void no_return(struct fields *f)
{
	const char *why = dph_absent(f->d->program->target.cpu, DPH_ROW_RETURN);
	if (why)
		dph_d_error(f->d, D_PDESC_ZERO, f->place,
			    "'%s' matches nothing: the returns of functions are not known: %s",
			    f->text, why);
	else
		dph_d_error(f->d, D_PDESC_ZERO, f->place,
			    "'%s' matches nothing: the function has no return instruction",
			    f->text);
}

/* Report the remedy. */
static void no_point(struct fields *f)
{
	const char *name = f->part[DPH_PROBE_NAME];
	if (f->d->zdefs) {
		dph_warning(f->d, f->place, "'%s' matches nothing", f->text);
		return;
	}
	if (!f->d->image)
		dph_d_error(f->d, D_PDESC_ZERO, f->place,
			    "'%s' matches nothing: no firmware is given; use --elf FILE", f->text);
	else if (!is_glob(f->part[DPH_PROBE_FUNCTION]) && !has_function(f))
		no_function(f);
	else if (strcmp(name, "return") == 0)
		no_return(f);
	else
		dph_d_error(f->d, D_PDESC_ZERO, f->place,
			    "'%s' matches nothing; a name is entry or return, a line FILE:NUMBER, "
			    "or an offset "
			    "with insn::FUNCTION:OFFSET",
			    f->text);
}

/* `main.c:44` and `fbt::main:entry` name a place; `fbt:::entry` does not. */
static bool has_glob(const struct fields *f)
{
	const char *function = f->part[DPH_PROBE_FUNCTION], *name = f->part[DPH_PROBE_NAME];
	return (is_glob(function) && !provider_named(f, "line") && !provider_named(f, "addr")) ||
	       (*function && is_glob(function)) || (*name && is_glob(name));
}

struct d_point *dph_d_points_of(struct d_front *d, const struct d_description *description)
{
	const char *why = NULL;
	struct fields f = {.d = d, .place = description->place, .text = description->text};
	f.end = &f.list;
	if (!split(&f) || !provider_there(&f))
		return NULL;
	if (!find_line(&f, &why)) {
		find_entries(&f);
		find_exits(&f);
		find_instructions(&f);
		find_address(&f);
		find_events(&f);
	} else if (!f.list) {
		dph_d_error(d, D_PDESC_ZERO, f.place, "'%s': %s", f.text,
			    why ? why : "no function of this name has the line");
		return NULL;
	}
	if (!f.list)
		no_point(&f);
	for (struct d_point *point = f.list; point; point = point->next)
		point->optional = !dph_d_is_event(point) && has_glob(&f);
	return f.list;
}

/* --- all clauses --------------------------------------------------------------------------- */

static bool same_point(const struct d_point *a, const struct d_point *b)
{
	bool same = a->address == b->address && a->phase == b->phase;
	for (unsigned i = 0; i < DPH_PROBE_WHOLE; i++)
		same = same && strcmp(a->part[i], b->part[i]) == 0;
	return same;
}

static void add_match(struct d_front *d, struct d_point *point, struct d_clause *clause)
{
	struct d_match **end = &point->matches;
	for (; *end; end = &(*end)->next)
		if ((*end)->clause == clause)
			return;
	*end = dph_pool_take(d->pool, sizeof(**end));
	(*end)->clause = clause;
}

static void merge(struct d_front *d, struct d_point *found, struct d_clause *clause)
{
	while (found) {
		struct d_point *next = found->next;
		struct d_point **at = found->kind == D_POINT_ERROR ? &d->errors : &d->points;
		while (*at && !same_point(*at, found))
			at = &(*at)->next;
		if (!*at) {
			*at = found;
			found->next = NULL;
		}
		(*at)->optional = (*at)->optional && found->optional;
		add_match(d, *at, clause);
		found = next;
	}
}

void dph_d_find_points(struct d_front *d)
{
	for (struct d_clause *clause = d->clauses; clause; clause = clause->next)
		for (struct d_description *at = clause->descriptions; at; at = at->next)
			merge(d, dph_d_leave_out(d, at, dph_d_points_of(d, at)), clause);
	size_t count = 0;
	if (d->errors && !d->points)
		dph_d_error(d, D_PDESC_ZERO, d->errors->place,
			    "ERROR runs behind a hit with a fault, and no clause of this program "
			    "has a probe; add one");
	const struct d_point *excess = NULL;
	for (const struct d_point *point = d->points; point; point = point->next)
		if (++count == d->probes_max + 1)
			excess = point;
	if (excess)
		dph_d_error(d, D_HERE_LIMIT, excess->place,
			    "the descriptions match %zu probe points, and %s room for %u; say "
			    "which",
			    count,
			    d->probes_max < DPH_MAX_PROBES ? "this agent has" : "agents have",
			    d->probes_max);
}

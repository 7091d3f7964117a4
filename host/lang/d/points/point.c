/* SPDX-License-Identifier: BSD-2-Clause */
/* This file finds the probe points of descriptions: provider:module:function:name. */
#define _GNU_SOURCE
#include "point.h"

#include "base/source_path.h"
#include "debuginfo/debuginfo.h"
#include "exits.h"
#include "meant.h"
#include "provided.h"
#include "spelled.h"
#include "timer.h"
#include "lang/d/read/provider.h"
#include "dp_object.h"
#include "symbols/code_names.h"
#include "symbols/elf_image.h"
#include "tables/kinds.h"

#include <ctype.h>
#include <limits.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* Functions that a description finds no way out of. */
struct unknown {
	const struct dp_symbol *first, *last;
	uint64_t offset; /* of the first branch */
	size_t functions;
};

/* A description, split. Empty fields match all. */
struct fields {
	struct d_front *d;
	struct dph_place place;
	const char *text;
	const char *part[DPH_PROBE_WHOLE];
	struct d_point *list, **end;
	size_t count;
	struct unknown unknown;
};

bool dph_d_matches(const char *pattern, const char *text)
{
	return !*pattern || fnmatch(pattern, text, 0) == 0;
}

bool dph_d_is_glob(const char *text)
{
	return !*text || strpbrk(text, "*?[\\");
}

static bool provider_is(const struct fields *f, const char *name)
{
	return dph_d_matches(f->part[DPH_PROBE_PROVIDER], name);
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

/* A search of functions of C++ by the name that is printed. */
struct printed {
	struct fields *fields;
	dph_code_visit *visit;
};

static void take_printed(void *context, uint64_t address, const char *name)
{
	const struct printed *printed = context;
	(void)name;
	const struct dp_symbol *symbol = dp_image_function(printed->fields->d->image, address);
	if (symbol && printed->visit)
		printed->visit(printed->fields, symbol);
}

/* Visit the functions of the description. Returns their number. */
static size_t functions(struct fields *f, dph_code_visit *visit)
{
	const char *name = f->part[DPH_PROBE_FUNCTION];
	struct printed printed = {f, visit};
	size_t count = 0;
	if (!f->d->debug || !strstr(name, "::"))
		count = dph_code_named(f->d->image, name, visit, f);
	if (!count && f->d->debug && (strstr(name, "::") || !dph_d_is_glob(name)))
		count = dph_functions_printed(f->d->debug, name, take_printed, &printed);
	return count;
}

static void add_entry(void *context, const struct dp_symbol *symbol)
{
	struct d_point *point = add(context, D_POINT_ENTRY, "fbt", symbol->name, "entry");
	point->address = symbol->value;
	point->symbolic = true;
	point->isa = symbol->isa;
}

struct d_point *dph_d_entry_point(struct d_front *d, const struct dp_symbol *symbol,
				  struct dph_place place)
{
	struct fields alone = {.d = d, .place = place, .end = &alone.list};
	add_entry(&alone, symbol);
	return alone.list;
}

static void find_entries(struct fields *f)
{
	if (provider_is(f, "fbt") && dph_d_matches(f->part[DPH_PROBE_NAME], "entry") &&
	    dph_d_matches(f->part[DPH_PROBE_MODULE], dph_d_module_name(f->d)))
		functions(f, add_entry);
}

/* The function with the exits to visit. */
struct leaving {
	struct fields *fields;
	const struct dp_symbol *symbol;
};

static void note_unknown(const struct leaving *leaving, const struct d_exit *exit)
{
	struct unknown *unknown = &leaving->fields->unknown;
	if (unknown->last != leaving->symbol)
		unknown->functions++;
	unknown->last = leaving->symbol;
	if (unknown->first)
		return;
	unknown->first = leaving->symbol;
	unknown->offset = exit->address - leaving->symbol->value;
}

/* Say once that returns may be missed. */
static void warn_unknown(const struct fields *f)
{
	const struct unknown *unknown = &f->unknown;
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
	struct d_point *point = add(leaving->fields, tail ? D_POINT_TAIL : D_POINT_RETURN, "fbt",
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
	struct fields *f = context;
	struct leaving leaving = {f, symbol};
	dph_d_exits(f->d, symbol, add_exit, &leaving);
}

static void find_exits(struct fields *f)
{
	if (provider_is(f, "fbt") && dph_d_matches(f->part[DPH_PROBE_NAME], "return") &&
	    dph_d_matches(f->part[DPH_PROBE_MODULE], dph_d_module_name(f->d)))
		functions(f, add_exits);
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
static void add_instructions(void *context, const struct dp_symbol *symbol)
{
	struct fields *f = context;
	struct leaving walk = {f, symbol};
	dph_d_instructions(f->d, symbol, add_walked, &walk);
}

static void add_at_offset(void *context, const struct dp_symbol *symbol)
{
	struct fields *f = context;
	uint64_t offset;
	unsigned phase;
	if (read_offset(f->part[DPH_PROBE_NAME], &offset, &phase) &&
	    (!offset || offset < symbol->bytes))
		add_instruction(f, symbol, offset, phase, f->part[DPH_PROBE_NAME]);
}

static void find_instructions(struct fields *f)
{
	const bool all = strcmp(f->part[DPH_PROBE_NAME], "*") == 0;
	if (provider_named(f, "insn") && *f->part[DPH_PROBE_FUNCTION])
		functions(f, all ? add_instructions : add_at_offset);
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
	if (!provider_is(f, "dtrace") || !dph_d_matches(name, event) ||
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

/* Is the description one of the provider `profile`? */
static bool means_timer(const struct fields *f)
{
	return provider_named(f, "profile") ||
	       (!*f->part[DPH_PROBE_PROVIDER] && !*f->part[DPH_PROBE_MODULE] &&
		!*f->part[DPH_PROBE_FUNCTION] && dph_d_is_timer(f->part[DPH_PROBE_NAME]));
}

static void find_timer(struct fields *f)
{
	const char *name = f->part[DPH_PROBE_NAME];
	const struct d_timer *timer = NULL;
	if (*f->part[DPH_PROBE_MODULE] || *f->part[DPH_PROBE_FUNCTION])
		dph_d_error(f->d, D_PDESC_ZERO, f->place,
			    "'%s' matches nothing: a timer has no module and no function; write "
			    "profile:::%s",
			    f->text, dph_d_is_timer(name) ? name : "tick-1s");
	else if (!dph_d_is_timer(name))
		dph_d_error(f->d, D_PDESC_ZERO, f->place,
			    "'%s' matches nothing: a timer has a name such as profile-97 (times a "
			    "second) or tick-100ms (the period)",
			    f->text);
	else
		timer = dph_d_timer(f->d, name, f->text, f->place);
	if (!timer)
		return;
	struct d_point *point = add(f, D_POINT_TIMER, "profile", NULL, name);
	point->part[DPH_PROBE_MODULE] = "";
	point->timer = timer;
}

/* A watchpoint, which is no place in the code. */
static void find_watched(struct fields *f)
{
	const struct d_watched *watched = dph_d_watched(f->d, f->text, f->place);
	if (watched)
		add(f, D_POINT_WATCH, "watch", watched->text, watched->name)->watched = watched;
}

static bool is_number(const char *text)
{
	return *text && strspn(text, "0123456789") == strlen(text);
}

/* Read line:FILE:FUNCTION:* for each line with code. Returns false where there is no such line, and
 * the reason is not one of lines. */
static bool find_lines(struct fields *f, const char **why)
{
	const struct dph_line_wanted wanted = {
		f->part[DPH_PROBE_MODULE], f->part[DPH_PROBE_FUNCTION], f->part[DPH_PROBE_NAME]};
	struct dph_line_place *places = NULL;
	const size_t count = f->d->debug ? dph_line_places(f->d->debug, &wanted, &places) : 0;
	for (size_t i = 0; i < count; i++) {
		const struct dp_code_place *place = &places[i].place;
		struct d_point *point = add(f, D_POINT_PLACE, "line", place->function,
					    dph_pool_print(f->d->pool, "%u", places[i].line));
		point->part[DPH_PROBE_MODULE] =
			dph_pool_copy(f->d->pool, places[i].file, strlen(places[i].file));
		point->address = place->address;
		point->outer = place->outer;
	}
	free(places);
	if (count || !functions(f, NULL))
		return count != 0;
	*why = dp_debuginfo_missing(f->d->debug);
	if (!*why)
		*why = "no line of this file and function has code";
	return true;
}

static const char *with_slashes(struct d_front *d, const char *path)
{
	char *text = dph_pool_copy(d->pool, path, strlen(path));
	for (char *at = text; *at; at++)
		if (*at == '\\')
			*at = '/';
	return text;
}

/* Read line:FILE:FUNCTION:NUMBER, or FILE:NUMBER. Returns false where the text is no place of a
 * source. */
static bool find_line(struct fields *f, const char **why)
{
	const char *name = f->part[DPH_PROBE_NAME], *file = f->part[DPH_PROBE_MODULE];
	const char *function = f->part[DPH_PROBE_FUNCTION];
	struct dp_code_place *places;
	if (provider_named(f, "line") && (dph_d_is_glob(name) || strpbrk(file, "*[")))
		return find_lines(f, why);
	if (!is_number(name) || !provider_is(f, "line"))
		return false;
	if (!*file && strpbrk(function, "./\\")) {
		file = f->part[DPH_PROBE_FUNCTION] = with_slashes(f->d, function);
		function = "";
	}
	/* Headers of C++ have names without a dot. */
	if (!*file || (!provider_named(f, "line") && !strpbrk(file, "./\\")))
		return false;
	file = with_slashes(f->d, file);
	*why = "no firmware is given; use --elf FILE";
	if (is_number(function)) {
		*why = "a place has no column; write FILE:NUMBER";
		return true;
	}
	const unsigned long long number = strtoull(name, NULL, 10);
	if (number > UINT_MAX) {
		*why = "no file has so many lines";
		return true;
	}
	size_t count = 0;
	if (f->d->debug) {
		f->d->debug->spelled = dph_d_spelled_place;
		count = dp_debuginfo_places(f->d->debug, file, (unsigned)number, &places, why);
	}
	for (size_t i = 0; i < count; i++) {
		if (!dph_d_matches(function, places[i].function ? places[i].function : ""))
			continue;
		struct d_point *point = add(f, D_POINT_PLACE, "line", places[i].function, name);
		point->part[DPH_PROBE_MODULE] = file;
		point->address = places[i].address;
		point->outer = places[i].outer;
		if (f->d->first_line)
			break;
	}
	if (count && !f->list)
		*why = dph_pool_print(f->d->pool, "line %llu of %s is in %s, not in '%s'", number,
				      file, places[0].function ? places[0].function : "no function",
				      function);
	if (count)
		free(places);
	return true;
}

/* --- descriptions -------------------------------------------------------------------------- */

/* The bytes of the field here; a path may begin with a drive's name. */
static size_t field_bytes(const char *at)
{
	const size_t drive = dph_drive_bytes(at);
	return drive + strcspn(at + drive, ":");
}

/* Does the text have the name of a C++ function: fbt:demo:net::Queue::put:entry, or
 * net::Queue::put:entry, where the firmware has functions in `net`? */
static bool has_printed(const struct fields *f, size_t colons)
{
	if (!strstr(f->text, "::") || colons < DPH_PROBE_NAME)
		return false;
	if (colons > DPH_PROBE_NAME)
		return true;
	const char *space = dph_pool_copy(f->d->pool, f->text, strcspn(f->text, ":"));
	return *space && f->d->debug &&
	       dph_functions_printed(f->d->debug, dph_pool_print(f->d->pool, "%s::*", space), NULL,
				     NULL);
}

/* Take the fields around such a name. Returns false where no field is left for it. */
static bool split_printed(struct fields *f)
{
	const char *last = strrchr(f->text, ':'), *at = f->text;
	const char *provider = dph_pool_copy(f->d->pool, at, strcspn(at, ":"));
	const char *fields[DPH_PROBE_WHOLE] = {"", "", "", last + 1};
	if (!*provider || dph_d_has_provider(provider)) {
		fields[DPH_PROBE_PROVIDER] = provider;
		at += strlen(provider) + 1;
		fields[DPH_PROBE_MODULE] = dph_pool_copy(f->d->pool, at, field_bytes(at));
		at += field_bytes(at) + 1;
	}
	if (at >= last)
		return false;
	fields[DPH_PROBE_FUNCTION] = dph_pool_copy(f->d->pool, at, (size_t)(last - at));
	memcpy(f->part, fields, sizeof(fields));
	return strstr(f->part[DPH_PROBE_FUNCTION], "::") != NULL;
}

static bool has_name(struct fields *f)
{
	const char *last = strrchr(f->text, ':');
	if (last == f->text || last[-1] != ':')
		return true;
	dph_d_error(f->d, D_PDESC_INVAL, f->place,
		    "'%s' is a function without the name of a point; write '%s:entry' or "
		    "'%s:return'",
		    f->text, f->text, f->text);
	return false;
}

static bool split(struct fields *f)
{
	const char *at = f->text;
	size_t colons = 0;
	for (const char *c = at + field_bytes(at); *c; c += 1 + field_bytes(c + 1))
		colons++;
	if (has_printed(f, colons) && split_printed(f))
		return has_name(f);
	if (colons >= DPH_PROBE_WHOLE) {
		dph_d_error(f->d, D_PDESC_INVAL, f->place,
			    "'%s' has %zu fields; a description is provider:module:function:name",
			    f->text, colons + 1);
		return false;
	}
	for (unsigned i = 0; i < DPH_PROBE_WHOLE; i++)
		f->part[i] = "";
	for (size_t i = DPH_PROBE_NAME - colons; i <= DPH_PROBE_NAME; i++) {
		const size_t bytes = field_bytes(at);
		f->part[i] = dph_pool_copy(f->d->pool, at, bytes);
		at += bytes + (at[bytes] == ':');
	}
	return true;
}

/* A provider that is not there has a sentence of its own. */
static bool provider_there(struct fields *f)
{
	const char *name = f->part[DPH_PROBE_PROVIDER];
	struct dph_closest closest = dph_closest(name, strlen(name));
	if (dph_d_is_glob(name))
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
	const char *meant = dph_d_of_tracer(f->d, f->text);
	if (meant)
		dph_d_error(f->d, D_PDESC_ZERO, f->place, "there is no provider '%s' here: %s",
			    name, meant);
	else if (closest.best)
		dph_d_error(f->d, D_PDESC_ZERO, f->place,
			    "there is no provider '%s'; did you mean '%s'?", name, closest.best);
	else
		dph_d_error(f->d, D_PDESC_ZERO, f->place,
			    "there is no provider '%s' here; 'dprobes probes' lists what there is",
			    name);
	return false;
}

static void no_function(struct fields *f)
{
	const char *name = f->part[DPH_PROBE_FUNCTION], *best = dph_d_likely(f->d, name);
	const char *absent = f->d->debug ? dph_absent_function(f->d->debug, name) : NULL;
	const struct dp_symbol *symbols;
	struct dp_image_info info;
	dp_image_info(f->d->image, &info);
	if (dp_image_symbols(f->d->image, &symbols) == 0)
		dph_d_error(f->d, D_PDESC_ZERO, f->place,
			    "'%s' matches nothing: %s is stripped and has no symbols; use the file "
			    "before strip",
			    f->text, info.path);
	else if (absent)
		dph_d_error(f->d, D_PDESC_ZERO, f->place, "'%s' matches nothing: %s", f->text,
			    absent);
	else if (best)
		dph_d_error(f->d, D_PDESC_ZERO, f->place,
			    "'%s' matches nothing: no function '%s'; did you mean '%s'?", f->text,
			    name, best);
	else
		dph_d_error(f->d, D_PDESC_ZERO, f->place,
			    "'%s' matches nothing: the firmware has no function '%s'", f->text,
			    name);
}

static void no_return(struct fields *f)
{
	const char *why = f->d->cpu ? dph_absent(f->d->cpu, DPH_ROW_RETURN) : NULL;
	if (why)
		dph_d_error(f->d, D_PDESC_ZERO, f->place,
			    "'%s' matches nothing: the returns of functions are not known: %s",
			    f->text, why);
	else
		dph_d_error(f->d, D_PDESC_ZERO, f->place,
			    "'%s' matches nothing: the function has no return instruction",
			    f->text);
}

/* `queue_*` alone is the name of a point; its author may mean functions. */
static bool means_functions(struct fields *f)
{
	const char *name = f->part[DPH_PROBE_NAME], *function = f->part[DPH_PROBE_FUNCTION];
	bool any;
	if (strchr(f->text, ':') || !dph_d_is_glob(name))
		return false;
	f->part[DPH_PROBE_FUNCTION] = f->part[DPH_PROBE_NAME];
	any = functions(f, NULL);
	f->part[DPH_PROBE_FUNCTION] = (char *)function;
	return any;
}

/* Has another firmware points of this name? */
static bool is_name(const struct fields *f)
{
	const char *name = f->part[DPH_PROBE_NAME];
	return provider_named(f, "insn") || dph_d_is_glob(name) || strcmp(name, "entry") == 0 ||
	       strcmp(name, "return") == 0;
}

/* Report the remedy. */
static void no_point(struct fields *f)
{
	const char *name = f->part[DPH_PROBE_NAME];
	const char *meant = dph_d_meant(f->d, f->text);
	f->d->absent = !f->d->image || (!meant && is_name(f));
	if (f->d->zdefs) {
		dph_warning(f->d, f->place, "'%s' matches nothing", f->text);
		return;
	}
	if (meant)
		dph_d_error(f->d, D_PDESC_ZERO, f->place, "'%s' matches nothing: %s", f->text,
			    meant);
	else if (!f->d->image)
		dph_d_error(f->d, D_PDESC_ZERO, f->place,
			    "'%s' matches nothing: no firmware is given; use --elf FILE", f->text);
	else if (means_functions(f))
		dph_d_error(
			f->d, D_PDESC_ZERO, f->place,
			"'%s' matches nothing: the name of the point is missing; write '%s:entry' "
			"or '%s:return'",
			f->text, f->text, f->text);
	else if (!dph_d_is_glob(f->part[DPH_PROBE_FUNCTION]) && !functions(f, NULL))
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
	return (dph_d_is_glob(function) && !provider_named(f, "line") &&
		!provider_named(f, "addr")) ||
	       (*function && dph_d_is_glob(function)) || (*name && dph_d_is_glob(name));
}

/* Do several functions have the name? One of them may be the agent's. */
static bool has_namesakes(struct fields *f)
{
	const char *function = f->part[DPH_PROBE_FUNCTION];
	return f->d->image && provider_is(f, "fbt") && *function && functions(f, NULL) > 1;
}

struct d_point *dph_d_points_of(struct d_front *d, const struct d_description *description)
{
	const char *why = NULL;
	struct fields f = {.d = d, .place = description->place, .text = description->text};
	f.end = &f.list;
	if (dph_d_is_watch(f.text)) {
		find_watched(&f);
		return f.list;
	}
	if (!split(&f))
		return NULL;
	const bool own = *f.part[DPH_PROBE_PROVIDER] && !d->providing;
	if (own && !dph_d_has_provider(f.part[DPH_PROBE_PROVIDER]) &&
	    dph_d_is_provided(d, f.part[DPH_PROBE_PROVIDER]))
		return dph_d_provided_points(d, description, f.part, true);
	if (!provider_there(&f))
		return NULL;
	if (means_timer(&f)) {
		find_timer(&f);
		return f.list;
	}
	if (!find_line(&f, &why)) {
		find_entries(&f);
		find_exits(&f);
		find_instructions(&f);
		find_address(&f);
		find_events(&f);
		if (own && dph_d_is_glob(f.part[DPH_PROBE_PROVIDER]))
			*f.end = dph_d_provided_points(d, description, f.part, false);
	} else if (!f.list) {
		d->absent = true;
		dph_d_error(d, D_PDESC_ZERO, f.place, "'%s': %s", f.text,
			    why ? why : "no function of this name has the line");
		return NULL;
	}
	if (!f.list)
		no_point(&f);
	const bool optional = f.list && (has_glob(&f) || has_namesakes(&f));
	for (struct d_point *point = f.list; point; point = point->next)
		point->optional = optional && !dph_d_is_anywhere(point);
	return f.list;
}

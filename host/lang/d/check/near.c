/* SPDX-License-Identifier: BSD-2-Clause */
/* This file looks through all names that an expression may have. */
#include "near.h"

#include "debuginfo/debuginfo.h"
#include "lang/d/read/functions.h"
#include "symbols/elf_image.h"

#include <string.h>

static const char *const builtins[] = {
#define BUILTIN(name, check, index, code, text) #name,
#include "builtins.def"
};

static const char *const constants[] = {
#define CONSTANT(name, value, text) #name,
#include "constants.def"
};

static const struct {
	const char *word, *instead;
} foreign[] = {
#define FOREIGN(word, instead) {#word, instead},
#include "foreign_words.def"
};

static void try_all(struct dph_closest *closest, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		dph_closest_try(closest, list[i]);
}

static void try_scope(const struct dph_d_check *c, struct dph_closest *closest)
{
	const struct dph_variable *list;
	const char *why;
	if (!c->d->debug || dph_d_is_anywhere(c->point))
		return;
	const size_t count =
		dph_variables_at(c->d->debug, c->point->address, c->point->outer, &list, &why);
	for (size_t i = 0; i < count; i++)
		dph_closest_try(closest, list[i].name);
}

static void try_firmware(const struct dph_d_check *c, struct dph_closest *closest)
{
	const struct dp_symbol *symbols = NULL;
	const size_t count = c->d->image ? dp_image_symbols(c->d->image, &symbols) : 0;
	for (size_t i = 0; i < count; i++)
		dph_closest_try(closest, symbols[i].name);
}

static void try_program(const struct dph_d_check *c, enum d_scope scope,
			struct dph_closest *closest)
{
	for (const struct d_variable *v = c->d->variables; v; v = v->next)
		if (v->scope == scope)
			dph_closest_try(closest, v->name);
}

const char *dph_d_near_variable(const struct dph_d_check *c, enum d_scope scope, const char *name)
{
	struct dph_closest closest = dph_closest(name, strlen(name));
	try_program(c, scope, &closest);
	return closest.best;
}

/* The nearest groups come first: of two names at the same distance the first is taken. */
const char *dph_d_near_name(const struct dph_d_check *c, const char *name, bool firmware,
			    bool globals)
{
	struct dph_closest closest = dph_closest(name, strlen(name));
	const unsigned most = (unsigned)strlen(name) / 4 + 1; /* of so many names some are near */
	if (closest.distance > 2 && closest.distance > most)
		closest.distance = most > 2 ? most : 2;
	try_scope(c, &closest);
	if (!firmware)
		try_program(c, D_SCOPE_GLOBAL, &closest);
	if (!firmware) {
		try_all(&closest, builtins, sizeof(builtins) / sizeof(*builtins));
		try_all(&closest, constants, sizeof(constants) / sizeof(*constants));
	}
	if (globals)
		try_firmware(c, &closest);
	return closest.best;
}

const char *dph_d_near_member(const struct dph_type *type, const char *name)
{
	const struct dph_member *members;
	const size_t count = dph_type_members(type, &members);
	struct dph_closest closest = dph_closest(name, strlen(name));
	for (size_t i = 0; i < count; i++)
		if (members[i].name)
			dph_closest_try(&closest, members[i].name);
	return closest.best;
}

const char *dph_d_meant_text(const struct dph_d_check *c, const char *best)
{
	return best ? dph_pool_print(c->d->pool, "; did you mean '%s'?", best) : "";
}

static const char *foreign_word(const char *word)
{
	for (size_t i = 0; i < sizeof(foreign) / sizeof(*foreign); i++)
		if (strcmp(foreign[i].word, word) == 0)
			return foreign[i].instead;
	return NULL;
}

static bool is_builtin(const char *word)
{
	for (size_t i = 0; i < sizeof(builtins) / sizeof(*builtins); i++)
		if (strcmp(builtins[i], word) == 0)
			return true;
	return false;
}

const char *dph_d_instead(const struct dph_d_check *c, const char *word, bool called)
{
	const struct d_function *function = called ? NULL : dph_d_function_named(word);
	const char *instead = foreign_word(word);
	if (!instead && called && is_builtin(word))
		instead = word;
	if (!instead && function && function->how < D_CALL_LATER)
		instead = dph_pool_print(c->d->pool, "%s(...)", word);
	return instead ? dph_pool_print(c->d->pool, "; write %s", instead) : NULL;
}

const char *dph_d_instead_of_aggregate(const struct dph_d_check *c, const char *word)
{
	static const char *const functions[] = {
#define AGGREGATION(name, map, least, most, value) #name,
#include "format/aggregations.def"
	};
	const size_t count = sizeof(functions) / sizeof(*functions);
	struct dph_closest closest = dph_closest(word, strlen(word));
	const char *instead = foreign_word(word), *list = "";
	if (instead)
		return dph_pool_print(c->d->pool, "; write %s", instead);
	try_all(&closest, functions, count);
	if (closest.best)
		return dph_d_meant_text(c, closest.best);
	for (size_t i = 0; i < count; i++)
		list = dph_pool_print(c->d->pool, "%s%s%s", list, i ? ", " : "", functions[i]);
	return dph_pool_print(c->d->pool, "; there are %s", list);
}

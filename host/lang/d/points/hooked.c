/* SPDX-License-Identifier: BSD-2-Clause */
/* This file finds the places of static hooks. */
#define _GNU_SOURCE
#include "hooked.h"

#include "base/diag.h"
#include "lang/d/read/declared.h"
#include "lang/d/read/provided.h"
#include "lang/d/read/provider.h"
#include "symbols/elf_image.h"
#include "symbols/hooks.h"

#include <string.h>

static size_t hooks_of(const struct d_front *d, const struct dph_hook **hooks)
{
	*hooks = NULL;
	return d->image ? dph_image_hooks(d->image, hooks) : 0;
}

static struct d_point *made(struct d_front *d, struct dph_place place, const struct dph_hook *hook)
{
	struct d_point *point = dph_pool_take(d->pool, sizeof(*point));
	const struct dp_symbol *function = dp_image_function(d->image, hook->address);
	*point = (struct d_point){
		.kind = D_POINT_PLACE,
		.part = {hook->provider, dph_d_module_name(d), function ? function->name : "",
			 hook->name},
		.place = place,
		.phase = DP_PHASE_BEFORE,
		.address = hook->address,
		.hook = hook,
	};
	return point;
}

static bool matches(const struct d_point *point, const char *const *part)
{
	for (unsigned i = 0; i < DPH_PROBE_WHOLE; i++)
		if (!dph_d_matches(part[i], point->part[i]))
			return false;
	return true;
}

struct d_point *dph_d_hooked(struct d_front *d, struct dph_place place, const char *const *part,
			     bool (*skips)(struct d_front *d, const struct dph_hook *hook))
{
	const struct dph_hook *hooks;
	const size_t count = hooks_of(d, &hooks);
	struct d_point *list = NULL, **end = &list;
	for (size_t i = 0; i < count; i++) {
		struct d_point *point = made(d, place, &hooks[i]);
		if (!matches(point, part) || (skips && skips(d, &hooks[i])))
			continue;
		*end = point;
		end = &point->next;
	}
	return list;
}

/* --- names --------------------------------------------------------------------------------- */

bool dph_d_has_hooks(const struct d_front *d, const char *provider)
{
	const struct dph_hook *hooks;
	const size_t count = hooks_of(d, &hooks);
	for (size_t i = 0; i < count; i++)
		if (strcmp(hooks[i].provider, provider) == 0)
			return true;
	return false;
}

/* Is the hook the first one of its name, and of the provider? */
static bool is_first(const struct dph_hook *hooks, size_t i, const char *provider)
{
	if (*provider && strcmp(hooks[i].provider, provider) != 0)
		return false;
	for (size_t k = 0; k < i; k++)
		if (strcmp(hooks[k].provider, hooks[i].provider) == 0 &&
		    strcmp(hooks[k].name, hooks[i].name) == 0)
			return false;
	return true;
}

const char *dph_d_hook_names(struct d_front *d, const char *provider)
{
	const struct dph_hook *hooks;
	const size_t count = hooks_of(d, &hooks);
	const char *list = "";
	for (size_t i = 0; i < count; i++)
		if (is_first(hooks, i, provider))
			list = dph_pool_print(d->pool, "%s%s%s%s%s", list, *list ? ", " : "",
					      *provider ? "" : hooks[i].provider,
					      *provider ? "" : ":::", hooks[i].name);
	return list;
}

const char *dph_d_near_hook(const struct d_front *d, const char *provider, const char *name)
{
	struct dph_closest closest = dph_closest(name, strlen(name));
	const struct dph_hook *hooks;
	const size_t count = hooks_of(d, &hooks);
	for (size_t i = 0; i < count; i++)
		if (!*provider || strcmp(hooks[i].provider, provider) == 0)
			dph_closest_try(&closest, hooks[i].name);
	return closest.best;
}

/* --- arguments ----------------------------------------------------------------------------- */

/* The type of the declaration; null: it has none for the argument. */
static const char *declared_type(struct d_front *d, const struct d_point *point, unsigned n)
{
	const struct d_provided *probe = point->provided;
	const struct d_parameter *parameter = probe && !probe->places ? probe->parameters : NULL;
	while (parameter && n-- > 0)
		parameter = parameter->next;
	if (!parameter)
		return NULL;
	return dph_pool_print(d->pool, "%s%s%.*s", parameter->type->name,
			      parameter->type->stars ? " " : "", (int)parameter->type->stars,
			      "********");
}

static const char *argument_text(struct d_front *d, const struct d_point *point, unsigned n)
{
	const struct dph_hook_argument *argument = &point->hook->arguments[n];
	const char *type = declared_type(d, point, n), *operand = strchr(argument->text, '@');
	if (!argument->bytes || !operand)
		return dph_pool_print(d->pool, "'%s', which cannot be read", argument->text);
	if (!type)
		type = dph_pool_print(d->pool, "%sint%u_t", argument->is_signed ? "" : "u",
				      argument->bytes * 8);
	return dph_pool_print(d->pool, "%s %s %s", type,
			      argument->operand.kind == DPH_OPERAND_CONSTANT ? "=" : "in",
			      operand + 1);
}

const char *dph_d_hook_arguments(struct d_front *d, const struct d_point *point)
{
	const char *list = "";
	for (unsigned n = 0; n < point->hook->argument_count; n++)
		list = dph_pool_print(d->pool, "%s%s%s", list, *list ? ", " : "",
				      argument_text(d, point, n));
	return dph_pool_print(d->pool, "(%s)", list);
}

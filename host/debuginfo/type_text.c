/* SPDX-License-Identifier: BSD-2-Clause */
/* This file prints types in C notation. */
#include "type.h"

#include "debuginfo.h"

#include <stdio.h>
#include <string.h>

enum {
	TEXT_MAX = 512 /* of a type; a longer one ends with "..." */
};

/* Text that grows at both ends: a declarator has parts on either side of the name. */
struct declarator {
	char text[TEXT_MAX];
	bool full;
};

static void put(struct declarator *d, const char *left, const char *right)
{
	size_t l = strlen(left), r = strlen(right), there = strlen(d->text);
	if (l + r + there + 1 > TEXT_MAX) {
		d->full = true;
		return;
	}
	memmove(d->text + l, d->text, there);
	memcpy(d->text, left, l);
	memcpy(d->text + l + there, right, r + 1);
}

static void describe(const struct dph_type *type, struct declarator *d, unsigned depth);

static void put_parameters(const struct dph_type *type, struct declarator *d, unsigned depth)
{
	const struct dph_member *list;
	size_t count = dph_type_members(type, &list);
	put(d, "", "(");
	for (size_t i = 0; i < count && !d->full; i++) {
		struct declarator parameter = {.text = ""};
		if (list[i].type)
			describe(list[i].type, &parameter, depth + 1);
		else
			put(&parameter, "void", "");
		put(d, "", i ? ", " : "");
		put(d, "", parameter.text);
	}
	put(d, "", type->variadic ? (count ? ", ...)" : "...)") : count ? ")" : "void)");
}

static const char *const prefixes[] = {
	[DPH_TYPE_STRUCT] = "struct ",    [DPH_TYPE_UNION] = "union ",
	[DPH_TYPE_ENUM] = "enum ",        [DPH_TYPE_CONST] = "const",
	[DPH_TYPE_VOLATILE] = "volatile", [DPH_TYPE_RESTRICT] = "restrict",
	[DPH_TYPE_ATOMIC] = "_Atomic",
};

/* A name before the declarator. */
static void put_name(struct declarator *d, const char *prefix, const char *name)
{
	char text[TEXT_MAX / 2];
	snprintf(text, sizeof text, "%s%s%s", prefix, name, d->text[0] ? " " : "");
	put(d, text, "");
}

/* A qualifier belongs to a pointer, behind the star, or to a name, before the name. */
static const struct dph_type *put_qualifier(const struct dph_type *type, struct declarator *d)
{
	const struct dph_type *target = dph_type_target(type);
	if (target && target->kind == DPH_TYPE_POINTER)
		put_name(d, "", prefixes[type->kind]);
	return target;
}

static const struct dph_type *put_derived(const struct dph_type *type, struct declarator *d,
					  unsigned depth)
{
	const struct dph_type *target = dph_type_target(type);
	char bound[32] = "[]";
	switch (type->kind) {
	case DPH_TYPE_POINTER:
		if (target && (target->kind == DPH_TYPE_ARRAY || target->kind == DPH_TYPE_FUNCTION))
			put(d, "(*", ")");
		else
			put(d, "*", "");
		break;
	case DPH_TYPE_ARRAY:
		if (type->counted)
			snprintf(bound, sizeof bound, "[%llu]", (unsigned long long)type->count);
		put(d, "", bound);
		break;
	default:
		put_parameters(type, d, depth);
		break;
	}
	return target;
}

static bool is_qualifier(const struct dph_type *type)
{
	return type->kind >= DPH_TYPE_CONST && type->kind <= DPH_TYPE_ATOMIC;
}

/* An array of constants may be constant itself: one word says so. */
static unsigned add_once(const char **list, unsigned count, const char *word)
{
	for (unsigned i = 0; i < count; i++)
		if (list[i] == word)
			return count;
	list[count] = word;
	return count + 1;
}

static void describe(const struct dph_type *type, struct declarator *d, unsigned depth)
{
	const char *qualifiers[DPH_TYPE_ATOMIC - DPH_TYPE_CONST + 1];
	unsigned count = 0;
	while (type && depth++ < DPH_DEPTH_MAX && !d->full) {
		if (is_qualifier(type)) {
			const struct dph_type *target = put_qualifier(type, d);
			if (!(target && target->kind == DPH_TYPE_POINTER))
				count = add_once(qualifiers, count, prefixes[type->kind]);
			type = target;
		} else if (type->kind == DPH_TYPE_POINTER || type->kind == DPH_TYPE_ARRAY ||
			   type->kind == DPH_TYPE_FUNCTION) {
			type = put_derived(type, d, depth);
		} else {
			break;
		}
	}
	bool tagged = type && type->kind >= DPH_TYPE_ENUM && type->kind <= DPH_TYPE_UNION &&
		      prefixes[type->kind];
	put_name(d, tagged ? prefixes[type->kind] : "",
		 !type        ? "void"
		 : type->name ? type->name
		 : tagged     ? "{...}"
			      : "?");
	while (count > 0)
		put_name(d, "", qualifiers[--count]);
	if (d->full) {
		size_t end = strlen(d->text);
		memcpy(d->text + (end < TEXT_MAX - 4 ? end : TEXT_MAX - 4), "...", sizeof "...");
	}
}

const char *dph_type_text(const struct dph_type *type)
{
	struct declarator d = {.text = ""};
	if (!type)
		return "void";
	describe(type, &d, 0);
	return dph_pool_copy(&type->debug->pool, d.text, strlen(d.text));
}

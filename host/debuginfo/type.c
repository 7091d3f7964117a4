/* SPDX-License-Identifier: BSD-2-Clause */
/* This file walks the graph of types and finds sizes and members, for types of any source. */
#include "type.h"

#include "base/diag.h"
#include "ctf.h"
#include "type_source.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* --- parts that are read when asked for ---------------------------------------------------- */

/* Types are made writable by their source; callers see them as they will be. */
static struct dph_type *own(const struct dph_type *type)
{
	return (struct dph_type *)(uintptr_t)type;
}

const struct dph_type *dph_type_target(const struct dph_type *type)
{
	if (!type->target_read) {
		own(type)->target_read = true;
		if (type->source)
			type->source->target(own(type));
	}
	return type->target;
}

static void read_parts(const struct dph_type *type)
{
	if (type->parts_read || type->declared)
		return;
	own(type)->parts_read = true;
	if (type->source)
		type->source->parts(own(type));
}

size_t dph_type_members(const struct dph_type *type, const struct dph_member **members)
{
	read_parts(type);
	*members = type->members;
	return type->members ? type->part_count : 0;
}

size_t dph_type_enumerators(const struct dph_type *type, const struct dph_enumerator **list)
{
	read_parts(type);
	*list = type->enumerators;
	return type->enumerators ? type->part_count : 0;
}

void dph_parts_member(struct dph_parts *parts, struct dph_member member)
{
	parts->members =
		dph_grow(parts->members, &parts->room, parts->count, sizeof(*parts->members));
	parts->members[parts->count++] = member;
}

void dph_parts_enumerator(struct dph_parts *parts, struct dph_enumerator enumerator)
{
	parts->enumerators = dph_grow(parts->enumerators, &parts->room, parts->count,
				      sizeof(*parts->enumerators));
	parts->enumerators[parts->count++] = enumerator;
}

static void *keep(struct dph_pool *pool, void *list, size_t bytes)
{
	void *copy = bytes ? dph_pool_take(pool, bytes) : NULL;
	if (bytes)
		memcpy(copy, list, bytes);
	free(list);
	return copy;
}

void dph_parts_done(struct dph_parts *parts, struct dph_type *type)
{
	struct dph_pool *pool = &type->debug->pool;
	type->part_count = parts->count;
	if (parts->members)
		type->members = keep(pool, parts->members, parts->count * sizeof(*type->members));
	if (parts->enumerators)
		type->enumerators =
			keep(pool, parts->enumerators, parts->count * sizeof(*type->enumerators));
}

/* --- walks --------------------------------------------------------------------------------- */

static bool is_alias(const struct dph_type *type)
{
	return type->kind >= DPH_TYPE_TYPEDEF && type->kind <= DPH_TYPE_ATOMIC;
}

/* Several definitions that differ are none: the declaration does not say which is meant. */
static void find_definition(struct dph_type *type)
{
	struct dp_debuginfo *debug = type->debug;
	const struct dph_within within = {0, NULL};
	struct dph_meanings meanings;
	const struct dph_type *found =
		dph_dwarf_type_named(debug, type->kind, type->name, &within, &meanings);
	if (!found)
		found = dph_ctf_type_named(debug, type->kind, type->name, &within, &meanings);
	if (!meanings.other)
		type->target = found;
	else if (!type->refused)
		type->refused = dph_why(debug,
					"is declared here without members, and %s and %s define "
					"types of this name that differ; cast to the one of a file",
					meanings.file, meanings.other);
}

/* The definition of a struct that is only declared here, or the declaration. */
static const struct dph_type *definition(const struct dph_type *type)
{
	struct dph_type *found = own(type);
	if (!type->declared)
		return type;
	if (!type->parts_read && type->name) {
		found->parts_read = true; /* a declaration has none; its target is the definition */
		find_definition(found);
	}
	return type->target ? type->target : type;
}

const struct dph_type *dph_type_plain(const struct dph_type *type)
{
	for (unsigned depth = 0; type && is_alias(type); depth++) {
		if (depth > DPH_DEPTH_MAX)
			return NULL;
		type = dph_type_target(type);
	}
	return type ? definition(type) : NULL;
}

bool dph_type_bytes(const struct dph_type *type, uint64_t *bytes)
{
	uint64_t count = 1;
	for (unsigned depth = 0; depth < DPH_DEPTH_MAX; depth++) {
		type = type ? dph_type_plain(type) : NULL;
		if (!type || type->kind == DPH_TYPE_VOID || type->kind == DPH_TYPE_FUNCTION ||
		    type->declared || type->size_varies)
			return false;
		if (type->kind != DPH_TYPE_ARRAY)
			return !__builtin_mul_overflow(count, type->bytes, bytes);
		if (!type->counted || __builtin_mul_overflow(count, type->count, &count))
			return false;
		type = dph_type_target(type);
	}
	return false;
}

/* --- values that are not read ---------------------------------------------------------------- */

static const struct dph_type *cause(const struct dph_type *type, unsigned depth);

static const struct dph_type *cause_in_members(struct dph_type *type, unsigned depth)
{
	const struct dph_member *members;
	const struct dph_type *found = NULL;
	const size_t count = dph_type_members(type, &members);
	for (size_t i = 0; i < count && !found; i++)
		if (members[i].no_place) {
			type->refused = "has a member whose place is known only while the program "
					"runs";
			found = type;
		} else {
			found = cause(members[i].type, depth + 1);
		}
	return found;
}

/* The type that is the cause, found once: a graph that is circular ends at the type that is asked
 * already. */
static const struct dph_type *cause(const struct dph_type *type, unsigned depth)
{
	struct dph_type *plain = own(type ? dph_type_plain(type) : NULL);
	if (!plain || plain->cause_read || depth > DPH_DEPTH_MAX)
		return plain ? plain->cause : NULL;
	plain->cause_read = true;
	if (plain->refused)
		plain->cause = plain;
	else if (plain->kind == DPH_TYPE_ARRAY)
		plain->cause = cause(dph_type_target(plain), depth + 1);
	else if (plain->kind == DPH_TYPE_STRUCT || plain->kind == DPH_TYPE_UNION)
		plain->cause = cause_in_members(plain, depth);
	return plain->cause;
}

const char *dph_type_refused(const struct dph_type *type, const struct dph_type **of)
{
	*of = cause(type, 0);
	return *of ? (*of)->refused : NULL;
}

/* --- members --------------------------------------------------------------------------------- */

static bool find_member(const struct dph_type *type, const char *name, size_t length,
			struct dph_member *found, unsigned depth)
{
	const struct dph_member *members;
	type = type ? dph_type_plain(type) : NULL;
	if (!type || depth > DPH_DEPTH_MAX ||
	    (type->kind != DPH_TYPE_STRUCT && type->kind != DPH_TYPE_UNION))
		return false;
	size_t count = dph_type_members(type, &members);
	for (size_t i = 0; i < count; i++)
		if (members[i].name && strncmp(members[i].name, name, length) == 0 &&
		    !members[i].name[length]) {
			*found = members[i];
			return true;
		}
	for (size_t i = 0; i < count; i++)
		if (!members[i].name &&
		    find_member(members[i].type, name, length, found, depth + 1)) {
			found->offset += members[i].offset;
			found->no_place |= members[i].no_place;
			return true;
		}
	return false;
}

bool dph_type_member(const struct dph_type *type, const char *name, struct dph_member *member)
{
	return find_member(type, name, strlen(name), member, 0);
}

/* Enter an element: "[3]". *type: an array, then its element. *path: behind the bracket. */
static bool enter_element(const struct dph_type **type, const char **path, uint64_t *offset)
{
	const struct dph_type *array = *type ? dph_type_plain(*type) : NULL;
	uint64_t bytes;
	char *end;
	if (!array || array->kind != DPH_TYPE_ARRAY || !isdigit((unsigned char)(*path)[1]))
		return false;
	const uint64_t index = strtoul(*path + 1, &end, 10) - (uint64_t)array->first;
	*type = dph_type_target(array);
	if (*end != ']' || array->refused || (array->counted && index >= array->count) ||
	    !dph_type_bytes(*type, &bytes) || (bytes && index > UINT32_MAX / bytes))
		return false;
	*offset += index * bytes;
	*path = end + 1;
	return true;
}

bool dph_type_offset(const struct dph_type *type, const char *path, uint64_t *offset)
{
	struct dph_member member;
	*offset = 0;
	for (;;) {
		size_t length = strcspn(path, ".[");
		if (!find_member(type, path, length, &member, 0) || member.bits || member.no_place)
			return false;
		*offset += member.offset;
		type = member.type;
		path += length;
		while (*path == '[')
			if (!enter_element(&type, &path, offset))
				return false;
		if (*path != '.')
			return !*path;
		path++;
	}
}

/* --- bit-fields ---------------------------------------------------------------------------- */

/* Bytes that hold `bits` bits from bit `at` of a byte on: 1, 2, 4 or 8. */
static unsigned window(uint64_t at, unsigned bits)
{
	unsigned bytes = 1;
	while (bytes < 8 && at % 8 + bits > 8 * bytes)
		bytes *= 2;
	return bytes;
}

void dph_bit_field(struct dph_member *member, uint64_t at, unsigned bits, uint64_t storage,
		   uint64_t whole, bool big_endian)
{
	uint64_t unit = storage == 1 || storage == 2 || storage == 4 || storage == 8 ? storage : 0;
	uint64_t start = unit ? at / (8 * unit) * unit : 0;
	if (!unit || at + bits > 8 * (start + unit) || (whole && start + unit > whole)) {
		unit = window(at, bits);
		start = at / 8;
		if (whole && start + unit > whole)
			start = whole > unit ? whole - unit : 0;
	}
	uint64_t inside = at - 8 * start;
	bool fits = inside < 64 && inside + bits <= 8 * unit;
	member->offset = start;
	member->bits = bits;
	member->load_bytes = fits ? (unsigned)unit : 0;
	member->shift = !fits ? 0 : (unsigned)(big_endian ? 8 * unit - inside - bits : inside);
}

/* --- base types by their words ------------------------------------------------------------- */

static const struct word {
	const char *text;
	uint32_t one; /* the value that each occurrence adds */
} words[] = {
	{"int", 0},          {"signed", 0},         {"char", 1u << 0},   {"short", 1u << 2},
	{"long", 1u << 4},   {"unsigned", 1u << 8}, {"_Bool", 1u << 10}, {"bool", 1u << 10},
	{"float", 1u << 12}, {"double", 1u << 14},
};

enum {
	WORDS_CHAR = 1 << 0,
	WORDS_SIGNED_CHAR = 1 << 16,
	WORDS_ANY = 1 << 17 /* set in every answer */
};

uint32_t dph_base_type_words(const char *name)
{
	uint32_t sum = 0;
	bool is_signed = false;
	if (!*name)
		return 0;
	while (*name) {
		size_t length = strcspn(name, " "), i = 0;
		while (i < sizeof words / sizeof words[0] &&
		       (strlen(words[i].text) != length ||
			strncmp(words[i].text, name, length) != 0))
			i++;
		if (i == sizeof words / sizeof words[0])
			return 0;
		is_signed |= length == 6 && name[0] == 's';
		sum += words[i].one;
		name += length;
		name += strspn(name, " ");
	}
	if (is_signed && sum == WORDS_CHAR)
		sum |= WORDS_SIGNED_CHAR;
	return sum | WORDS_ANY;
}

/* Base types of C, for firmware that has none of them in its debug information. */
static const struct basic {
	const char *name;
	uint8_t kind, bytes; /* bytes 0: a word */
	bool is_signed;
} basics[] = {
	{"int", DPH_TYPE_INTEGER, 4, true},
	{"unsigned int", DPH_TYPE_INTEGER, 4, false},
	{"short", DPH_TYPE_INTEGER, 2, true},
	{"unsigned short", DPH_TYPE_INTEGER, 2, false},
	{"long", DPH_TYPE_INTEGER, 0, true},
	{"unsigned long", DPH_TYPE_INTEGER, 0, false},
	{"long long", DPH_TYPE_INTEGER, 8, true},
	{"unsigned long long", DPH_TYPE_INTEGER, 8, false},
	{"signed char", DPH_TYPE_CHAR, 1, true},
	{"unsigned char", DPH_TYPE_CHAR, 1, false},
	{"_Bool", DPH_TYPE_BOOL, 1, false},
	{"float", DPH_TYPE_FLOAT, 4, true},
	{"double", DPH_TYPE_FLOAT, 8, true},
};

static const struct dph_type *basic(struct dp_debuginfo *debug, const char *name)
{
	uint32_t wanted = dph_base_type_words(name);
	for (size_t i = 0; wanted && i < sizeof basics / sizeof basics[0]; i++) {
		if (dph_base_type_words(basics[i].name) != wanted)
			continue;
		struct dph_type *type = dph_pool_take(&debug->pool, sizeof(*type));
		*type = (struct dph_type){.kind = basics[i].kind,
					  .name = basics[i].name,
					  .bytes = basics[i].bytes ? basics[i].bytes
								   : debug->word_bytes,
					  .is_signed = basics[i].is_signed,
					  .debug = debug};
		return type;
	}
	return NULL;
}

/* --- that differ --------------------------------------------------------------------------- */

static bool differ(const struct dph_type *a, const struct dph_type *b, unsigned depth);

static bool names_differ(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") != 0;
}

static bool members_differ(const struct dph_type *a, const struct dph_type *b, unsigned depth)
{
	const struct dph_member *x, *y;
	const size_t count = dph_type_members(a, &x);
	if (dph_type_members(b, &y) != count)
		return true;
	for (size_t i = 0; i < count; i++)
		if (x[i].offset != y[i].offset || x[i].bits != y[i].bits ||
		    names_differ(x[i].name, y[i].name) || differ(x[i].type, y[i].type, depth + 1))
			return true;
	return false;
}

static bool enumerators_differ(const struct dph_type *a, const struct dph_type *b)
{
	const struct dph_enumerator *x, *y;
	const size_t count = dph_type_enumerators(a, &x);
	if (dph_type_enumerators(b, &y) != count)
		return true;
	for (size_t i = 0; i < count; i++)
		if (x[i].value != y[i].value || names_differ(x[i].name, y[i].name))
			return true;
	return false;
}

/* What pointers point to is another type's matter. */
static bool differ(const struct dph_type *a, const struct dph_type *b, unsigned depth)
{
	uint64_t bytes_a = 0, bytes_b = 0;
	a = dph_type_plain(a);
	b = dph_type_plain(b);
	if (!a || !b || a == b || depth > DPH_DEPTH_MAX)
		return a != b && depth <= DPH_DEPTH_MAX;
	dph_type_bytes(a, &bytes_a);
	dph_type_bytes(b, &bytes_b);
	if (a->kind != b->kind || bytes_a != bytes_b || a->is_signed != b->is_signed)
		return true;
	switch (a->kind) {
	case DPH_TYPE_ARRAY:
		return a->count != b->count ||
		       differ(dph_type_target(a), dph_type_target(b), depth + 1);
	case DPH_TYPE_STRUCT:
	case DPH_TYPE_UNION:
		return members_differ(a, b, depth);
	case DPH_TYPE_ENUM:
		return enumerators_differ(a, b);
	default:
		return false;
	}
}

bool dph_type_differs(const struct dph_type *a, const struct dph_type *b)
{
	return differ(a, b, 0);
}

/* --- by name ------------------------------------------------------------------------------- */

static const char *after(const char *name, const char *word)
{
	size_t length = strlen(word);
	return strncmp(name, word, length) == 0 && name[length] == ' ' ? name + length + 1 : NULL;
}

const struct dph_type *dph_type_named(struct dp_debuginfo *debug, const char *name,
				      const struct dph_within *within,
				      struct dph_meanings *meanings, const char **why)
{
	struct dph_meanings several = {NULL, NULL};
	meanings = meanings ? meanings : &several;
	static const struct {
		const char *word;
		enum dph_type_kind kind;
	} tags[] = {{"struct", DPH_TYPE_STRUCT},
		    {"class", DPH_TYPE_STRUCT},
		    {"union", DPH_TYPE_UNION},
		    {"enum", DPH_TYPE_ENUM}};
	enum dph_type_kind kind = DPH_TYPE_OTHER;
	const char *bare = name;
	for (size_t i = 0; i < sizeof tags / sizeof tags[0] && kind == DPH_TYPE_OTHER; i++)
		if (after(name, tags[i].word)) {
			kind = tags[i].kind;
			bare = after(name, tags[i].word);
		}
	const struct dph_type *type = dph_dwarf_type_named(debug, kind, bare, within, meanings);
	if (!type)
		type = dph_ctf_type_named(debug, kind, bare, within, meanings);
	if (!type && kind == DPH_TYPE_OTHER)
		type = basic(debug, bare);
	if (!type)
		*why = debug->missing && !debug->ctf
			       ? debug->missing
			       : dph_why(debug, "the firmware has no type '%s'%s%s", name,
					 within->file ? " in " : "",
					 within->file ? within->file : "");
	return type;
}

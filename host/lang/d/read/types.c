/* SPDX-License-Identifier: BSD-2-Clause */
/* Types of D expressions. */
#define _GNU_SOURCE
#include "types.h"

#include "declared.h"

#include "base/source_path.h"

#include <string.h>

/* Base types of C. bytes 0: a word of the target. */
static const struct base {
	const char *name;
	unsigned bytes;
	bool is_signed, is_bool, is_char, fixed;
} bases[] = {
	{"int", 4, true, false, false, false},
	{"unsigned", 4, false, false, false, false},
	{"unsigned int", 4, false, false, false, false},
	{"signed", 4, true, false, false, false},
	{"signed int", 4, true, false, false, false},
	{"char", 1, true, false, true, false},
	{"signed char", 1, true, false, false, false},
	{"unsigned char", 1, false, false, false, false},
	{"short", 2, true, false, false, false},
	{"short int", 2, true, false, false, false},
	{"unsigned short", 2, false, false, false, false},
	{"unsigned short int", 2, false, false, false, false},
	{"long", 0, true, false, false, false},
	{"long int", 0, true, false, false, false},
	{"unsigned long", 0, false, false, false, false},
	{"unsigned long int", 0, false, false, false, false},
	{"long long", 8, true, false, false, false},
	{"long long int", 8, true, false, false, false},
	{"unsigned long long", 8, false, false, false, false},
	{"unsigned long long int", 8, false, false, false, false},
	{"_Bool", 1, false, true, false, false},
	{"bool", 1, false, true, false, true},
	{"int8_t", 1, true, false, false, true},
	{"uint8_t", 1, false, false, false, true},
	{"int16_t", 2, true, false, false, true},
	{"uint16_t", 2, false, false, false, true},
	{"int32_t", 4, true, false, false, true},
	{"uint32_t", 4, false, false, false, true},
	{"int64_t", 8, true, false, false, true},
	{"uint64_t", 8, false, false, false, true},
	{"size_t", 0, false, false, false, true},
	{"ssize_t", 0, true, false, false, true},
	{"intptr_t", 0, true, false, false, true},
	{"uintptr_t", 0, false, false, false, true},
};

static unsigned word_bytes(const struct d_front *d)
{
	return d->program->target.word_bytes;
}

/* --- from the firmware --------------------------------------------------------------------- */

static enum d_type_kind kind_of(const struct dph_type *type)
{
	switch (type->kind) {
	case DPH_TYPE_INTEGER:
	case DPH_TYPE_CHAR:
	case DPH_TYPE_BOOL:
	case DPH_TYPE_ENUM:
		return D_TYPE_INTEGER;
	case DPH_TYPE_FLOAT:
		return D_TYPE_FLOAT;
	case DPH_TYPE_POINTER:
		return D_TYPE_POINTER;
	case DPH_TYPE_ARRAY:
		return D_TYPE_ARRAY;
	case DPH_TYPE_STRUCT:
	case DPH_TYPE_UNION:
	case DPH_TYPE_OTHER: /* its bytes are known, and nothing else */
		return D_TYPE_STRUCT;
	case DPH_TYPE_FUNCTION:
		return D_TYPE_FUNCTION;
	default:
		return D_TYPE_VOID;
	}
}

struct d_type dph_d_type_of(const struct d_front *d, const struct dph_type *type)
{
	const struct dph_type *plain = type ? dph_type_plain(type) : NULL;
	struct d_type result = {.kind = D_TYPE_VOID, .firmware = type};
	uint64_t bytes = 0;
	if (!plain)
		return result;
	result.kind = kind_of(plain);
	if (result.kind == D_TYPE_POINTER)
		result.bytes = word_bytes(d);
	else if (dph_type_bytes(plain, &bytes) && bytes <= 16)
		result.bytes = (unsigned)bytes;
	result.is_signed = plain->is_signed && result.kind == D_TYPE_INTEGER;
	result.is_bool = plain->kind == DPH_TYPE_BOOL;
	result.is_char =
		plain->kind == DPH_TYPE_CHAR && plain->name && strcmp(plain->name, "char") == 0;
	return result;
}

/* --- of the program ------------------------------------------------------------------------ */

struct d_type dph_d_type_integer(const struct d_front *d, unsigned bytes, bool is_signed)
{
	const bool is_long = bytes == 8 && word_bytes(d) == 8;
	return (struct d_type){
		.kind = D_TYPE_INTEGER,
		.bytes = bytes,
		.is_signed = is_signed,
		.name = bytes == 1   ? is_signed ? "signed char" : "unsigned char"
			: bytes == 2 ? is_signed ? "short" : "unsigned short"
			: bytes == 4 ? is_signed ? "int" : "unsigned int"
			: is_long    ? is_signed ? "long" : "unsigned long"
			: is_signed  ? "long long"
				     : "unsigned long long",
	};
}

struct d_type dph_d_type_int(const struct d_front *d)
{
	return dph_d_type_integer(d, 4, true);
}

struct d_type dph_d_type_pointer(struct d_front *d, const struct d_type *target)
{
	struct d_type *copy = dph_pool_take(d->pool, sizeof(*copy));
	*copy = *target;
	return (struct d_type){.kind = D_TYPE_POINTER, .bytes = word_bytes(d), .target = copy};
}

struct d_type dph_d_type_array(struct d_front *d, const struct d_type *element, uint64_t count)
{
	struct d_type array = dph_d_type_pointer(d, element);
	array.kind = D_TYPE_ARRAY;
	array.bytes = 0;
	array.count = count;
	return array;
}

struct d_type dph_d_type_target(const struct d_front *d, const struct d_type *type)
{
	if (type->target)
		return *type->target;
	if ((type->kind == D_TYPE_POINTER || type->kind == D_TYPE_ARRAY) && type->firmware)
		return dph_d_type_of(d, dph_type_target(dph_type_plain(type->firmware)));
	return (struct d_type){.kind = D_TYPE_NONE};
}

bool dph_d_type_bytes(const struct d_front *d, const struct d_type *type, uint64_t *bytes)
{
	if (type->kind == D_TYPE_ARRAY && type->target) {
		const bool good = dph_d_type_bytes(d, type->target, bytes);
		*bytes *= type->count;
		return good;
	}
	if (type->firmware)
		return dph_type_bytes(type->firmware, bytes);
	*bytes = type->bytes;
	return type->bytes != 0;
}

const char *dph_d_type_text(struct d_front *d, const struct d_type *type)
{
	if (type->target && type->kind == D_TYPE_POINTER)
		return dph_pool_print(d->pool, "%s%s*", dph_d_type_text(d, type->target),
				      type->target->kind == D_TYPE_POINTER ? "" : " ");
	if (type->target)
		return dph_pool_print(d->pool, "%s [%llu]", dph_d_type_text(d, type->target),
				      (unsigned long long)type->count);
	if (type->firmware)
		return dph_type_text(type->firmware);
	return type->name ? type->name : type->kind == D_TYPE_STRING ? "string" : "void";
}

const char *dph_d_type_refused(struct d_front *d, const struct d_type *type)
{
	const struct dph_type *of;
	const char *why = type->firmware ? dph_type_refused(type->firmware, &of) : NULL;
	if (!why && type->target)
		return type->kind == D_TYPE_ARRAY ? dph_d_type_refused(d, type->target) : NULL;
	if (!why)
		return NULL;
	return of == dph_type_plain(type->firmware)
		       ? dph_pool_print(d->pool, "it %s", why)
		       : dph_pool_print(d->pool, "%s in it %s", dph_type_text(of), why);
}

bool dph_d_type_scalar(const struct d_type *type)
{
	return type->kind == D_TYPE_INTEGER || dph_d_type_pointed(type);
}

bool dph_d_type_pointed(const struct d_type *type)
{
	return type->kind == D_TYPE_POINTER || type->kind == D_TYPE_ARRAY ||
	       type->kind == D_TYPE_FUNCTION;
}

struct d_type dph_d_type_promoted(const struct d_front *d, const struct d_type *type)
{
	if (type->bytes < 4)
		return dph_d_type_int(d);
	return dph_d_type_integer(d, type->bytes, type->is_signed);
}

struct d_type dph_d_type_common(const struct d_front *d, const struct d_type *a,
				const struct d_type *b)
{
	const struct d_type x = dph_d_type_promoted(d, a), y = dph_d_type_promoted(d, b);
	if (x.bytes != y.bytes)
		return x.bytes > y.bytes ? x : y;
	return dph_d_type_integer(d, x.bytes, x.is_signed && y.is_signed);
}

uint64_t dph_d_type_narrow(const struct d_type *type, uint64_t value)
{
	if (type->is_bool)
		return value != 0;
	if (!type->bytes || type->bytes >= 8)
		return value;
	const unsigned unused = 64 - type->bytes * 8;
	return type->is_signed ? (uint64_t)((int64_t)(value << unused) >> unused)
			       : value << unused >> unused;
}

/* --- by name ------------------------------------------------------------------------------- */

static const struct base *base_named(const char *name)
{
	for (size_t i = 0; i < sizeof(bases) / sizeof(*bases); i++)
		if (strcmp(bases[i].name, name) == 0)
			return &bases[i];
	return NULL;
}

bool dph_d_type_exists(struct d_front *d, const char *name, bool of_file)
{
	const struct dph_within within = {0, NULL};
	const char *why;
	return (!of_file && dph_d_declared_type(d, name)) || base_named(name) ||
	       strcmp(name, "void") == 0 || strcmp(name, "string") == 0 ||
	       (d->debug && dph_type_named(d->debug, name, &within, NULL, &why));
}

/* Warn once of a name that files define differently, where none of them is the probe's. */
static void tell_meanings(struct d_front *d, const struct d_type_name *name,
			  const struct dph_meanings *meanings)
{
	for (const struct d_told *at = d->told_types; at; at = at->next)
		if (strcmp(at->name, name->name) == 0)
			return;
	struct d_told *made = dph_pool_take(d->pool, sizeof(*made));
	*made = (struct d_told){d->told_types, name->name};
	d->told_types = made;
	dph_warning(d, name->place,
		    "%s and %s define types '%s' that differ; this is the one of %s, and %s is the "
		    "other",
		    meanings->file, meanings->other, name->name, meanings->file,
		    dph_d_name_of_file(d, name->name, meanings->other));
}

const char *dph_d_name_of_file(struct d_front *d, const char *name, const char *file)
{
	const char *bare = strchr(name, ' ');
	const int word = bare ? (int)(bare + 1 - name) : 0;
	return dph_pool_print(d->pool, "%.*s%s`%s", word, name, dph_path_base(file), name + word);
}

static struct d_type find(struct d_front *d, const struct d_type_name *name, uint64_t address)
{
	const struct dph_within within = {address, name->file};
	struct dph_meanings meanings = {NULL, NULL};
	const char *why = "no firmware is given; use --elf FILE";
	const struct base *base = name->file ? NULL : base_named(name->name);
	const struct dph_type *declared =
		name->file || name->of_file ? NULL : dph_d_declared_type(d, name->name);
	if (declared)
		return dph_d_type_of(d, declared);
	const struct dph_type *type =
		d->debug && strcmp(name->name, "void") != 0
			? dph_type_named(d->debug, name->name, &within, &meanings, &why)
			: NULL;
	if (meanings.other)
		tell_meanings(d, name, &meanings);
	if (type)
		return dph_d_type_of(d, type);
	if (base)
		return (struct d_type){.kind = D_TYPE_INTEGER,
				       .bytes = base->bytes ? base->bytes : word_bytes(d),
				       .is_signed = base->is_signed,
				       .is_bool = base->is_bool,
				       .is_char = base->is_char,
				       .name = base->name};
	if (strcmp(name->name, "void") == 0)
		return (struct d_type){.kind = D_TYPE_VOID};
	if (strcmp(name->name, "string") == 0)
		return (struct d_type){.kind = D_TYPE_STRING};
	dph_d_error(d, D_TYPE_UNDEF, name->place, "%s", why);
	return (struct d_type){.kind = D_TYPE_NONE};
}

struct d_type dph_d_type_named(struct d_front *d, const struct d_type_name *name, uint64_t address)
{
	struct d_type type = find(d, name, address);
	for (unsigned i = 0; i < name->stars && type.kind != D_TYPE_NONE; i++)
		type = dph_d_type_pointer(d, &type);
	if (name->array && type.kind != D_TYPE_NONE)
		return dph_d_type_array(d, &type, name->bound);
	return type;
}

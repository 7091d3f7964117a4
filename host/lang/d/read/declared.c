/* SPDX-License-Identifier: BSD-2-Clause */
/* Declared types become a part of the graph of types: members, sizes and printing are the graph's.
 */
#define _GNU_SOURCE
#include "declared.h"

#include "debuginfo/type_source.h"

#include <stdlib.h>
#include <string.h>

struct d_declared {
	struct d_declared *next;
	const char *name; /* with the word of its kind */
	struct dph_type *type;
};

struct d_declared_constant {
	struct d_declared_constant *next;
	const char *name;
	int64_t value;
};

/* --- by name ------------------------------------------------------------------------------- */

static struct dph_type *find(const struct d_front *d, const char *name)
{
	for (const struct d_declared *at = d->declared; at; at = at->next)
		if (strcmp(at->name, name) == 0)
			return at->type;
	return NULL;
}

const struct dph_type *dph_d_declared_type(const struct d_front *d, const char *name)
{
	return find(d, name);
}

bool dph_d_declared_constant(const struct d_front *d, const char *name, int64_t *value)
{
	for (const struct d_declared_constant *at = d->declared_constants; at; at = at->next)
		if (strcmp(at->name, name) == 0) {
			*value = at->value;
			return true;
		}
	return false;
}

struct d_inline *dph_d_inline_named(const struct d_front *d, const char *name)
{
	struct d_inline *at = d->inlines;
	while (at && strcmp(at->name, name) != 0)
		at = at->next;
	return at;
}

void dph_d_declare_constant(struct d_front *d, const char *name, int64_t value)
{
	struct d_declared_constant *made = dph_pool_take(d->pool, sizeof(*made));
	*made = (struct d_declared_constant){d->declared_constants, name, value};
	d->declared_constants = made;
}

void dph_d_declare_inline(struct d_front *d, struct d_inline *made)
{
	made->next = d->inlines;
	d->inlines = made;
}

/* --- types --------------------------------------------------------------------------------- */

/* Types print with the pool of a debug information; without a firmware they have one of their own.
 */
static struct dp_debuginfo *debug_of(struct d_front *d)
{
	if (d->debug)
		return d->debug;
	if (!d->own_debug) {
		d->own_debug = dph_pool_take(d->pool, sizeof(*d->own_debug));
		*d->own_debug = (struct dp_debuginfo){.word_bytes = d->program->target.word_bytes};
	}
	return d->own_debug;
}

void dph_d_declared_free(struct d_front *d)
{
	if (d->own_debug)
		dph_pool_free(&d->own_debug->pool);
}

static struct dph_type *make(struct d_front *d, struct dph_type type)
{
	struct dph_type *made = dph_pool_take(d->pool, sizeof(*made));
	*made = type;
	made->debug = debug_of(d);
	made->target_read = made->parts_read = true;
	return made;
}

static void name_type(struct d_front *d, const char *name, struct dph_type *type)
{
	struct d_declared *made = dph_pool_take(d->pool, sizeof(*made));
	*made = (struct d_declared){d->declared, name, type};
	d->declared = made;
}

static const char *word_of(enum dph_type_kind kind)
{
	return kind == DPH_TYPE_STRUCT ? "struct" : kind == DPH_TYPE_UNION ? "union" : "enum";
}

struct dph_type *dph_d_declare(struct d_front *d, enum dph_type_kind kind, const char *name)
{
	const char *whole = dph_pool_print(d->pool, "%s %s", word_of(kind), name);
	struct dph_type *type = find(d, whole);
	if (type)
		return type;
	type = make(d, (struct dph_type){
			       .kind = kind,
			       .name = *name == '#' ? NULL : name, /* no name in C */
			       .declared = true,
			       .is_signed = kind == DPH_TYPE_ENUM,
			       .bytes = kind == DPH_TYPE_ENUM ? sizeof(int32_t) : 0,
		       });
	name_type(d, whole, type);
	return type;
}

void dph_d_declare_typedef(struct d_front *d, const char *name, const struct d_type *type)
{
	name_type(d, name,
		  make(d, (struct dph_type){.kind = DPH_TYPE_TYPEDEF,
					    .name = name,
					    .target = dph_d_graph_type(d, type)}));
}

const struct dph_type *dph_d_graph_type(struct d_front *d, const struct d_type *type)
{
	if (type->firmware)
		return type->firmware;
	switch (type->kind) {
	case D_TYPE_INTEGER:
		return make(d, (struct dph_type){.kind = type->is_bool      ? DPH_TYPE_BOOL
							 : type->bytes == 1 ? DPH_TYPE_CHAR
									    : DPH_TYPE_INTEGER,
						 .name = type->name,
						 .bytes = type->bytes,
						 .is_signed = type->is_signed});
	case D_TYPE_POINTER:
		return make(d, (struct dph_type){.kind = DPH_TYPE_POINTER,
						 .bytes = type->bytes,
						 .target = dph_d_graph_type(d, type->target)});
	case D_TYPE_ARRAY:
		return make(d, (struct dph_type){.kind = DPH_TYPE_ARRAY,
						 .count = type->count,
						 .counted = true,
						 .target = dph_d_graph_type(d, type->target)});
	default:
		return NULL;
	}
}

/* --- layout -------------------------------------------------------------------------------- */

/* Each type stands at a multiple of its size; an array as its element, a struct as the strictest of
 * its members. */
static uint64_t alignment(const struct dph_type *type)
{
	const struct dph_type *plain = type ? dph_type_plain(type) : NULL;
	const struct dph_member *members;
	uint64_t most = 1, bytes = 1;
	if (!plain)
		return 1;
	if (plain->kind == DPH_TYPE_ARRAY)
		return alignment(dph_type_target(plain));
	if (plain->kind != DPH_TYPE_STRUCT && plain->kind != DPH_TYPE_UNION)
		return dph_type_bytes(plain, &bytes) && bytes ? bytes : 1;
	const size_t count = dph_type_members(plain, &members);
	for (size_t i = 0; i < count; i++) {
		const uint64_t one = alignment(members[i].type);
		most = one > most ? one : most;
	}
	return most;
}

static uint64_t rounded(uint64_t value, uint64_t to)
{
	return (value + to - 1) / to * to;
}

/* A bit-field does not cross a word of its type. *bit: the first free bit, then the one behind. */
static void place_bits(const struct d_front *d, struct dph_member *member, uint64_t bytes,
		       bool is_union, uint64_t *bit)
{
	uint64_t at = is_union ? 0 : *bit;
	if (at / (8 * bytes) != (at + member->bits - 1) / (8 * bytes))
		at = rounded(at, 8 * bytes);
	*bit = at + member->bits > *bit ? at + member->bits : *bit;
	dph_bit_field(member, at, member->bits, bytes, 0, d->program->target.big_endian);
}

bool dph_d_lay_out(struct d_front *d, struct dph_type *type, struct dph_member *members,
		   size_t count, size_t *bad)
{
	const bool is_union = type->kind == DPH_TYPE_UNION;
	uint64_t bit = 0, most = 1;
	for (size_t i = 0; i < count; i++) {
		const uint64_t aligned = alignment(members[i].type);
		uint64_t bytes = 0;
		*bad = i;
		if (!dph_type_bytes(members[i].type, &bytes) || bytes > UINT16_MAX)
			return false;
		most = aligned > most ? aligned : most;
		if (members[i].bits) {
			place_bits(d, &members[i], bytes, is_union, &bit);
			continue;
		}
		members[i].offset = is_union ? 0 : rounded(rounded(bit, 8) / 8, aligned);
		const uint64_t end = 8 * (members[i].offset + bytes);
		bit = end > bit ? end : bit;
	}
	type->members = members;
	type->part_count = count;
	type->bytes = rounded(rounded(bit, 8) / 8, most);
	type->declared = false;
	return true;
}

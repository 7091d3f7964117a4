/* SPDX-License-Identifier: BSD-2-Clause */
/* The names of kernels.def become addresses and offsets. */
#define _GNU_SOURCE
#include "layout.h"

#include "base/pool.h"
#include "debuginfo/debuginfo.h"
#include "debuginfo/variable.h"

#include <string.h>

enum how {
	OF,
	IN,
	NAMED
};

/* The X macros of one table that have another meaning in the next one stay out of each other's way:
 * a file of rows is included once for each table. */
static const struct {
	const char *name;
	uint8_t fill;
} kernels[] = {
#define KERNEL(id, name, fill) {name, fill},
#include "tables/kernels.def"
};

static const struct {
	enum dph_kernel_id kernel;
	const char *name;
	bool must;
} variables[] = {
#define VARIABLE(kernel, id, name, must) {DPH_KERNEL_##kernel, name, must},
#include "tables/kernels.def"
};

static const struct {
	enum dph_kernel_id kernel;
	enum how how;
	const char *name;
	bool must;
} types[] = {
#define TYPE(kernel, id, how, name, must) {DPH_KERNEL_##kernel, how, name, must},
#include "tables/kernels.def"
};

static const struct {
	enum dph_kernel_id kernel;
	enum dph_kernel_type type;
	const char *path, *other;
	bool must, key;
} fields[] = {
#define FIELD(kernel, id, type, path, other, must, key)                                            \
	{DPH_KERNEL_##kernel, DPH_T_##type, path, other, must, key},
#include "tables/kernels.def"
};

static const struct {
	enum dph_kernel_id kernel;
	const char *file;
} files[] = {
#define KERNEL_FILE(kernel, file) {DPH_KERNEL_##kernel, file},
#include "tables/kernels.def"
};

static const struct {
	enum dph_kernel_id kernel;
	const char *cpu, *words;
} contexts[] = {
#define CONTEXT(kernel, cpu, words) {DPH_KERNEL_##kernel, cpu, words},
#include "tables/kernels.def"
};

#define COUNT(table) (sizeof(table) / sizeof(*(table)))

/* A search for one kernel. */
struct search {
	struct dp_debuginfo *debug;
	struct dph_kernel_layout *layout;
	struct dph_pool *pool;
	const struct dph_type *variable_types[DPH_KERNEL_VARIABLES];
	const struct dph_type *type_types[DPH_KERNEL_TYPES];
	const char *missing; /* the first name without which the kernel is another one */
};

static void lacks(struct search *s, bool must, const char *what, const char *name)
{
	if (must && !s->missing)
		s->missing = dph_pool_print(s->pool, "no %s %s", what, name);
}

/* The elements of arrays of arrays, or 1. */
static uint64_t elements(const struct dph_type *type)
{
	const struct dph_type *plain = type ? dph_type_plain(type) : NULL;
	return plain && plain->kind == DPH_TYPE_ARRAY ? plain->count : 1;
}

static void find_variable(struct search *s, size_t i)
{
	const struct dph_within everywhere = {0};
	struct dph_kernel_place *place = &s->layout->variables[i];
	struct dph_variable found;
	const char *why;
	uint32_t reg;
	int64_t address;
	place->known =
		dph_variable_global(s->debug, &everywhere, variables[i].name, &found, &why) &&
		found.type && found.location.count == 1 &&
		found.location.pieces[0].kind == DPH_PIECE_MEMORY &&
		dph_steps_linear(found.location.pieces[0].steps, &reg, &address) &&
		reg == UINT32_MAX;
	if (!place->known) {
		lacks(s, variables[i].must, "variable", variables[i].name);
		return;
	}
	place->count = elements(found.type);
	place->known = dph_type_bytes(found.type, &place->bytes) && place->count > 0;
	if (!place->known) {
		lacks(s, variables[i].must, "element of", variables[i].name);
		return;
	}
	place->at = s->debug->word_bytes == 4 ? (uint32_t)address : (uint64_t)address;
	s->variable_types[i] = found.type;
}

static const struct dph_type *of_variable(const struct search *s, size_t i)
{
	for (size_t v = 0; v < COUNT(variables); v++)
		if (variables[v].kernel == types[i].kernel && s->variable_types[v] &&
		    strcmp(variables[v].name, types[i].name) == 0)
			return dph_type_target(dph_type_plain(s->variable_types[v]));
	return NULL;
}

static const struct dph_type *in_block(const struct search *s, size_t i)
{
	const struct dph_type *block = s->type_types[s->layout->block];
	struct dph_member member;
	return block && dph_type_member(dph_type_plain(block), types[i].name, &member) ? member.type
										       : NULL;
}

static void find_type(struct search *s, size_t i)
{
	const struct dph_within everywhere = {0};
	const char *why;
	const struct dph_type *type =
		types[i].how == OF ? of_variable(s, i)
		: types[i].how == IN
			? in_block(s, i)
			: dph_type_named(s->debug, types[i].name, &everywhere, NULL, &why);
	struct dph_kernel_place *place = &s->layout->types[i];
	type = type ? dph_type_plain(type) : NULL;
	place->known = type && dph_type_bytes(type, &place->bytes);
	s->type_types[i] = place->known ? type : NULL;
	if (!place->known)
		lacks(s, types[i].must, "type of", types[i].name);
}

/* Find the member at the end of "a.b". */
static bool member_at(const struct dph_type *type, const char *path, struct dph_kernel_place *place)
{
	const struct dph_type *in = type;
	char name[64];
	while (in && *path) {
		const size_t bytes = strcspn(path, ".");
		struct dph_member member;
		if (bytes >= sizeof(name))
			return false;
		memcpy(name, path, bytes);
		name[bytes] = '\0';
		if (!dph_type_member(dph_type_plain(in), name, &member) || member.bits)
			return false;
		place->at += member.offset;
		in = member.type;
		path += bytes + (path[bytes] == '.');
	}
	place->count = elements(in);
	return in && place->count > 0 && dph_type_bytes(in, &place->bytes);
}

static void find_field(struct search *s, size_t i)
{
	const struct dph_type *type = s->type_types[fields[i].type];
	struct dph_kernel_place *place = &s->layout->fields[i];
	place->known = type && member_at(type, fields[i].path, place);
	if (!place->known && type && *fields[i].other) {
		*place = (struct dph_kernel_place){0};
		place->known = member_at(type, fields[i].other, place);
	}
	if (!place->known)
		lacks(s, fields[i].must, "member", fields[i].path);
}

static bool find_kernel(struct search *s, enum dph_kernel_id kernel)
{
	*s->layout = (struct dph_kernel_layout){
		.kernel = kernel, .name = kernels[kernel].name, .fill = kernels[kernel].fill};
	while (types[s->layout->block].kernel != kernel)
		s->layout->block++;
	for (size_t i = 0; i < COUNT(variables); i++)
		if (variables[i].kernel == kernel)
			find_variable(s, i);
	for (size_t i = 0; i < COUNT(types) && !s->missing; i++)
		if (types[i].kernel == kernel)
			find_type(s, i);
	for (size_t i = 0; i < COUNT(fields) && !s->missing; i++)
		if (fields[i].kernel == kernel)
			find_field(s, i);
	return !s->missing;
}

bool dph_kernel_find(struct dp_debuginfo *debug, struct dph_kernel_layout *layout,
		     struct dph_pool *pool, const char **why)
{
	const char *text = "";
	for (unsigned kernel = 0; kernel < DPH_KERNELS; kernel++) {
		struct search s = {.debug = debug, .layout = layout, .pool = pool};
		if (find_kernel(&s, kernel))
			return true;
		text = dph_pool_print(pool, "%s%s%s (%s)", text, kernel ? ", " : "",
				      kernels[kernel].name, s.missing);
	}
	*why = text;
	return false;
}

bool dph_kernel_has_file(const struct dph_kernel_layout *layout, const char *path)
{
	const char *name = strrchr(path, '/');
	name = name ? name + 1 : path;
	for (size_t i = 0; i < COUNT(files); i++)
		if (files[i].kernel == layout->kernel && strcmp(files[i].file, name) == 0)
			return true;
	return false;
}

const char *dph_kernel_variable_name(enum dph_kernel_variable variable)
{
	return variables[variable].name;
}

enum dph_kernel_field dph_kernel_key(const struct dph_kernel_layout *layout, size_t index)
{
	for (size_t i = 0; i < COUNT(fields); i++)
		if (fields[i].kernel == layout->kernel && fields[i].key &&
		    layout->fields[i].known && index-- == 0)
			return (enum dph_kernel_field)i;
	return DPH_KERNEL_FIELDS;
}

const char *dph_kernel_context(const struct dph_kernel_layout *layout, const char *cpu,
			       size_t index)
{
	for (size_t i = 0; i < COUNT(contexts); i++)
		if (contexts[i].kernel == layout->kernel && strcmp(contexts[i].cpu, cpu) == 0 &&
		    index-- == 0)
			return contexts[i].words;
	return NULL;
}

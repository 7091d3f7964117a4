/* SPDX-License-Identifier: BSD-2-Clause */
/* The formats name the variables of the program, and describe the entries of arrays. */
#define _GNU_SOURCE
#include "record.h"

#include <string.h>

static struct dph_format_field field_of(struct d_front *d, const struct d_type *type, bool bytes)
{
	const bool text = type->kind == D_TYPE_STRING;
	if (type->kind == D_TYPE_STRUCT)
		return (struct dph_format_field){.form = DPH_FIELD_OBJECT,
						 .type = dph_d_format_type(d, type),
						 .bytes = dph_d_object_bytes(d, type),
						 .text = ""};
	return (struct dph_format_field){
		.form = !text   ? DPH_FIELD_WORDS
			: bytes ? DPH_FIELD_CHARACTERS
				: DPH_FIELD_TEXT,
		.type = text ? DPH_FORMAT_NO_TYPE : dph_d_format_type(d, type),
		.bytes = text          ? d->key_size
			 : type->bytes ? type->bytes
				       : d->program->target.word_bytes,
		.is_signed = type->is_signed,
		.text = "",
	};
}

static struct dph_format_variable value_of(struct d_front *d, const struct d_variable *variable,
					   const char *name, unsigned index)
{
	return (struct dph_format_variable){name, index,
					    field_of(d, &variable->type, variable->bytes)};
}

static struct dph_format_field task_key(struct d_front *d)
{
	return (struct dph_format_field){.form = DPH_FIELD_WORDS,
					 .type = dph_d_format_address(d, DPH_FORMAT_FUNCTION),
					 .bytes = d->program->target.word_bytes,
					 .text = ""};
}

static struct dph_format_array *array_of(const struct d_front *d, unsigned map)
{
	for (size_t i = 0; i < d->formats->array_count; i++)
		if (d->formats->arrays[i].map == map)
			return &d->formats->arrays[i];
	return NULL;
}

/* A variable with keys. The task is one more key of a variable of a task. */
static void fill_array(struct d_front *d, const struct d_variable *variable)
{
	struct dph_format_array *array = array_of(d, variable->index);
	const bool thread = variable->scope == D_SCOPE_THREAD;
	struct dph_format_field *keys =
		dph_pool_take(d->pool, (variable->key_count + 2) * sizeof(*keys));
	struct dph_format_variable *value = dph_pool_take(d->pool, sizeof(*value));
	if (!array || !variable->key_types)
		return;
	*value = value_of(d, variable, "", 0);
	array->keys = keys;
	array->values = value;
	array->value_count = 1;
	if (thread)
		keys[array->key_count++] = task_key(d);
	for (unsigned i = 0; i < variable->key_count; i++) {
		struct d_type type = variable->key_types[i];
		if (variable->wide_keys >> i & 1) /* narrower uses are widened */
			type.bytes = sizeof(int64_t);
		keys[array->key_count++] = field_of(d, &type, variable->key_bytes >> i & 1);
	}
}

/* The list of variables begins with the last one of the text. */
static void turn(struct dph_format_variable *list, size_t count)
{
	for (size_t i = 0; i < count / 2; i++) {
		const struct dph_format_variable kept = list[i];
		list[i] = list[count - 1 - i];
		list[count - 1 - i] = kept;
	}
}

/* The variables of a task: one entry, a view each. */
static void fill_thread(struct d_front *d, size_t most)
{
	struct dph_format_array *array = array_of(d, d->thread_map - 1);
	struct dph_format_field *key = dph_pool_take(d->pool, sizeof(*key));
	struct dph_format_variable *values = dph_pool_take(d->pool, (most + 1) * sizeof(*values));
	if (!array)
		return;
	*key = task_key(d);
	array->keys = key;
	array->key_count = 1;
	array->values = values;
	for (const struct d_variable *v = d->variables; v; v = v->next)
		if (v->placed && v->scope == D_SCOPE_THREAD && !v->indexed)
			values[array->value_count++] =
				value_of(d, v, dph_pool_print(d->pool, "self->%s", v->name),
					 d->program->maps[v->index].at);
	turn(values, array->value_count);
}

void dph_d_format_variables(struct d_front *d)
{
	struct d_format_table *f = d->formats;
	size_t most = 0;
	for (const struct d_variable *v = d->variables; v; v = v->next)
		most++;
	f->variables = dph_pool_take(d->pool, (most + 1) * sizeof(*f->variables));
	for (const struct d_variable *v = d->variables; v; v = v->next)
		if (v->hidden)
			continue;
		else if (v->placed && v->indexed)
			fill_array(d, v);
		else if (v->placed && v->scope == D_SCOPE_GLOBAL)
			f->variables[f->variable_count++] = value_of(d, v, v->name, v->index);
	turn(f->variables, f->variable_count);
	if (d->thread_map)
		fill_thread(d, most);
}

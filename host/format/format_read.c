/* SPDX-License-Identifier: BSD-2-Clause */
/* The reader takes the formats of a program from the bytes of the FORMATS section. Each index is
 * checked: the bytes may be damaged. */
#include "compute.h"
#include "format.h"

#include "dp_object.h"
#include "dp_rpn.h"

#include <string.h>

struct reading {
	const uint8_t *at, *end;
	struct dph_pool *pool;
	bool bad;
};

static uint64_t number(struct reading *r)
{
	uint64_t value = 0;
	for (unsigned shift = 0; shift < 64; shift += 7) {
		if (r->at == r->end)
			break;
		const uint8_t byte = *r->at++;
		value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return value;
	}
	r->bad = true;
	return 0;
}

static int64_t signed_number(struct reading *r)
{
	const uint64_t value = number(r);
	return (int64_t)(value >> 1 ^ (value & 1 ? UINT64_MAX : 0));
}

/* A number of at most `most`. */
static uint64_t bounded(struct reading *r, uint64_t most)
{
	const uint64_t value = number(r);
	if (value <= most)
		return value;
	r->bad = true;
	return 0;
}

/* How many elements follow: each takes at least one byte. */
static size_t count(struct reading *r)
{
	return (size_t)bounded(r, (uint64_t)(r->end - r->at));
}

static const char *text(struct reading *r)
{
	const uint8_t *stop = memchr(r->at, 0, (size_t)(r->end - r->at));
	if (!stop) {
		r->bad = true;
		return "";
	}
	const char *found = dph_pool_copy(r->pool, (const char *)r->at, (size_t)(stop - r->at));
	r->at = stop + 1;
	return found;
}

static void read_parts(struct reading *r, struct dph_format_type *type, size_t known)
{
	type->part_count = count(r);
	struct dph_format_part *parts =
		dph_pool_take(r->pool, (type->part_count + 1) * sizeof(*parts));
	type->parts = parts;
	for (size_t i = 0; i < type->part_count && !r->bad; i++) {
		parts[i].name = text(r);
		if (type->kind == DPH_FORMAT_ENUM) {
			parts[i].value = signed_number(r);
			continue;
		}
		if (!known)
			r->bad = true;
		parts[i].type = (uint32_t)bounded(r, known - 1);
		parts[i].offset = number(r);
		parts[i].bits = (unsigned)bounded(r, 64);
		parts[i].load_bytes = (unsigned)bounded(r, 8);
		parts[i].shift = (unsigned)bounded(r, 63);
	}
}

static void read_type(struct reading *r, struct dph_format_type *type, size_t known)
{
	type->kind = (enum dph_format_type_kind)bounded(r, DPH_FORMAT_TYPE_KINDS - 1);
	type->name = text(r);
	type->bytes = number(r);
	type->is_signed = number(r) != 0;
	if (type->kind == DPH_FORMAT_ARRAY) {
		if (!known)
			r->bad = true;
		type->element = (uint32_t)bounded(r, known - 1);
		type->count = number(r);
	}
	if (type->kind == DPH_FORMAT_STRUCT || type->kind == DPH_FORMAT_ENUM)
		read_parts(r, type, known);
}

/* before: how many fields stand before this one. */
static void read_computed(struct reading *r, struct dph_format_field *field, size_t before)
{
	field->function = (enum dph_function)bounded(r, DPH_FUNCTIONS - 1);
	field->operand_count = (unsigned)bounded(r, DPH_OPERANDS_MAX);
	if (!before && field->operand_count)
		r->bad = true;
	for (unsigned i = 0; i < field->operand_count && !r->bad; i++)
		field->operands[i] = (uint32_t)bounded(r, before - 1);
}

static const struct dph_format_field *read_fields(struct reading *r, size_t *field_count,
						  size_t type_count)
{
	*field_count = count(r);
	struct dph_format_field *fields =
		dph_pool_take(r->pool, (*field_count + 1) * sizeof(*fields));
	for (size_t i = 0; i < *field_count && !r->bad; i++) {
		fields[i].form = (enum dph_format_form)bounded(r, DPH_FIELD_FORMS - 1);
		fields[i].type = (uint32_t)bounded(r, type_count) - 1;
		fields[i].bytes = number(r);
		fields[i].is_signed = number(r) != 0;
		fields[i].text = text(r);
		fields[i].place = (uint32_t)bounded(r, *field_count);
		if (fields[i].form == DPH_FIELD_COMPUTED)
			read_computed(r, &fields[i], i);
		if (fields[i].form == DPH_FIELD_PROBE && fields[i].bytes >= DPH_PROBE_PARTS)
			r->bad = true;
		if ((fields[i].form == DPH_FIELD_WORDS || fields[i].form == DPH_FIELD_NUMBER) &&
		    fields[i].bytes > 8)
			r->bad = true;
		if (fields[i].form == DPH_FIELD_OBJECT &&
		    (!fields[i].bytes || fields[i].bytes > DPH_FORMAT_OBJECT_MAX))
			r->bad = true;
	}
	return fields;
}

static void read_action(struct reading *r, struct dph_format_action *action, size_t fields)
{
	action->kind = (enum dph_format_action_kind)bounded(r, DPH_ACTION_KINDS - 1);
	action->text = text(r);
	action->field_count = count(r);
	uint32_t *list = dph_pool_take(r->pool, (action->field_count + 1) * sizeof(*list));
	action->fields = list;
	for (size_t i = 0; i < action->field_count && !r->bad; i++) {
		if (!fields)
			r->bad = true;
		list[i] = (uint32_t)bounded(r, fields - 1);
	}
}

static void read_clause(struct reading *r, struct dph_format_clause *clause, size_t type_count)
{
	clause->fields = read_fields(r, &clause->field_count, type_count);
	clause->action_count = count(r);
	struct dph_format_action *actions =
		dph_pool_take(r->pool, (clause->action_count + 1) * sizeof(*actions));
	clause->actions = actions;
	for (size_t i = 0; i < clause->action_count && !r->bad; i++)
		read_action(r, &actions[i], clause->field_count);
}

static void read_layouts(struct reading *r, struct dph_formats *formats)
{
	formats->layout_count = count(r);
	struct dph_format_layout *layouts =
		dph_pool_take(r->pool, (formats->layout_count + 1) * sizeof(*layouts));
	formats->layouts = layouts;
	for (size_t i = 0; i < formats->layout_count && !r->bad; i++) {
		const uint64_t flags = bounded(r, 3);
		layouts[i].tagged = flags & 1;
		layouts[i].guarded = flags & 2;
		layouts[i].clause_count = count(r);
		struct dph_format_clause *clauses =
			dph_pool_take(r->pool, (layouts[i].clause_count + 1) * sizeof(*clauses));
		layouts[i].clauses = clauses;
		for (size_t j = 0; j < layouts[i].clause_count && !r->bad; j++)
			read_clause(r, &clauses[j], formats->type_count);
	}
}

static void read_points(struct reading *r, struct dph_formats *formats, bool optional)
{
	formats->point_count = count(r);
	struct dph_format_point *points =
		dph_pool_take(r->pool, (formats->point_count + 1) * sizeof(*points));
	formats->points = points;
	for (size_t i = 0; i < formats->point_count && !r->bad; i++) {
		if (!formats->layout_count)
			r->bad = true;
		points[i].layout = (uint32_t)bounded(r, formats->layout_count - 1);
		for (unsigned part = 0; part < DPH_PROBE_WHOLE; part++)
			points[i].part[part] = text(r);
		points[i].optional = optional && bounded(r, 1);
	}
}

static void read_places(struct reading *r, struct dph_formats *formats)
{
	formats->place_count = count(r);
	const char **places = dph_pool_take(r->pool, (formats->place_count + 1) * sizeof(*places));
	formats->places = places;
	for (size_t i = 0; i < formats->place_count && !r->bad; i++)
		places[i] = text(r);
}

static void read_texts(struct reading *r, struct dph_formats *formats)
{
	formats->text_count = count(r);
	const char **texts = dph_pool_take(r->pool, (formats->text_count + 1) * sizeof(*texts));
	formats->texts = texts;
	for (size_t i = 0; i < formats->text_count && !r->bad; i++)
		texts[i] = text(r);
}

/* Do 63 bits hold the end of the last magnitude? */
static bool is_magnitudes(const int64_t *scale)
{
	const int64_t factor = scale[0], low = scale[1], high = scale[2], steps = scale[3];
	int64_t end = 1;
	if (factor < 2 || factor > UINT8_MAX || low < 0 || low > high || high > 62 || steps < 1 ||
	    steps > DP_SCALE_LEVELS_MAX)
		return false;
	for (int64_t i = 0; i <= high; i++) {
		if (end > INT64_MAX / factor)
			return false;
		end *= factor;
	}
	return true;
}

/* Buckets are computed from the scale. */
static bool is_scale(const struct dph_format_aggregation *a)
{
	const int64_t *scale = a->scale;
	if (a->function == DPH_AGGREGATE_llquantize)
		return is_magnitudes(scale);
	return a->function != DPH_AGGREGATE_lquantize ||
	       (scale[0] >= INT32_MIN && scale[0] <= INT32_MAX && scale[1] >= 1 &&
		scale[1] <= INT32_MAX && scale[2] >= 1 && scale[2] <= DP_SCALE_LEVELS_MAX);
}

/* Can the host count the aggregation? What it cannot count has a map. */
static bool is_counted(const struct dph_format_aggregation *a)
{
	bool good = !dph_aggregate_of_host(a) || !a->increments;
	for (size_t i = 0; good && dph_aggregate_of_host(a) && i < a->key_count; i++)
		good = a->keys[i].form == DPH_FIELD_WORDS || a->keys[i].form == DPH_FIELD_TEXT ||
		       a->keys[i].form == DPH_FIELD_STACK;
	return good;
}

static bool are_keys(const struct dph_format_field *keys, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (keys[i].form == DPH_FIELD_CHARACTERS &&
		    keys[i].bytes > DPH_FORMAT_CHARACTERS_MAX)
			return false;
	return true;
}

/* What does not fit the function makes an empty text: dph_compute. */
static void read_operands(struct reading *r, struct dph_format_key_function *f)
{
	f->text = (unsigned)bounded(r, DPH_OPERANDS_MAX - 1);
	f->operand_count = (unsigned)bounded(r, DPH_OPERANDS_MAX);
	for (unsigned i = 0; i < f->operand_count && !r->bad; i++) {
		const bool is_text = bounded(r, 1);
		const char *read = text(r);
		f->operands[i].text = is_text ? read : NULL;
		f->operands[i].number = number(r);
	}
	if (f->text >= f->operand_count)
		r->bad = true;
}

/* operands: the version has operands of these functions. */
static void read_key_functions(struct reading *r, struct dph_format_aggregation *a, bool operands)
{
	a->key_function_count = count(r);
	struct dph_format_key_function *list =
		dph_pool_take(r->pool, (a->key_function_count + 1) * sizeof(*list));
	a->key_functions = list;
	for (size_t i = 0; i < a->key_function_count && !r->bad; i++) {
		list[i].key = (uint32_t)bounded(r, UINT8_MAX);
		list[i].function = (enum dph_function)bounded(r, DPH_FUNCTIONS - 1);
		list[i].operand_count = 1;
		if (operands && !r->bad)
			read_operands(r, &list[i]);
		if (list[i].key >= a->key_count ||
		    a->keys[list[i].key].form != DPH_FIELD_CHARACTERS ||
		    !dph_key_function_is(list[i].function, list[i].text) ||
		    (!operands && strcmp(dph_function_arguments(list[i].function), "s") != 0))
			r->bad = true;
	}
}

static void read_aggregation(struct reading *r, struct dph_format_aggregation *a, size_t type_count,
			     unsigned version)
{
	a->name = text(r);
	a->function = (enum dph_aggregate)bounded(r, DPH_AGGREGATES - 1);
	a->map = (uint32_t)bounded(r, UINT8_MAX);
	a->keys = read_fields(r, &a->key_count, type_count);
	a->is_signed = number(r) != 0;
	const uint64_t flags = number(r);
	a->increments = flags & 1;
	a->is_time = flags & 2;
	for (size_t i = 0; i < sizeof(a->scale) / sizeof(*a->scale); i++)
		a->scale[i] = (int64_t)number(r);
	if (version > 8 && !r->bad)
		read_key_functions(r, a, version > 9);
	if (a->key_count > sizeof(((struct dph_aggregated *)0)->keys) / sizeof(uint64_t) ||
	    !are_keys(a->keys, a->key_count) || !is_scale(a) || !is_counted(a))
		r->bad = true;
}

static void read_aggregations(struct reading *r, struct dph_formats *formats, unsigned version)
{
	formats->aggregation_count = count(r);
	struct dph_format_aggregation *list =
		dph_pool_take(r->pool, (formats->aggregation_count + 1) * sizeof(*list));
	formats->aggregations = list;
	for (size_t i = 0; i < formats->aggregation_count && !r->bad; i++)
		read_aggregation(r, &list[i], formats->type_count, version);
}

static const struct dph_format_variable *read_variables(struct reading *r, size_t *variable_count,
							size_t type_count)
{
	*variable_count = count(r);
	struct dph_format_variable *list =
		dph_pool_take(r->pool, (*variable_count + 1) * sizeof(*list));
	for (size_t i = 0; i < *variable_count && !r->bad; i++) {
		size_t one = 0;
		list[i].name = text(r);
		list[i].index = (uint32_t)bounded(r, RPN_VARS_MAX);
		const struct dph_format_field *field = read_fields(r, &one, type_count);
		if (one != 1 || !are_keys(field, one))
			r->bad = true;
		else
			list[i].field = *field;
	}
	return list;
}

static void read_values(struct reading *r, struct dph_format_array *array, size_t type_count)
{
	array->keys = read_fields(r, &array->key_count, type_count);
	array->values = read_variables(r, &array->value_count, type_count);
	if (!are_keys(array->keys, array->key_count))
		r->bad = true;
}

static void read_arrays(struct reading *r, struct dph_formats *formats, bool values)
{
	formats->array_count = count(r);
	struct dph_format_array *list =
		dph_pool_take(r->pool, (formats->array_count + 1) * sizeof(*list));
	formats->arrays = list;
	for (size_t i = 0; i < formats->array_count && !r->bad; i++) {
		list[i].name = text(r);
		list[i].map = (uint32_t)bounded(r, UINT8_MAX);
		if (values)
			read_values(r, &list[i], formats->type_count);
	}
}

static void read_order(struct reading *r, struct dph_format_order *order)
{
	const uint64_t flags = bounded(r, 31);
	order->units = flags & 16;
	order->by_key = flags & 1;
	order->reversed = flags & 2;
	order->packed = flags & 4;
	order->zoomed = flags & 8;
	order->key = (uint32_t)bounded(r, UINT8_MAX);
	order->position = (uint32_t)bounded(r, UINT8_MAX);
}

/* Does each field that names an aggregation name one that is there? Layouts stand before the
 * aggregations. */
static bool names_aggregations(const struct dph_formats *formats)
{
	for (size_t i = 0; i < formats->layout_count; i++)
		for (size_t j = 0; j < formats->layouts[i].clause_count; j++) {
			const struct dph_format_clause *clause = &formats->layouts[i].clauses[j];
			for (size_t k = 0; k < clause->field_count; k++)
				if (clause->fields[k].form == DPH_FIELD_AGGREGATION &&
				    clause->fields[k].bytes >= formats->aggregation_count)
					return false;
		}
	return true;
}

bool dph_formats_read(struct dph_formats *formats, struct dph_pool *pool, const uint8_t *data,
		      size_t bytes)
{
	struct reading r = {.at = data, .end = data + bytes, .pool = pool};
	*formats = (struct dph_formats){0};
	if (bytes < 2 || data[0] != 'D' || data[1] < 1 || data[1] > DPH_FORMAT_VERSION)
		return false;
	r.at += 2;
	const uint64_t output = number(&r);
	formats->quiet = data[1] > 7 ? output & 1 : output != 0;
	formats->flow = data[1] > 7 && output & 2;
	formats->type_count = count(&r);
	struct dph_format_type *types =
		dph_pool_take(pool, (formats->type_count + 1) * sizeof(*types));
	formats->types = types;
	for (size_t i = 0; i < formats->type_count && !r.bad; i++)
		read_type(&r, &types[i], i);
	if (!r.bad)
		read_layouts(&r, formats);
	if (!r.bad)
		read_points(&r, formats, data[1] > 6);
	if (!r.bad && data[1] > 1)
		read_places(&r, formats);
	if (!r.bad && data[1] > 1)
		read_texts(&r, formats);
	if (!r.bad && data[1] > 1)
		read_aggregations(&r, formats, data[1]);
	if (!r.bad && data[1] > 3)
		read_arrays(&r, formats, data[1] > 6);
	if (!r.bad && data[1] > 5)
		read_order(&r, &formats->order);
	if (!r.bad && data[1] > 6)
		formats->variables =
			read_variables(&r, &formats->variable_count, formats->type_count);
	formats->aggrate_ms = !r.bad && data[1] > 6 ? number(&r) : DPH_FORMAT_AGGRATE_MS;
	return !r.bad && r.at == r.end && names_aggregations(formats);
}

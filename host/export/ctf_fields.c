/* SPDX-License-Identifier: BSD-2-Clause */
/* A number is a number, an enumerator an enumeration, a text a string; a struct and an array stay
 * what they are. An address with a name has a second field, NAME_symbol. */
#define _GNU_SOURCE
#include "ctf_fields.h"

#include "present/value_text.h"

#include <dprobes/formats.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
	NAME_ROOM = 200, /* of a field */
	ENUMERATORS_MAX = 4096,
};

/* How a value becomes a field. */
enum sort {
	NUMBER,
	INTEGER,
	HEX,
	REAL,
	ENUMERATION,
	NUMBERS, /* an array of numbers without names */
	LIST,
	STRUCTURE,
	TEXT,
};

static enum sort sort_of(const struct dp_value *value);

/* An array whose elements do not differ in their form. */
static bool is_even(const struct dp_value *value)
{
	for (size_t i = 0; i < value->member_count; i++)
		if (value->members[i].form != value->members[0].form ||
		    sort_of(&value->members[i]) == STRUCTURE || sort_of(&value->members[i]) == LIST)
			return false;
	return value->member_count > 0;
}

static bool has_enumerators(const struct dp_value *value)
{
	uint64_t number;
	bool is_signed;

	return dp_value_enumerator(value, 0, &number, &is_signed) != NULL &&
	       dp_value_enumerator(value, ENUMERATORS_MAX, &number, &is_signed) == NULL;
}

static enum sort sort_of(const struct dp_value *value)
{
	switch (value->form) {
	case DP_VALUE_NUMBER:
	case DP_VALUE_FLAG:
		return NUMBER;
	case DP_VALUE_SIGNED:
	case DP_VALUE_CHARACTER:
		return INTEGER;
	case DP_VALUE_ADDRESS:
	case DP_VALUE_SYMBOL:
		return HEX;
	case DP_VALUE_FLOAT:
		return REAL;
	case DP_VALUE_ENUM:
		return has_enumerators(value) ? ENUMERATION : INTEGER;
	case DP_VALUE_NUMBERS:
		return NUMBERS;
	case DP_VALUE_LIST:
		return is_even(value) ? LIST : TEXT;
	case DP_VALUE_STRUCT:
		return STRUCTURE;
	default:
		return TEXT;
	}
}

/* Is there a field of its own for the name of the address? */
static bool has_symbol(const struct dp_value *value)
{
	return sort_of(value) == HEX && value->text != NULL;
}

static bool is_shown(const struct dp_value *value)
{
	return value->form != DP_VALUE_ABSENT && value->form != DP_VALUE_STACK &&
	       value->form != DP_VALUE_AGGREGATION;
}

/* --- shapes --- */

static void add_shape(struct dph_bytes *shape, const struct dp_value *value)
{
	const uint8_t head[] = {(uint8_t)sort_of(value), has_symbol(value)};

	dph_bytes_add(shape, head, sizeof head);
	if (value->name != NULL)
		dph_bytes_add(shape, value->name, strlen(value->name));
	dph_bytes_zero(shape, 1);
	if (head[0] == ENUMERATION)
		dph_bytes_add(shape, &value->enumeration, sizeof(void *));
	if (head[0] == LIST)
		add_shape(shape, value->members);
	for (size_t i = 0; head[0] == STRUCTURE && i < value->member_count; i++)
		if (is_shown(&value->members[i]))
			add_shape(shape, &value->members[i]);
	if (head[0] == STRUCTURE)
		dph_bytes_add(shape, "}", 1);
}

void dph_ctf_shape(struct dph_bytes *shape, const struct dp_value *const *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (is_shown(values[i]))
			add_shape(shape, values[i]);
}

/* --- classes --- */

static bt_field_class *class_of(bt_trace_class *trace, const struct dp_value *value);

/* Names in a description of a trace are identifiers of C: "q->count" becomes q_count. */
static void put_name(char *to, const char *name, size_t number)
{
	size_t used = 0;

	for (; name != NULL && *name != '\0' && used < NAME_ROOM - 32; name++) {
		const bool good = isalnum((unsigned char)*name) || *name == '_';

		if (good && !(used == 0 && isdigit((unsigned char)*name)))
			to[used++] = *name;
		else if (used > 0 && to[used - 1] != '_')
			to[used++] = '_';
	}
	while (used > 0 && to[used - 1] == '_')
		used--;
	to[used] = '\0';
	if (used == 0)
		snprintf(to, NAME_ROOM, "value_%zu", number);
}

static bool append(bt_field_class *structure, const char *name, bt_field_class *member)
{
	char room[NAME_ROOM + 32];
	bool good = member != NULL;

	snprintf(room, sizeof room, "%s", name);
	for (unsigned i = 2;
	     good && bt_field_class_structure_borrow_member_by_name(structure, room) != NULL; i++)
		snprintf(room, sizeof room, "%s_%u", name, i);
	good = good && bt_field_class_structure_append_member(structure, room, member) ==
			       BT_FIELD_CLASS_STRUCTURE_APPEND_MEMBER_STATUS_OK;
	bt_field_class_put_ref(member);
	return good;
}

static bool append_value(bt_trace_class *trace, bt_field_class *structure, size_t number,
			 const struct dp_value *value)
{
	char name[NAME_ROOM];
	char symbol[NAME_ROOM + 8];

	put_name(name, value->name, number);
	if (!append(structure, name, class_of(trace, value)))
		return false;
	snprintf(symbol, sizeof symbol, "%s_symbol", name);
	return !has_symbol(value) || append(structure, symbol, bt_field_class_string_create(trace));
}

static bt_field_class *hex_class(bt_trace_class *trace)
{
	bt_field_class *class = bt_field_class_integer_unsigned_create(trace);

	if (class != NULL)
		bt_field_class_integer_set_preferred_display_base(
			class, BT_FIELD_CLASS_INTEGER_PREFERRED_DISPLAY_BASE_HEXADECIMAL);
	return class;
}

static void map_unsigned(bt_field_class *class, const char *name, uint64_t number)
{
	bt_integer_range_set_unsigned *range = bt_integer_range_set_unsigned_create();

	if (range == NULL)
		return;
	bt_integer_range_set_unsigned_add_range(range, number, number);
	bt_field_class_enumeration_unsigned_add_mapping(class, name, range);
	bt_integer_range_set_unsigned_put_ref(range);
}

static void map_signed(bt_field_class *class, const char *name, int64_t number)
{
	bt_integer_range_set_signed *range = bt_integer_range_set_signed_create();

	if (range == NULL)
		return;
	bt_integer_range_set_signed_add_range(range, number, number);
	bt_field_class_enumeration_signed_add_mapping(class, name, range);
	bt_integer_range_set_signed_put_ref(range);
}

static bool is_signed_enumeration(const struct dp_value *value)
{
	uint64_t number;
	bool is_signed = false;

	dp_value_enumerator(value, 0, &number, &is_signed);
	return is_signed;
}

static bt_field_class *enumeration_class(bt_trace_class *trace, const struct dp_value *value)
{
	const bool is_signed = is_signed_enumeration(value);
	bt_field_class *class = is_signed ? bt_field_class_enumeration_signed_create(trace)
					  : bt_field_class_enumeration_unsigned_create(trace);
	const char *name;
	uint64_t number;
	bool same;

	for (size_t i = 0;
	     class != NULL && (name = dp_value_enumerator(value, i, &number, &same)) != NULL; i++)
		if (is_signed)
			map_signed(class, name, (int64_t)number);
		else
			map_unsigned(class, name, number);
	return class;
}

static bt_field_class *array_class(bt_trace_class *trace, bt_field_class *element)
{
	bt_field_class *class =
		element != NULL ? bt_field_class_array_dynamic_create(trace, element, NULL) : NULL;

	bt_field_class_put_ref(element);
	return class;
}

static bt_field_class *structure_class(bt_trace_class *trace, const struct dp_value *value)
{
	bt_field_class *class = bt_field_class_structure_create(trace);
	bool good = class != NULL;

	for (size_t i = 0; good && i < value->member_count; i++)
		if (is_shown(&value->members[i]))
			good = append_value(trace, class, i + 1, &value->members[i]);
	if (good)
		return class;
	bt_field_class_put_ref(class);
	return NULL;
}

static bt_field_class *class_of(bt_trace_class *trace, const struct dp_value *value)
{
	switch (sort_of(value)) {
	case NUMBER:
		return bt_field_class_integer_unsigned_create(trace);
	case INTEGER:
		return bt_field_class_integer_signed_create(trace);
	case HEX:
		return hex_class(trace);
	case REAL:
		return bt_field_class_real_double_precision_create(trace);
	case ENUMERATION:
		return enumeration_class(trace, value);
	case NUMBERS:
		return array_class(trace, hex_class(trace));
	case LIST:
		return array_class(trace, class_of(trace, value->members));
	case STRUCTURE:
		return structure_class(trace, value);
	default:
		return bt_field_class_string_create(trace);
	}
}

bt_field_class *dph_ctf_class(bt_trace_class *trace, const struct dp_value *const *values,
			      size_t count)
{
	bt_field_class *class = bt_field_class_structure_create(trace);
	bool good = class != NULL;

	for (size_t i = 0; good && i < count; i++)
		if (is_shown(values[i]))
			good = append_value(trace, class, i + 1, values[i]);
	if (good)
		return class;
	bt_field_class_put_ref(class);
	return NULL;
}

/* --- fields --- */

static void set_field(bt_field *field, const struct dp_value *value);

static void set_text(bt_field *field, const struct dp_value *value)
{
	char *text = dph_value_text(value);

	bt_field_string_set_value(field, text);
	free(text);
}

static void set_numbers(bt_field *field, const struct dp_value *value)
{
	if (bt_field_array_dynamic_set_length(field, value->count) !=
	    BT_FIELD_DYNAMIC_ARRAY_SET_LENGTH_STATUS_OK)
		return;
	for (size_t i = 0; i < value->count; i++)
		bt_field_integer_unsigned_set_value(
			bt_field_array_borrow_element_field_by_index(field, i), value->numbers[i]);
}

static void set_list(bt_field *field, const struct dp_value *value)
{
	if (bt_field_array_dynamic_set_length(field, value->member_count) !=
	    BT_FIELD_DYNAMIC_ARRAY_SET_LENGTH_STATUS_OK)
		return;
	for (size_t i = 0; i < value->member_count; i++)
		set_field(bt_field_array_borrow_element_field_by_index(field, i),
			  &value->members[i]);
}

/* Set the field of a value, and that of its symbol. Returns the index behind. */
static uint64_t set_member(bt_field *structure, uint64_t at, const struct dp_value *value)
{
	set_field(bt_field_structure_borrow_member_field_by_index(structure, at++), value);
	if (has_symbol(value))
		bt_field_string_set_value(
			bt_field_structure_borrow_member_field_by_index(structure, at++),
			value->text);
	return at;
}

static void set_structure(bt_field *field, const struct dp_value *value)
{
	uint64_t at = 0;

	for (size_t i = 0; i < value->member_count; i++)
		if (is_shown(&value->members[i]))
			at = set_member(field, at, &value->members[i]);
}

static void set_field(bt_field *field, const struct dp_value *value)
{
	switch (sort_of(value)) {
	case NUMBER:
	case HEX:
		bt_field_integer_unsigned_set_value(field, value->number);
		break;
	case INTEGER:
		bt_field_integer_signed_set_value(field, (int64_t)value->number);
		break;
	case REAL:
		bt_field_real_double_precision_set_value(field, value->seconds);
		break;
	case ENUMERATION:
		if (is_signed_enumeration(value))
			bt_field_integer_signed_set_value(field, (int64_t)value->number);
		else
			bt_field_integer_unsigned_set_value(field, value->number);
		break;
	case NUMBERS:
		set_numbers(field, value);
		break;
	case LIST:
		set_list(field, value);
		break;
	case STRUCTURE:
		set_structure(field, value);
		break;
	default:
		set_text(field, value);
		break;
	}
}

void dph_ctf_set(bt_field *payload, const struct dp_value *const *values, size_t count)
{
	uint64_t at = 0;

	for (size_t i = 0; i < count; i++)
		if (is_shown(values[i]))
			at = set_member(payload, at, values[i]);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The parser of `map = KIND NUMBERS [signed] [wide]`. RPN.md 2. */
#include "cursor.h"
#include "map_form.h"

#include <string.h>

static const struct dph_map_form *form_named(const struct dph_token *token)
{
	for (size_t i = 0; i < DPH_MAP_FORMS; i++)
		if (dph_token_is(token, dph_map_forms[i].name))
			return &dph_map_forms[i];
	return NULL;
}

static const char *form_names(struct dph_cursor *c)
{
	const char *list = "";
	for (size_t i = 0; i < DPH_MAP_FORMS; i++)
		list = dph_pool_print(c->pool, "%s%s%s", list, *list ? ", " : "",
				      dph_map_forms[i].name);
	return list;
}

static bool parse_field(struct dph_cursor *c, const struct dph_map_field *field,
			struct dph_map *map)
{
	const struct dph_range range = {field->name, field->max, field->range, "a number"};
	const bool negative = field->is_signed && dph_token_sign(dph_peek(c, 0), '-');
	uint64_t value;
	if (negative)
		dph_next(c);
	if (!dph_plain_number(c, &range, &value))
		return false;
	dph_map_set_number(map, field, negative ? 0 - (uint32_t)value : (uint32_t)value);
	return true;
}

static unsigned parse_flags(struct dph_cursor *c)
{
	unsigned flags = 0;
	for (;; dph_next(c))
		if (dph_token_is(dph_peek(c, 0), "signed"))
			flags |= DP_MAP_SIGNED;
		else if (dph_token_is(dph_peek(c, 0), "wide"))
			flags |= DP_MAP_WIDE;
		else
			return flags;
}

static void add_map(struct dph_cursor *c, const struct dph_map *map, struct dph_place place)
{
	const unsigned bytes = (map->keys + map->values) * c->target.word_bytes;
	const bool entries = map->kind != DP_MAP_SCALE && map->kind != DP_MAP_VIEW;
	if (c->program->map_count == DPH_MAX_MAPS)
		dph_error(c, place, "a program has at most %d maps", DPH_MAX_MAPS);
	else if (bytes > DP_MAP_ENTRY_BYTES)
		dph_error(c, place,
			  "an entry of this map has %u bytes; keys and values have at most %d",
			  bytes, DP_MAP_ENTRY_BYTES);
	else if (entries && (!map->places || (map->places & (map->places - 1))))
		dph_error(c, place, "%u places are no power of two; use 1..4096, as 64",
			  map->places);
	else if (map->kind == DP_MAP_SPECULATION &&
		 (map->a < DP_SPEC_BYTES_MIN || (map->a & (map->a - 1))))
		dph_error(c, place,
			  "a buffer cannot have %u bytes; use a power of two, 64..32768, as 512",
			  map->a);
	else if (map->kind == DP_MAP_SPECULATION && (map->b & 0xff) - 1 >= DP_SPEC_BUFFERS_MAX)
		dph_error(c, place, "there cannot be %u buffers; use 1..16", map->b & 0xff);
	else
		dph_ir_map(c->program, map);
}

void dph_parse_map(struct dph_cursor *c)
{
	const struct dph_token *token = dph_next(c);
	const struct dph_place place = dph_place_of(c, token);
	const struct dph_map_form *form = form_named(token);
	if (!form) {
		dph_error(c, place, "'map' cannot be '%.*s'; use %s", (int)token->bytes,
			  token->text, form_names(c));
		dph_skip(c);
		return;
	}
	struct dph_map map = {.kind = form->kind, .a = form->a, .values = form->values};
	for (const struct dph_map_field *field = form->field; field->name; field++)
		if (!parse_field(c, field, &map)) {
			dph_skip(c);
			return;
		}
	if (map.kind == DP_MAP_SPECULATION)
		map.places = 1;
	map.flags = parse_flags(c);
	add_map(c, &map, place);
}

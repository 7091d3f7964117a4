/* SPDX-License-Identifier: BSD-2-Clause */
/* What a description of the provider `watch` names: a variable of the firmware with a fixed place,
 * or an address with a number of bytes. */
#define _GNU_SOURCE
#include "parse.h"

#include "lang/d/check/check.h"
#include "lang/d/points/point.h"

#include <string.h>

enum {
	BYTES_MAX = 0x10000000
};

/* There is no function: no local variable is in scope. */
static const struct d_point nowhere = {.kind = D_POINT_WATCH, .part = {"watch", "", "", ""}};

/* The lexer at the field between the second and the last colon of the description. *end: the offset
 * of the last colon. */
static struct d_lexer lexer_at(const struct d_front *d, struct dph_place place, size_t *end)
{
	const char *text = place.line->text, *at = text + place.start;
	struct d_lexer lexer = {.line = (size_t)(place.line - d->source->lines)};
	for (unsigned colons = 0; colons < 2 && *at; at++)
		colons += *at == ':';
	lexer.at = (size_t)(at - text);
	*end = place.start + place.bytes;
	while (*end > lexer.at && text[*end] != ':')
		(*end)--;
	return lexer;
}

/* Names are the firmware's, also where the program has a variable of the name. */
static bool is_object(struct d_node *node)
{
	switch (node->kind) {
	case D_NODE_NAME:
		node->kind = D_NODE_FIRMWARE;
		return true;
	case D_NODE_FIRMWARE:
	case D_NODE_NUMBER:
		return true;
	case D_NODE_UNARY:
		return node->op == D_OP_MUL && is_object(node->a);
	case D_NODE_CAST:
	case D_NODE_MEMBER:
	case D_NODE_INDEX:
		return is_object(node->a);
	default:
		return false;
	}
}

static bool parse(struct d_front *d, struct dph_place place, struct d_node **object,
		  struct d_node **length)
{
	size_t end;
	struct d_parser p = {.d = d, .lexer = lexer_at(d, place, &end)};
	const size_t errors = d->report.messages->errors;
	p.clause = dph_pool_take(d->pool, sizeof(*p.clause));
	dph_d_next(&p);
	*object = dph_d_parse_expression(&p);
	if (!p.failed && dph_d_is(&p, D_OP_COMMA)) {
		dph_d_next(&p);
		*length = dph_d_parse_expression(&p);
	}
	if (!p.failed && (!dph_d_is(&p, D_OP_COLON) || p.token.place.start != end))
		dph_d_expected(&p, "':' and w, rw, r, x or io");
	return !p.failed && *object && d->report.messages->errors == errors;
}

static bool check_length(const struct dph_d_check *c, struct d_node *length, uint64_t *bytes)
{
	dph_d_check(c, length);
	if (dph_d_wrong(length))
		return false;
	*bytes = length->is.number;
	if (length->is.constant && *bytes && *bytes <= BYTES_MAX)
		return true;
	dph_d_error(c->d, D_PDESC_INVAL, length->place,
		    "the number of watched bytes is a constant from 1 to %d", BYTES_MAX);
	return false;
}

/* The number that the address of a location is; false: it needs registers, or is none. */
static bool fixed_location(const struct d_node *node, uint64_t *address)
{
	const struct dph_location *location = node->is.location;
	const struct dph_piece *piece = &location->pieces[0];
	uint32_t reg;
	int64_t offset;
	if (location->count != 1 || piece->kind != DPH_PIECE_MEMORY || piece->bits ||
	    piece->bit_at || !dph_steps_linear(piece->steps, &reg, &offset) || reg != UINT32_MAX)
		return false;
	*address = (uint64_t)offset + node->is.offset;
	return true;
}

static bool fixed_address(const struct d_node *node, uint64_t *address)
{
	if (node->is.home == D_HOME_LOCATION)
		return fixed_location(node, address);
	if (node->is.home != D_HOME_MEMORY)
		return false;
	if (node->kind == D_NODE_MEMBER && node->op == D_OP_DOT) {
		if (!fixed_address(node->a, address))
			return false;
	} else if (node->a->is.constant) {
		*address = node->a->is.number;
		if (node->kind == D_NODE_INDEX && !node->list->is.constant)
			return false;
		if (node->kind == D_NODE_INDEX)
			*address += node->list->is.number * node->is.scale;
	} else {
		return false;
	}
	*address += node->is.offset;
	return true;
}

/* A number or a function: its value is the address. */
static bool take_constant(struct d_front *d, const struct d_node *node, bool sized,
			  struct d_watched *watched)
{
	watched->address = node->is.number;
	watched->bytes = 1;
	if (sized || watched->kind == DP_PROBE_WATCH_X || watched->kind == DP_PROBE_WATCH_IO)
		return true;
	dph_d_error(d, D_PDESC_INVAL, node->place,
		    "say how many bytes are watched: watch::0x%llx,4:%s",
		    (unsigned long long)node->is.number, watched->name);
	return false;
}

static bool take_object(struct d_front *d, const struct d_node *node, struct d_watched *watched)
{
	if (node->is.member.bits) {
		dph_d_error(d, D_PDESC_INVAL, node->place,
			    "a bit-field has no address of its own; watch the bytes that hold it: "
			    "watch::ADDRESS,BYTES:%s",
			    watched->name);
		return false;
	}
	if (!fixed_address(node, &watched->address)) {
		dph_d_error(d, D_PDESC_INVAL, node->place,
			    "this has no fixed place in memory: a watchpoint watches a global or "
			    "static variable, a member or element of one, or "
			    "watch::ADDRESS,BYTES:%s",
			    watched->name);
		return false;
	}
	if (watched->kind == DP_PROBE_WATCH_IO) {
		dph_d_error(d, D_PDESC_INVAL, node->place,
			    "a variable is no port; write the port's number: watch::0x60,1:io");
		return false;
	}
	watched->type = node->is.type;
	if (!dph_d_type_bytes(d, &node->is.type, &watched->bytes)) {
		dph_d_error(d, D_PDESC_INVAL, node->place,
			    "the size of this is not known; write watch::0x%llx,BYTES:%s",
			    (unsigned long long)watched->address, watched->name);
		return false;
	}
	return true;
}

bool dph_d_read_watched(struct d_front *d, struct dph_place place, struct d_watched *watched)
{
	const struct dph_d_check check = {d, &nowhere};
	struct d_node *object = NULL, *length = NULL;
	const size_t unknown = d->unknown;
	uint64_t bytes = 0;
	if (!parse(d, place, &object, &length))
		return false;
	if (!is_object(object)) {
		dph_d_error(d, D_PDESC_INVAL, object->place,
			    "a watchpoint watches a variable, a member or element of one, or "
			    "ADDRESS,BYTES");
		return false;
	}
	dph_d_check(&check, object);
	if (d->unknown != unknown)
		dph_say(&d->report, DP_NOTE, object->place,
			"a watchpoint watches global and static variables; a local one has no "
			"place of its own");
	if (dph_d_wrong(object) || (length && !check_length(&check, length, &bytes)))
		return false;
	if (object->is.constant ? !take_constant(d, object, length, watched)
				: !take_object(d, object, watched))
		return false;
	if (length) {
		watched->bytes = bytes;
		watched->type = (struct d_type){.kind = D_TYPE_NONE};
	}
	if (watched->kind == DP_PROBE_WATCH_X) /* it stops where the instruction begins */
		watched->bytes = 1;
	return true;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* This file turns the DWARF location of a variable at an address into pieces. */
#include "location.h"

#include "steps.h"
#include "tables/dwarf_registers.h"
#include "type_dwarf.h"

#include <dprobes/host.h>

#include <dwarf.h>
#include <string.h>

static const char optimised_out[] = "optimised out";
static const char not_here[] = "no value here";

/* A location that is one piece. */
static void sole(struct dp_debuginfo *debug, struct dph_location *location, struct dph_piece piece)
{
	struct dph_piece *copy = dph_pool_take(&debug->pool, sizeof(*copy));
	*copy = piece;
	*location = (struct dph_location){copy, 1};
}

/* --- pieces -------------------------------------------------------------------------------- */

static bool is_piece_end(unsigned atom)
{
	return atom == DW_OP_piece || atom == DW_OP_bit_piece;
}

static bool is_pointer(unsigned atom)
{
	return atom == DW_OP_implicit_pointer || atom == DW_OP_GNU_implicit_pointer;
}

/* The constant bytes of DW_OP_implicit_value. */
static void take_bytes(struct dph_expression *e, const Dwarf_Op *op, struct dph_piece *piece)
{
	Dwarf_Block block;
	if (dwarf_getlocation_implicit_value(e->attribute, op, &block) != 0) {
		dph_refuse(e, "its location is damaged");
		return;
	}
	uint8_t *bytes = dph_pool_take(&e->debug->pool, block.length + 1);
	memcpy(bytes, block.data, block.length);
	piece->kind = DPH_PIECE_BYTES;
	piece->bytes = bytes;
	piece->byte_count = block.length;
}

static void take_register(struct dph_expression *e, unsigned number, struct dph_piece *piece)
{
	dph_emit_register(e, number);
	piece->kind = DPH_PIECE_REGISTER;
	piece->reg = e->count ? (unsigned)e->steps[0].value : 0;
}

/* The operations [from, to), without the piece operation behind them. */
static struct dph_piece one_piece(struct dph_expression *e, const Dwarf_Op *ops, size_t from,
				  size_t to)
{
	struct dph_piece piece = {.kind = DPH_PIECE_MEMORY};
	const Dwarf_Op *last = to > from ? &ops[to - 1] : NULL;
	e->count = e->landed = e->height = 0;
	e->entry = e->typed = e->branched = false;
	e->why = NULL;
	if (!last) {
		piece.kind = DPH_PIECE_ABSENT;
		piece.why = optimised_out;
	} else if (to == from + 1 && last->atom >= DW_OP_reg0 && last->atom <= DW_OP_reg31) {
		take_register(e, last->atom - DW_OP_reg0, &piece);
	} else if (to == from + 1 && last->atom == DW_OP_regx) {
		take_register(e, (unsigned)last->number, &piece);
	} else if (to == from + 1 && last->atom == DW_OP_implicit_value) {
		take_bytes(e, last, &piece);
	} else if (to == from + 1 && is_pointer(last->atom)) {
		piece.kind = DPH_PIECE_POINTER;
		piece.die = last->number;
		piece.offset = (int64_t)last->number2;
	} else {
		bool value = last->atom == DW_OP_stack_value;
		dph_translate(e, ops, from, to - value);
		piece.kind = value ? DPH_PIECE_VALUE : DPH_PIECE_MEMORY;
		piece.steps = dph_steps_done(e);
		piece.entry = e->entry;
	}
	if (e->why)
		piece = (struct dph_piece){.kind = DPH_PIECE_REFUSED, .why = e->why};
	return piece;
}

static void take_pieces(struct dph_expression *e, const Dwarf_Op *ops, size_t count,
			struct dph_location *location)
{
	struct dph_piece pieces[DPH_PIECES_MAX];
	size_t found = 0, from = 0;
	for (size_t i = 0; i <= count; i++) {
		if (i < count && !is_piece_end(ops[i].atom))
			continue;
		if (i == count && (from == count && found))
			break;
		if (found == DPH_PIECES_MAX)
			break;
		pieces[found] = one_piece(e, ops, from, i);
		if (i < count) {
			bool bit = ops[i].atom == DW_OP_bit_piece;
			pieces[found].bits = ops[i].number * (bit ? 1 : 8);
			pieces[found].bit_at = bit ? (unsigned)ops[i].number2 : 0;
		}
		found++;
		from = i + 1;
	}
	struct dph_piece *copy = dph_pool_take(&e->debug->pool, found * sizeof(*copy));
	memcpy(copy, pieces, found * sizeof(*copy));
	*location = (struct dph_location){copy, found};
}

/* --- a variable ---------------------------------------------------------------------------- */

/* The number as a piece: the bytes of one that is wider than a word. */
static struct dph_piece number_piece(struct dp_debuginfo *debug, const struct dph_type *type,
				     int64_t number)
{
	const unsigned bytes = sizeof number;
	if (!type || type->bytes != bytes || debug->word_bytes >= bytes) {
		struct dph_step *step = dph_pool_take(&debug->pool, sizeof(*step));
		*step = (struct dph_step){DPH_STEP_CONST, number};
		return (struct dph_piece){.kind = DPH_PIECE_VALUE, .steps = {step, 1}};
	}
	uint8_t *list = dph_pool_take(&debug->pool, bytes);
	for (unsigned i = 0; i < bytes; i++)
		list[debug->big_endian ? bytes - 1 - i : i] = (uint8_t)((uint64_t)number >> 8 * i);
	return (struct dph_piece){.kind = DPH_PIECE_BYTES, .bytes = list, .byte_count = bytes};
}

/* A variable with a constant value (DW_AT_const_value). */
static bool constant(struct dp_debuginfo *debug, Dwarf_Die *variable, struct dph_location *location)
{
	Dwarf_Attribute attribute;
	Dwarf_Block block;
	const struct dph_type *named = dph_type_of(debug, variable);
	const struct dph_type *type = named ? dph_type_plain(named) : NULL;
	int64_t number;
	if (!dwarf_attr_integrate(variable, DW_AT_const_value, &attribute))
		return false;
	struct dph_piece piece = {.kind = DPH_PIECE_REFUSED, .why = "its value is damaged"};
	if (dwarf_formblock(&attribute, &block) == 0) {
		uint8_t *bytes = dph_pool_take(&debug->pool, block.length + 1);
		memcpy(bytes, block.data, block.length);
		piece = (struct dph_piece){
			.kind = DPH_PIECE_BYTES, .bytes = bytes, .byte_count = block.length};
	} else if (dph_attribute_number(&attribute, type, &number)) {
		piece = number_piece(debug, type, number);
	}
	sole(debug, location, piece);
	return true;
}

/* A declaration of a variable that is defined elsewhere: its symbol has the address. */
static bool external(struct dp_debuginfo *debug, Dwarf_Die *variable, struct dph_location *location)
{
	const struct dp_symbol *symbols;
	const char *name = dph_die_name(variable);
	size_t count = dp_image_symbols(debug->image, &symbols);
	if (!name || !dwarf_hasattr_integrate(variable, DW_AT_declaration))
		return false;
	for (size_t i = 0; i < count; i++) {
		if (symbols[i].local || strcmp(symbols[i].name, name) != 0)
			continue;
		struct dph_step *step = dph_pool_take(&debug->pool, sizeof(*step));
		*step = (struct dph_step){DPH_STEP_CONST, (int64_t)symbols[i].value};
		sole(debug, location,
		     (struct dph_piece){.kind = DPH_PIECE_MEMORY, .steps = {step, 1}});
		return true;
	}
	return false;
}

/* Does the location's list have an entry at all? */
static bool has_entries(Dwarf_Attribute *attribute)
{
	Dwarf_Addr base = 0, start, end;
	Dwarf_Op *ops;
	size_t count;
	return dwarf_getlocations(attribute, 0, &base, &start, &end, &ops, &count) > 0;
}

/* Where a variable is when its function begins: an entry without length holds then, and the next
 * entry has the value that the first statements compute. Returns false: there is no such entry. */
static bool at_entry(struct dp_debuginfo *debug, const struct dph_scopes *scopes,
		     Dwarf_Attribute *attribute, uint64_t address, Dwarf_Op **ops, size_t *count)
{
	Dwarf_Die function;
	Dwarf_Addr base = 0, start, end;
	uint64_t begin;
	ptrdiff_t at = 0;
	if (!scopes || !scopes->count)
		return false;
	function = scopes->list[0];
	if (!dph_begin(debug, &function, &begin) || begin != address)
		return false;
	while ((at = dwarf_getlocations(attribute, at, &base, &start, &end, ops, count)) > 0 &&
	       dph_walk_step(debug))
		if (start == end && dph_running(debug, start) == address && *count)
			return true;
	return false;
}

void dph_locate(struct dp_debuginfo *debug, const struct dph_scopes *scopes, Dwarf_Die *variable,
		uint64_t address, struct dph_location *location, bool *has_list)
{
	Dwarf_Attribute attribute;
	Dwarf_Op *ops;
	size_t count;
	*has_list = false;
	if (!dwarf_attr_integrate(variable, DW_AT_location, &attribute)) {
		if (!constant(debug, variable, location) && !external(debug, variable, location))
			sole(debug, location,
			     (struct dph_piece){.kind = DPH_PIECE_ABSENT, .why = optimised_out});
		return;
	}
	const bool entry = at_entry(debug, scopes, &attribute, address, &ops, &count);
	int found = entry ? 1
			  : dwarf_getlocation_addr(&attribute, dph_linked(debug, address), &ops,
						   &count, 1);
	struct dph_expression e = {
		.debug = debug, .scopes = scopes, .address = address, .attribute = &attribute};
	if (found == 1) {
		take_pieces(&e, ops, count, location);
		return;
	}
	*has_list = has_entries(&attribute);
	if (found < 0 && !*has_list)
		sole(debug, location,
		     (struct dph_piece){.kind = DPH_PIECE_REFUSED,
					.why = "its location is damaged"});
	else
		sole(debug, location,
		     (struct dph_piece){.kind = DPH_PIECE_ABSENT,
					.why = *has_list ? not_here : optimised_out});
}

bool dph_location_readable(const struct dph_location *location)
{
	for (size_t i = 0; i < location->count; i++) {
		enum dph_piece_kind kind = location->pieces[i].kind;
		if (kind == DPH_PIECE_ABSENT || kind == DPH_PIECE_REFUSED ||
		    kind == DPH_PIECE_POINTER || location->pieces[i].entry)
			return false;
	}
	return location->count != 0;
}

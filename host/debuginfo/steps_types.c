/* SPDX-License-Identifier: BSD-2-Clause */
/* Types of the numbers of a DWARF expression: steps of generic numbers, which are words, compute
 * with them. */
#include "steps_types.h"

#include <dwarf.h>
#include <string.h>

/* --- of the stack -------------------------------------------------------------------------- */

/* The number that a step leaves: of the type of its left operand, or generic. */
static struct dph_number left_by(const struct dph_expression *e, enum dph_step_op op, int64_t value)
{
	const bool keeps = (op >= DPH_STEP_ADD && op <= DPH_STEP_SAR) ||
			   (op >= DPH_STEP_NOT && op <= DPH_STEP_ABS);
	const size_t below = op == DPH_STEP_PICK ? (size_t)value + 1 : dph_step_rows[op].pops;
	if ((!keeps && op != DPH_STEP_PICK) || below > e->height)
		return (struct dph_number){0};
	return e->numbers[e->height - below];
}

/* a b c -- c a b, and a b -- b a */
static void turn(struct dph_expression *e, size_t count)
{
	struct dph_number *first = &e->numbers[e->height - count], top = first[count - 1];
	memmove(first + 1, first, (count - 1) * sizeof(*first));
	first[0] = top;
}

void dph_follow_types(struct dph_expression *e, enum dph_step_op op, int64_t value)
{
	const struct dph_number left = left_by(e, op, value);
	const unsigned pops = dph_step_rows[op].pops;
	e->branched |= op == DPH_STEP_BRANCH || op == DPH_STEP_SKIP;
	if (e->height < pops) {
		e->height = 0;
	} else if (op == DPH_STEP_SWAP || op == DPH_STEP_ROT) {
		turn(e, pops);
	} else {
		e->height -= pops;
		if (dph_step_rows[op].pushes)
			e->numbers[e->height++] = left;
	}
}

/* --- operators ----------------------------------------------------------------------------- */

/* a b -- a^s b^s, with s the sign bit: as signed numbers these have the order of unsigned ones. */
static void turn_signs(struct dph_expression *e)
{
	const int64_t sign = (int64_t)((uint64_t)1 << (e->debug->word_bytes * 8 - 1));
	for (unsigned i = 0; i < 2; i++) {
		dph_emit(e, DPH_STEP_CONST, sign);
		dph_emit(e, DPH_STEP_XOR, 0);
		dph_emit(e, DPH_STEP_SWAP, 0);
	}
}

/* a b -- remainder of a/b, signed */
static void signed_remainder(struct dph_expression *e)
{
	dph_emit(e, DPH_STEP_PICK, 1);
	dph_emit(e, DPH_STEP_PICK, 1);
	dph_emit(e, DPH_STEP_DIV, 0);
	dph_emit(e, DPH_STEP_MUL, 0);
	dph_emit(e, DPH_STEP_SUB, 0);
}

static bool is_order(enum dph_step_op op)
{
	return op >= DPH_STEP_LT && op <= DPH_STEP_GE;
}

/* A step with numbers of a base type. A narrow number is extended to the word. */
static void emit_typed(struct dph_expression *e, enum dph_step_op op, struct dph_number type)
{
	const bool whole = type.bits == e->debug->word_bytes * 8;
	if (!whole && op == (type.is_signed ? DPH_STEP_SHR : DPH_STEP_SAR)) {
		dph_refuse(e, "its location shifts a number of %u bits", type.bits);
	} else if (op == DPH_STEP_MOD && type.is_signed) {
		signed_remainder(e);
	} else if (op == DPH_STEP_DIV && whole && !type.is_signed) {
		dph_emit(e, DPH_STEP_UDIV, 0);
	} else {
		if (is_order(op) && whole && !type.is_signed)
			turn_signs(e);
		dph_emit(e, op, 0);
	}
	if (whole || (op >= DPH_STEP_EQ && op <= DPH_STEP_GE) || !e->height)
		return;
	dph_emit(e, type.is_signed ? DPH_STEP_SEXT : DPH_STEP_ZEXT, type.bits);
	if (!e->why)
		e->numbers[e->height - 1] = type;
}

void dph_emit_operator(struct dph_expression *e, enum dph_step_op op)
{
	const unsigned pops = dph_step_rows[op].pops;
	const struct dph_number type =
		e->height >= pops ? e->numbers[e->height - pops] : (struct dph_number){0};
	if (op == DPH_STEP_DROP || op == DPH_STEP_SWAP || op == DPH_STEP_ROT) {
		dph_emit(e, op, 0);
	} else if (e->typed && e->branched) { /* whose numbers came on two ways */
		dph_refuse(e, "its location needs numbers with types behind a branch");
	} else if (type.bits) {
		emit_typed(e, op, type);
	} else {
		dph_emit(e, op, 0);
	}
}

/* --- base types ---------------------------------------------------------------------------- */

static bool base_type(struct dph_expression *e, const Dwarf_Op *op, uint64_t *bytes,
		      bool *is_signed)
{
	Dwarf_Die die;
	Dwarf_Attribute attribute;
	Dwarf_Word encoding, size;
	if (!e->attribute || dwarf_getlocation_die(e->attribute, op, &die) != 0 ||
	    !dwarf_attr(&die, DW_AT_encoding, &attribute) ||
	    dwarf_formudata(&attribute, &encoding) != 0 ||
	    !dwarf_attr(&die, DW_AT_byte_size, &attribute) ||
	    dwarf_formudata(&attribute, &size) != 0 || !size) {
		dph_refuse(e, "its location is damaged");
		return false;
	}
	if (encoding == DW_ATE_float || encoding == DW_ATE_complex_float) {
		dph_refuse(e, "its location needs floating point");
		return false;
	}
	*bytes = size;
	*is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
	return true;
}

static void set_type(struct dph_expression *e, struct dph_number type)
{
	e->typed |= type.bits != 0;
	if (e->height)
		e->numbers[e->height - 1] = type;
}

void dph_emit_conversion(struct dph_expression *e, const Dwarf_Op *op)
{
	uint64_t bytes;
	bool is_signed,
		generic = (op->atom == DW_OP_convert || op->atom == DW_OP_GNU_convert ||
			   op->atom == DW_OP_reinterpret || op->atom == DW_OP_GNU_reinterpret) &&
			  op->number == 0;
	if (generic)
		set_type(e, (struct dph_number){0});
	if (generic || !base_type(e, op, &bytes, &is_signed))
		return;
	if (bytes > e->debug->word_bytes)
		dph_refuse(e, "its location needs numbers of %u bits", (unsigned)bytes * 8);
	else if (bytes < e->debug->word_bytes)
		dph_emit(e, is_signed ? DPH_STEP_SEXT : DPH_STEP_ZEXT, (int64_t)(8 * bytes));
	set_type(e, (struct dph_number){(uint8_t)(8 * bytes), is_signed});
}

void dph_emit_typed_constant(struct dph_expression *e, const Dwarf_Op *op)
{
	Dwarf_Attribute found;
	Dwarf_Block block;
	uint64_t bytes;
	bool is_signed;
	if (!base_type(e, op, &bytes, &is_signed))
		return;
	if (dwarf_getlocation_attr(e->attribute, op, &found) != 0 ||
	    dwarf_formblock(&found, &block) != 0 || block.length > 8) {
		dph_refuse(e, "its location is damaged");
		return;
	}
	if (bytes > e->debug->word_bytes) {
		dph_refuse(e, "its location needs numbers of %u bits", (unsigned)bytes * 8);
		return;
	}
	struct dph_reader reader = dph_reader(block.data, block.length, e->debug->big_endian);
	dph_emit(e, DPH_STEP_CONST,
		 is_signed ? dph_reader_signed(&reader, (unsigned)block.length)
			   : (int64_t)dph_reader_number(&reader, (unsigned)block.length));
	set_type(e, (struct dph_number){(uint8_t)(8 * bytes), is_signed});
}

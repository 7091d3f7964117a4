/* SPDX-License-Identifier: BSD-2-Clause */
/* This file translates DWARF operations to steps of a stack computation. */
#include "steps.h"

#include "frame.h"
#include "steps_types.h"
#include "tables/dwarf_registers.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

/* --- building ------------------------------------------------------------------------------ */

const struct dph_step_row dph_step_rows[] = {
#define STEP(name, text, pops, pushes) {text, pops, pushes},
#include "steps.def"
};

void dph_refuse(struct dph_expression *e, const char *format, ...)
{
	va_list args;
	if (e->why)
		return;
	va_start(args, format);
	char *text = dph_vprint(format, args);
	va_end(args);
	e->why = dph_pool_copy(&e->debug->pool, text, strlen(text));
	free(text);
}

void dph_emit(struct dph_expression *e, enum dph_step_op op, int64_t value)
{
	if (e->count == DPH_STEPS_MAX) {
		dph_refuse(e, "its location is too long");
		return;
	}
	dph_follow_types(e, op, value);
	e->steps[e->count++] = (struct dph_step){op, value};
}

void dph_emit_offset(struct dph_expression *e, int64_t offset)
{
	struct dph_step *last = e->count >= 2 ? &e->steps[e->count - 2] : NULL;
	if (offset == 0)
		return;
	if (last && e->landed != e->count && last[0].op == DPH_STEP_CONST &&
	    last[1].op == DPH_STEP_ADD) {
		last[0].value = (int64_t)((uint64_t)last[0].value + (uint64_t)offset);
		return;
	}
	dph_emit(e, DPH_STEP_CONST, offset);
	dph_emit(e, DPH_STEP_ADD, 0);
}

void dph_emit_register(struct dph_expression *e, unsigned number)
{
	char name[32];
	uint32_t reg = dph_dwarf_register(e->debug, number);
	if (reg == UINT32_MAX) {
		dph_unseen_register(e->debug->cpu, number, name, sizeof name);
		dph_refuse(e, "in %s, which the agent does not see", name);
		return;
	}
	dph_emit(e, DPH_STEP_REG, reg);
}

void dph_emit_steps(struct dph_expression *e, struct dph_steps steps)
{
	for (size_t i = 0; i < steps.count; i++) {
		bool jump =
			steps.list[i].op == DPH_STEP_BRANCH || steps.list[i].op == DPH_STEP_SKIP;
		dph_emit(e, steps.list[i].op,
			 steps.list[i].value + (jump ? (int64_t)(e->count - i) : 0));
	}
}

/* --- checking ------------------------------------------------------------------------------ */

/* Pass the depth of the stack from one step to the step that follows in execution. */
static bool flow(int *depths, size_t count, int64_t to, int depth)
{
	if (to < 0 || (uint64_t)to > count || (depths[to] >= 0 && depths[to] != depth))
		return false;
	depths[to] = depth;
	return true;
}

/* Every path gives each step its operands and leaves one word. */
static bool balanced(const struct dph_expression *e)
{
	int depths[DPH_STEPS_MAX + 1];
	for (size_t i = 0; i <= e->count; i++)
		depths[i] = -1;
	depths[0] = 0;
	for (size_t i = 0; i < e->count; i++) {
		const struct dph_step *step = &e->steps[i];
		bool jump = step->op == DPH_STEP_BRANCH || step->op == DPH_STEP_SKIP;
		int needed = (int)dph_step_rows[step->op].pops;
		if (step->op == DPH_STEP_PICK)
			needed = step->value < DPH_STEPS_MAX ? (int)step->value + 1 : DPH_STEPS_MAX;
		if (depths[i] < needed)
			return false;
		int depth = depths[i] - (int)dph_step_rows[step->op].pops +
			    (int)dph_step_rows[step->op].pushes;
		if (jump &&
		    (step->value <= (int64_t)i || !flow(depths, e->count, step->value, depth)))
			return false;
		if (step->op != DPH_STEP_SKIP && !flow(depths, e->count, (int64_t)i + 1, depth))
			return false;
	}
	return depths[e->count] >= 1;
}

struct dph_steps dph_steps_done(struct dph_expression *e)
{
	if (!e->why && !balanced(e))
		dph_refuse(e, "its location is damaged");
	if (e->why)
		return (struct dph_steps){NULL, 0};
	struct dph_step *list = dph_pool_take(&e->debug->pool, e->count * sizeof(*list));
	memcpy(list, e->steps, e->count * sizeof(*list));
	return (struct dph_steps){list, e->count};
}

bool dph_steps_linear(struct dph_steps steps, uint32_t *reg, int64_t *offset)
{
	*reg = UINT32_MAX;
	*offset = 0;
	if (!steps.count ||
	    (steps.list[0].op != DPH_STEP_REG && steps.list[0].op != DPH_STEP_CONST))
		return false;
	if (steps.list[0].op == DPH_STEP_REG)
		*reg = (uint32_t)steps.list[0].value;
	else
		*offset = steps.list[0].value;
	if (steps.count == 3 && steps.list[1].op == DPH_STEP_CONST &&
	    steps.list[2].op == DPH_STEP_ADD) {
		*offset = (int64_t)((uint64_t)*offset + (uint64_t)steps.list[1].value);
		return true;
	}
	return steps.count == 1;
}

/* --- translating --------------------------------------------------------------------------- */

/* Operations that are one step without an operand. */
static const struct {
	uint8_t atom;
	uint8_t step;
} same[] = {
	{DW_OP_drop, DPH_STEP_DROP}, {DW_OP_swap, DPH_STEP_SWAP}, {DW_OP_rot, DPH_STEP_ROT},
	{DW_OP_abs, DPH_STEP_ABS},   {DW_OP_and, DPH_STEP_AND},   {DW_OP_div, DPH_STEP_DIV},
	{DW_OP_minus, DPH_STEP_SUB}, {DW_OP_mod, DPH_STEP_MOD},   {DW_OP_mul, DPH_STEP_MUL},
	{DW_OP_neg, DPH_STEP_NEG},   {DW_OP_not, DPH_STEP_NOT},   {DW_OP_or, DPH_STEP_OR},
	{DW_OP_plus, DPH_STEP_ADD},  {DW_OP_shl, DPH_STEP_SHL},   {DW_OP_shr, DPH_STEP_SHR},
	{DW_OP_shra, DPH_STEP_SAR},  {DW_OP_xor, DPH_STEP_XOR},   {DW_OP_eq, DPH_STEP_EQ},
	{DW_OP_ge, DPH_STEP_GE},     {DW_OP_gt, DPH_STEP_GT},     {DW_OP_le, DPH_STEP_LE},
	{DW_OP_lt, DPH_STEP_LT},     {DW_OP_ne, DPH_STEP_NE},
};

static bool translate_same(struct dph_expression *e, unsigned atom)
{
	for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
		if (same[i].atom == atom) {
			dph_emit_operator(e, same[i].step);
			return true;
		}
	return false;
}

/* The refused operations, by name. */
static const struct {
	uint8_t atom;
	const char *name;
} refused[] = {
	{DW_OP_form_tls_address, "thread-local storage"},
	{DW_OP_GNU_push_tls_address, "thread-local storage"},
	{DW_OP_xderef, "an address space"},
	{DW_OP_xderef_size, "an address space"},
	{DW_OP_xderef_type, "an address space"},
	{DW_OP_call2, "another expression (DW_OP_call2)"},
	{DW_OP_call4, "another expression (DW_OP_call4)"},
	{DW_OP_call_ref, "another expression (DW_OP_call_ref)"},
	{DW_OP_push_object_address, "an object's address"},
	{DW_OP_GNU_parameter_ref, "a parameter of the caller"},
	{DW_OP_GNU_variable_value, "another variable's value"},
};

static void refuse_operation(struct dph_expression *e, unsigned atom)
{
	for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
		if (refused[i].atom == atom)
			dph_refuse(e, "its location needs %s", refused[i].name);
	dph_refuse(e, "its location needs DWARF operation 0x%02x", atom);
}

/* An address or constant of the unit's table. */
static void indexed(struct dph_expression *e, const Dwarf_Op *op)
{
	Dwarf_Attribute found;
	Dwarf_Addr address;
	Dwarf_Word number;
	const bool constant = op->atom == DW_OP_constx || op->atom == DW_OP_GNU_const_index;
	if (!e->attribute || dwarf_getlocation_attr(e->attribute, op, &found) != 0)
		dph_refuse(e, "its location is damaged");
	else if (constant && dwarf_formudata(&found, &number) == 0)
		dph_emit(e, DPH_STEP_CONST, (int64_t)number);
	else if (!constant && dwarf_formaddr(&found, &address) == 0)
		dph_emit(e, DPH_STEP_CONST, (int64_t)dph_running(e->debug, address));
	else
		dph_refuse(e, "its location is damaged");
}

static void load(struct dph_expression *e, uint64_t bytes)
{
	if (bytes == 1 || bytes == 2 || bytes == 4 || bytes == e->debug->word_bytes)
		dph_emit(e, DPH_STEP_LOAD, (int64_t)bytes);
	else
		dph_refuse(e, "its location loads %llu bytes", (unsigned long long)bytes);
}

/* The number of a register that a location consists of; UINT32_MAX: another location. */
static uint32_t sole_register(const Dwarf_Op *ops, size_t count)
{
	if (count == 1 && ops[0].atom >= DW_OP_reg0 && ops[0].atom <= DW_OP_reg31)
		return ops[0].atom - DW_OP_reg0;
	return count == 1 && ops[0].atom == DW_OP_regx && ops[0].number < UINT32_MAX
		       ? (uint32_t)ops[0].number
		       : UINT32_MAX;
}

/* A register's value when the function began: the register itself where it begins. */
static void entry_value(struct dph_expression *e, const Dwarf_Op *op)
{
	Dwarf_Attribute inner;
	Dwarf_Op *ops;
	size_t count;
	uint64_t start = 0;
	if (!e->attribute || dwarf_getlocation_attr(e->attribute, op, &inner) != 0 ||
	    dwarf_getlocation(&inner, &ops, &count) != 0) {
		dph_refuse(e, "its location is damaged");
		return;
	}
	uint32_t number = sole_register(ops, count);
	if (number == UINT32_MAX) {
		dph_refuse(e, "its location needs memory as it was at the function's entry");
		return;
	}
	dph_emit_register(e, number);
	Dwarf_Die function = e->scopes ? e->scopes->list[0] : (Dwarf_Die){0};
	if (e->why || (e->scopes && dph_begin(e->debug, &function, &start) && start == e->address))
		return;
	e->steps[e->count - 1].op = DPH_STEP_ENTRY;
	e->entry = true;
}

/* --- frame base and CFA -------------------------------------------------------------------- */

static void canonical_frame_address(struct dph_expression *e)
{
	struct dph_frame frame;
	const char *why;
	if (!e->attribute)
		dph_refuse(e, "its frame is described by itself");
	else if (dph_frame_at(e->debug, e->address, &frame, &why))
		dph_emit_steps(e, frame.cfa);
	else
		dph_refuse(e, "its frame is not known: %s", why);
}

static void frame_base(struct dph_expression *e)
{
	Dwarf_Attribute attribute, *outer = e->attribute;
	Dwarf_Op *ops;
	size_t count;
	Dwarf_Die function = e->scopes ? e->scopes->list[0] : (Dwarf_Die){0};
	if (!e->scopes || e->depth > 2 ||
	    !dwarf_attr_integrate(&function, DW_AT_frame_base, &attribute) ||
	    dwarf_getlocation_addr(&attribute, dph_linked(e->debug, e->address), &ops, &count, 1) !=
		    1) {
		dph_refuse(e, "its function's frame base is not known");
		return;
	}
	e->attribute = &attribute;
	e->depth++;
	if (sole_register(ops, count) != UINT32_MAX)
		dph_emit_register(e, sole_register(ops, count));
	else
		dph_translate(e, ops, 0, count);
	e->depth--;
	e->attribute = outer;
}

/* --- one operation ------------------------------------------------------------------------- */

static bool translate_constant(struct dph_expression *e, const Dwarf_Op *op)
{
	switch (op->atom) {
	case DW_OP_addr:
		dph_emit(e, DPH_STEP_CONST, (int64_t)dph_running(e->debug, op->number));
		return true;
	case DW_OP_const1u:
	case DW_OP_const1s:
	case DW_OP_const2u:
	case DW_OP_const2s:
	case DW_OP_const4u:
	case DW_OP_const4s:
	case DW_OP_const8u:
	case DW_OP_const8s:
	case DW_OP_constu:
	case DW_OP_consts:
		dph_emit(e, DPH_STEP_CONST, (int64_t)op->number);
		return true;
	case DW_OP_addrx:
	case DW_OP_constx:
	case DW_OP_GNU_addr_index:
	case DW_OP_GNU_const_index:
		indexed(e, op);
		return true;
	case DW_OP_const_type:
	case DW_OP_GNU_const_type:
		dph_emit_typed_constant(e, op);
		return true;
	default:
		if (op->atom < DW_OP_lit0 || op->atom > DW_OP_lit31)
			return false;
		dph_emit(e, DPH_STEP_CONST, op->atom - DW_OP_lit0);
		return true;
	}
}

static bool translate_register(struct dph_expression *e, const Dwarf_Op *op)
{
	switch (op->atom) {
	case DW_OP_bregx:
		dph_emit_register(e, (unsigned)op->number);
		dph_emit_offset(e, (int64_t)op->number2);
		return true;
	case DW_OP_fbreg:
		frame_base(e);
		dph_emit_offset(e, (int64_t)op->number);
		return true;
	case DW_OP_call_frame_cfa:
		canonical_frame_address(e);
		return true;
	case DW_OP_entry_value:
	case DW_OP_GNU_entry_value:
		entry_value(e, op);
		return true;
	case DW_OP_regval_type:
	case DW_OP_GNU_regval_type:
		dph_emit_register(e, (unsigned)op->number);
		dph_emit_conversion(e, op);
		return true;
	default:
		if (op->atom < DW_OP_breg0 || op->atom > DW_OP_breg31)
			return false;
		dph_emit_register(e, op->atom - DW_OP_breg0);
		dph_emit_offset(e, (int64_t)op->number);
		return true;
	}
}

static void translate_other(struct dph_expression *e, const Dwarf_Op *op)
{
	switch (op->atom) {
	case DW_OP_nop:
		break;
	case DW_OP_dup:
		dph_emit(e, DPH_STEP_PICK, 0);
		break;
	case DW_OP_over:
		dph_emit(e, DPH_STEP_PICK, 1);
		break;
	case DW_OP_pick:
		dph_emit(e, DPH_STEP_PICK, (int64_t)(op->number & 0xff));
		break;
	case DW_OP_plus_uconst:
		dph_emit_offset(e, (int64_t)op->number);
		break;
	case DW_OP_deref:
		load(e, e->debug->word_bytes);
		break;
	case DW_OP_deref_size:
		load(e, op->number);
		break;
	case DW_OP_deref_type:
	case DW_OP_GNU_deref_type:
		load(e, op->number);
		dph_emit_conversion(e, op);
		break;
	case DW_OP_convert:
	case DW_OP_GNU_convert:
	case DW_OP_reinterpret:
	case DW_OP_GNU_reinterpret:
		dph_emit_conversion(e, op);
		break;
	default:
		refuse_operation(e, op->atom);
		break;
	}
}

/* --- a row of operations ------------------------------------------------------------------- */

/* The operation that a branch goes to; SIZE_MAX: none, or one before it. */
static size_t branch_target(const Dwarf_Op *ops, size_t at, size_t to)
{
	uint64_t offset = ops[at].offset + 3 + (uint64_t)(int16_t)ops[at].number;
	for (size_t i = at + 1; i < to; i++)
		if (ops[i].offset == offset)
			return i;
	return (int16_t)ops[at].number >= 0 && offset > ops[to - 1].offset ? to : SIZE_MAX;
}

struct branch {
	size_t step, target;
};

/* Emit a branch; its target is known when the operations before it are translated. */
static void translate_branch(struct dph_expression *e, const Dwarf_Op *ops, size_t at, size_t to,
			     struct branch *branches, size_t *count)
{
	size_t target = branch_target(ops, at, to);
	if (target == SIZE_MAX)
		dph_refuse(e, "its location needs a loop");
	else if (*count == DPH_DEPTH_MAX)
		dph_refuse(e, "its location is too long");
	else
		branches[(*count)++] = (struct branch){e->count, target};
	dph_emit(e, ops[at].atom == DW_OP_bra ? DPH_STEP_BRANCH : DPH_STEP_SKIP, 0);
}

static void land_branches(struct dph_expression *e, size_t at, const struct branch *branches,
			  size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (branches[i].target == at && branches[i].step < e->count) {
			e->steps[branches[i].step].value = (int64_t)e->count;
			e->landed = e->count;
		}
}

void dph_translate(struct dph_expression *e, const Dwarf_Op *ops, size_t from, size_t to)
{
	struct branch branches[DPH_DEPTH_MAX];
	size_t branch_count = 0;
	for (size_t i = from; i < to && !e->why; i++) {
		land_branches(e, i, branches, branch_count);
		if (ops[i].atom == DW_OP_bra || ops[i].atom == DW_OP_skip)
			translate_branch(e, ops, i, to, branches, &branch_count);
		else if (!translate_same(e, ops[i].atom) && !translate_constant(e, &ops[i]) &&
			 !translate_register(e, &ops[i]))
			translate_other(e, &ops[i]);
	}
	land_branches(e, to, branches, branch_count);
}

/* --- raw operations ------------------------------------------------------------------------ */

/* Operands: u s: LEB128 unsigned, signed; 1 2 4 8: bytes, a capital after them: signed; a: a word.
 */
static const struct {
	uint8_t first, last;
	const char *operands;
} formats[] = {
	{DW_OP_addr, DW_OP_addr, "a"},
	{DW_OP_deref, DW_OP_deref, ""},
	{DW_OP_const1u, DW_OP_const1u, "1"},
	{DW_OP_const1s, DW_OP_const1s, "1-"},
	{DW_OP_const2u, DW_OP_const2u, "2"},
	{DW_OP_const2s, DW_OP_const2s, "2-"},
	{DW_OP_const4u, DW_OP_const4u, "4"},
	{DW_OP_const4s, DW_OP_const4s, "4-"},
	{DW_OP_const8u, DW_OP_const8s, "8"},
	{DW_OP_constu, DW_OP_constu, "u"},
	{DW_OP_consts, DW_OP_consts, "s"},
	{DW_OP_dup, DW_OP_over, ""},
	{DW_OP_pick, DW_OP_pick, "1"},
	{DW_OP_swap, DW_OP_rot, ""},
	{DW_OP_abs, DW_OP_plus, ""},
	{DW_OP_plus_uconst, DW_OP_plus_uconst, "u"},
	{DW_OP_shl, DW_OP_xor, ""},
	{DW_OP_bra, DW_OP_bra, "2-"},
	{DW_OP_eq, DW_OP_ne, ""},
	{DW_OP_skip, DW_OP_skip, "2-"},
	{DW_OP_lit0, DW_OP_reg31, ""},
	{DW_OP_breg0, DW_OP_breg31, "s"},
	{DW_OP_regx, DW_OP_regx, "u"},
	{DW_OP_bregx, DW_OP_bregx, "us"},
	{DW_OP_deref_size, DW_OP_deref_size, "1"},
	{DW_OP_nop, DW_OP_nop, ""},
	{DW_OP_call_frame_cfa, DW_OP_call_frame_cfa, ""},
};

static uint64_t operand(struct dph_reader *reader, const char **format, unsigned word_bytes)
{
	char kind = *(*format)++;
	if (kind == 'u')
		return dph_reader_uleb(reader);
	if (kind == 's')
		return (uint64_t)dph_reader_sleb(reader);
	unsigned bytes = kind == 'a' ? word_bytes : (unsigned)(kind - '0');
	if (**format != '-')
		return dph_reader_number(reader, bytes);
	(*format)++;
	return (uint64_t)dph_reader_signed(reader, bytes);
}

size_t dph_read_operations(struct dph_reader reader, unsigned word_bytes, Dwarf_Op *ops,
			   size_t most)
{
	const uint8_t *start = reader.at;
	size_t count = 0;
	while (dph_reader_more(&reader)) {
		Dwarf_Op op = {.offset = (Dwarf_Word)(reader.at - start)};
		size_t i = 0;
		op.atom = (uint8_t)dph_reader_number(&reader, 1);
		while (i < sizeof formats / sizeof formats[0] &&
		       (op.atom < formats[i].first || op.atom > formats[i].last))
			i++;
		if (i == sizeof formats / sizeof formats[0] || count == most)
			return SIZE_MAX;
		const char *format = formats[i].operands;
		if (*format)
			op.number = operand(&reader, &format, word_bytes);
		if (*format)
			op.number2 = operand(&reader, &format, word_bytes);
		ops[count++] = op;
	}
	return reader.bad ? SIZE_MAX : count;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The parser of operands reads the operand of an instruction: numbers, names, registers, values. */
#define _GNU_SOURCE
#include "parse_code.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The maps stand in the file header, before each instruction. */
static bool map_number(struct dph_cursor *c, const struct dph_op *op, struct dph_rpn_insn *insn)
{
	const struct dph_range range = {op->text, UINT32_MAX, "0..31", "a map's index"};
	const struct dph_place place = dph_place_of(c, dph_peek(c, 0));
	const size_t maps = c->program->map_count;
	if (!dph_plain_number(c, &range, &insn->value))
		return false;
	if (insn->value < maps)
		return true;
	if (maps)
		dph_error(c, place, "map %llu does not exist; the file header has maps 0..%zu",
			  (unsigned long long)insn->value, maps - 1);
	else
		dph_error(c, place,
			  "map %llu does not exist; add 'map = count 1 64' to the file header",
			  (unsigned long long)insn->value);
	return false;
}

static bool small_number(struct dph_cursor *c, const struct dph_op *op, struct dph_rpn_insn *insn)
{
	struct dph_range range = {op->text, UINT16_MAX, "0..65535", "a number"};
	if (op->operand == RPN_ARG_U8)
		range = (struct dph_range){op->text, UINT8_MAX, "0..255", "a count"};
	if (op->operand == RPN_ARG_LV || op->operand == RPN_ARG_GV) /* layout.c checks the limit */
		range = (struct dph_range){op->text, UINT32_MAX, "0..255", "a variable index"};
	if (op->code == RPN_EXIT_N)
		range.range = "1, 2 or 3";
	if (op->code == RPN_PBL_N || op->code == RPN_PBR_N)
		range.range = c->target.word_bytes == 4 ? "1..32" : "1..64";
	if (op->operand == RPN_ARG_MAP)
		return map_number(c, op, insn);
	return dph_plain_number(c, &range, &insn->value);
}

static bool signed_number(struct dph_cursor *c, const struct dph_op *op, struct dph_rpn_insn *insn)
{
	struct dph_value value;
	c->lookup = NULL;
	if (!dph_expression(c, &value))
		return false;
	int64_t n = (int64_t)value.value;
	if (n < INT16_MIN || n > INT16_MAX || (!value.negative && n < 0)) {
		dph_error(c, value.place, "'%s' cannot be %.*s; use -32768..32767", op->text,
			  (int)value.place.bytes, value.place.line->text + value.place.start);
		return false;
	}
	insn->value = (uint64_t)n;
	return true;
}

static bool name_operand(struct dph_cursor *c, const struct dph_op *op, struct dph_rpn_insn *insn)
{
	const struct dph_token *token = dph_next(c);
	bool proc = op->operand == RPN_ARG_PROC;
	if (dph_good_name(token)) {
		insn->target = dph_token_text(c, token);
		return true;
	}
	if (token->kind == DPH_TOKEN_END)
		dph_error(c, dph_statement(c), "'%s' needs a %s", op->text,
			  proc ? "proc" : "label");
	else
		dph_error(c, dph_place_of(c, token), "expected a %s, found '%.*s'",
			  proc ? "proc name" : "label", (int)token->bytes, token->text);
	return false;
}

/* "cr", 7: a name that ends in a number, or stem = all of it. */
static size_t stem_of(const char *name, unsigned long *number)
{
	size_t stem = strcspn(name, "0123456789");
	char *end;
	*number = strtoul(name + stem, &end, 10);
	return name[stem] && !*end ? stem : strlen(name);
}

/* Is `next` the name with the next number? */
static bool follows(const char *name, const char *next)
{
	unsigned long a, b;
	size_t stem = stem_of(name, &a);
	return name[stem] && stem_of(next, &b) == stem && strncmp(name, next, stem) == 0 &&
	       next[stem] && b == a + 1;
}

static unsigned access_of(const struct dph_cursor *c, const char *name)
{
	const struct dp_reg *reg = dph_reg_named(c->target.cpu, name, strlen(name));
	return reg ? reg->access : DP_REG_ALL; /* a word on the stack */
}

/* "r0..r12, sp, lr, pc": names of a CPU that may be used so, numbered ones drawn together.
 * access: any of these DP_REG_*. */
static char *register_list(struct dph_cursor *c, unsigned access)
{
	struct dph_pool *pool = c->pool;
	char *list = dph_pool_copy(pool, "", 0);
	const char *name, *first = NULL, *last = NULL;
	for (size_t i = 0; first || dph_reg_name_at(c->target.cpu, i); i++) {
		name = dph_reg_name_at(c->target.cpu, i);
		if (name && !(access_of(c, name) & access))
			continue;
		if (name && last && follows(last, name)) {
			last = name;
			continue;
		}
		if (first)
			list = dph_pool_print(pool, "%s%s%s%s%s", list, *list ? ", " : "", first,
					      first == last          ? ""
					      : follows(first, last) ? ", "
								     : "..",
					      first == last ? "" : last);
		first = last = name;
	}
	return list;
}

static unsigned access_needed(const struct dph_op *op)
{
	switch (op->code) {
	case RPN_PUSH_R:
		return DP_REG_PUSH_R;
	case RPN_PUSH_U:
		return DP_REG_PUSH_U;
	case RPN_POP_R:
		return DP_REG_POP_R;
	default:
		return DP_REG_POP_U;
	}
}

/* Add an instruction before the last one of the statement that is read. */
static void add_before(struct dph_cursor *c, const struct dph_op *op, uint64_t value)
{
	struct dph_place place = dph_place_since(c, c->first);
	dph_add_insn(c, &(struct dph_rpn_insn){
				.op = op, .value = value, .place = place, .operand = place});
}

/* `push r, arg0` on ia32: the instructions that a program for ia32 would write, `push r, esp`,
 * `push 4`, `add`, `push mem, u32`. To write there, an `xchg` brings the value above the
 * address. The last of these instructions is left in insn. False: the name is no such register,
 * or the word takes none. */
static bool word_on_stack(struct dph_cursor *c, const struct dph_token *token,
			  struct dph_rpn_insn *insn)
{
	const struct dph_op *op = insn->op;
	bool writes = op->code == RPN_POP_R || op->code == RPN_POP_U;
	unsigned offset;
	if (token->kind != DPH_TOKEN_WORD ||
	    !dph_reg_on_stack(c->target.cpu, token->text, token->bytes, &offset))
		return false;
	bool current = op->code == RPN_PUSH_R || op->code == RPN_POP_R;
	add_before(c, dph_op_of(current ? RPN_PUSH_R : RPN_PUSH_U),
		   dph_reg_named(c->target.cpu, "sp", 2)->index);
	if (offset) {
		uint64_t value = offset;
		const struct dph_op *push = dph_op_push(&value, c->target.word_bytes);
		add_before(c, push, value);
		add_before(c, dph_op_of(RPN_ADD), 0);
	}
	if (writes)
		add_before(c, dph_op_of(RPN_XCHG), 0);
	insn->op = dph_op_of(writes ? RPN_POP_MEM_32 : RPN_PUSH_MEM_32);
	return true;
}

static bool is_argument(const struct dph_token *token)
{
	static const char name[] = "arg";
	const size_t bytes = sizeof(name) - 1;
	return token->kind == DPH_TOKEN_WORD && token->bytes == bytes + 1 &&
	       strncmp(token->text, name, bytes) == 0 && isdigit((unsigned char)token->text[bytes]);
}

/* The names of arguments are those of registers, which have other values behind the entry. */
static void warn_of_argument(struct dph_cursor *c, const struct dph_op *op,
			     const struct dph_token *token)
{
	const bool reads = op->code == RPN_PUSH_R || op->code == RPN_PUSH_U;
	if (!reads || !is_argument(token) || !c->probe || c->probe->bad || c->probe->by_address ||
	    !c->lookup)
		return;
	const uint64_t address = c->probe->point.address;
	const struct dp_symbol *function = dp_image_function(c->lookup, address);
	if (function && address > function->value)
		dph_warning(c, dph_place_of(c, token),
			    "'%.*s' is an argument at the entry of a function; this probe is at "
			    "%s+0x%llx, where the register may have another value",
			    (int)token->bytes, token->text, function->name,
			    (unsigned long long)(address - function->value));
}

static const struct dp_reg *find_register(struct dph_cursor *c, const struct dph_op *op,
					  const struct dph_token *token)
{
	uint64_t number;
	const struct dp_reg *reg = NULL;
	if (token->kind == DPH_TOKEN_WORD)
		reg = dph_reg_named(c->target.cpu, token->text, token->bytes);
	else if (token->kind == DPH_TOKEN_NUMBER &&
		 dph_number(token->text, token->bytes, &number) == DPH_NUMBER_GOOD &&
		 number <= UINT16_MAX)
		reg = dph_reg_numbered(c->target.cpu, (unsigned)number);
	if (reg)
		return reg;
	if (token->kind == DPH_TOKEN_END)
		dph_error(c, dph_statement(c), "'%s' needs a register; %s has %s", op->text,
			  c->target.cpu->name, register_list(c, DP_REG_ALL));
	else if (token->kind == DPH_TOKEN_NUMBER)
		dph_error(c, dph_place_of(c, token), "unknown register %.*s; %s has %s",
			  (int)token->bytes, token->text, c->target.cpu->name,
			  register_list(c, DP_REG_ALL));
	else
		dph_error(c, dph_place_of(c, token), "unknown register '%.*s'; %s has %s",
			  (int)token->bytes, token->text, c->target.cpu->name,
			  register_list(c, DP_REG_ALL));
	return NULL;
}

bool dph_register_operand(struct dph_cursor *c, const struct dph_op *op, struct dph_rpn_insn *insn)
{
	const struct dph_token *token = dph_next(c);
	warn_of_argument(c, op, token);
	if (word_on_stack(c, token, insn))
		return true;
	const struct dp_reg *reg = find_register(c, op, token);
	if (!reg)
		return false;
	insn->value = reg->index;
	unsigned need = access_needed(op);
	if (reg->access & need)
		return true;
	struct dph_place place = dph_place_of(c, token);
	const char *name = dph_token_text(c, token);
	if (token->kind == DPH_TOKEN_NUMBER)
		name = dph_reg_name(c->target.cpu, reg->index);
	if (need & (DP_REG_POP_R | DP_REG_POP_U))
		dph_error(c, place, "register '%s' cannot be written by a probe; '%s' takes %s",
			  name, op->text, register_list(c, need));
	else
		dph_error(c, place, "register '%s' cannot be read with '%s'%s", name, op->text,
			  !(reg->access & DP_REG_READ) ? ""
			  : op->code == RPN_PUSH_R     ? "; use 'push u'"
						       : "; use 'push r'");
	return false;
}

static void note_symbol(struct dph_cursor *c, const struct dph_value *value)
{
	const char *name = dph_pool_copy(c->pool, value->place.line->text + value->place.start,
					 value->place.bytes);
	dph_ir_symbol(c->program, name, value->value);
}

bool dph_push_value(struct dph_cursor *c, struct dph_rpn_insn *insn)
{
	struct dph_value value;
	c->lookup = dph_images_symbols(c->images);
	if (c->file.modtype != DP_MODULE_KERNEL && dph_peek(c, 0)->kind == DPH_TOKEN_WORD) {
		dph_error(c, dph_place_of(c, dph_peek(c, 0)),
			  "symbols can be pushed in kernel programs only: the address of a module "
			  "is not known");
		return false;
	}
	if (!dph_expression(c, &value) || !dph_fits_word(c, &value))
		return false;
	if (value.symbol)
		note_symbol(c, &value);
	insn->value = value.value;
	insn->op = dph_op_push(&insn->value, c->target.word_bytes);
	return true;
}

bool dph_operand(struct dph_cursor *c, const struct dph_op *op, struct dph_rpn_insn *insn)
{
	switch (op->operand) {
	case RPN_ARG_LABEL:
	case RPN_ARG_PROC:
		return name_operand(c, op, insn);
	case RPN_ARG_S16:
		return signed_number(c, op, insn);
	case RPN_ARG_REG:
		return dph_register_operand(c, op, insn);
	case RPN_ARG_IMM8:
	case RPN_ARG_IMM16:
	case RPN_ARG_IMMW:
		return dph_push_value(c, insn);
	default:
		return small_number(c, op, insn);
	}
}

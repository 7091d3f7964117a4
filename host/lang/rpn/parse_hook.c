/* SPDX-License-Identifier: BSD-2-Clause */
/* The parser of static hooks reads `hook = PROVIDER:NAME` and `push arg, n`. */
#define _GNU_SOURCE
#include "parse_code.h"

#include "dp_object.h"
#include "symbols/elf_image.h"
#include "symbols/hooks.h"
#include "tables/isas.h"
#include "tables/kinds.h"

#include <string.h>

enum {
	INSNS_MAX = 8 /* of an argument */
};

/* --- hook = -------------------------------------------------------------------------------- */

/* Read a name: words with single dashes between them. Null: there is none, and it is said. */
static const char *read_name(struct dph_cursor *c, const char *what)
{
	const struct dph_token *token = dph_next(c);
	if (token->kind != DPH_TOKEN_WORD) {
		dph_error(c,
			  token->kind == DPH_TOKEN_END ? dph_statement(c) : dph_place_of(c, token),
			  "expected the %s of a hook; write hook = PROVIDER:NAME", what);
		return NULL;
	}
	const char *name = dph_token_text(c, token);
	while (dph_token_sign(dph_peek(c, 0), '-') && dph_peek(c, 1)->kind == DPH_TOKEN_WORD) {
		dph_next(c);
		name = dph_pool_print(c->pool, "%s-%s", name, dph_token_text(c, dph_next(c)));
	}
	return dph_hook_name(c->pool, name);
}

/* The place of this number among those of the hook, and the number of all. */
static const struct dph_hook *find_place(const struct dp_image *image, const char *provider,
					 const char *name, size_t number, size_t *count)
{
	const struct dph_hook *hooks = NULL, *found = NULL;
	const size_t all = image ? dph_image_hooks(image, &hooks) : 0;
	*count = 0;
	for (size_t i = 0; i < all; i++) {
		if (strcmp(hooks[i].provider, provider) != 0 || strcmp(hooks[i].name, name) != 0)
			continue;
		if (*count == number)
			found = &hooks[i];
		++*count;
	}
	return found;
}

/* "queue:put, queue:get": each hook of the image once. */
static const char *hook_list(struct dph_cursor *c, const struct dp_image *image)
{
	const struct dph_hook *hooks;
	const size_t count = dph_image_hooks(image, &hooks);
	const char *list = "";
	size_t places;
	for (size_t i = 0; i < count; i++)
		if (find_place(image, hooks[i].provider, hooks[i].name, 0, &places) == &hooks[i])
			list = dph_pool_print(c->pool, "%s%s%s:%s", list, *list ? ", " : "",
					      hooks[i].provider, hooks[i].name);
	return list;
}

static void no_hook(struct dph_cursor *c, const struct dp_image *image, const char *provider,
		    const char *name, struct dph_place place)
{
	if (!image)
		dph_error(c, place,
			  "the hooks are not known: no firmware is given; use --elf FILE");
	else if (!*hook_list(c, image))
		dph_error(c, place, "the firmware has no static hook");
	else
		dph_error(c, place, "the firmware has no hook '%s:%s'; it has %s", provider, name,
			  hook_list(c, image));
}

static void take_place(struct dph_cursor *c, const struct dp_image *image,
		       const struct dph_hook *hook)
{
	const struct dph_isa *isa = NULL;
	uint64_t start;
	struct dph_point *point = &c->probe->point;
	dph_image_code(image, hook->address, &start, &isa);
	point->address = point->last = hook->address;
	point->symbolic = isa != NULL;
	point->symbol_isa = isa ? isa->number : 0;
	c->probe->hook = hook;
	c->probe->bad = false;
}

void dph_parse_hook(struct dph_cursor *c)
{
	const struct dph_token *keyword = dph_next(c);
	struct dph_rpn_turn *turn = &c->turn;
	size_t count;
	dph_next(c); /* = */
	dph_begin_probe(c, dph_place_of(c, keyword), false);
	c->probe->point.place = dph_place_of(c, keyword);
	c->probe->bad = true;
	const size_t first = c->at;
	const char *provider = read_name(c, "provider"), *name = NULL;
	if (provider && !dph_token_sign(dph_peek(c, 0), ':'))
		dph_error(c, dph_place_since(c, first),
			  "a hook has a provider; write hook = PROVIDER:NAME");
	else if (provider && dph_next(c))
		name = read_name(c, "name");
	if (!name) {
		dph_skip(c);
		return;
	}
	const struct dph_place place = dph_place_since(c, first);
	const struct dp_image *image = c->file.modtype != DP_MODULE_KERNEL
					       ? c->images->module
					       : dph_images_symbols(c->images);
	if (turn->line != c->line)
		*turn = (struct dph_rpn_turn){.line = c->line,
					      .errors = c->report.messages->errors};
	const struct dph_hook *hook = find_place(image, provider, name, turn->number, &count);
	turn->left = count > turn->number ? count - turn->number - 1 : 0;
	c->probe->point.place = place;
	if (hook)
		take_place(c, image, hook);
	else
		no_hook(c, image, provider, name, place);
	dph_end_statement(c);
}

/* --- push arg, n --------------------------------------------------------------------------- */

/* The instructions of an argument. */
struct made {
	struct dph_rpn_insn insns[INSNS_MAX];
	size_t count;
};

static void emit(struct made *made, enum rpn_op op, uint64_t value)
{
	made->insns[made->count++] = (struct dph_rpn_insn){.op = dph_op_of(op), .value = value};
}

static void emit_number(const struct dph_cursor *c, struct made *made, uint64_t value)
{
	const struct dph_op *op = dph_op_push(&value, c->target.word_bytes);
	made->insns[made->count++] = (struct dph_rpn_insn){.op = op, .value = value};
}

/* Extend the word on the stack from the bytes of the argument. */
static void extend(const struct dph_cursor *c, struct made *made,
		   const struct dph_hook_argument *argument)
{
	if (argument->bytes >= c->target.word_bytes)
		return;
	if (argument->is_signed) {
		emit(made, RPN_PBL_N, argument->bytes * 8);
	} else {
		emit_number(c, made, ((uint64_t)1 << argument->bytes * 8) - 1);
		emit(made, RPN_AND, 0);
	}
}

static enum rpn_op load_of(unsigned bytes)
{
	return bytes == 1   ? RPN_PUSH_MEM_8
	       : bytes == 2 ? RPN_PUSH_MEM_16
	       : bytes == 4 ? RPN_PUSH_MEM_32
			    : RPN_PUSH_MEM_64;
}

/* A constant of two words is pushed as one in memory: the word of the lower address on top. */
static void emit_constant(const struct dph_cursor *c, struct made *made, uint64_t value, bool wide)
{
	const bool big = c->target.big_endian;
	if (wide)
		emit_number(c, made, big ? (uint32_t)value : value >> 32);
	emit_number(c, made, !wide ? value : big ? value >> 32 : (uint32_t)value);
}

/* Returns false: no instruction reads the argument. */
static bool make(const struct dph_cursor *c, struct made *made,
		 const struct dph_hook_argument *argument)
{
	const struct dph_operand *operand = &argument->operand;
	const bool wide = argument->bytes > c->target.word_bytes;
	const struct dp_reg *reg = dph_reg_numbered(c->target.cpu, operand->reg);
	if (!argument->bytes)
		return false;
	if (operand->kind == DPH_OPERAND_CONSTANT) {
		emit_constant(c, made, (uint64_t)operand->number, wide);
		return true;
	}
	if (!reg || !(reg->access & DP_REG_PUSH_R) ||
	    (wide && operand->kind == DPH_OPERAND_REGISTER))
		return false;
	if (wide && operand->kind == DPH_OPERAND_REGISTERS)
		emit(made, RPN_PUSH_R, operand->reg + 1);
	emit(made, RPN_PUSH_R, operand->reg);
	if (operand->kind == DPH_OPERAND_MEMORY) {
		if (operand->number) {
			emit_number(c, made, (uint64_t)operand->number);
			emit(made, RPN_ADD, 0);
		}
		emit(made, load_of(argument->bytes), 0);
	}
	if (operand->kind != DPH_OPERAND_MEMORY || argument->is_signed)
		extend(c, made, argument);
	return true;
}

/* Add the instructions, whose last one ends the statement. */
static void add_all(struct dph_cursor *c, struct made *made, size_t first, size_t operand_at)
{
	for (size_t i = 0; i < made->count; i++) {
		struct dph_rpn_insn *insn = &made->insns[i];
		insn->place = insn->operand = dph_place_since(c, first);
		if (i + 1 < made->count)
			dph_add_insn(c, insn);
		else
			dph_finish_insn(c, insn->op, first, operand_at, insn);
	}
}

static void push_argument(struct dph_cursor *c, size_t first)
{
	const struct dph_hook *hook = c->probe && !c->in_proc ? c->probe->hook : NULL;
	const struct dph_range range = {"push arg", DPH_HOOK_ARGUMENTS - 1, "0..9", "an argument"};
	const size_t at = c->at;
	struct made made = {.count = 0};
	uint64_t n;
	if (!hook && !(c->probe && c->probe->bad))
		dph_error(c, dph_place_since(c, first),
			  "'push arg' is for the handler of a probe with 'hook ='; a function's "
			  "arguments are registers: push r, arg0");
	if (!hook || !dph_plain_number(c, &range, &n)) {
		dph_skip(c);
		return;
	}
	const struct dph_place place = dph_place_since(c, at);
	if (n >= hook->argument_count)
		dph_error(c, place, "hook '%s:%s' has %u argument(s) here", hook->provider,
			  hook->name, hook->argument_count);
	else if (make(c, &made, &hook->arguments[n]))
		add_all(c, &made, first, at);
	else
		dph_error(
			c, place, "argument %llu of hook '%s:%s' cannot be read: its note has '%s'",
			(unsigned long long)n, hook->provider, hook->name, hook->arguments[n].text);
	if (!made.count)
		dph_skip(c);
}

bool dph_push_argument(struct dph_cursor *c)
{
	const size_t first = c->at;
	if (!dph_token_is(dph_peek(c, 1), "arg") || !dph_token_sign(dph_peek(c, 2), ','))
		return false;
	c->at += 3;
	push_argument(c, first);
	return true;
}

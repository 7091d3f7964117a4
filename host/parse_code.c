/* SPDX-License-Identifier: BSD-2-Clause */
/* Instructions and labels.  Which spellings there are is protocol/rpn_ops.def's business: the
 * longest text of a row that the line begins with wins, and whether an operand follows chooses
 * between the rows of that text. */
#define _GNU_SOURCE
#include "program.h"

#include "dp_object.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* --- matching spellings -------------------------------------------------------------------- */

/* How many tokens of the line the text matches; 0: it does not. */
static size_t match(const struct dph_compiler *c, const char *text)
{
	size_t n = 0;
	for (;;) {
		struct dph_token want = dph_lex(&text);
		const struct dph_token *have = dph_peek(c, n);
		if (want.kind == DPH_TOKEN_END)
			return n;
		if (have->kind != want.kind || have->bytes != want.bytes ||
		    strncasecmp(have->text, want.text, want.bytes) != 0)
			return 0;
		n++;
	}
}

struct spelling {
	const char *text; /* null: none */
	size_t tokens;
	const struct dph_op *plain;   /* without operand, or null */
	const struct dph_op *operand; /* with operand (the first of several), or null */
};

static void add_row(struct spelling *s, const struct dph_op *op)
{
	if (op->operand == RPN_ARG_NONE)
		s->plain = op;
	else if (!s->operand)
		s->operand = op;
}

static struct spelling find_spelling(const struct dph_compiler *c)
{
	struct spelling best = {0};
	for (size_t i = 0; i < dph_op_count; i++) {
		size_t n = dph_ops[i].text[0] ? match(c, dph_ops[i].text) : 0;
		if (n > best.tokens)
			best = (struct spelling){.text = dph_ops[i].text, .tokens = n};
		if (n && n == best.tokens)
			add_row(&best, &dph_ops[i]);
	}
	return best;
}

static bool several_words(const char *text)
{
	return strchr(text, ' ') != NULL;
}

/* "str, mrf, lv, gv or st": what may follow the first word, or its first two. */
static char *continuations(struct dph_compiler *c, const char *first, size_t bytes)
{
	const char *seen[32];
	size_t count = 0;
	for (size_t i = 0; i < dph_op_count; i++) {
		const char *text = dph_ops[i].text;
		if (!bytes || strncasecmp(text, first, bytes) != 0 ||
		    (text[bytes] != ' ' && text[bytes] != ','))
			continue;
		const char *rest = text + bytes + strspn(text + bytes, ", ");
		size_t word = strcspn(rest, ", "), j = 0;
		while (j < count &&
		       (strcspn(seen[j], ", ") != word || memcmp(seen[j], rest, word) != 0))
			j++;
		if (j == count && count < sizeof(seen) / sizeof(*seen))
			seen[count++] = rest;
	}
	char *list = dph_pool_copy(&c->source.pool, "", 0);
	for (size_t i = 0; i < count; i++)
		list = dph_pool_print(&c->source.pool, "%s%s%.*s", list,
				      !i               ? ""
				      : i + 1 == count ? " or "
						       : ", ",
				      (int)strcspn(seen[i], ", "), seen[i]);
	return list;
}

/* Is it the second word of an instruction that begins with `first`? */
static bool is_second_word(const char *first, const struct dph_token *token)
{
	size_t bytes = strlen(first);
	for (size_t i = 0; i < dph_op_count; i++) {
		const char *text = dph_ops[i].text;
		if (strncmp(text, first, bytes) != 0 || text[bytes] != ' ')
			continue;
		size_t word = strcspn(text + bytes + 1, ", ");
		if (token->bytes == word && strncasecmp(token->text, text + bytes + 1, word) == 0)
			return true;
	}
	return false;
}

/* --- adding instructions ------------------------------------------------------------------- */

/* first: index of the instruction's first token. */
static void need_capability(struct dph_compiler *c, const struct dph_op *op, size_t first)
{
	if (op->group & ~dph_cpu_groups(c->target.cpu)) {
		size_t word = first + (op->group == RPN_GROUP_IO);
		dph_error(c, dph_place_of(c, &c->token[word]), "this CPU has no %s: %s cannot '%s'",
			  op->group == RPN_GROUP_IO ? "I/O ports" : "segments", c->target.cpu->name,
			  op->text);
		return;
	}
	if ((op->group & RPN_GROUP_DESTRUCTIVE) && !c->options->write)
		dph_error(c, dph_place_since(c, first),
			  "'%s' %s the firmware; allow it with --write", op->text,
			  op->group == RPN_GROUP_HOOK ? "calls into" : "changes");
}

static struct dph_insn *add_insn(struct dph_compiler *c, const struct dph_op *op)
{
	struct dph_routine *r = c->routine;
	r->insns = dph_grow(r->insns, &r->insn_capacity, r->insn_count, sizeof(*r->insns));
	r->insns[r->insn_count] = (struct dph_insn){.op = op};
	c->program.insn_groups |= op->group;
	return &r->insns[r->insn_count++];
}

static const struct dph_op *op_of(enum rpn_op code)
{
	return dph_op_find((uint8_t)code);
}

/* --- operands ------------------------------------------------------------------------------ */

static void skip(struct dph_compiler *c)
{
	c->at = c->token_count;
}

static bool small_number(struct dph_compiler *c, const struct dph_op *op, struct dph_insn *insn)
{
	struct dph_range range = {op->text, UINT16_MAX, "0..65535", "a number"};
	if (op->operand == RPN_ARG_U8)
		range = (struct dph_range){op->text, UINT8_MAX, "0..255", "a count"};
	if (op->operand == RPN_ARG_LV || op->operand == RPN_ARG_GV) /* layout.c knows the limit */
		range = (struct dph_range){op->text, UINT32_MAX, "0..255", "a variable index"};
	return dph_plain_number(c, &range, &insn->value);
}

static bool signed_number(struct dph_compiler *c, const struct dph_op *op, struct dph_insn *insn)
{
	struct dph_value value;
	c->lookup = NULL;
	if (!dph_expression(c, &value))
		return false;
	int64_t n = (int64_t)value.value;
	if (n < INT16_MIN || n > INT16_MAX || (!value.negative && n < 0)) {
		dph_error(c, value.place, "'%s' cannot be %.*s; it is -32768..32767", op->text,
			  (int)value.place.bytes, value.place.line->text + value.place.start);
		return false;
	}
	insn->value = (uint64_t)n;
	return true;
}

static bool name_operand(struct dph_compiler *c, const struct dph_op *op, struct dph_insn *insn)
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

/* "r0..r12, sp, lr, pc": names of a CPU, numbered ones drawn together. */
static char *register_list(struct dph_compiler *c)
{
	struct dph_pool *pool = &c->source.pool;
	char *list = dph_pool_copy(pool, "", 0);
	const char *name, *separator = "";
	for (size_t i = 0; (name = dph_reg_name_at(c->target.cpu, i)); i++) {
		size_t stem = strcspn(name, "0123456789"), last = i;
		char *end;
		unsigned long n = strtoul(name + stem, &end, 10);
		const char *next;
		while (name[stem] && !*end && (next = dph_reg_name_at(c->target.cpu, last + 1)) &&
		       strcmp(next, dph_pool_print(pool, "%.*s%lu", (int)stem, name,
						   n + (last - i) + 1)) == 0)
			last++;
		list = last > i + 1 ? dph_pool_print(pool, "%s%s%s..%s", list, separator, name,
						     dph_reg_name_at(c->target.cpu, last))
				    : dph_pool_print(pool, "%s%s%s", list, separator, name);
		if (last > i + 1)
			i = last;
		separator = ", ";
	}
	return list;
}

static const struct dp_reg *find_register(struct dph_compiler *c, const struct dph_op *op,
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
			  c->target.cpu->name, register_list(c));
	else if (token->kind == DPH_TOKEN_NUMBER)
		dph_error(c, dph_place_of(c, token), "unknown register %.*s; %s has %s",
			  (int)token->bytes, token->text, c->target.cpu->name, register_list(c));
	else
		dph_error(c, dph_place_of(c, token), "unknown register '%.*s'; %s has %s",
			  (int)token->bytes, token->text, c->target.cpu->name, register_list(c));
	return NULL;
}

static unsigned access_needed(enum rpn_op code)
{
	switch (code) {
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

static bool register_operand(struct dph_compiler *c, const struct dph_op *op, struct dph_insn *insn)
{
	const struct dph_token *token = dph_next(c);
	const struct dp_reg *reg = find_register(c, op, token);
	if (!reg)
		return false;
	insn->value = reg->index;
	unsigned need = access_needed((enum rpn_op)op->code);
	if (reg->access & need)
		return true;
	struct dph_place place = dph_place_of(c, token);
	if (need & (DP_REG_POP_R | DP_REG_POP_U))
		dph_error(c, place, "register '%.*s' cannot be written by a probe",
			  (int)token->bytes, token->text);
	else
		dph_error(c, place, "register '%.*s' cannot be read with '%s'%s", (int)token->bytes,
			  token->text, op->text,
			  !(reg->access & DP_REG_READ) ? ""
			  : op->code == RPN_PUSH_R     ? "; use 'push u'"
						       : "; use 'push r'");
	return true; /* one complaint is enough */
}

/* The shortest form whose sign-extension to the word is the value. */
static const struct dph_op *push_form(const struct dph_compiler *c, uint64_t *value)
{
	int64_t n = (int64_t)*value;
	if (c->target.word_bytes == 4)
		n = (int32_t)(uint32_t)*value;
	*value = (uint64_t)n;
	if (n >= INT8_MIN && n <= INT8_MAX)
		return op_of(RPN_PUSH_8);
	if (n >= INT16_MIN && n <= INT16_MAX)
		return op_of(RPN_PUSH_16);
	return op_of(RPN_PUSH_W);
}

static void note_symbol(struct dph_compiler *c, const struct dph_value *value)
{
	struct dph_names *names = &c->program.symbols;
	names->list = dph_grow(names->list, &names->capacity, names->count, sizeof(*names->list));
	names->list[names->count++] = (struct dph_name){
		.text = dph_pool_copy(&c->source.pool, value->place.line->text + value->place.start,
				      value->place.bytes),
		.value = value->value};
}

static bool push_value(struct dph_compiler *c, struct dph_insn *insn)
{
	struct dph_value value;
	c->lookup = dph_firmware_symbols(c);
	if (c->program.modtype != DP_MODULE_KERNEL && dph_peek(c, 0)->kind == DPH_TOKEN_WORD) {
		dph_error(c, dph_place_of(c, dph_peek(c, 0)),
			  "symbols can be pushed in kernel programs only");
		return false;
	}
	if (!dph_expression(c, &value) || !dph_fits_word(c, &value))
		return false;
	if (value.symbol)
		note_symbol(c, &value);
	insn->value = value.value;
	insn->op = push_form(c, &insn->value);
	return true;
}

static bool operand(struct dph_compiler *c, const struct dph_op *op, struct dph_insn *insn)
{
	switch (op->operand) {
	case RPN_ARG_LABEL:
	case RPN_ARG_PROC:
		return name_operand(c, op, insn);
	case RPN_ARG_S16:
		return signed_number(c, op, insn);
	case RPN_ARG_REG:
		return register_operand(c, op, insn);
	case RPN_ARG_IMM8:
	case RPN_ARG_IMM16:
	case RPN_ARG_IMMW:
		return push_value(c, insn);
	default:
		return small_number(c, op, insn);
	}
}

/* rpn.md C75 and 1.1 `exit`: legal, and raises at run time. */
static void warn_operand(struct dph_compiler *c, const struct dph_insn *insn)
{
	unsigned bits = c->target.word_bytes * 8;
	if ((insn->op->code == RPN_PBL_N || insn->op->code == RPN_PBR_N) &&
	    (insn->value < 1 || insn->value > bits))
		dph_warning(c, insn->operand, "'%s %llu' raises INVALID_OPERAND; it is 1..%u",
			    insn->op->text, (unsigned long long)insn->value, bits);
	if (insn->op->code == RPN_EXIT_N && (insn->value < 1 || insn->value > 3))
		dph_warning(c, insn->operand,
			    "'exit %llu' raises INVALID_OPERAND; the exits are 1, 2 and 3",
			    (unsigned long long)insn->value);
}

/* --- one instruction ----------------------------------------------------------------------- */

static void finish_insn(struct dph_compiler *c, const struct dph_op *op, size_t first,
			size_t operand_at, struct dph_insn *insn)
{
	insn->place = dph_place_since(c, first);
	insn->operand = insn->place;
	if (operand_at < c->at)
		insn->operand = dph_place_since(c, operand_at);
	need_capability(c, op, first);
	warn_operand(c, insn);
	*add_insn(c, insn->op) = *insn;
	dph_end_statement(c);
}

/* The tokens of the spelling are read; now the operand. */
static void with_spelling(struct dph_compiler *c, const struct spelling *s, size_t first)
{
	struct dph_insn insn = {.op = s->plain};
	const struct dph_token *next = dph_peek(c, 0);
	size_t at = c->at;
	if (next->kind == DPH_TOKEN_END && s->plain) {
		finish_insn(c, s->plain, first, at, &insn);
		return;
	}
	if (!s->operand && (next->kind == DPH_TOKEN_SIGN || dph_starts_statement(c))) {
		dph_end_statement(c);
		return;
	}
	if (!s->operand) {
		dph_error(c, dph_place_of(c, next), "'%s' takes no operand", s->text);
		skip(c);
		return;
	}
	bool comma = several_words(s->text);
	if (comma && next->kind == DPH_TOKEN_END) {
		/* says what is missing */
	} else if (comma && !dph_token_sign(next, ',')) {
		dph_error(c, dph_place_of(c, next), "expected ',' after '%s'",
			  strrchr(s->text, ' ') + 1);
		skip(c);
		return;
	} else if (comma) {
		dph_next(c);
		at = c->at;
	} else if (dph_token_sign(next, ',')) {
		dph_error(c, dph_statement(c), "'%s' needs an operand, and no ',' before it",
			  s->text);
		skip(c);
		return;
	}
	insn.op = s->operand;
	bool good = operand(c, s->operand, &insn);
	if (good && s->operand->operand >= RPN_ARG_IMM8 && dph_token_sign(dph_peek(c, 0), ',')) {
		dph_error(c, dph_place_of(c, dph_peek(c, 0)), "'push' takes one value");
		good = false;
	}
	if (good)
		finish_insn(c, s->operand, first, at, &insn);
	else
		skip(c);
}

/* --- old spellings: rpn.md 1.2 ------------------------------------------------------------- */

static bool renamed(struct dph_compiler *c, size_t index, size_t tokens)
{
	const struct dph_old *old = &dph_olds[index];
	size_t first = c->at;
	c->at += tokens;
	if (!(c->warned_old & (uint64_t)1 << index))
		dph_warning(c, dph_place_since(c, c->at - 1),
			    "'%s' was renamed in v3.4.0, write '%s'", old->text, old->now);
	c->warned_old |= (uint64_t)1 << index;
	for (size_t i = 0; i < dph_op_count; i++)
		if (strcmp(dph_ops[i].text, old->now) == 0) {
			const struct spelling s = {dph_ops[i].text, tokens, &dph_ops[i], NULL};
			with_spelling(c, &s, first);
			return true;
		}
	return false;
}

static bool old_spelling(struct dph_compiler *c)
{
	for (size_t i = 0; i < dph_old_count; i++) {
		const struct dph_old *old = &dph_olds[i];
		size_t tokens = match(c, old->text);
		if (!tokens)
			continue;
		if (old->policy == DPH_OLD_RENAMED)
			return renamed(c, i, tokens);
		c->at += tokens;
		struct dph_place place = dph_place_since(c, c->at - 1);
		if (old->policy == DPH_OLD_REMOVED)
			dph_error(c, place, "'%s' was removed in v3.4.0; %s", old->text, old->now);
		else if (old->policy == DPH_OLD_MOVED)
			dph_error(c, place, "'%s' is now '%s'", old->text, old->now);
		else
			dph_error(c, place, "'%s' is not part of DProbes 3.6.4", old->text);
		skip(c);
		return true;
	}
	return false;
}

static void warn_width(struct dph_compiler *c, unsigned kind, const char *old, const char *now,
		       const struct dph_place *value)
{
	if (!(c->warned_width & 1u << kind))
		dph_warning(c, dph_place_of(c, dph_peek(c, 1)),
			    "'%s' was renamed in v3.4.0, write '%s %.*s'", old, now,
			    (int)value->bytes, value->line->text + value->start);
	c->warned_width |= 1u << kind;
}

/* `log b, n` changed what it logs; `log d, n` only its spelling. */
static void old_log(struct dph_compiler *c, unsigned kind)
{
	static const char *const old[] = {"", "log b", "log w", "log d"};
	struct dph_place count = dph_place_of(c, dph_peek(c, 3));
	size_t first = c->at;
	if (kind == 3 && c->target.word_bytes == 4) {
		warn_width(c, 0, old[kind], "log", &count);
		const struct spelling s = {"log", 1, NULL, op_of(RPN_LOG_N)};
		c->at += 3;
		with_spelling(c, &s, first);
		return;
	}
	dph_error(c, dph_place_of(c, dph_peek(c, 1)),
		  "'%s' was removed in v3.4.0; use 'log %.*s', which logs whole words: mask or "
		  "pack them first",
		  old[kind], (int)count.bytes, c->line->text + count.start);
	skip(c);
}

/* `push b, v`: the same as push v when v fits the width. */
static void old_push(struct dph_compiler *c, unsigned kind)
{
	static const char *const old[] = {"", "push b", "push w", "push d"};
	unsigned bits = 4u << kind;
	struct dph_insn insn = {0};
	struct dph_value value;
	size_t first = c->at, at = first + 3;
	c->at = at;
	c->lookup = NULL;
	if (!dph_expression(c, &value)) {
		skip(c);
		return;
	}
	bool fits = value.negative ? (int64_t)value.value >= -((int64_t)1 << (bits - 1))
				   : !(value.value >> bits);
	if (!fits) {
		dph_error(c, value.place, "%.*s does not fit '%s'; use 'push %.*s'",
			  (int)value.place.bytes, c->line->text + value.place.start, old[kind],
			  (int)value.place.bytes, c->line->text + value.place.start);
		skip(c);
		return;
	}
	size_t end = c->at;
	c->at = first;
	warn_width(c, kind, old[kind], "push", &value.place);
	c->at = end;
	insn.value = value.value;
	insn.op = push_form(c, &insn.value);
	finish_insn(c, insn.op, first, at, &insn);
}

static bool old_width(struct dph_compiler *c)
{
	static const char widths[] = "bwd";
	const struct dph_token *width = dph_peek(c, 1);
	bool push = dph_token_is(dph_peek(c, 0), "push");
	if ((!push && !dph_token_is(dph_peek(c, 0), "log")) || width->kind != DPH_TOKEN_WORD ||
	    width->bytes != 1 || !dph_token_sign(dph_peek(c, 2), ','))
		return false;
	const char *found = strchr(widths, *width->text | 0x20);
	if (!found)
		return false;
	unsigned kind = (unsigned)(found - widths) + 1;
	if (push)
		old_push(c, kind);
	else
		old_log(c, kind);
	return true;
}

/* --- push and names ------------------------------------------------------------------------ */

/* `push eax`, an alias in the papers; a symbol of that name is meant first. */
static bool bare_register(struct dph_compiler *c)
{
	const struct dph_token *token = dph_peek(c, 1);
	bool ambiguous;
	c->lookup = dph_firmware_symbols(c);
	if (dph_peek(c, 2)->kind != DPH_TOKEN_END || dph_find_symbol(c, token, &ambiguous) ||
	    ambiguous)
		return false;
	const struct dp_reg *reg = dph_reg_named(c->target.cpu, token->text, token->bytes);
	if (!reg)
		return false;
	size_t first = c->at;
	c->at++;
	dph_warning(c, dph_place_of(c, token),
		    "'push %.*s' means register %.*s, write 'push r, %.*s'", (int)token->bytes,
		    token->text, (int)token->bytes, token->text, (int)token->bytes, token->text);
	struct dph_insn insn = {.op = op_of(RPN_PUSH_R)};
	if (register_operand(c, insn.op, &insn))
		finish_insn(c, insn.op, first, first + 1, &insn);
	return true;
}

/* `push sym, task`: a symbol that has the name of a reserved word. */
static bool push_symbol(struct dph_compiler *c)
{
	if (!dph_token_is(dph_peek(c, 1), "sym") || !dph_token_sign(dph_peek(c, 2), ','))
		return false;
	size_t first = c->at;
	c->at += 3;
	size_t at = c->at;
	struct dph_insn insn = {0};
	if (push_value(c, &insn))
		finish_insn(c, insn.op, first, at, &insn);
	else
		skip(c);
	return true;
}

static bool special_push(struct dph_compiler *c)
{
	const struct dph_token *token = dph_peek(c, 1);
	if (!dph_token_is(dph_peek(c, 0), "push") || token->kind != DPH_TOKEN_WORD)
		return false;
	if (push_symbol(c))
		return true;
	return !is_second_word("push", token) && bare_register(c);
}

/* --- unknown instructions ------------------------------------------------------------------ */

/* Not even the first word is one of an instruction. */
static void unknown_word(struct dph_compiler *c, const struct dph_token *token)
{
	struct dph_closest closest = dph_closest(token->text, token->bytes);
	for (size_t i = 0; i < dph_op_count; i++) {
		size_t bytes = strcspn(dph_ops[i].text, " ");
		if (bytes)
			dph_closest_try(&closest,
					dph_pool_copy(&c->source.pool, dph_ops[i].text, bytes));
	}
	dph_closest_try(&closest, "proc");
	dph_closest_try(&closest, "endproc");
	if (closest.best)
		dph_error(c, dph_place_of(c, token),
			  "unknown instruction '%.*s'; did you mean '%s'?", (int)token->bytes,
			  token->text, closest.best);
	else
		dph_error(c, dph_place_of(c, token), "unknown instruction '%.*s'",
			  (int)token->bytes, token->text);
}

/* The first word is known, what follows is not: `pop pid`, `trace`, `move r0`. */
static void unknown_instruction(struct dph_compiler *c)
{
	const struct dph_token *token = dph_peek(c, 0), *second = dph_peek(c, 1);
	if (token->kind == DPH_TOKEN_SIGN && dph_token_sign(token, ':')) {
		dph_error(c, dph_place_of(c, token), "expected a label before ':'");
		return;
	}
	if (token->kind == DPH_TOKEN_SIGN && !strchr(",=+-()", *token->text)) {
		dph_error(c, dph_place_of(c, token), "unexpected character '%c'", *token->text);
		return;
	}
	char *may =
		token->kind == DPH_TOKEN_WORD ? continuations(c, token->text, token->bytes) : "";
	bool few = strlen(may) < 20;
	if (!*may)
		unknown_word(c, token);
	else if (second->kind == DPH_TOKEN_END || second->kind == DPH_TOKEN_SIGN)
		dph_error(c, dph_statement(c),
			  few ? "'%.*s' needs %s" : "'%.*s' needs an operand: %s",
			  (int)token->bytes, token->text, may);
	else
		dph_error(c, dph_place_of(c, second), "'%.*s' cannot take '%.*s'; it is %s",
			  (int)token->bytes, token->text, (int)second->bytes, second->text, may);
}

/* `push mem` without its size, or with one that does not exist. */
static void bad_size(struct dph_compiler *c, const char *both, const char *may)
{
	const struct dph_token *third = dph_peek(c, 2), *size = third;
	if (dph_token_sign(third, ','))
		size = dph_peek(c, 3);
	if (size->kind == DPH_TOKEN_END)
		dph_error(c, dph_statement(c), "'%s' needs a size: %s", both, may);
	else if (size == third)
		dph_error(c, dph_place_of(c, third), "expected ',' after '%s'",
			  strrchr(both, ' ') + 1);
	else
		dph_error(c, dph_place_of(c, size), "'%s' cannot be '%.*s'; it is %s", both,
			  (int)size->bytes, size->text, may);
}

/* The longest known spelling is one word, but the second one is known as well, or cannot be an
 * operand: `push mem`, `log foo`. */
static bool half_spelling(struct dph_compiler *c, const struct spelling *s)
{
	const struct dph_token *first = dph_peek(c, 0), *second = dph_peek(c, 1);
	if ((s->text && s->tokens != 1) || first->kind != DPH_TOKEN_WORD ||
	    second->kind != DPH_TOKEN_WORD)
		return false;
	const char *word = dph_pool_copy(&c->source.pool, first->text, first->bytes);
	for (char *p = (char *)word; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	if (is_second_word(word, second)) {
		const char *both = dph_pool_print(&c->source.pool, "%s %.*s", word,
						  (int)second->bytes, second->text);
		char *may = continuations(c, both, strlen(both));
		if (*may)
			bad_size(c, both, may);
		return *may;
	}
	char *may = continuations(c, word, strlen(word));
	bool number = s->operand && s->operand->operand == RPN_ARG_U16;
	if (!number || !*may)
		return false;
	dph_error(c, dph_place_of(c, second), "'%s' cannot take '%.*s'; it is a number, %s", word,
		  (int)second->bytes, second->text, may);
	return true;
}

void dph_outside(struct dph_compiler *c)
{
	struct spelling s = find_spelling(c);
	if (s.text || *continuations(c, dph_peek(c, 0)->text, dph_peek(c, 0)->bytes))
		dph_error(c, dph_statement(c), "instruction outside of a probe or proc%s",
			  c->program.point_count ? ""
						 : "; begin one with 'offset =' or 'address ='");
	else
		unknown_instruction(c);
}

void dph_code_statement(struct dph_compiler *c)
{
	size_t first = c->at;
	if (old_width(c) || old_spelling(c) || special_push(c))
		return;
	struct spelling s = find_spelling(c);
	if (half_spelling(c, &s))
		return;
	if (!s.text || (s.tokens == 1 && !s.plain && dph_peek(c, 1)->kind == DPH_TOKEN_END &&
			*continuations(c, s.text, strlen(s.text)))) {
		unknown_instruction(c);
		return;
	}
	c->at += s.tokens;
	with_spelling(c, &s, first);
}

/* --- labels and ends ----------------------------------------------------------------------- */

static const struct dph_label *find_label(const struct dph_routine *r, const char *name)
{
	for (size_t i = 0; i < r->label_count; i++)
		if (strcasecmp(r->labels[i].name, name) == 0)
			return &r->labels[i];
	return NULL;
}

void dph_parse_label(struct dph_compiler *c)
{
	const struct dph_token *token = dph_next(c);
	struct dph_place place = dph_place_of(c, token);
	dph_next(c); /* : */
	if (token->kind == DPH_TOKEN_NUMBER) {
		dph_error(c, place, "label '%.*s' starts with a digit", (int)token->bytes,
			  token->text);
		return;
	}
	if (!dph_good_name(token)) {
		dph_error(c, place, "expected a label of letters, digits and _ before ':'");
		return;
	}
	struct dph_routine *r = c->routine;
	char *name = dph_token_text(c, token);
	const struct dph_label *other = find_label(r, name);
	if (other) {
		dph_error(c, place, "label '%s' is defined twice%s", name,
			  strcmp(other->name, name) ? "; upper and lower case do not count" : "");
		dph_note(c, other->place, "the first one is here");
		return;
	}
	r->labels = dph_grow(r->labels, &r->label_capacity, r->label_count, sizeof(*r->labels));
	r->labels[r->label_count++] = (struct dph_label){name, place, r->insn_count};
}

static bool falls_through(const struct dph_routine *r)
{
	if (!r->insn_count)
		return true;
	enum rpn_flow flow = r->insns[r->insn_count - 1].op->flow;
	return flow != RPN_FLOW_JUMP && flow != RPN_FLOW_END;
}

/* rpn.md C14, C21, C22. */
void dph_end_routine(struct dph_compiler *c)
{
	struct dph_routine *r = c->routine;
	for (size_t i = 0; i < r->label_count; i++)
		if (r->labels[i].insn == r->insn_count)
			dph_error(c, r->labels[i].place,
				  "label '%s' is not followed by an instruction of its %s",
				  r->labels[i].name, r->name ? "proc" : "handler");
	if (falls_through(r)) {
		struct dph_place place =
			r->insn_count ? r->insns[r->insn_count - 1].place : r->place;
		if (r->name)
			dph_warning(c, dph_statement(c),
				    "proc '%s' has no ret before endproc; one is added", r->name);
		struct dph_insn *end = add_insn(c, op_of(r->name ? RPN_RET : RPN_EXIT));
		end->place = end->operand = place;
	}
	c->routine = NULL;
}

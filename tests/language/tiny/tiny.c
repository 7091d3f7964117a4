/* SPDX-License-Identifier: BSD-2-Clause */
/* The tiny language: one pass over the lines, and code for each of them when it has been read. */
#include "tiny.h"

#include "source/lex.h"

#include <stdlib.h>
#include <string.h>

enum {
	LOGGED_MAX = 16
};

struct logged {
	uint16_t index;
	struct dph_place place;
};

/* Of the line being read: what the handler logs, and when. */
struct handler {
	size_t routine;
	struct logged logged[LOGGED_MAX];
	size_t count;
	bool conditional;
	struct logged compared;
	uint64_t value;
};

struct tiny {
	struct dph_report report;
	struct dph_compilation *to;
	struct dph_program *program;
	const struct dph_line *line;
	const char *rest;       /* of the line */
	struct dph_token token; /* the next one */
	struct dph_header header;
	struct dph_bytes format; /* section FORMATS */
	uint16_t minor;          /* of the next probe */
};

/* --- tokens -------------------------------------------------------------------------------- */

static void advance(struct tiny *t)
{
	t->token = dph_lex(&t->rest);
}

static struct dph_place here(const struct tiny *t)
{
	return (struct dph_place){t->line, (size_t)(t->token.text - t->line->text), t->token.bytes};
}

static bool expected(struct tiny *t, const char *what)
{
	dph_error(t, here(t), "expected %s", what);
	return false;
}

static bool accept_word(struct tiny *t, const char *word)
{
	bool there = dph_token_is(&t->token, word);
	if (there)
		advance(t);
	return there;
}

static bool accept_sign(struct tiny *t, char sign)
{
	bool there = dph_token_sign(&t->token, sign);
	if (there)
		advance(t);
	return there;
}

static bool number(struct tiny *t, uint64_t *value)
{
	if (t->token.kind != DPH_TOKEN_NUMBER ||
	    dph_number(t->token.text, t->token.bytes, value) != DPH_NUMBER_GOOD)
		return expected(t, "a number");
	advance(t);
	return true;
}

static bool name_of_register(struct tiny *t, struct logged *logged)
{
	const struct dph_cpu *cpu = t->program->target.cpu;
	const struct dp_reg *reg = dph_reg_named(cpu, t->token.text, t->token.bytes);
	if (t->token.kind != DPH_TOKEN_WORD)
		return expected(t, "a register");
	if (!reg) {
		dph_error(t, here(t), "%s has no register '%.*s'", cpu->name, (int)t->token.bytes,
			  t->token.text);
		return false;
	}
	*logged = (struct logged){reg->index, here(t)};
	advance(t);
	return true;
}

/* --- at ADDRESS, ... log REGISTER, ... when REGISTER == NUMBER ------------------------------ */

static bool symbol(struct tiny *t, struct dph_point *point)
{
	const struct dp_image *image = dph_images_symbols(&t->to->images);
	const struct dp_symbol *symbols;
	const size_t count = image ? dp_image_symbols(image, &symbols) : 0;
	for (size_t i = 0; i < count; i++)
		if (strlen(symbols[i].name) == t->token.bytes &&
		    memcmp(symbols[i].name, t->token.text, t->token.bytes) == 0) {
			point->address = symbols[i].value;
			point->symbol_isa = symbols[i].isa;
			point->symbolic = true;
			dph_ir_symbol(t->program, symbols[i].name, symbols[i].value);
			advance(t);
			return true;
		}
	dph_error(t, here(t), "unknown symbol '%.*s'", (int)t->token.bytes, t->token.text);
	return false;
}

static bool probes(struct tiny *t, struct handler *handler)
{
	const struct dph_place keyword = here(t);
	advance(t);
	handler->routine = dph_ir_routine(t->program, NULL, keyword);
	do {
		struct dph_point point = {.keyword = keyword,
					  .place = here(t),
					  .routine = handler->routine,
					  .minor = t->minor++};
		if (!(t->token.kind == DPH_TOKEN_WORD ? symbol(t, &point)
						      : number(t, &point.address)))
			return false;
		point.last = point.address;
		dph_ir_point(t->program, &point);
	} while (accept_sign(t, ','));
	return true;
}

static bool registers(struct tiny *t, struct handler *handler)
{
	if (!accept_word(t, "log"))
		return expected(t, "'log'");
	do {
		if (handler->count == LOGGED_MAX)
			return expected(t, "at most 16 registers");
		if (!name_of_register(t, &handler->logged[handler->count]))
			return false;
		handler->count++;
	} while (accept_sign(t, ','));
	return true;
}

static bool condition(struct tiny *t, struct handler *handler)
{
	handler->conditional = accept_word(t, "when");
	if (!handler->conditional)
		return true;
	if (!name_of_register(t, &handler->compared))
		return false;
	for (int i = 0; i < 2; i++)
		if (!accept_sign(t, '='))
			return expected(t, "'=='");
	return number(t, &handler->value);
}

/* --- code ---------------------------------------------------------------------------------- */

static void emit(struct tiny *t, const struct handler *handler, enum rpn_op code, uint64_t value,
		 size_t target, struct dph_place place)
{
	dph_ir_insn(t->program, handler->routine,
		    &(struct dph_insn){.op = dph_op_find((uint8_t)code),
				       .value = value,
				       .target = target,
				       .place = place});
}

static void emit_plain(struct tiny *t, const struct handler *handler, enum rpn_op code,
		       uint64_t value, struct dph_place place)
{
	emit(t, handler, code, value, DPH_IR_NONE, place);
}

/* The first register is on top in the end: `log` takes it first. */
static void emit_handler(struct tiny *t, const struct handler *h, struct dph_place place)
{
	const size_t out = dph_ir_label(t->program, h->routine, "out");
	uint64_t value = h->value;
	const struct dph_op *push = dph_op_push(&value, t->program->target.word_bytes);
	if (h->conditional) {
		emit_plain(t, h, RPN_PUSH_R, h->compared.index, h->compared.place);
		emit_plain(t, h, push->code, value, h->compared.place);
		emit_plain(t, h, RPN_SUB, 0, h->compared.place);
		emit(t, h, RPN_JNZ, 0, out, h->compared.place);
	}
	for (size_t i = h->count; i-- > 0;)
		emit_plain(t, h, RPN_PUSH_R, h->logged[i].index, h->logged[i].place);
	emit_plain(t, h, RPN_LOG_N, h->count, place);
	emit_plain(t, h, RPN_EXIT, 0, place);
	dph_ir_put_label(t->program, h->routine, out, place);
	emit_plain(t, h, RPN_ABORT, 0, place);
}

static void add_format(struct tiny *t, const struct handler *handler)
{
	for (size_t i = 0; i < handler->count; i++) {
		const struct dph_place *place = &handler->logged[i].place;
		dph_bytes_add(&t->format, i ? "," : "", i ? 1 : 0);
		dph_bytes_add(&t->format, place->line->text + place->start, place->bytes);
	}
	dph_bytes_zero(&t->format, 1);
}

/* --- lines --------------------------------------------------------------------------------- */

static bool firmware_line(struct tiny *t)
{
	advance(t);
	if (t->token.kind != DPH_TOKEN_WORD)
		return expected(t, "the name of the firmware");
	t->header.name = dph_pool_copy(&t->program->pool, t->token.text, t->token.bytes);
	advance(t);
	return true;
}

static bool probe_line(struct tiny *t)
{
	const struct dph_place place = here(t);
	struct handler handler = {.count = 0};
	if (!probes(t, &handler) || !registers(t, &handler) || !condition(t, &handler))
		return false;
	emit_handler(t, &handler, place);
	add_format(t, &handler);
	return true;
}

static void read_line(struct tiny *t, const struct dph_line *line)
{
	bool good;
	t->line = line;
	t->rest = line->text;
	advance(t);
	if (t->token.kind == DPH_TOKEN_END)
		return;
	if (dph_token_is(&t->token, "firmware"))
		good = firmware_line(t);
	else if (dph_token_is(&t->token, "at"))
		good = probe_line(t);
	else
		good = expected(t, "'firmware' or 'at'");
	if (good && t->token.kind != DPH_TOKEN_END)
		expected(t, "the end of the line");
}

void tiny_compile(struct dph_compilation *compilation)
{
	struct tiny t = {
		.report = compilation->report, .to = compilation, .program = &compilation->program};
	for (size_t i = 0; i < compilation->source.count; i++)
		read_line(&t, &compilation->source.lines[i]);
	if (!t.header.name)
		dph_error(&t, (struct dph_place){0}, "there is no line 'firmware NAME'");
	else
		dph_ir_header(t.program, &t.header);
	dph_ir_extra(t.program, DP_SECTION_FORMATS, (uint32_t)t.format.count, t.format.data,
		     t.format.count);
	free(t.format.data);
}

bool tiny_recognises(const struct dph_source *source)
{
	for (size_t i = 0; i < source->count; i++) {
		const char *text = source->lines[i].text;
		const struct dph_token first = dph_lex(&text);
		if (first.kind != DPH_TOKEN_END)
			return dph_token_is(&first, "firmware") || dph_token_is(&first, "at");
	}
	return false;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Line by line: what kind of statement is it, and may it stand here? */
#define _GNU_SOURCE
#include "program.h"

#include <string.h>
#include <strings.h>

void dph_say(struct dph_compiler *c, enum dp_severity severity, struct dph_place place,
	     const char *format, ...)
{
	va_list args;
	va_start(args, format);
	dph_source_message(&c->source, c->messages, severity, &place, format, args);
	va_end(args);
}

/* --- tokens -------------------------------------------------------------------------------- */

const struct dph_token *dph_peek(const struct dph_compiler *c, size_t ahead)
{
	size_t i = c->at + ahead;
	return &c->token[i < c->token_count ? i : c->token_count];
}

const struct dph_token *dph_next(struct dph_compiler *c)
{
	const struct dph_token *token = dph_peek(c, 0);
	if (c->at < c->token_count)
		c->at++;
	return token;
}

struct dph_place dph_place_of(const struct dph_compiler *c, const struct dph_token *token)
{
	return (struct dph_place){c->line, (size_t)(token->text - c->line->text), token->bytes};
}

struct dph_place dph_statement(const struct dph_compiler *c)
{
	if (!c->line) /* a program without lines */
		return (struct dph_place){0};
	return dph_place_of(c, &c->token[c->first]);
}

struct dph_place dph_place_since(const struct dph_compiler *c, size_t first)
{
	struct dph_place place = dph_place_of(c, &c->token[first]);
	if (c->at > first) {
		const struct dph_token *last = &c->token[c->at - 1];
		place.bytes = (size_t)(last->text + last->bytes - c->line->text) - place.start;
	}
	return place;
}

char *dph_token_text(struct dph_compiler *c, const struct dph_token *token)
{
	return dph_pool_copy(&c->source.pool, token->text, token->bytes);
}

static bool read_tokens(struct dph_compiler *c)
{
	enum {
		MOST = sizeof(c->token) / sizeof(*c->token)
	};
	const char *text = c->line->text;
	c->token_count = c->at = c->first = 0;
	while ((c->token[c->token_count] = dph_lex(&text)).kind != DPH_TOKEN_END) {
		if (++c->token_count < MOST)
			continue;
		c->token_count = MOST - 1;
		dph_error(c, dph_place_of(c, &c->token[MOST - 1]),
			  "the statement is too long; it can have %d words, numbers and signs",
			  MOST - 1);
		return false;
	}
	/* A complaint about the end points behind the last token. */
	if (c->token_count) {
		const struct dph_token *last = &c->token[c->token_count - 1];
		c->token[c->token_count].text = last->text + last->bytes;
	}
	return c->token_count != 0;
}

bool dph_starts_statement(const struct dph_compiler *c)
{
	const struct dph_token *token = dph_peek(c, 0);
	if (token->kind != DPH_TOKEN_WORD)
		return false;
	if (dph_token_sign(dph_peek(c, 1), '=') || dph_token_sign(dph_peek(c, 1), ':'))
		return true;
	for (size_t i = 0; i < dph_op_count; i++) {
		size_t bytes = strcspn(dph_ops[i].text, " ");
		if (bytes && token->bytes == bytes &&
		    strncasecmp(dph_ops[i].text, token->text, bytes) == 0)
			return true;
	}
	return dph_token_is(token, "proc") || dph_token_is(token, "endproc");
}

bool dph_end_statement(struct dph_compiler *c)
{
	const struct dph_token *token = dph_peek(c, 0);
	if (token->kind == DPH_TOKEN_END)
		return true;
	c->joined = dph_starts_statement(c);
	if (token->kind == DPH_TOKEN_SIGN && !strchr(",:=+-()#", *token->text))
		dph_unexpected(c, token);
	else if (token->kind == DPH_TOKEN_SIGN && !dph_starts_statement(c))
		dph_error(c, dph_place_of(c, token),
			  "unexpected '%c'; the statement ends before it", *token->text);
	else
		dph_error(c, dph_place_of(c, token),
			  "one statement per line; it ends before '%.*s'", (int)token->bytes,
			  token->text);
	if (!c->joined)
		c->at = c->token_count;
	return false;
}

void dph_unexpected(struct dph_compiler *c, const struct dph_token *token)
{
	dph_error(c, dph_place_of(c, token), "unexpected character '%c'%s", *token->text,
		  *token->text == ';' ? "; a statement ends with its line, a comment begins with //"
				      : "");
}

/* --- procedures ---------------------------------------------------------------------------- */

bool dph_good_name(const struct dph_token *token)
{
	return token->kind == DPH_TOKEN_WORD && !memchr(token->text, '.', token->bytes) &&
	       !memchr(token->text, '$', token->bytes);
}

static struct dph_routine *add_routine(struct dph_compiler *c, const char *name,
				       struct dph_place place)
{
	struct dph_program *p = &c->program;
	p->routines =
		dph_grow(p->routines, &p->routine_capacity, p->routine_count, sizeof(*p->routines));
	p->routines[p->routine_count] = (struct dph_routine){.name = name, .place = place};
	return &p->routines[p->routine_count++];
}

static void check_proc_name(struct dph_compiler *c, const struct dph_token *token)
{
	for (size_t i = 0; i < c->program.routine_count; i++) {
		const struct dph_routine *other = &c->program.routines[i];
		if (!other->name || !dph_token_is(token, other->name))
			continue;
		dph_error(c, dph_place_of(c, token), "proc '%.*s' is defined twice%s",
			  (int)token->bytes, token->text,
			  strncmp(other->name, token->text, token->bytes) == 0
				  ? ""
				  : "; upper and lower case do not count");
		dph_note(c, other->place, "the first one is here");
		return;
	}
}

void dph_unclosed_proc(struct dph_compiler *c)
{
	dph_error(c, c->routine->place, "proc '%s' has no endproc", c->routine->name);
	c->in_proc = false;
	dph_end_routine(c);
}

static void parse_proc(struct dph_compiler *c)
{
	dph_next(c);
	const struct dph_token *name = dph_next(c);
	bool good = dph_good_name(name);
	if (c->in_proc) {
		dph_error(c, dph_statement(c),
			  "proc '%.*s' begins inside of proc '%s'; end that with 'endproc' first",
			  good ? (int)name->bytes : 0, name->text, c->routine->name);
		dph_note(c, c->routine->place, "proc '%s' begins here", c->routine->name);
		c->nested_procs++; /* their endprocs may follow */
		dph_leave_routine(c);
	}
	dph_close_point(c);
	if (!good && name->kind == DPH_TOKEN_END) {
		dph_error(c, dph_statement(c), "'proc' needs a name");
	} else if (!good) {
		dph_error(c, dph_place_of(c, name), "expected a proc name, found '%.*s'",
			  (int)name->bytes, name->text);
		c->at = c->token_count;
	} else {
		check_proc_name(c, name);
		dph_end_statement(c);
	}
	c->routine = add_routine(c, dph_token_text(c, name), dph_statement(c));
	c->in_proc = true;
}

static void parse_endproc(struct dph_compiler *c)
{
	const struct dph_token *keyword = dph_next(c);
	if (!c->in_proc) {
		if (!c->nested_procs)
			dph_error(c, dph_place_of(c, keyword),
				  "'endproc' without 'proc'; remove it, or begin with 'proc NAME'");
		else
			c->nested_procs--;
		c->at = c->token_count;
		return;
	}
	dph_end_statement(c);
	dph_end_routine(c);
	c->in_proc = false;
}

/* --- statements ---------------------------------------------------------------------------- */

static bool stray_directive(struct dph_compiler *c)
{
	const struct dph_token *token = dph_peek(c, 0);
	if (!dph_token_sign(token, '#'))
		return false;
	const struct dph_token *word = dph_peek(c, 1);
	dph_error(c, dph_place_of(c, token), "unknown directive '#%.*s'; a comment begins with //",
		  word->kind == DPH_TOKEN_WORD ? (int)word->bytes : 0, word->text);
	return true;
}

static void code_here(struct dph_compiler *c)
{
	if (c->in_proc || c->point) {
		if (c->point && c->probe_header) {
			c->probe_header = false;
			c->routine = add_routine(c, NULL, c->point->place);
			c->point->routine = c->program.routine_count - 1;
		}
		if (dph_token_sign(dph_peek(c, 1), ':'))
			dph_parse_label(c);
		c->first = c->at;
		if (dph_peek(c, 0)->kind != DPH_TOKEN_END)
			dph_code_statement(c);
		return;
	}
	dph_outside(c);
}

static void parse_line(struct dph_compiler *c)
{
	const struct dph_token *first = dph_peek(c, 0);
	if (!c->program.statement.line)
		c->program.statement = dph_statement(c);
	if (stray_directive(c))
		return;
	if (dph_starts_header(c)) {
		dph_header_statement(c);
	} else if (dph_token_is(first, "proc")) {
		parse_proc(c);
	} else if (dph_token_is(first, "endproc")) {
		parse_endproc(c);
	} else {
		code_here(c);
	}
}

/* A probe with no instruction at all has the handler `exit`. */
void dph_close_point(struct dph_compiler *c)
{
	if (!c->point)
		return;
	if (c->probe_header) {
		c->routine = add_routine(c, NULL, c->point->place);
		c->point->routine = c->program.routine_count - 1;
	}
	if (c->routine)
		dph_end_routine(c);
	c->point = NULL;
	c->probe_header = false;
}

void dph_parse(struct dph_compiler *c)
{
	for (size_t i = 0; i < c->source.count; i++) {
		c->line = &c->source.lines[i];
		if (read_tokens(c))
			parse_line(c);
		/* The rest of a line of several statements was complained about, and is read. */
		for (size_t at = 0; c->joined && c->at > at && c->at < c->token_count;) {
			at = c->first = c->at;
			c->joined = false;
			parse_line(c);
		}
		c->joined = false;
	}
	if (c->in_proc)
		dph_unclosed_proc(c);
	dph_close_point(c);
	dph_finish_file_header(c);
}

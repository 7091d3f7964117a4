/* SPDX-License-Identifier: BSD-2-Clause */
/* Clauses and statements. After an error the parser continues at the next clause. */
#define _GNU_SOURCE
#include "parse.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
	NESTED_MAX = 100, /* statements inside one another */
	STATEMENTS_MAX = 4000,
	DESCRIPTIONS_MAX = 500
};

/* --- tokens -------------------------------------------------------------------------------- */

static bool is_closing(enum d_operator op)
{
	return op == D_OP_CLOSE || op == D_OP_CLOSE_INDEX || op == D_OP_CLOSE_BODY;
}

/* The token before is passed. */
static void note_bracket(struct d_parser *p)
{
	if (dph_d_is(p, D_OP_OPEN) || dph_d_is(p, D_OP_OPEN_INDEX) || dph_d_is(p, D_OP_OPEN_BODY)) {
		if (p->open_count < D_OPEN_MAX)
			p->open[p->open_count] = p->token.place;
		p->open_count++;
	} else if (is_closing(p->token.op) && dph_d_is(p, p->token.op) && p->open_count > 0) {
		p->open_count--;
	}
}

void dph_d_next(struct d_parser *p)
{
	note_bracket(p);
	p->last = p->token.place;
	p->token_at = p->lexer;
	p->token = dph_d_lex(p->d, &p->lexer);
	if (p->token.kind == D_TOKEN_BAD)
		p->failed = true;
}

/* The next token is none of this clause: descriptions have tokens of their own. */
static void step_back(struct d_parser *p)
{
	p->lexer = p->token_at;
}

bool dph_d_is(const struct d_parser *p, enum d_operator op)
{
	return p->token.kind == D_TOKEN_OPERATOR && p->token.op == op;
}

bool dph_d_is_word(const struct d_parser *p, const char *word)
{
	return p->token.kind == D_TOKEN_WORD && strcmp(p->token.text, word) == 0;
}

void dph_d_fail(struct d_parser *p, enum d_tag tag, struct dph_place place, const char *format, ...)
{
	va_list args;
	if (p->failed)
		return;
	p->failed = true;
	va_start(args, format);
	char *text = dph_vprint(format, args);
	va_end(args);
	dph_d_error(p->d, tag, place, "%s", text);
	free(text);
}

bool dph_d_count(struct d_parser *p, unsigned *count, unsigned most, struct dph_place place,
		 const char *parts)
{
	if (p->failed || ++*count <= most)
		return !p->failed;
	dph_d_fail(p, D_HERE_LIMIT, place,
		   "a program has at most %u %s; move the others to another program", most, parts);
	p->lexer.line = p->d->source->count; /* one message */
	return false;
}

/* The innermost open bracket as "'(' at 1:14"; null: none, or it is too deep. */
static const char *open_bracket(const struct d_parser *p)
{
	if (p->open_count == 0 || p->open_count > D_OPEN_MAX)
		return NULL;
	const struct dph_place *place = &p->open[p->open_count - 1];
	return dph_pool_print(p->d->pool, "'%c' at %u:%zu", place->line->text[place->start],
			      place->line->number, place->start + 1);
}

static void expected(struct d_parser *p, const char *what, bool closing)
{
	const bool ends = p->token.kind == D_TOKEN_END;
	const char *open = ends || closing ? open_bracket(p) : NULL;
	const char *more = open ? dph_pool_print(p->d->pool, "; the %s is not closed", open) : "";
	if (ends)
		dph_d_fail(p, D_SYNTAX, p->token.place, "expected %s, and the program ends%s", what,
			   more);
	else if (p->token.kind == D_TOKEN_STRING)
		dph_d_fail(p, D_SYNTAX, p->token.place, "expected %s before a string%s", what,
			   more);
	else
		dph_d_fail(p, D_SYNTAX, p->token.place, "expected %s before '%s'%s", what,
			   p->token.text, more);
}

void dph_d_expected(struct d_parser *p, const char *what)
{
	expected(p, what, false);
}

struct dph_place dph_d_from_to(struct dph_place from, struct dph_place to)
{
	if (from.line == to.line && to.start + to.bytes > from.start + from.bytes)
		from.bytes = to.start + to.bytes - from.start;
	return from;
}

bool dph_d_expect(struct d_parser *p, enum d_operator op)
{
	if (p->failed)
		return false;
	if (!dph_d_is(p, op)) {
		expected(p, dph_pool_print(p->d->pool, "'%s'", dph_d_operators[op].text),
			 is_closing(op));
		return false;
	}
	dph_d_next(p);
	return !p->failed;
}

bool dph_d_expect_comma(struct d_parser *p, enum d_operator close)
{
	if (dph_d_is(p, D_OP_COMMA))
		return dph_d_expect(p, D_OP_COMMA);
	if (!p->failed)
		expected(p, dph_pool_print(p->d->pool, "',' or '%s'", dph_d_operators[close].text),
			 true);
	return false;
}

/* --- statements ---------------------------------------------------------------------------- */

static struct d_statement *statement(struct d_parser *p, unsigned nested);

/* { statements } */
static struct d_statement *block(struct d_parser *p, unsigned nested)
{
	struct d_statement *list = NULL, **end = &list;
	if (!dph_d_expect(p, D_OP_OPEN_BODY))
		return NULL;
	while (!p->failed && !dph_d_is(p, D_OP_CLOSE_BODY)) {
		if (dph_d_is(p, D_OP_SEMICOLON)) {
			dph_d_next(p);
			continue;
		}
		*end = statement(p, nested + 1);
		while (*end)
			end = &(*end)->next;
	}
	if (!p->failed)
		dph_d_expect(p, D_OP_CLOSE_BODY);
	return list;
}

static struct d_statement *condition(struct d_parser *p, unsigned nested)
{
	struct d_statement *made = dph_pool_take(p->d->pool, sizeof(*made));
	made->kind = D_STATEMENT_IF;
	dph_d_next(p);
	if (!dph_d_expect(p, D_OP_OPEN))
		return made;
	p->nested++;
	made->expression = dph_d_parse_expression(p);
	p->nested--;
	if (p->failed || !dph_d_expect(p, D_OP_CLOSE))
		return made;
	made->yes = dph_d_is(p, D_OP_OPEN_BODY) ? block(p, nested) : statement(p, nested + 1);
	if (p->failed || !dph_d_is_word(p, "else"))
		return made;
	dph_d_next(p);
	made->no = dph_d_is(p, D_OP_OPEN_BODY) ? block(p, nested) : statement(p, nested + 1);
	return made;
}

/* Words of C that D lacks. */
static bool refuse_loop(struct d_parser *p)
{
	static const char *const words[] = {"for", "while", "do", "goto", "switch"};
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (dph_d_is_word(p, words[i])) {
			dph_d_fail(p, D_SYNTAX, p->token.place,
				   "D has no '%s'; a handler runs once from its begin to its end",
				   words[i]);
			return true;
		}
	return false;
}

/* Behind a statement. The next clause may begin where a closing brace was forgotten. */
static void end_statement(struct d_parser *p)
{
	if (p->failed || dph_d_is(p, D_OP_CLOSE_BODY))
		return;
	const bool begins = dph_d_is(p, D_OP_COLON) || dph_d_is(p, D_OP_OPEN_BODY);
	const char *open = begins ? open_bracket(p) : NULL;
	if (open)
		dph_d_fail(p, D_SYNTAX, p->token.place,
			   "expected ';' before '%s'; if a clause begins here, the %s is not "
			   "closed",
			   p->token.text, open);
	else
		dph_d_expect(p, D_OP_SEMICOLON);
}

static struct d_statement *statement(struct d_parser *p, unsigned nested)
{
	if (nested > NESTED_MAX)
		dph_d_fail(p, D_HERE_LIMIT, p->token.place, "statements are nested too deeply");
	if (p->failed || refuse_loop(p) ||
	    !dph_d_count(p, &p->statements, STATEMENTS_MAX, p->token.place, "statements"))
		return NULL;
	p->chained = 0;
	if (dph_d_is_word(p, "if"))
		return condition(p, nested);
	struct d_statement *made = dph_pool_take(p->d->pool, sizeof(*made));
	made->kind = D_STATEMENT_EXPRESSION;
	made->expression = dph_d_parse_expression(p);
	end_statement(p);
	return made;
}

/* --- clauses and declarations ---------------------------------------------------------------- */

/* Two words in a row, or a word that only a declaration begins with. */
static bool is_declaration(struct d_parser *p)
{
	static const char *const words[] = {"inline", "translator", "typedef",
					    "self",   "this",       "provider"};
	struct d_parser ahead = *p;
	const char begin = dph_d_peek(p->d, p->lexer);
	if (!isalpha((unsigned char)begin) && begin != '_') /* a description, such as \queue* */
		return false;
	ahead.token = dph_d_lex(p->d, &ahead.lexer);
	const struct d_token first = ahead.token;
	if (first.kind != D_TOKEN_WORD)
		return false;
	const struct dph_line *line = first.place.line;
	const char after = line->text[first.place.start + first.place.bytes];
	if (after && !isspace((unsigned char)after) && after != '*')
		return false;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strcmp(first.text, words[i]) == 0)
			return true;
	return dph_d_starts_type(&ahead);
}

static void add_clause(struct d_front *d, struct d_clause *clause)
{
	clause->number = d->last_clause ? d->last_clause->number + 1 : 0;
	if (d->last_clause)
		d->last_clause->next = clause;
	else
		d->clauses = clause;
	d->last_clause = clause;
}

/* The values of a declared probe may stand right behind its place: fbt::f:entry(arg0). No name of a
 * point has a bracket. */
static void cut_bracket(struct d_front *d, struct d_token *token, struct d_lexer *lexer)
{
	const char *name = strrchr(token->text, ':'), *bracket = name ? strchr(name, '(') : NULL;
	if (!bracket)
		return;
	const size_t bytes = token->bytes - (size_t)(bracket - token->text);
	lexer->at -= bytes;
	token->place.bytes -= bytes;
	token->bytes -= bytes;
	token->text = dph_pool_copy(d->pool, token->text, token->bytes);
}

bool dph_d_parse_descriptions(struct d_parser *p, struct d_description **end)
{
	for (;;) {
		struct d_token token = dph_d_lex_description(p->d, &p->lexer);
		if (p->of_file)
			cut_bracket(p->d, &token, &p->lexer);
		if (!*token.text && token.place.bytes > 1) { /* a macro argument, said */
			p->failed = true;
			return false;
		}
		if (!*token.text) {
			dph_d_fail(p, D_PDESC_INVAL, token.place,
				   "expected a probe description, such as queue_put:entry or "
				   "queue.c:44");
			return false;
		}
		*end = dph_pool_take(p->d->pool, sizeof(**end));
		**end = (struct d_description){.place = token.place, .text = token.text};
		if (!dph_d_count(p, &p->descriptions, DESCRIPTIONS_MAX, token.place,
				 "probe descriptions"))
			return false;
		end = &(*end)->next;
		if (dph_d_peek(p->d, p->lexer) != ',')
			return true;
		dph_d_lex(p->d, &p->lexer);
	}
}

struct d_node *dph_d_parse_predicate(struct d_parser *p)
{
	dph_d_next(p);
	p->in_predicate = true;
	p->chained = 0;
	struct d_node *predicate = dph_d_parse_expression(p);
	p->in_predicate = false;
	if (!p->failed && !dph_d_is(p, D_OP_DIV))
		dph_d_expected(p, "'/' at the predicate's end");
	if (!p->failed)
		dph_d_next(p);
	return predicate;
}

static void clause(struct d_parser *p)
{
	struct d_clause *made = dph_pool_take(p->d->pool, sizeof(*made));
	p->clause = made;
	dph_d_skip_blank(p->d, &p->lexer);
	if (!dph_d_parse_descriptions(p, &made->descriptions))
		return;
	made->place = made->descriptions->place;
	add_clause(p->d, made);
	const char next = dph_d_peek(p->d, p->lexer);
	made->empty = true;
	if (next != '/' && next != '{' && next != ';') {
		if (next == '}' || next == '"' || next == '@') {
			dph_d_next(p);
			dph_d_expected(p, "'{' or a predicate");
		}
		return; /* the next clause begins */
	}
	dph_d_next(p);
	if (dph_d_is(p, D_OP_DIV))
		made->predicate = dph_d_parse_predicate(p);
	if (p->failed)
		return;
	if (dph_d_is(p, D_OP_OPEN_BODY)) {
		made->body = block(p, 0);
		made->empty = !made->body;
		step_back(p);
	} else if (!dph_d_is(p, D_OP_SEMICOLON) && p->token.kind != D_TOKEN_END) {
		dph_d_expected(p, "'{'");
	}
}

/* Go to the probable start of the next clause: behind a closing brace in the first column or at
 * the end of a line, else to the end. */
static void recover(struct d_parser *p)
{
	const struct d_front *d = p->d;
	for (; p->lexer.line < d->source->count; p->lexer.line++, p->lexer.at = 0) {
		const char *text = d->source->lines[p->lexer.line].text;
		const char *brace = strchr(text + p->lexer.at, '}');
		while (brace && brace[1 + strspn(brace + 1, " \t;")])
			brace = strchr(brace + 1, '}');
		if (!brace)
			continue;
		p->lexer.at = strlen(text);
		return;
	}
}

static void parse_one(struct d_parser *p)
{
	const bool declares = is_declaration(p);
	p->failed = false;
	p->nested = p->depth = p->open_count = 0;
	p->token = (struct d_token){.kind = D_TOKEN_END}; /* of the clause before */
	p->clause = NULL;
	if (declares) {
		dph_d_next(p);
		dph_d_parse_declaration(p);
		step_back(p);
	} else {
		clause(p);
	}
}

void dph_d_parse(struct d_front *d)
{
	struct d_parser p = {.d = d};
	while (dph_d_peek(d, p.lexer) && !dph_report_full(&d->report)) {
		if (dph_d_peek(d, p.lexer) == ';') {
			dph_d_lex(d, &p.lexer);
			continue;
		}
		parse_one(&p);
		if (p.failed)
			recover(&p);
	}
}

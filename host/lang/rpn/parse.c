/* SPDX-License-Identifier: BSD-2-Clause */
/* The parser reads each line, finds the kind of its statement, and checks whether the statement is
 * allowed there. */
#define _GNU_SOURCE
#include "rpn.h"

#include "cursor.h"

#include <stdlib.h>
#include <string.h>

/* --- procedures ---------------------------------------------------------------------------- */

static void check_proc_name(struct dph_cursor *c, const struct dph_token *token)
{
	const size_t found = dph_name_index_find(&c->procs, 0, dph_token_text(c, token));
	if (found == DPH_NAME_NONE)
		return;
	const struct dph_routine *other = &c->program->routines[found];
	dph_error(c, dph_place_of(c, token), "proc '%.*s' is defined twice%s", (int)token->bytes,
		  token->text,
		  strncmp(other->name, token->text, token->bytes) == 0
			  ? ""
			  : "; upper and lower case do not count");
	dph_note(c, other->place, "the first one is here");
}

static void parse_proc(struct dph_cursor *c)
{
	dph_next(c);
	const struct dph_token *name = dph_next(c);
	bool good = dph_good_name(name);
	if (c->in_proc) {
		dph_error(c, dph_statement(c),
			  "proc '%.*s' begins inside of proc '%s'; end the outer proc with "
			  "'endproc' first",
			  good ? (int)name->bytes : 0, name->text, dph_routine(c)->name);
		dph_note(c, dph_routine(c)->place, "proc '%s' begins here", dph_routine(c)->name);
		c->nested_procs++; /* their endprocs may follow */
		dph_leave_routine(c);
	}
	dph_close_probe(c);
	if (!good && name->kind == DPH_TOKEN_END) {
		dph_error(c, dph_statement(c), "'proc' needs a name; write 'proc NAME'");
	} else if (!good) {
		dph_error(c, dph_place_of(c, name), "expected a proc name, found '%.*s'",
			  (int)name->bytes, name->text);
		dph_skip(c);
	} else {
		check_proc_name(c, name);
		dph_end_statement(c);
	}
	dph_begin_routine(c, dph_token_text(c, name), dph_statement(c));
	c->in_proc = true;
}

static void parse_endproc(struct dph_cursor *c)
{
	const struct dph_token *keyword = dph_next(c);
	if (!c->in_proc) {
		if (!c->nested_procs)
			dph_error(c, dph_place_of(c, keyword),
				  "'endproc' without 'proc'; remove it, or begin with 'proc NAME'");
		else
			c->nested_procs--;
		dph_skip(c);
		return;
	}
	dph_end_statement(c);
	dph_end_routine(c);
	c->in_proc = false;
}

/* --- statements ---------------------------------------------------------------------------- */

static bool stray_directive(struct dph_cursor *c)
{
	const struct dph_token *token = dph_peek(c, 0);
	if (!dph_token_sign(token, '#'))
		return false;
	const struct dph_token *word = dph_peek(c, 1);
	dph_error(c, dph_place_of(c, token), "unknown directive '#%.*s'; a comment begins with //",
		  word->kind == DPH_TOKEN_WORD ? (int)word->bytes : 0, word->text);
	return true;
}

static void code_here(struct dph_cursor *c)
{
	if (c->in_proc || c->probe) {
		if (c->probe && c->probe_header)
			dph_begin_handler(c);
		if (dph_token_sign(dph_peek(c, 1), ':'))
			dph_parse_label(c);
		c->first = c->at;
		if (dph_peek(c, 0)->kind != DPH_TOKEN_END)
			dph_code_statement(c);
		return;
	}
	dph_outside(c);
}

static void parse_line(struct dph_cursor *c)
{
	const struct dph_token *first = dph_peek(c, 0);
	if (!c->first_statement.line)
		c->first_statement = dph_statement(c);
	if (stray_directive(c))
		return;
	const bool label = dph_token_sign(dph_peek(c, 1), ':'); /* one may be called proc */
	if (dph_starts_header(c)) {
		dph_header_statement(c);
	} else if (!label && dph_token_is(first, "proc")) {
		parse_proc(c);
	} else if (!label && dph_token_is(first, "endproc")) {
		parse_endproc(c);
	} else {
		code_here(c);
	}
}

/* Does the line begin another probe or a procedure? */
static bool ends_probe(const struct dph_cursor *c)
{
	const struct dph_token *first = dph_peek(c, 0);
	return dph_token_is(first, "proc") ||
	       (dph_token_sign(dph_peek(c, 1), '=') &&
		(dph_token_is(first, "offset") || dph_token_is(first, "address") ||
		 dph_token_is(first, "hook")));
}

/* The lines of a probe at a hook end: go back to the first one for the next place of the hook.
 * Returns false: there is none. */
static bool takes_turn(struct dph_cursor *c, size_t *i)
{
	struct dph_rpn_turn *turn = &c->turn;
	if (!turn->left || c->report.messages->errors != turn->errors) {
		turn->line = NULL;
		turn->left = 0;
		return false;
	}
	turn->number++;
	turn->left--;
	*i = (size_t)(turn->line - c->source->lines);
	return true;
}

static void parse(struct dph_cursor *c)
{
	for (size_t i = 0; !c->full && !dph_report_full(&c->report); i++) {
		if (i == c->source->count && !takes_turn(c, &i))
			break;
		c->line = &c->source->lines[i];
		bool reads = dph_read_tokens(c);
		if (reads && c->turn.line && c->line != c->turn.line && ends_probe(c) &&
		    takes_turn(c, &i)) {
			c->line = &c->source->lines[i];
			reads = dph_read_tokens(c);
		}
		if (reads)
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
	dph_close_probe(c);
	dph_finish_file_header(c);
}

void dph_rpn_compile(struct dph_compilation *compilation)
{
	struct dph_cursor *c = dph_malloc(sizeof(*c));
	*c = (struct dph_cursor){.report = compilation->report,
				 .source = &compilation->source,
				 .options = compilation->options,
				 .images = &compilation->images,
				 .target = compilation->program.target,
				 .program = &compilation->program,
				 .pool = &compilation->source.pool,
				 .labels = {.fold = true},
				 .procs = {.fold = true},
				 .routine = DPH_IR_NONE};
	const size_t errors = c->report.messages->errors;
	parse(c);
	dph_finish_program(c, c->report.messages->errors == errors);
	dp_debuginfo_close(c->debug);
	free(c->probes);
	free(c->uses);
	free(c->labels.entries);
	free(c->procs.entries);
	free(c);
}

/* Read KEY = ..., or a procedure, on the first line that is not empty. */
bool dph_rpn_recognises(const struct dph_source *source)
{
	for (size_t i = 0; i < source->count; i++) {
		const char *text = source->lines[i].text;
		const struct dph_token first = dph_lex(&text), second = dph_lex(&text);
		if (first.kind != DPH_TOKEN_END)
			return first.kind == DPH_TOKEN_WORD &&
			       (dph_token_sign(&second, '=') || dph_token_is(&first, "proc"));
	}
	return false;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The cursor holds the place and state of the RPN parser; this header declares the functions of its
 * parts. */
#ifndef DPH_RPN_CURSOR_H
#define DPH_RPN_CURSOR_H

#include "base/name_index.h"
#include "ir/compilation.h"
#include "source/lex.h"

/* --- what stands in the file, as written ---------------------------------------------------- */

/* The file header. */
struct dph_rpn_file {
	const char *name; /* null: not given */
	unsigned modtype; /* DP_MODULE_* */
	struct dph_setting name_set, modtype_set, vars, gvars, map, major, id, logmax, jmpmax,
		excpt_log, logonfault, autostacktrace, ignore, maxhits, groupdef, typedef_set;
};

struct dph_hook;

/* A probe. The parser hands over `point`; only the parser uses the other members. */
struct dph_rpn_probe {
	struct dph_point point;
	bool bad;                    /* its address is not known: said */
	bool by_address;             /* address =, not offset = */
	bool range;                  /* address = n1 : n2 */
	const struct dph_hook *hook; /* hook =; null: another place */
	struct dph_place last_place;
	struct dph_setting watch, opcode, minor, ignore, maxhits, logonfault, excpt_mask, phase_set,
		taken, function, group_set, type_set;
};

/* An instruction. */
struct dph_rpn_insn {
	const struct dph_op *op;
	uint64_t value;     /* of a number operand */
	const char *target; /* label or procedure, null for others */
	struct dph_place place, operand;
};

/* An instruction that names a label, procedure or variable: looked up when all is read. */
struct dph_rpn_use {
	struct dph_rpn_insn insn;
	size_t routine, index;
};

/* The lines of a probe with `hook =` are read once for each place of the hook. */
struct dph_rpn_turn {
	const struct dph_line *line; /* of `hook =`; null: none */
	size_t number, left;         /* the place that is read, and those behind it */
	size_t errors;               /* before the first one: with a mistake one turn is enough */
};

/* --- the parser at work -------------------------------------------------------------------- */

struct dph_cursor {
	struct dph_report report;
	const struct dph_source *source;
	const struct dp_build_options *options;
	struct dph_images *images;
	struct dph_target target;
	struct dph_program *program; /* to hand over */
	struct dph_pool *pool;       /* of the source */
	/* the statements read so far */
	struct dph_place first_statement;
	struct dph_rpn_file file;
	struct dph_rpn_probe *probes;
	size_t probe_count, probe_capacity;
	struct dph_rpn_use *uses; /* in the order of the instructions */
	size_t use_count, use_capacity;
	struct dph_name_index labels; /* scope: the routine */
	struct dph_name_index procs;  /* routines that have a name; scope 0 */
	uint64_t warned_old;          /* bit n: dph_olds[n] has been warned about */
	unsigned warned_width;        /* the same for `push b,` and so on */
	/* the statement being read */
	const struct dph_line *line;
	struct dph_token token[200];
	size_t token_count, at;
	size_t first; /* token the statement begins with, behind its label */
	struct dph_rpn_turn turn;
	bool joined;                   /* the line goes on with another statement */
	const struct dp_image *lookup; /* where symbols of the present expression are */
	bool of_code;                  /* the expression is a place in code: functions first */
	struct dp_debuginfo *debug;    /* of debug_lookup; null: not asked for yet */
	const struct dp_image *debug_lookup;
	/* where the parser stands */
	bool in_proc, probe_header;
	bool unread;           /* a line could not be read: later statements may lack its names */
	bool outside;          /* said that an instruction is in no probe */
	bool full;             /* more than an object holds: said, the rest is not read */
	size_t insn_count;     /* of all routines */
	unsigned nested_procs; /* begun in another one */
	size_t routine;        /* DPH_IR_NONE: in the file header, or between */
	struct dph_rpn_probe *probe; /* null: before the first one, or in a procedure */
};

/* --- tokens of the statement (tokens.c) ---------------------------------------------------- */

/* Read the tokens of c->line. False: the line is empty, or cannot be read (said). */
bool dph_read_tokens(struct dph_cursor *c);
/* Past the end stands DPH_TOKEN_END. */
const struct dph_token *dph_peek(const struct dph_cursor *c, size_t ahead);
const struct dph_token *dph_next(struct dph_cursor *c);
/* The rest of the line is not looked at: it was complained about. */
void dph_skip(struct dph_cursor *c);
struct dph_place dph_place_of(const struct dph_cursor *c, const struct dph_token *token);
/* The first token of the statement: the place of a message about a missing word. */
struct dph_place dph_statement(const struct dph_cursor *c);
/* From token index `first` to the one before the next. */
struct dph_place dph_place_since(const struct dph_cursor *c, size_t first);
char *dph_token_text(struct dph_cursor *c, const struct dph_token *token);
bool dph_good_name(const struct dph_token *token); /* for a label or procedure: C13 */
/* Do the next tokens look like the begin of a statement? */
bool dph_starts_statement(const struct dph_cursor *c);
/* Report an error when the line has more tokens. */
bool dph_end_statement(struct dph_cursor *c);
/* Complain about a character that no statement has. */
void dph_unexpected(struct dph_cursor *c, const struct dph_token *token);

/* --- numbers, symbols, expressions (expression.c) ------------------------------------------- */

struct dph_value {
	uint64_t value;
	bool negative;                  /* the number below zero, two's complement */
	const struct dp_symbol *symbol; /* the first one of the expression, or null */
	struct dph_place place;
};
/* number | [symbol|number] {+|- symbol|number}; complains and returns false. */
bool dph_expression(struct dph_cursor *c, struct dph_value *value);
/* Read a number without sign, 0..max.
 * The other arguments are for messages: "'NAME' cannot be ...; it is RANGE", "'NAME' needs
 * NEEDS". */
struct dph_range {
	const char *name;
	uint64_t max;
	const char *range, *needs;
};
/* On failure *value is 0. */
bool dph_plain_number(struct dph_cursor *c, const struct dph_range *range, uint64_t *value);
/* Does the value fit a word of the target? Complains if not. */
bool dph_fits_word(struct dph_cursor *c, const struct dph_value *value);
/* Symbol by exact name, null if there is none or (complained) several. */
const struct dp_symbol *dph_find_symbol(struct dph_cursor *c, const struct dph_token *token,
					bool *ambiguous);

/* Begin a probe. keyword: for messages. (parse_header.c) */
void dph_begin_probe(struct dph_cursor *c, struct dph_place keyword, bool by_address);
/* Read `hook = PROVIDER:NAME`. */
void dph_parse_hook(struct dph_cursor *c); /* parse_hook.c */

/* Read a map's row behind `map =`. */
void dph_parse_map(struct dph_cursor *c); /* parse_map.c */

/* --- places in the firmware's source (source_place.c) ---------------------------------------- */

/* Does a place like `queue.c:43` or `queue.c:helper` begin with this token, which has been read? */
bool dph_at_source_place(struct dph_cursor *c, const struct dph_token *token);
/* The debug information of the firmware that the present expression is about; null: no firmware is
 * given. */
struct dp_debuginfo *dph_debug_of(struct dph_cursor *c);
/* Read the rest of it. *symbol: the function that has the address, or null. Complains and returns
 * false where there is none, or more than one. */
bool dph_source_place(struct dph_cursor *c, const struct dph_token *token, uint64_t *address,
		      const struct dp_symbol **symbol);

/* Is the token at a function of C++ as it is printed: `net::Queue::put`? Such a name is a place in
 * code only. */
bool dph_at_printed(const struct dph_cursor *c, const struct dph_token *token);
/* Read it behind its first token. Returns false, and says so, where it is not one function. */
bool dph_printed(struct dph_cursor *c, const struct dph_token *token, uint64_t *address,
		 const struct dp_symbol **symbol);
/* Return the one function that is printed by this name; null: none, or several. */
const struct dp_symbol *dph_printed_symbol(struct dph_cursor *c, const char *name);

/* --- sizes and offsets of types (type_value.c) ------------------------------------------------ */

/* Does `sizeof(TYPE)` or `offsetof(TYPE, MEMBER)` begin with this token, which has been read? */
bool dph_at_type_value(struct dph_cursor *c, const struct dph_token *token);
/* Read the rest of it. Complains and returns false where the debug information has no such type or
 * member. */
bool dph_type_value(struct dph_cursor *c, const struct dph_token *token, uint64_t *value);

/* --- routines and probes (routine.c) -------------------------------------------------------- */

const struct dph_op *dph_op_of(enum rpn_op code);
/* The routine being read. */
const struct dph_routine *dph_routine(const struct dph_cursor *c);
void dph_begin_routine(struct dph_cursor *c, const char *name, struct dph_place place);
void dph_add_insn(struct dph_cursor *c, const struct dph_rpn_insn *insn);
void dph_parse_label(struct dph_cursor *c);
void dph_end_routine(struct dph_cursor *c);
void dph_leave_routine(struct dph_cursor *c); /* the same, when its end is not its own */
void dph_unclosed_proc(struct dph_cursor *c);
/* The probe's first instruction follows. */
void dph_begin_handler(struct dph_cursor *c);
void dph_close_probe(struct dph_cursor *c);

/* --- the parts ------------------------------------------------------------------------------ */

void dph_header_statement(struct dph_cursor *c); /* parse_header.c */
bool dph_starts_header(const struct dph_cursor *c);
void dph_finish_file_header(struct dph_cursor *c);
void dph_code_statement(struct dph_cursor *c); /* parse_code.c */
void dph_outside(struct dph_cursor *c);        /* parse_unknown.c */
/* Finish after the last line: look names up, report late errors, and hand over the program.
 * syntax: every line could be read. */
void dph_finish_program(struct dph_cursor *c, bool syntax); /* finish.c */

#endif

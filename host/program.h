/* SPDX-License-Identifier: BSD-2-Clause */
/* A probe program between source and object. */
#ifndef DPH_PROGRAM_H
#define DPH_PROGRAM_H

#include "dprobes_host.h"
#include "lex.h"
#include "ops.h"
#include "registers.h"
#include "source.h"

/* A file or probe header keyword that was given, and where. */
struct dph_setting {
	bool given;
	uint64_t value;
	struct dph_place place;
};

struct dph_insn {
	const struct dph_op *op;
	uint64_t value;         /* of a number operand */
	const char *target;     /* label or procedure, null for others */
	struct dph_place place; /* of the instruction */
	struct dph_place operand;
	uint32_t offset;      /* in the code section; set by layout.c */
	bool leads;           /* a block begins here */
	unsigned block_count; /* instructions of that block */
};

struct dph_label {
	const char *name;
	struct dph_place place;
	size_t insn; /* index; == insn_count: at the end */
};

struct dph_routine {
	const char *name; /* of a procedure; null: a handler */
	struct dph_place place;
	struct dph_insn *insns;
	size_t insn_count, insn_capacity;
	struct dph_label *labels;
	size_t label_count, label_capacity;
	uint32_t offset; /* of its marker */
};

struct dph_point {
	struct dph_place keyword; /* offset or address */
	struct dph_place place;   /* of its value */
	struct dph_place last_place;
	bool bad;        /* its address is not known: said */
	bool by_address; /* address =, not offset = */
	bool thumb;      /* a symbol or odd number said so */
	bool symbolic;
	uint64_t address, last; /* last: of a watchpoint's range */
	bool range;             /* address = n1 : n2 */
	unsigned kind, phase, isa, group, type, insn_bytes;
	unsigned opcode_bytes; /* as written: 2 for up to 4 hex digits, else 4 */
	uint32_t before, extent;
	struct dph_setting watch, opcode, minor, ignore, maxhits, logonfault, excpt_mask, phase_set,
		group_set, type_set;
	size_t routine; /* index */
};

struct dph_name {
	const char *text;
	struct dph_place place; /* of groups and types */
	uint64_t value;         /* of SYMBOLS */
};

struct dph_names {
	struct dph_name *list;
	size_t count, capacity;
};

struct dph_program {
	struct dph_place statement; /* the first one */
	bool syntax_errors;         /* what was read is not all there is */
	const char *name;           /* null: not given */
	size_t name_bytes;
	unsigned modtype; /* DP_MODULE_* */
	struct dph_setting name_set, modtype_set, vars, gvars, major, id, logmax, jmpmax, excpt_log,
		logonfault, autostacktrace, ignore, maxhits, groupdef, typedef_set;
	struct dph_names groups, types, symbols;
	struct dph_point *points;
	size_t point_count, point_capacity;
	struct dph_routine *routines;
	size_t routine_count, routine_capacity;
	uint32_t code_bytes;
	unsigned insn_groups; /* enum rpn_group */
};

struct dph_target {
	const struct dph_cpu *cpu;
	unsigned word_bytes;
	bool big_endian;
};

/* One run of the compiler. */
struct dph_compiler {
	struct dph_source source;
	struct dp_messages *messages;
	const struct dp_build_options *options;
	struct dph_target target;
	struct dp_image *firmware;     /* null: no ELF */
	struct dp_image *symbol_file;  /* --sym, or null */
	struct dp_image *module_file;  /* of a kmod or user program, or null */
	const struct dp_image *lookup; /* where symbols of the present expression are */
	struct dph_program program;
	uint64_t warned_old;   /* bit n: dph_olds[n] has been warned about */
	unsigned warned_width; /* the same for `push b,` and so on */
	/* the statement being read */
	const struct dph_line *line;
	struct dph_token token[200];
	size_t token_count, at;
	size_t first; /* token the statement begins with, behind its label */
	/* where the parser stands */
	bool in_proc, probe_header;
	bool joined;                 /* the line goes on with another statement */
	unsigned nested_procs;       /* begun in another one */
	struct dph_routine *routine; /* null: in the file header, or between */
	struct dph_point *point;
};

/* --- for all parts of the compiler (parse.c) --- */

void dph_say(struct dph_compiler *c, enum dp_severity severity, struct dph_place place,
	     const char *format, ...) __attribute__((format(printf, 4, 5)));
#define dph_error(c, place, ...)   dph_say(c, DP_ERROR, place, __VA_ARGS__)
#define dph_warning(c, place, ...) dph_say(c, DP_WARNING, place, __VA_ARGS__)
#define dph_note(c, place, ...)    dph_say(c, DP_NOTE, place, __VA_ARGS__)

/* Tokens of the statement. Past the end stands DPH_TOKEN_END. */
const struct dph_token *dph_peek(const struct dph_compiler *c, size_t ahead);
const struct dph_token *dph_next(struct dph_compiler *c);
struct dph_place dph_place_of(const struct dph_compiler *c, const struct dph_token *token);
/* The first token of the statement: where something is missing. */
struct dph_place dph_statement(const struct dph_compiler *c);
/* From token index `first` to the one before the next. */
struct dph_place dph_place_since(const struct dph_compiler *c, size_t first);
char *dph_token_text(struct dph_compiler *c, const struct dph_token *token);
bool dph_good_name(const struct dph_token *token); /* for a label or procedure: C13 */
void dph_unclosed_proc(struct dph_compiler *c);
void dph_close_point(struct dph_compiler *c);
/* Do the next tokens look like the begin of a statement? */
bool dph_starts_statement(const struct dph_compiler *c);
/* Complain when something is left of the line. */
bool dph_end_statement(struct dph_compiler *c);
/* Complain about a character that no statement has. */
void dph_unexpected(struct dph_compiler *c, const struct dph_token *token);

/* --- expressions and symbols (expression.c) --- */

struct dph_value {
	uint64_t value;
	bool negative;                  /* the number below zero, two's complement */
	const struct dp_symbol *symbol; /* the first one of the expression, or null */
	struct dph_place place;
};
/* number | [symbol|number] {+|- symbol|number}; complains and returns false. */
bool dph_expression(struct dph_compiler *c, struct dph_value *value);
/* A number without sign, 0..max. The rest is for complaints: "'NAME' cannot be ...; it is RANGE",
 * "'NAME' needs NEEDS". */
struct dph_range {
	const char *name;
	uint64_t max;
	const char *range, *needs;
};
bool dph_plain_number(struct dph_compiler *c, const struct dph_range *range, uint64_t *value);
/* Does the value fit a word of the target? Complains if not. */
bool dph_fits_word(struct dph_compiler *c, const struct dph_value *value);
/* Symbol by exact name, null if there is none or (complained) several. */
const struct dp_symbol *dph_find_symbol(struct dph_compiler *c, const struct dph_token *token,
					bool *ambiguous);
/* The image that addresses and `push SYMBOL` are looked up in, or null. */
const struct dp_image *dph_firmware_symbols(const struct dph_compiler *c);

/* --- the parts --- */

void dph_parse(struct dph_compiler *c);            /* parse.c */
void dph_header_statement(struct dph_compiler *c); /* parse_header.c */
bool dph_starts_header(const struct dph_compiler *c);
void dph_finish_file_header(struct dph_compiler *c);
void dph_code_statement(struct dph_compiler *c); /* parse_code.c */
void dph_outside(struct dph_compiler *c);
void dph_parse_label(struct dph_compiler *c); /* routine.c */
void dph_end_routine(struct dph_compiler *c);
void dph_leave_routine(struct dph_compiler *c);  /* the same, when its end is not its own */
void dph_layout(struct dph_compiler *c);         /* layout.c */
void dph_open_module(struct dph_compiler *c);    /* point.c */
void dph_resolve_points(struct dph_compiler *c); /* point.c */
struct dp_object_file *dph_write_object(struct dph_compiler *c); /* object_write.c */

#endif

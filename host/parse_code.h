/* SPDX-License-Identifier: BSD-2-Clause */
/* What the parts share that read instructions: parse_code.c and its neighbours. */
#ifndef DPH_PARSE_CODE_H
#define DPH_PARSE_CODE_H

#include "program.h"

/* --- words (spelling.c) --- */

/* The rows that have the same text. */
struct dph_spelling {
	const char *text; /* null: none */
	size_t tokens;
	const struct dph_op *plain;   /* without operand, or null */
	const struct dph_op *operand; /* with operand (the first of several), or null */
};
/* The longest text that the next tokens begin with. */
struct dph_spelling dph_find_spelling(const struct dph_compiler *c);
/* How many of the next tokens the text matches; 0: it does not. */
size_t dph_match(const struct dph_compiler *c, const char *text);
/* "str, mrf, lv, gv or st": what may follow the first word, or its first two. Never null. */
char *dph_continuations(struct dph_compiler *c, const char *first, size_t bytes);
/* Is it the second word of an instruction that begins with `first`? */
bool dph_is_second_word(const char *first, const struct dph_token *token);

/* --- operands (parse_operand.c): each complains and returns false when it is none --- */

bool dph_operand(struct dph_compiler *c, const struct dph_op *op, struct dph_insn *insn);
bool dph_register_operand(struct dph_compiler *c, const struct dph_op *op, struct dph_insn *insn);
bool dph_push_value(struct dph_compiler *c, struct dph_insn *insn);
/* The shortest form whose sign-extension to the word is the value. */
const struct dph_op *dph_push_form(const struct dph_compiler *c, uint64_t *value);

/* --- instructions (parse_code.c) --- */

/* The rest of the line is not looked at: it was complained about. */
void dph_skip(struct dph_compiler *c);
/* The tokens of the spelling are read; now the operand. first: index of the first one. */
void dph_with_spelling(struct dph_compiler *c, const struct dph_spelling *s, size_t first);
/* Everything of the instruction is read. operand_at: index of its operand's first token. */
void dph_finish_insn(struct dph_compiler *c, const struct dph_op *op, size_t first,
		     size_t operand_at, struct dph_insn *insn);
/* `push b, 4`, `log arf`: false when it is no spelling of older DProbes (parse_old.c). */
bool dph_old_instruction(struct dph_compiler *c);
/* Complain about what is none (parse_unknown.c). */
void dph_unknown_instruction(struct dph_compiler *c);
/* Complain when the longest spelling is only half of what was meant; false: it is not. */
bool dph_half_spelling(struct dph_compiler *c, const struct dph_spelling *s);

/* --- routines (routine.c) --- */

struct dph_insn *dph_add_insn(struct dph_compiler *c, const struct dph_op *op);
const struct dph_op *dph_op_of(enum rpn_op code);

#endif

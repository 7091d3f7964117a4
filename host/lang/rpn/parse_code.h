/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions that the parsers of instructions share: parse_code.c and its neighbours. */
#ifndef DPH_PARSE_CODE_H
#define DPH_PARSE_CODE_H

#include "cursor.h"

/* --- words (spelling.c) --- */

/* The rows that have the same text. */
struct dph_spelling {
	const char *text; /* null: none */
	size_t tokens;
	const struct dph_op *plain;   /* without operand, or null */
	const struct dph_op *operand; /* with operand (the first of several), or null */
};
/* The longest text that the next tokens begin with. */
struct dph_spelling dph_find_spelling(const struct dph_cursor *c);
/* How many of the next tokens the text matches; 0: it does not. */
size_t dph_match(const struct dph_cursor *c, const char *text);
/* Return the words that may follow the first word, or the first two: "str, mrf, lv, gv or st".
 * Never null. */
char *dph_continuations(struct dph_cursor *c, const char *first, size_t bytes);
/* Is it the second word of an instruction that begins with `first`? */
bool dph_is_second_word(const char *first, const struct dph_token *token);

/* --- operands (parse_operand.c): each complains and returns false when it is none --- */

bool dph_operand(struct dph_cursor *c, const struct dph_op *op, struct dph_rpn_insn *insn);
bool dph_register_operand(struct dph_cursor *c, const struct dph_op *op, struct dph_rpn_insn *insn);
bool dph_push_value(struct dph_cursor *c, struct dph_rpn_insn *insn);

/* --- instructions (instruction.c) --- */

/* The tokens of the spelling are read; now the operand. first: index of the first one. */
void dph_with_spelling(struct dph_cursor *c, const struct dph_spelling *s, size_t first);
/* Everything of the instruction is read. operand_at: index of its operand's first token. */
void dph_finish_insn(struct dph_cursor *c, const struct dph_op *op, size_t first, size_t operand_at,
		     struct dph_rpn_insn *insn);
/* Read a spelling of older DProbes such as `push b, 4` or `log arf` (parse_old.c). Returns false
 * for any other. */
bool dph_old_instruction(struct dph_cursor *c);
/* Read `push arg, n` (parse_hook.c). Returns false for any other instruction. */
bool dph_push_argument(struct dph_cursor *c);
/* Report a line that is no instruction (parse_unknown.c). */
void dph_unknown_instruction(struct dph_cursor *c);
/* Report a line of which the longest known spelling is only a part. Returns false when the
 * spelling is the whole. */
bool dph_half_spelling(struct dph_cursor *c, const struct dph_spelling *s);

#endif

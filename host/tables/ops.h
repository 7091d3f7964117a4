/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of instructions holds the rows of protocol/rpn_ops.def for assembler, disassembler and
 * line table. */
#ifndef DPH_OPS_H
#define DPH_OPS_H

#include "dp_errors.h"
#include "dp_rpn.h"

#include <stdbool.h>
#include <stddef.h>

struct dph_op {
	uint8_t code;
	const char *text; /* "push mem, u8"; "" for markers */
	enum rpn_operand operand;
	enum rpn_flow flow;
	uint8_t group;        /* enum rpn_group */
	uint8_t part;         /* enum dp_part, DPH_CORE: every agent has it */
	uint8_t pops, pushes; /* stack words; DPH_VARIES: by data, operand or register */
};

enum {
	DPH_CORE = 0xff,
	DPH_VARIES = 0xff
};

extern const struct dph_op dph_ops[];
extern const size_t dph_op_count;

/* Row of an opcode, or null. */
const struct dph_op *dph_op_find(uint8_t code);

/* The part (enum dp_part) that a kind of map needs; the kind is one of map_kinds.def. */
unsigned dph_map_part(unsigned kind);

/* Find the shortest `push` of a constant. The operand, sign-extended to the word, is the
 * constant. *value becomes the operand, sign-extended to 64 bits. */
const struct dph_op *dph_op_push(uint64_t *value, unsigned word_bytes);

/* Source spellings that changed before 3.6.4 or never were in it.  RPN.md 10. */
enum dph_old_policy {
	DPH_OLD_RENAMED, /* accept as the new spelling, warn once */
	DPH_OLD_REMOVED, /* refuse; the hint has the replacement */
	DPH_OLD_MOVED,   /* refuse; the hint has the instruction of today */
	DPH_OLD_FOREIGN, /* refuse: never part of 3.6.4 */
};
struct dph_old {
	const char *text;
	enum dph_old_policy policy;
	const char *now; /* new spelling, or hint */
};
extern const struct dph_old dph_olds[];
extern const size_t dph_old_count;

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* The code of one handler, kept until the IR gets the code: equal handlers of several points
 * become one routine. */
#ifndef DPH_D_CODE_H
#define DPH_D_CODE_H

#include "lang/d/read/front.h"

struct d_insn {
	enum rpn_op op;
	uint64_t value; /* of a jump: its label */
	struct dph_place place;
	bool caught; /* code behind the instruction takes its fault */
};

struct d_code {
	struct d_insn *insns;
	size_t count, capacity;
	size_t *labels; /* instruction that each stands before */
	size_t label_count, label_capacity;
	unsigned word_bytes;
	struct dph_place place; /* of the source text at work */
};

void dph_d_code_free(struct d_code *code);
void dph_d_emit(struct d_code *code, enum rpn_op op, uint64_t value);
void dph_d_push(struct d_code *code, uint64_t value);
size_t dph_d_label(struct d_code *code);
void dph_d_put(struct d_code *code, size_t label);
/* Put instructions in front of instruction `at`. Labels that stand there lead to them. */
void dph_d_insert(struct d_code *code, size_t at, const struct d_insn *insns, size_t count);
/* Are the instructions the same, whatever their places? */
bool dph_d_code_same(const struct d_code *a, const struct d_code *b);
/* Hand the code over as a new routine. Returns its number. */
size_t dph_d_code_routine(struct d_front *d, const struct d_code *code, struct dph_place place);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* The search for the instructions that leave a function. */
#ifndef DPH_D_EXITS_H
#define DPH_D_EXITS_H

#include "lang/d/read/front.h"

enum d_exit_way {
	D_EXIT_RETURN,
	D_EXIT_TAIL,   /* leads to another function: the result is not known yet */
	D_EXIT_UNKNOWN /* an indirect branch that may choose a case of a switch, too */
};

/* An instruction that leaves a function. */
struct d_exit {
	uint64_t address;
	unsigned isa; /* of the instruction, enum dp_isa */
	enum d_exit_way way;
	unsigned phase; /* of a probe on a return, DP_PHASE_* */
	bool taken;     /* leaves only if its branch is taken: flag TAKEN */
};

typedef void dph_d_exit(void *context, const struct d_exit *exit);

/* Call `visit` for each instruction that leaves, or may leave, the function or its cold part.
 * Returns false where the tables do not know the instruction set. */
bool dph_d_exits(const struct d_front *d, const struct dp_symbol *function, dph_d_exit *visit,
		 void *context);

/* Does a branch of the function lead to its first instruction? */
bool dph_d_begins_again(const struct d_front *d, const struct dp_symbol *function);

typedef void dph_d_instruction(void *context, uint64_t address);

/* Call `visit` for each instruction of the function. Data among the code is passed. */
void dph_d_instructions(const struct d_front *d, const struct dp_symbol *function,
			dph_d_instruction *visit, void *context);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Indirect branches of a function: do they choose a case of a switch, or leave the function? */
#ifndef DPH_D_REACH_H
#define DPH_D_REACH_H

#include "lang/d/read/front.h"
#include "tables/returns.h"

enum {
	D_PARTS_MAX = 2
};

struct d_part {
	uint64_t value, bytes;
};

/* A function: its own code, and the cold part of it if it has one. */
struct d_function {
	const struct d_front *d;
	const struct dph_isa *isa; /* of its first instruction */
	const struct dp_symbol *symbol;
	struct d_part part[D_PARTS_MAX];
	unsigned parts;
	uint64_t moved; /* of the image */
};

/* Is the address in the function? */
bool dph_d_is_inside(const struct d_function *function, uint64_t address);

/* Read the instruction at `at`, with its linked address and its own instruction set. Returns false:
 * data, or the end of the section. *bytes: to pass. */
bool dph_d_read_insn(const struct d_function *function, uint64_t at, struct dp_insn *insn,
		     unsigned *bytes);

/* Does the instruction leave the function? */
struct dph_exit dph_d_exit_of(const struct d_function *function, const struct dp_insn *insn);

bool dph_d_has_delay_slot(const struct d_function *function, const struct dp_insn *insn);

/* What is known of the indirect branches of a function. */
struct d_reach {
	unsigned indirect; /* their number */
	bool cases;        /* one of them, or a jump by a table, chooses a case of a switch */
	bool rest;         /* has code that only an indirect branch or a table leads to */
	bool passes_end;   /* its own code goes on behind its end */
	uint64_t last;     /* the last instruction of its own code */
};

/* Follow the direct ways through a function. */
struct d_reach dph_d_reach(const struct d_function *function);

enum d_indirect {
	D_INDIRECT_INSIDE, /* a case of a switch */
	D_INDIRECT_LEAVES, /* a tail call */
	D_INDIRECT_RETURNS,
	D_INDIRECT_UNKNOWN, /* one of both */
};

/* What an indirect branch is. The compiler's word counts, if debug information has it.
 * insn: the branch at the address, and its kind. */
enum d_indirect dph_d_indirect(const struct d_function *function, const struct d_reach *reach,
			       enum dph_exit_kind kind, uint64_t at, const struct dp_insn *insn);

#endif

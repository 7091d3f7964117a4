/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of returns finds the instructions that leave a function: rows of port/ports.def. */
#ifndef DPH_RETURNS_H
#define DPH_RETURNS_H

#include "decoders.h"

enum dph_exit_kind {
	DPH_EXIT_NONE, /* the instruction stays in the function, or calls */
	DPH_EXIT_RETURN,
	DPH_EXIT_BRANCH, /* goes to a fixed address, which may be in the function */
	DPH_EXIT_PAD,    /* does nothing */
	/* These go to an address that they do not name (DP_AWAY of port/ports.def). */
	DPH_EXIT_TABLE,
	DPH_EXIT_CASE,
	DPH_EXIT_CALL,
	DPH_EXIT_EITHER
};

struct dph_exit {
	enum dph_exit_kind kind;
	enum dp_condition condition; /* else the next instruction follows */
	unsigned phase;              /* DP_PHASE_*, in which a probe on a return knows the result */
	uint64_t target;             /* of a branch */
};

/* Look at an instruction. */
struct dph_exit dph_exit_of(const struct dph_isa *isa, const struct dp_insn *insn);

/* Does a branch to the routine of this name return from the function? */
bool dph_exit_returns(const struct dph_isa *isa, const char *name);

/* Does the table know how functions of this instruction set return? */
bool dph_exits_known(const struct dph_isa *isa);

#endif

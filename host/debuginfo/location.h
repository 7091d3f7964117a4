/* SPDX-License-Identifier: BSD-2-Clause */
/* A location describes the place of a variable, so that a compiler can turn the location into
 * code. */
#ifndef DPH_LOCATION_H
#define DPH_LOCATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dp_debuginfo;

/* A step of a small stack computation in words of the target; steps.def describes each step. */
enum dph_step_op {
#define STEP(name, text, pops, pushes) DPH_STEP_##name,
#include "steps.def"
};

struct dph_step {
	enum dph_step_op op;
	int64_t value;
};

struct dph_steps {
	const struct dph_step *list;
	size_t count;
};

enum dph_piece_kind {
	DPH_PIECE_ABSENT,   /* optimised out: nothing has it at this address */
	DPH_PIECE_REGISTER, /* in register `reg` */
	DPH_PIECE_MEMORY,   /* in memory; the steps give its address */
	DPH_PIECE_VALUE,    /* nowhere; the steps give its value */
	DPH_PIECE_BYTES,    /* constant bytes, in the target's order */
	DPH_PIECE_PROGRAM,  /* word `reg` of a variable of the probe program; of front ends alone */
	DPH_PIECE_POINTER,  /* a pointer to a variable that has no address */
	DPH_PIECE_REFUSED   /* `why` names the ability that the agent or this reader lacks */
};

/* A variable, or some bits of it. */
struct dph_piece {
	enum dph_piece_kind kind;
	unsigned reg; /* number in the CPU's regs.def */
	struct dph_steps steps;
	const uint8_t *bytes;
	size_t byte_count;
	uint64_t die;    /* POINTER: offset of the pointee's entry */
	int64_t offset;  /* POINTER: bytes from the pointee's start */
	uint64_t bits;   /* of the variable; 0: all of it */
	unsigned bit_at; /* first bit of the register or memory */
	bool entry;      /* a step needs a register's value at the function's entry */
	const char *why; /* ABSENT, REFUSED: a part of a sentence */
};

struct dph_location {
	const struct dph_piece *pieces; /* in order of the variable's bytes */
	size_t count;                   /* at least 1 */
};

/* Return whether the steps are one register plus an offset, or a number alone; else false.
 * reg: receives the register's number; UINT32_MAX: none. */
bool dph_steps_linear(struct dph_steps steps, uint32_t *reg, int64_t *offset);

/* Can a probe at this address read all of it, without values of the function's entry? */
bool dph_location_readable(const struct dph_location *location);

/* As people read it: "r5", "[r13 + 8]", "r4-32 (value)", "optimised out". From the pool. */
const char *dph_location_text(struct dp_debuginfo *debug, const struct dph_location *location);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* The unwinder goes from a function to its caller, by the call frame rules, from registers and a
 * copy of a part of the stack. */
#ifndef DPH_UNWIND_H
#define DPH_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dp_debuginfo;

enum {
	DPH_UNWIND_REGISTERS = 256, /* indexes of regs.def */
	DPH_UNWIND_WHY_BYTES = 160
};

/* One function of a call stack. All zero is a good start; the caller sets debug, memory and the
 * known registers, among them pc and sp. */
struct dph_unwind {
	struct dp_debuginfo *debug;
	const uint8_t *memory; /* of the stack, from the address `base` on */
	uint64_t base;
	size_t bytes;
	bool known[DPH_UNWIND_REGISTERS];
	uint64_t values[DPH_UNWIND_REGISTERS]; /* by index in regs.def */
	unsigned depth;                        /* functions that were left so far */
	uint64_t pc;                           /* set by dph_unwind_begin and dph_unwind_next */
	uint64_t wanted; /* bytes of memory that the failed search needs; 0: more would not do */
	bool called;     /* pc is a return address: it is behind the call */
	char why[DPH_UNWIND_WHY_BYTES]; /* the reason of a failure; empty: the stack is complete */
};

/* Take pc from the registers.
 * Returns false, with `why`: pc or sp is not known. */
bool dph_unwind_begin(struct dph_unwind *u);

/* Go to the caller.
 * Returns false at the outermost function, and with `why` where the caller cannot be found. */
bool dph_unwind_next(struct dph_unwind *u);

/* The address whose function and line the frame shows: the call for a return address. */
uint64_t dph_unwind_place(const struct dph_unwind *u);

#endif

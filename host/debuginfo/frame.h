/* SPDX-License-Identifier: BSD-2-Clause */
/* Call frames give the rules that find a function's caller from any address of the function
 * (.debug_frame, .eh_frame). */
#ifndef DPH_FRAME_H
#define DPH_FRAME_H

#include "location.h"

enum dph_frame_rule_kind {
	DPH_FRAME_UNKNOWN,   /* no rule: the ABI decides */
	DPH_FRAME_UNDEFINED, /* the caller's value is lost; of the return address: no caller */
	DPH_FRAME_SAME,      /* unchanged */
	DPH_FRAME_SAVED,     /* in memory at CFA + offset */
	DPH_FRAME_OFFSET,    /* is CFA + offset */
	DPH_FRAME_REGISTER,  /* in another register */
	DPH_FRAME_MEMORY,    /* in memory at an address that the steps give */
	DPH_FRAME_VALUE      /* the steps compute the value itself */
};

struct dph_frame_rule {
	enum dph_frame_rule_kind kind;
	uint32_t reg; /* in regs.def; UINT32_MAX: the agent does not see it */
	int64_t offset;
	struct dph_steps steps; /* begin with the CFA on the stack */
};

enum {
	DPH_FRAME_REGISTERS = 128 /* DWARF numbers with a rule */
};

/* The rules at one address. CFA: canonical frame address, the caller's stack pointer. */
struct dph_frame {
	struct dph_steps cfa;
	unsigned return_column; /* DWARF number of the return address */
	bool signal;            /* the frame of an exception handler */
	uint64_t first, last;   /* these rules hold for first <= address < last */
	struct dph_frame_rule rules[DPH_FRAME_REGISTERS]; /* by DWARF number */
};

/* Find the rules at an address. Returns false, and why, where no table covers it. */
bool dph_frame_at(struct dp_debuginfo *debug, uint64_t address, struct dph_frame *frame,
		  const char **why);

/* Where the return address of the function is, at an address of it. */
bool dph_frame_caller(struct dp_debuginfo *debug, uint64_t address, struct dph_location *location,
		      const char **why);

#endif

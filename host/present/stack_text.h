/* SPDX-License-Identifier: BSD-2-Clause */
/* The text of a recorded call stack. */
#ifndef DPH_STACK_TEXT_H
#define DPH_STACK_TEXT_H

#include "format/format.h"
#include "tables/registers.h"

struct dp_debuginfo;

/* Print a call stack, a function a line, inlined ones too. Where a caller cannot be found, the last
 * line has the reason.
 * debug: of the firmware; null: the text says that the firmware is not known.
 * cpu: of the program; null: not known.
 * Returns the text, which the caller frees. */
char *dph_stack_text(struct dp_debuginfo *debug, const struct dph_cpu *cpu,
		     const struct dph_format_stack *stack);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* The text of a recorded call stack. */
#ifndef DPH_STACK_TEXT_H
#define DPH_STACK_TEXT_H

#include "tables/registers.h"

#include <dprobes/values.h>

#include <stdio.h>

struct dp_code_frame;
struct dp_debuginfo;

/* Print the line of a function: "queue_put+0x12 (queue.c:44)", indented.
 * pc: printed where the function has no name. */
void dph_put_code_frame(FILE *out, struct dp_debuginfo *debug, const struct dp_code_frame *frame,
			uint64_t pc);

/* Print the lines of a call stack, indented.
 * lines: a function a line, without indentation. */
void dph_put_stack_lines(FILE *out, const char *lines);

/* Print a call stack, a function a line, inlined ones too. Where a caller cannot be found, the last
 * line has the reason.
 * debug: of the firmware; null: the text says that the firmware is not known.
 * cpu: of the program; null: not known.
 * stack: a value of that form.
 * Returns the text, which the caller frees. */
char *dph_stack_text(struct dp_debuginfo *debug, const struct dph_cpu *cpu,
		     const struct dp_value *stack);

#endif

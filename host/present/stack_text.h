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

/* frame: a function; its name is null where none is known. pc: of the frame. */
typedef void dph_stack_visit(void *context, const struct dp_code_frame *frame, uint64_t pc);

/* Visit the functions of a call stack, the innermost first, inlined ones too; at most as many as
 * the program wants.
 * Returns why the last one has no caller, which the caller frees; null: the stack is complete. */
char *dph_stack_walk(struct dp_debuginfo *debug, const struct dph_cpu *cpu,
		     const struct dp_value *stack, dph_stack_visit *visit, void *context);

/* Print a call stack, a function a line, inlined ones too. Where a caller cannot be found, the last
 * line has the reason.
 * debug: of the firmware; null: the text says that the firmware is not known.
 * cpu: of the program; null: not known.
 * stack: a value of that form.
 * Returns the text, which the caller frees. */
char *dph_stack_text(struct dp_debuginfo *debug, const struct dph_cpu *cpu,
		     const struct dp_value *stack);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps lead from the front end's program to the object. */
#ifndef DPH_STEPS_H
#define DPH_STEPS_H

#include "ir/compilation.h"

/* Let the program count in the semaphores of the hooks at which its probes are, or warn that it
 * does not. Of a program without errors, before the others. */
void dph_count_hooks(struct dph_compilation *c); /* semaphores.c */
/* Give every instruction its place in the code section, and jumps and calls their operands. Of a
 * complete program only. */
void dph_layout(struct dph_compilation *c); /* layout.c */
/* Find instruction set, instruction and function of every probe point. Runs also after errors,
 * to report more of them. */
void dph_resolve_points(struct dph_compilation *c); /* point.c */
/* Refuse `return` where no function can return. Behind the points, without errors. */
void dph_check_returns(struct dph_compilation *c); /* returns.c */
/* Write the object. After all others, and without errors. */
struct dp_object_file *dph_write_object(const struct dph_compilation *c); /* object_write.c */

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of a context whose registers are known, of a firmware with any kernel or none. */
#ifndef DPH_STACKS_H
#define DPH_STACKS_H

#include "tasks.h"

struct dph_stacks;

/* images: with an ELF file, where the target runs it; the caller keeps them.
 * why: receives the reason of a failure.
 * Returns what dph_stacks_close frees; null on failure. */
struct dph_stacks *dph_stacks_open(const struct dph_images *images, const char **why);
void dph_stacks_close(struct dph_stacks *stacks);
/* The debug information that the names of frames come from. */
struct dp_debuginfo *dph_stacks_debug(const struct dph_stacks *stacks);

/* Find the functions: sets pc, frames, frame_count, where and why of the task, whose registers the
 * caller has set. They stay until dph_stacks_close.
 * Returns false when the reader fails. */
bool dph_stacks_read(struct dph_stacks *stacks, struct dph_task *task, dph_tasks_read_places *read,
		     void *context);

#endif

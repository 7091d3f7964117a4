/* SPDX-License-Identifier: BSD-2-Clause */
/* A walk over memory of the target. A step of it runs again and again: it computes what it can from
 * the memory that is known, and wants more. The caller reads what is wanted between two runs. */
#ifndef DPH_TASKS_WALK_H
#define DPH_TASKS_WALK_H

#include "layout.h"
#include "tasks.h"

#include "base/pool.h"

struct dp_image;
struct dph_cpu;

struct dph_walk {
	struct dp_debuginfo *debug;
	const struct dp_image *names;
	const struct dph_cpu *cpu;
	struct dph_kernel_layout layout;
	struct dph_look_memory memory;
	bool wanted; /* by this run of the step */
	/* The search. */
	struct dph_pool found_pool;
	uint64_t *blocks; /* control blocks, each once */
	size_t block_count, block_capacity;
	uint64_t expected; /* tasks that the kernel counts; 0: it counts none */
	bool torn;         /* a list changed while it was walked */
};

/* Bytes of the target. Returns null: they are wanted, or cannot be read. */
const uint8_t *dph_walk_bytes(struct dph_walk *walk, uint64_t address, uint64_t bytes);
/* A number of 1, 2, 4 or 8 bytes. Returns false as above. */
bool dph_walk_number(struct dph_walk *walk, uint64_t address, uint64_t bytes, uint64_t *value);
/* A word of the target. */
bool dph_walk_word(struct dph_walk *walk, uint64_t address, uint64_t *value);
/* A field of the object at an address. False also where the firmware has no such field. */
bool dph_walk_field(struct dph_walk *walk, uint64_t object, enum dph_kernel_field field,
		    uint64_t *value);
/* A variable of the kernel, the one at `index` of an array. False also where there is none. */
bool dph_walk_variable(struct dph_walk *walk, enum dph_kernel_variable variable, uint64_t index,
		       uint64_t *value);
/* The address of an element of a variable. */
uint64_t dph_walk_element(const struct dph_walk *walk, enum dph_kernel_variable variable,
			  uint64_t index);
/* The text at an address, cut to `room`. */
bool dph_walk_text(struct dph_walk *walk, uint64_t address, char *text, size_t room);
/* Note a control block. */
void dph_walk_found(struct dph_walk *walk, uint64_t block);

/* --- kernels: each has a file -------------------------------------------------------------------
 */

/* Search control blocks. Sets `expected` and `torn`. */
void dph_freertos_find(struct dph_walk *walk);
void dph_demo_find(struct dph_walk *walk);
/* Read a control block into task: all but the stack's contents, registers and frames. *context: the
 * address of the saved registers; 0: it has none.
 * Returns false: more is wanted, or the block is no control block. */
bool dph_freertos_task(struct dph_walk *walk, struct dph_task *task, uint64_t *context);
bool dph_demo_task(struct dph_walk *walk, struct dph_task *task, uint64_t *context);

/* --- registers and frames -----------------------------------------------------------------------
 */

/* The `why` of a task whose registers fit no row of the table: perhaps it ran while they were
 * read. */
extern const char dph_context_unfit[];
/* Read the saved registers of a task. Returns false: more is wanted, or task->why. */
bool dph_context_read(struct dph_walk *walk, struct dph_task *task, uint64_t context);
/* Find the functions of a task with saved registers.
 * all: to the outermost one; else as far as task->where goes.
 * pool: of the frames and texts. */
void dph_frames_read(struct dph_walk *walk, struct dph_task *task, bool all, struct dph_pool *pool);

#endif

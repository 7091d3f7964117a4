/* SPDX-License-Identifier: BSD-2-Clause */
/* Where a kernel keeps its tasks: addresses, sizes and offsets from the debug information. */
#ifndef DPH_TASKS_LAYOUT_H
#define DPH_TASKS_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dp_debuginfo;
struct dph_pool;
struct dph_walk;
struct dph_task;

enum dph_kernel_id {
#define KERNEL(id, name, fill) DPH_KERNEL_##id,
#include "tables/kernels.def"
	DPH_KERNELS
};

enum dph_kernel_variable {
#define VARIABLE(kernel, id, name, must) DPH_V_##id,
#include "tables/kernels.def"
	DPH_KERNEL_VARIABLES
};

enum dph_kernel_type {
#define TYPE(kernel, id, how, name, must) DPH_T_##id,
#include "tables/kernels.def"
	DPH_KERNEL_TYPES
};

enum dph_kernel_field {
#define FIELD(kernel, id, type, path, other, must, key) DPH_F_##id,
#include "tables/kernels.def"
	DPH_KERNEL_FIELDS
};

struct dph_kernel_place {
	bool known;
	uint64_t at;    /* of a variable: its address; of a field: its offset */
	uint64_t bytes; /* of a variable that is an array: of all elements */
	uint64_t count; /* elements of an array; else 1 */
};

struct dph_kernel_layout {
	enum dph_kernel_id kernel;
	const char *name;
	uint8_t fill;               /* byte of a stack that nobody has used */
	enum dph_kernel_type block; /* the type of control blocks */
	struct dph_kernel_place variables[DPH_KERNEL_VARIABLES];
	struct dph_kernel_place types[DPH_KERNEL_TYPES]; /* `bytes` alone */
	struct dph_kernel_place fields[DPH_KERNEL_FIELDS];
};

/* Find the kernel of a firmware.
 * pool: of *why.
 * Returns false, with the names that were searched in *why: none of kernels.def. */
bool dph_kernel_find(struct dp_debuginfo *debug, struct dph_kernel_layout *layout,
		     struct dph_pool *pool, const char **why);

/* The name of a variable in the firmware. */
const char *dph_kernel_variable_name(enum dph_kernel_variable variable);

/* Is it the name of a source file of the kernel? path: may have folders. */
bool dph_kernel_has_file(const struct dph_kernel_layout *layout, const char *path);

/* The control block of the kernel: the fields that tell whether a task has run.
 * Returns the field with the index; DPH_KERNEL_FIELDS: there are no more. */
enum dph_kernel_field dph_kernel_key(const struct dph_kernel_layout *layout, size_t index);

/* The words of a saved context for a CPU, by rising index. Null: there are no more. */
const char *dph_kernel_context(const struct dph_kernel_layout *layout, const char *cpu,
			       size_t index);

#endif

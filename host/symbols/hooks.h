/* SPDX-License-Identifier: BSD-2-Clause */
/* Static hooks of an ELF file: the notes `stapsdt` that agent/dprobes_hook.h writes. */
#ifndef DPH_HOOKS_H
#define DPH_HOOKS_H

#include "tables/operands.h"

struct dp_image;
struct dph_pool;

enum {
	DPH_HOOK_ARGUMENTS = 10 /* the most that are read: arg0 to arg9 */
};

/* An argument of a hook. */
struct dph_hook_argument {
	const char *text; /* as the note has it: "-4@r3" */
	unsigned bytes;   /* 1, 2, 4 or 8; 0: the operand cannot be read */
	bool is_signed;
	struct dph_operand operand;
};

/* A place of a hook. A hook that is inlined, or written twice, has several. */
struct dph_hook {
	const char *provider, *name; /* "on-cpu"; the note has on__cpu */
	uint64_t address;
	uint64_t semaphore; /* address of its counter; 0: none */
	unsigned argument_count;
	struct dph_hook_argument arguments[DPH_HOOK_ARGUMENTS];
};

/* Return the number of hooks of the image; *hooks receives them, by rising address,
 * valid until the image is closed or moved. */
size_t dph_image_hooks(const struct dp_image *image, const struct dph_hook **hooks);

/* Return the name with each `__` as a `-`: D has names that C has not. pool: keeps the text. */
const char *dph_hook_name(struct dph_pool *pool, const char *word);

#endif

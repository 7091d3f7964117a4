/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of a context, without a kernel. */
#define _GNU_SOURCE
#include "stacks.h"

#include "walk.h"

#include "debuginfo/debuginfo.h"
#include "symbols/elf_image.h"
#include "symbols/images.h"

#include <stdlib.h>
#include <string.h>

enum {
	TURNS_MAX = 4096 /* pieces of a stack */
};

struct dph_stacks {
	struct dph_walk walk;
};

struct dph_stacks *dph_stacks_open(const struct dph_images *images, const char **why)
{
	const struct dp_image *image = dph_images_symbols(images);
	struct dph_stacks *stacks = dph_malloc(sizeof(*stacks));
	*stacks = (struct dph_stacks){.walk = {.layout = {.kernel = DPH_KERNELS}}};
	stacks->walk.names = dph_images_names(images);
	stacks->walk.cpu = image ? dph_image_cpu(image) : NULL;
	stacks->walk.debug = image ? dph_debuginfo_for(images, image) : NULL;
	if (stacks->walk.names && stacks->walk.cpu && stacks->walk.debug)
		return stacks;
	*why = "functions are found by the debug information: give the ELF file (--elf)";
	dph_stacks_close(stacks);
	return NULL;
}

void dph_stacks_close(struct dph_stacks *stacks)
{
	if (!stacks)
		return;
	dph_look_free_memory(&stacks->walk.memory);
	dp_debuginfo_close(stacks->walk.debug);
	dph_pool_free(&stacks->walk.found_pool);
	free(stacks);
}

struct dp_debuginfo *dph_stacks_debug(const struct dph_stacks *stacks)
{
	return stacks->walk.debug;
}

bool dph_stacks_read(struct dph_stacks *stacks, struct dph_task *task, dph_tasks_read_places *read,
		     void *context)
{
	struct dph_walk *walk = &stacks->walk;
	struct dph_look_memory *memory = &walk->memory;
	const struct dp_reg *pc = dph_reg_named(walk->cpu, "pc", strlen("pc"));
	if (pc)
		task->pc = task->values[pc->index];
	for (unsigned turn = 0; turn < TURNS_MAX; turn++) {
		const size_t known = memory->count;
		walk->wanted = false;
		dph_frames_read(walk, task, true, &walk->found_pool);
		if (memory->count == known)
			break;
		if (!read(context, memory->places + known, memory->count - known))
			return false;
		memory->tried = memory->count;
	}
	return true;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Tasks of the demo kernel: a table of control blocks (boards/demo/kernel.h). */
#include "walk.h"

/* enum task_state of kernel.h */
enum {
	FREE,
	READY,
	RUNNING,
	SLEEPING,
	WAITING,
	ENDED
};

void dph_demo_find(struct dph_walk *walk)
{
	const struct dph_kernel_place *table = &walk->layout.variables[DPH_V_TASKS];
	for (uint64_t i = 0; i < table->count; i++) {
		const uint64_t block = dph_walk_element(walk, DPH_V_TASKS, i);
		uint64_t state;
		if (dph_walk_field(walk, block, DPH_F_TASK_STATE, &state) && state != FREE)
			dph_walk_found(walk, block);
	}
}

static enum dph_task_state state_of(uint64_t state)
{
	switch (state) {
	case READY:
		return DPH_TASK_READY;
	case RUNNING:
		return DPH_TASK_RUNNING;
	case SLEEPING:
		return DPH_TASK_SLEEPING;
	case WAITING:
		return DPH_TASK_WAITING;
	default:
		return DPH_TASK_ENDED;
	}
}

bool dph_demo_task(struct dph_walk *walk, struct dph_task *task, uint64_t *context)
{
	uint64_t name, state, priority;
	if (!dph_walk_bytes(walk, task->block, walk->layout.types[DPH_T_TASK].bytes) ||
	    !dph_walk_field(walk, task->block, DPH_F_TASK_NAME, &name) ||
	    !dph_walk_field(walk, task->block, DPH_F_TASK_STATE, &state) ||
	    !dph_walk_field(walk, task->block, DPH_F_TASK_PRIORITY, &priority) ||
	    !dph_walk_field(walk, task->block, DPH_F_TASK_STACK, &task->stack) ||
	    !dph_walk_field(walk, task->block, DPH_F_TASK_STACK_BYTES, &task->stack_bytes) ||
	    !dph_walk_text(walk, name, task->name, sizeof(task->name)))
		return false;
	task->state = state_of(state);
	task->priority = (int64_t)priority;
	*context = state == READY || state == SLEEPING || state == WAITING
			   ? task->block + walk->layout.fields[DPH_F_TASK_CONTEXT].at
			   : 0;
	return state != FREE;
}

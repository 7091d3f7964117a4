/* SPDX-License-Identifier: BSD-2-Clause */
/* Tasks of FreeRTOS: control blocks in lists. The list that a block's own item names tells the
 * state of the task, so that one block is right whatever the lists did meanwhile. */
#include "walk.h"

#include "debuginfo/debuginfo.h"
#include "symbols/images.h"

#include <string.h>

enum {
	ITEMS_MAX = 4096 /* of a list; damaged items may lead in a ring */
};

/* --- the search ------------------------------------------------------------------------------ */

/* Follow the items of a list. An item that names another list, and a number of items that is not
 * the list's, mean that the list has changed. The item's task is a task all the same.
 * first, next: fields of list and item.
 * Returns false: the list has changed. */
static bool follow(struct dph_walk *walk, uint64_t list, enum dph_kernel_field first,
		   enum dph_kernel_field next)
{
	const uint64_t end = list + walk->layout.fields[DPH_F_LIST_END].at;
	uint64_t count, item, owner, of;
	if (!dph_walk_field(walk, list, DPH_F_LIST_COUNT, &count) ||
	    !dph_walk_field(walk, list, first, &item))
		return true;
	/* A list that the kernel has not made yet is all zero. */
	for (uint64_t i = 0; i < count && i < ITEMS_MAX && item != end; i++) {
		const uint64_t at = item;
		if (!dph_walk_bytes(walk, at, walk->layout.types[DPH_T_ITEM].bytes) ||
		    !dph_walk_field(walk, at, DPH_F_ITEM_LIST, &of) ||
		    !dph_walk_field(walk, at, DPH_F_ITEM_OWNER, &owner) ||
		    !dph_walk_field(walk, at, next, &item))
			return walk->wanted;
		if (owner)
			dph_walk_found(walk, owner);
		if (of != list || item == at)
			return false;
	}
	return !count || item == end;
}

/* A list that has changed is also walked from its end. */
static void walk_list(struct dph_walk *walk, uint64_t list)
{
	if (!dph_walk_bytes(walk, list, walk->layout.types[DPH_T_LIST].bytes) ||
	    follow(walk, list, DPH_F_LIST_FIRST, DPH_F_ITEM_NEXT))
		return;
	walk->torn = true;
	follow(walk, list, DPH_F_LIST_LAST, DPH_F_ITEM_PREVIOUS);
}

void dph_freertos_find(struct dph_walk *walk)
{
	static const enum dph_kernel_variable lists[] = {DPH_V_READY,     DPH_V_DELAYED_1,
							 DPH_V_DELAYED_2, DPH_V_PENDING,
							 DPH_V_SUSPENDED, DPH_V_TERMINATION};
	uint64_t current;
	dph_walk_variable(walk, DPH_V_TASK_COUNT, 0, &walk->expected);
	if (dph_walk_variable(walk, DPH_V_CURRENT, 0, &current) && current)
		dph_walk_found(walk, current);
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		const struct dph_kernel_place *place = &walk->layout.variables[lists[i]];
		for (uint64_t n = 0; place->known && n < place->count; n++)
			walk_list(walk, dph_walk_element(walk, lists[i], n));
	}
}

/* --- one task -------------------------------------------------------------------------------- */

static bool is_list(const struct dph_walk *walk, enum dph_kernel_variable variable, uint64_t list)
{
	const struct dph_kernel_place *place = &walk->layout.variables[variable];
	return place->known && list - place->at < place->bytes;
}

/* taskWAITING_NOTIFICATION of tasks.c, in one of the states of the task. */
static bool waits_for_notice(struct dph_walk *walk, const struct dph_task *task)
{
	const struct dph_kernel_place *place = &walk->layout.fields[DPH_F_TCB_NOTIFY];
	const uint64_t each = place->known ? place->bytes / place->count : 1;
	for (uint64_t i = 0; place->known && i < place->count; i++) {
		uint64_t state;
		if (dph_walk_number(walk, task->block + place->at + i * each, each, &state) &&
		    state == 1)
			return true;
	}
	return false;
}

static enum dph_task_state state_of(struct dph_walk *walk, const struct dph_task *task,
				    uint64_t list, uint64_t event)
{
	const bool delayed =
		is_list(walk, DPH_V_DELAYED_1, list) || is_list(walk, DPH_V_DELAYED_2, list);
	const bool suspended = is_list(walk, DPH_V_SUSPENDED, list);
	if (is_list(walk, DPH_V_READY, list) || is_list(walk, DPH_V_PENDING, event))
		return DPH_TASK_READY;
	if (is_list(walk, DPH_V_TERMINATION, list))
		return DPH_TASK_ENDED;
	if (!delayed && !suspended)
		return DPH_TASK_MOVING;
	if (event || waits_for_notice(walk, task))
		return DPH_TASK_WAITING;
	return delayed ? DPH_TASK_SLEEPING : DPH_TASK_SUSPENDED;
}

/* A queue without a name in the registry: the object that it is, or that it is in. */
static const char *name_by_symbol(struct dph_walk *walk, const struct dph_task *task)
{
	static const enum dph_kernel_field lists[] = {DPH_F_QUEUE_SEND, DPH_F_QUEUE_RECEIVE};
	char text[DP_NAME_ROOM];
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		const struct dph_kernel_place *place = &walk->layout.fields[lists[i]];
		const struct dp_symbol *symbol =
			dp_image_symbol(walk->names, task->object - place->at);
		if (place->known && symbol && symbol->value == task->object - place->at)
			return symbol->name;
	}
	const char *name = dp_image_name(walk->names, task->object, text);
	return name ? dph_pool_copy(&walk->found_pool, name, strlen(name)) : NULL;
}

/* The registry of queues, or a symbol, has the name of what a task waits for. */
static const char *name_object(struct dph_walk *walk, struct dph_task *task)
{
	const struct dph_kernel_place *registry = &walk->layout.variables[DPH_V_REGISTRY];
	const struct dph_kernel_place *send = &walk->layout.fields[DPH_F_QUEUE_SEND];
	const struct dph_kernel_place *receive = &walk->layout.fields[DPH_F_QUEUE_RECEIVE];
	for (uint64_t i = 0; registry->known && i < registry->count; i++) {
		const uint64_t row = dph_walk_element(walk, DPH_V_REGISTRY, i);
		char text[DPH_TASK_NAME_ROOM];
		uint64_t queue, name;
		if (dph_walk_field(walk, row, DPH_F_REGISTERED_QUEUE, &queue) && queue &&
		    dph_walk_field(walk, row, DPH_F_REGISTERED_NAME, &name) && name &&
		    ((send->known && task->object == queue + send->at) ||
		     (receive->known && task->object == queue + receive->at)) &&
		    dph_walk_text(walk, name, text, sizeof(text)))
			return dph_pool_copy(&walk->found_pool, text, strlen(text));
	}
	return name_by_symbol(walk, task);
}

static bool read_name(struct dph_walk *walk, struct dph_task *task)
{
	const struct dph_kernel_place *place = &walk->layout.fields[DPH_F_TCB_NAME];
	const uint8_t *data = dph_walk_bytes(walk, task->block + place->at, place->bytes);
	if (data) {
		task->name[0] = '\0';
		strncat(task->name, (const char *)data,
			place->bytes < sizeof(task->name) ? (size_t)place->bytes
							  : sizeof(task->name) - 1);
	}
	return data != NULL;
}

static bool read_stack(struct dph_walk *walk, struct dph_task *task)
{
	uint64_t end;
	if (!dph_walk_field(walk, task->block, DPH_F_TCB_STACK, &task->stack))
		return false;
	/* The last word of the stack. */
	if (dph_walk_field(walk, task->block, DPH_F_TCB_END, &end) && end > task->stack)
		task->stack_bytes = end + walk->debug->word_bytes - task->stack;
	return true;
}

/* A block in no list is that of a deleted task, or the kernel is moving it. */
static bool is_adrift(const struct dph_task *task, uint64_t current, uint64_t list, uint64_t event)
{
	return !list && !event && current != task->block;
}

bool dph_freertos_task(struct dph_walk *walk, struct dph_task *task, uint64_t *context)
{
	uint64_t current, owner, list, event, priority;
	const bool block =
		dph_walk_bytes(walk, task->block, walk->layout.types[DPH_T_TCB].bytes) != NULL;
	if (!dph_walk_variable(walk, DPH_V_CURRENT, 0, &current) || !block ||
	    !dph_walk_field(walk, task->block, DPH_F_TCB_STATE_OWNER, &owner) ||
	    owner != task->block ||
	    !dph_walk_field(walk, task->block, DPH_F_TCB_STATE_LIST, &list) ||
	    !dph_walk_field(walk, task->block, DPH_F_TCB_EVENT_LIST, &event) ||
	    is_adrift(task, current, list, event) ||
	    !dph_walk_field(walk, task->block, DPH_F_TCB_PRIORITY, &priority) ||
	    !dph_walk_field(walk, task->block, DPH_F_TCB_TOP, context) || !read_stack(walk, task) ||
	    !read_name(walk, task))
		return false;
	task->priority = (int64_t)priority;
	task->state = state_of(walk, task, list, event);
	if (current == task->block) {
		task->state = DPH_TASK_RUNNING;
		*context = 0;
	}
	if (task->state == DPH_TASK_ENDED)
		*context = 0;
	if (task->state == DPH_TASK_WAITING) {
		task->object = event;
		task->waiting = event ? name_object(walk, task) : "a notification";
	}
	return true;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The tasks of a running target are found, read, and read once more to see which of them have run
 * meanwhile. */
#define _GNU_SOURCE
#include "tasks.h"

#include "walk.h"

#include "debuginfo/debuginfo.h"
#include "symbols/elf_image.h"
#include "symbols/images.h"

#include <stdlib.h>
#include <string.h>

enum {
	TRIES = 8,        /* walks of lists, and readings of a task that runs again and again */
	TURNS_MAX = 4096, /* of one try */
	LEFT_PIECE = 128, /* bytes of an unused stack that are wanted at a time, doubled */
	LEFT_PIECE_MAX = 1024,
	LEFT_MAX = 65536, /* bytes of a stack whose end is not known */
	KEYS_MAX = 16
};

/* The values that change when a task has run. */
struct keys {
	uint64_t values[KEYS_MAX];
	size_t count;
	bool known;
};

/* A task in the making. */
struct making {
	struct dph_task task;
	uint64_t context;
	struct keys keys;
	bool settled, gone;
	bool fresh;          /* read in this try */
	bool compared;       /* since it was read; its own frames are `before` from then on */
	unsigned times_gone; /* a kernel moves a block for a moment */
	bool ran;            /* between its last two readings */
	/* The unused bytes of the stack are most of what is read: they are read once. */
	bool left_known;
	uint64_t left, left_of;             /* address of the stack */
	const struct dp_code_frame *before; /* frames of the reading before; null: none */
	size_t before_count;
};

struct dph_tasks {
	struct dph_walk walk;
	struct dph_pool pool; /* of messages */
	struct making *list;
	size_t count;
	uint64_t missed;
	const struct dph_tasks_how *how;
	dph_tasks_read_places *read;
	void *context;
	bool stand;       /* no task has run */
	uint64_t running; /* block of the task that runs; 0: it was not read */
	const char *why;
};

static const struct {
	void (*find)(struct dph_walk *walk);
	bool (*task)(struct dph_walk *walk, struct dph_task *task, uint64_t *context);
	enum dph_kernel_variable running;
} kernels[DPH_KERNELS] = {
	[DPH_KERNEL_FREERTOS] = {dph_freertos_find, dph_freertos_task, DPH_V_CURRENT},
	[DPH_KERNEL_DEMO] = {dph_demo_find, dph_demo_task, DPH_V_RUNNING},
};

const char *dph_task_state_word(enum dph_task_state state)
{
	static const char *const words[] = {
		[DPH_TASK_RUNNING] = "running",     [DPH_TASK_READY] = "ready",
		[DPH_TASK_SLEEPING] = "sleeping",   [DPH_TASK_WAITING] = "waiting",
		[DPH_TASK_SUSPENDED] = "suspended", [DPH_TASK_ENDED] = "ended",
		[DPH_TASK_MOVING] = "moving",
	};
	return words[state];
}

/* --- turns ----------------------------------------------------------------------------------- */

/* Run a step until it wants no more memory. Returns false when the line fails. */
static bool settle(struct dph_tasks *tasks, void (*step)(struct dph_tasks *tasks))
{
	struct dph_look_memory *memory = &tasks->walk.memory;
	for (unsigned turn = 0; turn < TURNS_MAX; turn++) {
		const size_t known = memory->count;
		tasks->walk.wanted = false;
		step(tasks);
		if (memory->count == known)
			return true;
		if (!tasks->read(tasks->context, memory->places + known, memory->count - known))
			return false;
		memory->tried = memory->count;
	}
	return true;
}

/* --- the search ------------------------------------------------------------------------------ */

static void find(struct dph_tasks *tasks)
{
	tasks->walk.torn = false;
	kernels[tasks->walk.layout.kernel].find(&tasks->walk);
}

/* Were all tasks found that the kernel counts? */
static bool are_all(const struct dph_walk *walk)
{
	return walk->block_count >= walk->expected;
}

/* Search once, and take what was found before for found where a change has disturbed the walk.
 * *done: no more searches are of use. Returns false when the line fails. */
static bool search(struct dph_tasks *tasks, bool *done)
{
	struct dph_walk *walk = &tasks->walk;
	const struct dph_walk before = *walk;
	bool good;
	walk->blocks = NULL;
	walk->block_count = walk->block_capacity = 0;
	dph_look_forget_memory(&walk->memory);
	good = settle(tasks, find);
	*done = !walk->torn && are_all(walk);
	for (size_t i = 0; i < before.block_count && !*done; i++)
		dph_walk_found(walk, before.blocks[i]);
	*done = *done || (before.block_count && are_all(walk) && walk->expected);
	free(before.blocks);
	return good;
}

/* A walk that no change has disturbed counts alone; else all that was ever found. */
static bool find_blocks(struct dph_tasks *tasks)
{
	bool done = false;
	tasks->walk.block_count = 0;
	for (unsigned try = 0; try < TRIES && !done; try++)
		if (!search(tasks, &done))
			return false;
	return true;
}

/* --- one task -------------------------------------------------------------------------------- */

static bool is_wanted(const struct dph_tasks *tasks, const struct dph_task *task)
{
	return !tasks->how->only || dph_task_is(task, tasks->how->only);
}

static void read_keys(struct dph_walk *walk, uint64_t block, struct keys *keys)
{
	enum dph_kernel_field field;
	keys->known = true;
	for (keys->count = 0;
	     keys->count < KEYS_MAX &&
	     (field = dph_kernel_key(&walk->layout, keys->count)) < DPH_KERNEL_FIELDS;
	     keys->count++)
		keys->known = dph_walk_field(walk, block, field, &keys->values[keys->count]) &&
			      keys->known;
}

static bool same_keys(const struct keys *a, const struct keys *b)
{
	return a->known && b->known && a->count == b->count &&
	       memcmp(a->values, b->values, a->count * sizeof(*a->values)) == 0;
}

/* Count the bytes at the low end of a stack that still have the byte that the kernel fills it
 * with. */
static void read_left(struct dph_walk *walk, struct dph_task *task)
{
	const uint64_t most = task->stack_bytes ? task->stack_bytes : LEFT_MAX;
	uint64_t piece = LEFT_PIECE;
	task->left = 0;
	while (task->left < most) {
		const uint64_t want = piece < most - task->left ? piece : most - task->left;
		const uint8_t *data = dph_walk_bytes(walk, task->stack + task->left, want);
		uint64_t used = 0;
		if (!data)
			return;
		while (used < want && data[used] == walk->layout.fill)
			used++;
		task->left += used;
		if (used < want)
			break;
		piece = piece < LEFT_PIECE_MAX ? piece * 2 : piece;
	}
	task->left -= task->left % walk->debug->word_bytes;
	task->left_known = true;
}

/* Count the same on the target, for all tasks. Returns false when the line fails. */
static bool count_left(struct dph_tasks *tasks)
{
	struct dp_run *runs = dph_malloc((tasks->count + 1) * sizeof(*runs));
	size_t count = 0;
	for (size_t i = 0; i < tasks->count; i++) {
		const struct dph_task *task = &tasks->list[i].task;
		if (task->stack && is_wanted(tasks, task))
			runs[count++] = (struct dp_run){
				.address = task->stack,
				.bytes = task->stack_bytes && task->stack_bytes < LEFT_MAX
						 ? (uint32_t)task->stack_bytes
						 : LEFT_MAX,
			};
	}
	const bool good = count == 0 || tasks->how->runs(tasks->context, runs, count);
	for (size_t i = 0, at = 0; i < tasks->count && good; i++) {
		struct dph_task *task = &tasks->list[i].task;
		if (!task->stack || !is_wanted(tasks, task))
			continue;
		const struct dp_run *run = &runs[at++];
		const unsigned word = tasks->walk.debug->word_bytes;
		task->left_known = run->count > 0;
		task->left = run->byte == tasks->walk.layout.fill ? run->count : 0;
		task->left -= task->left % word;
	}
	free(runs);
	return good;
}

static void keep_left(struct dph_walk *walk, struct making *m)
{
	if (!m->left_known || m->left_of != m->task.stack) {
		read_left(walk, &m->task);
		m->left_known = m->task.left_known;
		m->left = m->task.left;
		m->left_of = m->task.stack;
	}
	m->task.left_known = m->left_known;
	m->task.left = m->left;
}

/* Is the task where it was at the reading before? A task that runs every few milliseconds waits at
 * one place nearly all the time. */
static bool is_where_it_was(const struct making *m)
{
	const struct dph_task *task = &m->task;
	bool same = m->before && task->saved && task->frame_count == m->before_count;
	for (size_t i = 0; same && i < task->frame_count; i++)
		same = task->frames[i].offset == m->before[i].offset &&
		       strcmp(task->frames[i].function, m->before[i].function) == 0;
	return same;
}

static void make(struct dph_tasks *tasks, struct making *m)
{
	struct dph_walk *walk = &tasks->walk;
	m->task = (struct dph_task){.block = m->task.block};
	m->fresh = true;
	m->compared = false;
	const bool good = kernels[walk->layout.kernel].task(walk, &m->task, &m->context);
	read_keys(walk, m->task.block, &m->keys);
	m->gone = !good && !walk->wanted;
	if (!good || tasks->how->names || !is_wanted(tasks, &m->task))
		return;
	if (m->context && dph_context_read(walk, &m->task, m->context))
		dph_frames_read(walk, &m->task, tasks->how->frames, &walk->found_pool);
	if (tasks->how->left && !tasks->how->runs && m->task.stack)
		keep_left(walk, m);
}

static void make_all(struct dph_tasks *tasks)
{
	bool wanted = false;
	for (size_t i = 0; i < tasks->count; i++) {
		if (tasks->list[i].settled)
			continue;
		tasks->walk.wanted = false;
		make(tasks, &tasks->list[i]);
		wanted = wanted || tasks->walk.wanted;
	}
	tasks->walk.wanted = wanted;
}

/* Does a task stand where it stood when it was read? */
static bool stands(const struct making *m, const struct keys *now)
{
	if (m->task.state == DPH_TASK_RUNNING)
		return true;
	if (m->task.state == DPH_TASK_MOVING || m->task.why == dph_context_unfit)
		return false;
	return same_keys(&m->keys, now) || is_where_it_was(m);
}

/* Has a task run since it was read? Its values may come in any turn, and are compared once. */
static void compare_all(struct dph_tasks *tasks)
{
	for (size_t i = 0; i < tasks->count; i++) {
		struct making *m = &tasks->list[i];
		struct keys now;
		if (m->settled || m->compared)
			continue;
		tasks->walk.wanted = false;
		read_keys(&tasks->walk, m->task.block, &now);
		if (tasks->walk.wanted)
			continue;
		m->compared = true;
		m->settled = stands(m, &now);
		m->ran = !same_keys(&m->keys, &now);
		m->before = m->task.saved ? m->task.frames : NULL;
		m->before_count = m->task.frame_count;
	}
}

/* Two readings of a task that runs each time differ: what its stack holds is not known then. A task
 * that ran when it was read, and not at the end, has no state that is known. */
static void give_up(struct making *m)
{
	if (!m->settled && m->task.state == DPH_TASK_RUNNING)
		m->task.state = DPH_TASK_MOVING;
	if (m->settled || !m->ran)
		return;
	m->task.saved = false;
	m->task.frame_count = 0;
	m->task.where = NULL;
	m->task.why = "it ran each time while it was read";
}

/* A stack without the kernel's byte at its low end is one that the kernel does not fill, unless
 * others have the byte. */
static void check_fill(struct dph_tasks *tasks)
{
	bool filled = false;
	for (size_t i = 0; i < tasks->count; i++)
		filled = filled || tasks->list[i].task.left > 0;
	for (size_t i = 0; i < tasks->count && !filled; i++)
		tasks->list[i].task.left_known = false;
}

/* Each task that was read before the task that runs now has stopped meanwhile. */
static void unsettle_runners(struct dph_tasks *tasks)
{
	bool runs = false;
	for (size_t i = 0; i < tasks->count; i++)
		runs = runs ||
		       (tasks->list[i].fresh && tasks->list[i].task.state == DPH_TASK_RUNNING);
	for (size_t i = 0; i < tasks->count && runs; i++) {
		struct making *m = &tasks->list[i];
		if (m->task.state == DPH_TASK_RUNNING && !m->fresh)
			m->settled = false;
	}
}

/* A try is over. Returns whether it is the last one. */
static bool end_try(struct dph_tasks *tasks)
{
	bool all = true;
	unsettle_runners(tasks);
	for (size_t i = 0; i < tasks->count; i++) {
		struct making *m = &tasks->list[i];
		m->times_gone += m->fresh && m->gone;
		all = all && (m->settled || (m->gone && m->times_gone > 1));
	}
	return all;
}

static bool read_all(struct dph_tasks *tasks)
{
	bool all = false;
	for (unsigned try = 0; try < TRIES && !all; try++) {
		for (size_t i = 0; i < tasks->count; i++)
			tasks->list[i].fresh = false;
		dph_look_forget_memory(&tasks->walk.memory);
		if (!settle(tasks, make_all))
			return false;
		if (tasks->how->names)
			return true;
		dph_look_forget_memory(&tasks->walk.memory);
		if (!settle(tasks, compare_all))
			return false;
		all = end_try(tasks);
	}
	return true;
}

/* --- the list -------------------------------------------------------------------------------- */

static void make_list(struct dph_tasks *tasks)
{
	free(tasks->list);
	tasks->count = tasks->walk.block_count;
	tasks->list = dph_malloc((tasks->count + 1) * sizeof(*tasks->list));
	for (size_t i = 0; i < tasks->count; i++)
		tasks->list[i] = (struct making){.task = {.block = tasks->walk.blocks[i]}};
}

static void drop_gone(struct dph_tasks *tasks)
{
	size_t kept = 0;
	for (size_t i = 0; i < tasks->count; i++) {
		give_up(&tasks->list[i]);
		if (!tasks->list[i].gone)
			tasks->list[kept++] = tasks->list[i];
	}
	tasks->count = kept;
}

/* A task that ended is in no count of the kernel's once it is cleaned up. */
static void count_missed(struct dph_tasks *tasks)
{
	const uint64_t expected = tasks->walk.expected;
	tasks->missed = expected > tasks->count ? expected - tasks->count : 0;
}

bool dph_tasks_read(struct dph_tasks *tasks, const struct dph_tasks_how *how,
		    dph_tasks_read_places *read, void *context, const char **why)
{
	tasks->how = how;
	tasks->read = read;
	tasks->context = context;
	*why = NULL;
	dph_pool_next_job(&tasks->walk.found_pool);
	if (!find_blocks(tasks))
		return false;
	make_list(tasks);
	if (!read_all(tasks))
		return false;
	drop_gone(tasks);
	if (how->left && how->runs && !count_left(tasks))
		return false;
	check_fill(tasks);
	count_missed(tasks);
	if (!tasks->count)
		*why = dph_pool_print(&tasks->pool,
				      "no task was found: %s has not started, or the target does "
				      "not let its variables be read",
				      tasks->walk.layout.name);
	return tasks->count > 0;
}

static void look_at_running(struct dph_tasks *tasks)
{
	dph_walk_variable(&tasks->walk, kernels[tasks->walk.layout.kernel].running, 0,
			  &tasks->running);
}

bool dph_tasks_read_running(struct dph_tasks *tasks, dph_tasks_read_places *read, void *context,
			    uint64_t *block)
{
	tasks->read = read;
	tasks->context = context;
	dph_look_forget_memory(&tasks->walk.memory);
	if (!settle(tasks, look_at_running))
		return false;
	*block = tasks->running;
	return *block != 0;
}

static void look_at_keys(struct dph_tasks *tasks)
{
	tasks->stand = true;
	for (size_t i = 0; i < tasks->count; i++) {
		const struct making *m = &tasks->list[i];
		struct keys now;

		read_keys(&tasks->walk, m->task.block, &now);
		tasks->stand = tasks->stand && same_keys(&m->keys, &now);
	}
}

bool dph_tasks_stand(struct dph_tasks *tasks, dph_tasks_read_places *read, void *context)
{
	tasks->read = read;
	tasks->context = context;
	dph_look_forget_memory(&tasks->walk.memory);
	return settle(tasks, look_at_keys) && tasks->stand;
}

bool dph_task_is(const struct dph_task *task, const char *name)
{
	char *end;
	const unsigned long long address = strtoull(name, &end, 16);
	return strcmp(task->name, name) == 0 ||
	       (strncmp(name, "0x", 2) == 0 && !*end && task->block == address);
}

size_t dph_tasks_count(const struct dph_tasks *tasks)
{
	return tasks->count;
}

const struct dph_task *dph_tasks_at(const struct dph_tasks *tasks, size_t index)
{
	return &tasks->list[index].task;
}

uint64_t dph_tasks_missed(const struct dph_tasks *tasks)
{
	return tasks->missed;
}

/* --- open and close -------------------------------------------------------------------------- */

static bool know_kernel(struct dph_tasks *tasks, const char **why)
{
	struct dph_walk *walk = &tasks->walk;
	const char *missing = dp_debuginfo_missing(walk->debug), *searched;
	if (dph_kernel_find(walk->debug, &walk->layout, &tasks->pool, &searched))
		return true;
	*why = missing ? missing
		       : dph_pool_print(&tasks->pool,
					"the firmware has no kernel whose tasks are known: %s",
					searched);
	return false;
}

struct dph_tasks *dph_tasks_open(const struct dph_images *images, const char **why)
{
	const struct dp_image *image = dph_images_symbols(images);
	struct dph_tasks *tasks = dph_malloc(sizeof(*tasks));
	*tasks = (struct dph_tasks){0};
	*why = NULL;
	tasks->walk.names = dph_images_names(images);
	tasks->walk.cpu = image ? dph_image_cpu(image) : NULL;
	tasks->walk.debug = image ? dph_debuginfo_for(images, image) : NULL;
	if (!tasks->walk.names || !tasks->walk.debug || !tasks->walk.cpu)
		*why = "tasks are found by the names in the debug information: give the ELF file "
		       "(--elf)";
	else
		know_kernel(tasks, why);
	return tasks;
}

const char *dph_tasks_kernel(const struct dph_tasks *tasks)
{
	return tasks->walk.layout.name;
}

const char *dph_tasks_running(const struct dph_tasks *tasks)
{
	return dph_kernel_variable_name(kernels[tasks->walk.layout.kernel].running);
}

struct dp_debuginfo *dph_tasks_debug(const struct dph_tasks *tasks)
{
	return tasks->walk.debug;
}

void dph_tasks_close(struct dph_tasks *tasks)
{
	if (!tasks)
		return;
	free(tasks->list);
	free(tasks->walk.blocks);
	dph_look_free_memory(&tasks->walk.memory);
	dp_debuginfo_close(tasks->walk.debug);
	dph_pool_free(&tasks->walk.found_pool);
	dph_pool_free(&tasks->pool);
	free(tasks);
}

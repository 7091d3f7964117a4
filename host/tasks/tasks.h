/* SPDX-License-Identifier: BSD-2-Clause */
/* The tasks of a kernel: found in the memory of the target by the names of kernels.def, while the
 * target runs. Nothing in the firmware has to support this. */
#ifndef DPH_TASKS_H
#define DPH_TASKS_H

#include "debuginfo/unwind.h"
#include "look/memory.h"

#include <dprobes/debuginfo.h>

struct dph_images;
struct dph_tasks;

enum dph_task_state {
	DPH_TASK_RUNNING,
	DPH_TASK_READY,
	DPH_TASK_SLEEPING,  /* until a time */
	DPH_TASK_WAITING,   /* for an object, perhaps until a time */
	DPH_TASK_SUSPENDED, /* until another task resumes it */
	DPH_TASK_ENDED,
	DPH_TASK_MOVING /* from one list to another, each time it was read */
};
/* "running" ... */
const char *dph_task_state_word(enum dph_task_state state);

enum {
	DPH_TASK_NAME_ROOM = 48,
	DPH_TASK_FRAMES_MAX = 64
};

struct dph_task {
	uint64_t block; /* address of its control block */
	char name[DPH_TASK_NAME_ROOM];
	enum dph_task_state state;
	int64_t priority;
	uint64_t stack;       /* lowest address */
	uint64_t stack_bytes; /* 0: not known */
	bool left_known;
	uint64_t left;       /* bytes at the low end that nobody has used yet */
	uint64_t object;     /* that it waits for: address; 0: none, or not known */
	const char *waiting; /* name of the object, or what it waits for; null: not known */
	/* The saved context of a task that does not run. */
	bool saved;
	bool known[DPH_UNWIND_REGISTERS]; /* by index in regs.def */
	uint64_t values[DPH_UNWIND_REGISTERS];
	uint64_t pc; /* of `saved` */
	/* Functions from the inside out; the offset is that of the pc. function: never null. */
	const struct dp_code_frame *frames;
	size_t frame_count;
	const char *where; /* "queue_get <- consumer+0x1c"; null: not known */
	const char *why;   /* why the stack is not complete, or not known; null: it is complete */
};

/* Read places of the target in one turn: `have` bytes of each.
 * Returns false when the line fails. */
typedef bool dph_tasks_read_places(void *context, struct dp_read_place *places, size_t count);

/* Find the kernel of a firmware.
 * images: with an ELF file, where the target runs it; the caller keeps them.
 * why: receives the reason of a failure, which stays until dph_tasks_close.
 * Returns what dph_tasks_close frees, also after a failure. */
struct dph_tasks *dph_tasks_open(const struct dph_images *images, const char **why);
void dph_tasks_close(struct dph_tasks *tasks);
/* "FreeRTOS" */
const char *dph_tasks_kernel(const struct dph_tasks *tasks);
/* The variable that points to the control block of the running task. */
const char *dph_tasks_running(const struct dph_tasks *tasks);
/* The debug information that the names of frames come from. */
struct dp_debuginfo *dph_tasks_debug(const struct dph_tasks *tasks);

/* Count runs of equal bytes of the target in one turn: dp_session_runs.
 * Returns false when the line fails. */
typedef bool dph_tasks_count_runs(void *context, struct dp_run *runs, size_t count);

/* What is read of a task beside its name and state. */
struct dph_tasks_how {
	bool names;                 /* the name and state alone */
	bool left;                  /* the bytes of its stack that nobody has used */
	dph_tasks_count_runs *runs; /* counts them on the target; null: they are read */
	bool frames;                /* all of its functions, and not only where it waits */
	const char *only; /* of tasks with this name, or with a control block at this address;
			   * null: of all tasks */
};
/* Has the task this name, or a control block at this address? */
bool dph_task_is(const struct dph_task *task, const char *name);

/* Read the tasks, by control block. The target goes on meanwhile: a list that changed under the
 * walk is walked again, and a task that has run meanwhile is read again.
 * Returns false when the line fails, or with *why: memory that cannot be read. */
bool dph_tasks_read(struct dph_tasks *tasks, const struct dph_tasks_how *how,
		    dph_tasks_read_places *read, void *context, const char **why);
/* Read which task runs, by control block, and no more. The list stays.
 * Returns false when the line fails, or where no task runs. */
bool dph_tasks_read_running(struct dph_tasks *tasks, dph_tasks_read_places *read, void *context,
			    uint64_t *block);
/* Has none of the tasks that were read run since, or come into another state? Tasks that are new do
 * not count. Returns false also when the line fails. */
bool dph_tasks_stand(struct dph_tasks *tasks, dph_tasks_read_places *read, void *context);
size_t dph_tasks_count(const struct dph_tasks *tasks);
const struct dph_task *dph_tasks_at(const struct dph_tasks *tasks, size_t index);
/* How many tasks the kernel has beside those that were found, because lists changed each time they
 * were walked. */
uint64_t dph_tasks_missed(const struct dph_tasks *tasks);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* The reading TASK: a task of the firmware's kernel. */
#ifndef DPH_TASKED_H
#define DPH_TASKED_H

#include <dprobes/debuginfo.h>

struct dph_task_view {
	const char *kernel, *name, *state;
	uint64_t block;
	int64_t priority;
	uint64_t stack, stack_bytes; /* 0: not known */
	bool left_known;
	uint64_t left; /* bytes of the stack that nobody has used */
	bool saved;    /* pc is that of a task that does not run */
	uint64_t pc;
	const char *where;   /* "queue_get <- consumer+0x1c"; null: not known */
	uint64_t object;     /* that it waits for; 0: not known */
	const char *waiting; /* name of the object; null: not known */
	const char *why;     /* why the stack is not known, or not complete; null: it is */
	bool framed;         /* the frames are wanted */
	const struct dp_code_frame *frames;
	size_t frame_count;
	/* Of the format text. */
	struct dp_debuginfo *debug; /* of the frames */
	bool first;                 /* of its table */
	unsigned name_width;        /* of the longest name */
};

#endif

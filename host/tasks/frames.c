/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of a task that does not run, from its saved registers and a copy of its stack. */
#define _GNU_SOURCE
#include "walk.h"

#include "debuginfo/debuginfo.h"

#include <dprobes/host.h>

#include <stdlib.h>
#include <string.h>

enum {
	PIECE = 128,          /* bytes of the stack that are wanted at a time */
	COPY_MAX = 16 * 1024, /* of a stack */
	INLINED_MAX = 16
};

struct walking {
	struct dph_walk *walk;
	struct dph_task *task;
	struct dph_pool *pool;
	struct dph_unwind u;
	struct dp_code_frame frames[DPH_TASK_FRAMES_MAX];
	size_t count;
	bool all;
};

/* --- the stack ------------------------------------------------------------------------------- */

static const uint8_t *known_piece(const struct walking *w, uint64_t address, size_t *bytes)
{
	*bytes = PIECE - (size_t)(address % PIECE);
	return dph_look_known(&w->walk->memory, address, *bytes);
}

/* Copy the stack from sp on, as far as it was read. */
static void copy_stack(struct walking *w, uint64_t sp)
{
	size_t have = 0, piece;
	const uint8_t *data;
	while (known_piece(w, sp + have, &piece) && have < COPY_MAX)
		have += piece;
	uint8_t *copy = dph_pool_take(w->pool, have + 1);
	w->u.memory = copy;
	w->u.base = sp;
	w->u.bytes = have;
	for (size_t at = 0; at < have; at += piece) {
		data = known_piece(w, sp + at, &piece);
		memcpy(copy + at, data, piece);
	}
}

/* Want the next piece of the stack. Returns false: there is none. */
static bool want_more(struct walking *w)
{
	const uint64_t next = w->u.base + w->u.bytes;
	const uint64_t end = w->task->stack_bytes ? w->task->stack + w->task->stack_bytes : 0;
	if (w->u.bytes >= COPY_MAX || (end && next >= end))
		return false;
	return !dph_walk_bytes(w->walk, next, PIECE - next % PIECE) && w->walk->wanted;
}

/* --- frames ---------------------------------------------------------------------------------- */

static const char *unnamed(struct walking *w)
{
	char text[DP_NAME_ROOM];
	const char *name = dp_image_name(w->walk->names, w->u.pc, text);
	return name ? dph_pool_copy(w->pool, name, strlen(name))
		    : dph_pool_print(w->pool, "0x%llx", (unsigned long long)w->u.pc);
}

static void add_frames(struct walking *w)
{
	const uint64_t place = dph_unwind_place(&w->u);
	struct dp_code_frame found[INLINED_MAX];
	size_t count = dp_debuginfo_frames(w->u.debug, place, found, INLINED_MAX);
	if (!count)
		found[count++] = (struct dp_code_frame){0};
	for (size_t i = 0; i < count && w->count < DPH_TASK_FRAMES_MAX; i++) {
		struct dp_code_frame *frame = &w->frames[w->count++];
		*frame = found[i];
		if (frame->function)
			frame->offset += w->u.pc - place;
		else
			frame->function = unnamed(w);
	}
}

/* Is the function one of the kernel, or of assembly, which has no file of its own? */
static bool is_kernel(const struct walking *w, const struct dp_code_frame *frame)
{
	const char *suffix = frame->file ? strrchr(frame->file, '.') : NULL;
	return !frame->file || (suffix && strcasecmp(suffix, ".s") == 0) ||
	       dph_kernel_has_file(&w->walk->layout, frame->file);
}

/* The first function outside of the kernel. */
static size_t first_outside(const struct walking *w)
{
	size_t i = 0;
	while (i < w->count && is_kernel(w, &w->frames[i]))
		i++;
	return i;
}

/* A function that never saves its return address has it in the link register, and assembly often
 * has no call frame information. */
static bool leave_assembly(struct walking *w)
{
	static const char *const names[] = {"lr", "ra"};
	struct dph_unwind *u = &w->u;
	for (size_t i = 0; u->depth == 0 && !u->called && i < sizeof(names) / sizeof(*names); i++) {
		const struct dp_reg *lr = dph_reg_named(w->walk->cpu, names[i], strlen(names[i]));
		const struct dp_reg *pc = dph_reg_named(w->walk->cpu, "pc", strlen("pc"));
		if (!lr || !pc || !u->known[lr->index])
			continue;
		struct dph_unwind caller = *u;
		caller.values[pc->index] = u->values[lr->index];
		if (!dph_unwind_begin(&caller) || !dph_is_code(u->debug, caller.pc - 1) ||
		    dp_image_function(w->walk->names, caller.pc) ==
			    dp_image_function(w->walk->names, u->pc))
			continue;
		caller.called = true;
		caller.depth = 1;
		caller.why[0] = '\0';
		*u = caller;
		return true;
	}
	return false;
}

/* A return address behind the last instruction of one function is the first of another one: a
 * kernel puts it there for a task that returns, and nothing has called the task. */
static bool is_outermost(const struct walking *w)
{
	const struct dp_symbol *function = dp_image_function(w->walk->names, w->u.pc);
	return w->u.called && function && function->value == w->u.pc;
}

/* Go to the caller. Returns false: the function is the outermost, or its caller is not known. */
static bool leave(struct walking *w)
{
	const bool left =
		dph_unwind_next(&w->u) || (!w->u.wanted && w->u.why[0] && leave_assembly(w));
	return left && !is_outermost(w);
}

/* --- texts ----------------------------------------------------------------------------------- */

static const char *name_with_offset(struct walking *w, const struct dp_code_frame *frame)
{
	char offset[DPH_OFFSET_ROOM] = "";
	if (!frame->inlined)
		dph_offset_text(frame->offset, offset);
	return dph_pool_print(w->pool, "%s%s", frame->function, offset);
}

static const char *where_text(struct walking *w)
{
	const size_t outside = first_outside(w);
	if (!w->count)
		return NULL;
	if (outside == 0 || outside == w->count)
		return name_with_offset(w, &w->frames[outside ? outside - 1 : 0]);
	return dph_pool_print(w->pool, "%s <- %s", w->frames[outside - 1].function,
			      name_with_offset(w, &w->frames[outside]));
}

/* --------------------------------------------------------------------------------------------- */

static void find_frames(struct walking *w)
{
	bool more = dph_unwind_begin(&w->u);
	while (more && w->count < DPH_TASK_FRAMES_MAX) {
		add_frames(w);
		if (!w->all && first_outside(w) < w->count)
			return;
		more = leave(w);
	}
}

static void finish(struct walking *w)
{
	struct dph_task *task = w->task;
	const size_t bytes = w->count * sizeof(*w->frames);
	struct dp_code_frame *frames = dph_pool_take(w->pool, bytes + 1);
	memcpy(frames, w->frames, bytes);
	task->frames = frames;
	task->frame_count = w->count;
	task->where = where_text(w);
	if (w->u.why[0])
		task->why = dph_pool_copy(w->pool, w->u.why, strlen(w->u.why));
}

void dph_frames_read(struct dph_walk *walk, struct dph_task *task, bool all, struct dph_pool *pool)
{
	const struct dp_reg *sp = dph_reg_named(walk->cpu, "sp", strlen("sp"));
	struct walking *w = dph_malloc(sizeof(*w));
	*w = (struct walking){.walk = walk, .task = task, .pool = pool, .all = all};
	w->u.debug = walk->debug;
	memcpy(w->u.known, task->known, sizeof(task->known));
	memcpy(w->u.values, task->values, sizeof(task->values));
	copy_stack(w, task->values[sp->index]);
	find_frames(w);
	if (!w->u.wanted || !want_more(w))
		finish(w);
	free(w);
}

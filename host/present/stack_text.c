/* SPDX-License-Identifier: BSD-2-Clause */
/* This file prints recorded call stacks. */
#define _GNU_SOURCE
#include "stack_text.h"

#include "formats.h"

#include "debuginfo/debuginfo.h"
#include "debuginfo/line.h"
#include "debuginfo/unwind.h"

#include <dprobes/host.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	INLINED_MAX = 16,
	INDENT = 14,          /* as DTrace has it */
	STACK_BYTES_MAX = 960 /* of the option stackbytes */
};

static void put_place(FILE *out, struct dp_debuginfo *debug, const struct dp_code_frame *frame)
{
	if (frame->file && frame->line)
		fprintf(out, " (%s:%u)", dph_file_text(debug, frame->file), frame->line);
	else if (frame->file)
		fprintf(out, " (%s)", dph_file_text(debug, frame->file));
}

void dph_put_code_frame(FILE *out, struct dp_debuginfo *debug, const struct dp_code_frame *frame,
			uint64_t pc)
{
	char offset[DPH_OFFSET_ROOM];
	dph_offset_text(frame->offset, offset);
	if (frame->function)
		fprintf(out, "%*s%s", INDENT, "", frame->function);
	else
		fprintf(out, "%*s0x%llx", INDENT, "", (unsigned long long)pc);
	if (frame->inlined)
		fputs(" inlined", out);
	else if (frame->function)
		fputs(offset, out);
	put_place(out, debug, frame);
	putc('\n', out);
}

/* frame: a function; its name is null where none is known. pc: of the frame. */
typedef void visit_frame_of(void *context, const struct dp_code_frame *frame, uint64_t pc);

/* Visits the functions of a stack. */
struct walk {
	struct dph_unwind unwind;
	unsigned left; /* functions that may still be visited */
	bool limited;  /* there are more */
	visit_frame_of *visit;
	void *context;
};

static void visit(struct walk *w, const struct dp_code_frame *frame, uint64_t pc)
{
	if (!w->left)
		return;
	w->left--;
	w->visit(w->context, frame, pc);
}

static void visit_frame(struct walk *w)
{
	struct dp_code_frame frames[INLINED_MAX];
	const struct dph_unwind *u = &w->unwind;
	const uint64_t place = dph_unwind_place(u);
	const size_t count = dp_debuginfo_frames(u->debug, place, frames, INLINED_MAX);
	for (size_t i = 0; i < count; i++) {
		frames[i].offset += u->pc - place;
		visit(w, &frames[i], u->pc);
	}
	if (!count)
		visit(w, &(struct dp_code_frame){.function = NULL}, u->pc);
}

/* The registers, by their names. */
static void take_registers(struct dph_unwind *u, const struct dph_cpu *cpu,
			   const struct dp_value *stack)
{
	const struct dp_reg *sp = cpu ? dph_reg_named(cpu, "sp", strlen("sp")) : NULL;
	for (size_t i = 0; cpu && i < stack->member_count; i++) {
		const char *name = stack->members[i].name ? stack->members[i].name : "";
		const struct dp_reg *reg = dph_reg_named(cpu, name, strlen(name));
		if (!reg || reg->index >= DPH_UNWIND_REGISTERS)
			continue;
		u->known[reg->index] = true;
		u->values[reg->index] = stack->members[i].number;
		if (sp && reg->index == sp->index)
			u->base = stack->members[i].number;
	}
}

static void visit_stack(struct walk *w)
{
	bool more = dph_unwind_begin(&w->unwind);
	while (more && w->left) {
		visit_frame(w);
		more = dph_unwind_next(&w->unwind);
	}
	w->limited = more;
}

static const char *advice_of(const struct dph_unwind *u)
{
	return u->wanted && u->wanted <= STACK_BYTES_MAX
		       ? "; record more with #pragma D option stackbytes=N"
		       : "";
}

/* Visit the functions of a call stack, the innermost first, inlined ones too; at most as many as
 * the program wants. Returns why the last one has no caller, from the heap; null: the stack is
 * complete. */
static char *walk_stack(struct dp_debuginfo *debug, const struct dph_cpu *cpu,
			const struct dp_value *stack, visit_frame_of *visit_, void *context,
			bool *limited)
{
	if (!debug)
		return dph_print("no stack: the firmware is not known; give --elf FILE");
	struct walk *w = dph_malloc(sizeof(*w));
	*w = (struct walk){
		.unwind = {.debug = debug, .memory = stack->bytes, .bytes = stack->count},
		.left = (unsigned)stack->number,
		.visit = visit_,
		.context = context,
	};
	take_registers(&w->unwind, cpu, stack);
	visit_stack(w);
	char *why = NULL;
	if (w->limited)
		*limited = true;
	else if (w->unwind.why[0] && w->left)
		why = dph_print("no caller found: %s%s", w->unwind.why, advice_of(&w->unwind));
	free(w);
	return why;
}

void dph_put_stack_lines(FILE *out, const char *lines)
{
	while (*lines) {
		const size_t bytes = strcspn(lines, "\n");
		fprintf(out, "%*s%.*s\n", INDENT, "", (int)bytes, lines);
		lines += bytes + (lines[bytes] != '\0');
	}
}

struct printing {
	FILE *out;
	struct dp_debuginfo *debug;
};

static void put_visited(void *context, const struct dp_code_frame *frame, uint64_t pc)
{
	const struct printing *p = context;
	dph_put_code_frame(p->out, p->debug, frame, pc);
}

char *dph_stack_text(struct dp_debuginfo *debug, const struct dph_cpu *cpu,
		     const struct dp_value *stack)
{
	char *text = NULL;
	size_t bytes;
	struct printing p = {.out = open_memstream(&text, &bytes), .debug = debug};
	if (!p.out)
		return dph_strdup("");
	bool limited = false;
	char *why = walk_stack(debug, cpu, stack, put_visited, &p, &limited);
	if (why)
		fprintf(p.out, "%*s[%s]\n", INDENT, "", why);
	free(why);
	fclose(p.out);
	return text ? text : dph_strdup("");
}

/* A visitor of the library. */
struct outside {
	struct dp_debuginfo *debug;
	dp_stack_visit *visit;
	void *context;
};

static void visit_outside(void *context, const struct dp_code_frame *frame, uint64_t pc)
{
	const struct outside *outside = context;
	const struct dp_stack_function function = {
		.name = frame->function,
		.address = pc,
		.file = frame->file ? dph_file_text(outside->debug, frame->file) : NULL,
		.line = frame->line,
		.inlined = frame->inlined,
	};
	outside->visit(outside->context, &function);
}

char *dp_formats_stack(const struct dp_formats *formats, const struct dp_value *stack,
		       dp_stack_visit *visit_, void *context)
{
	struct outside outside = {formats->debug, visit_, context};
	bool limited = false;
	char *why =
		walk_stack(formats->debug, formats->cpu, stack, visit_outside, &outside, &limited);
	return limited ? dph_print("stack() prints no more functions") : why;
}

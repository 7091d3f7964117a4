/* SPDX-License-Identifier: BSD-2-Clause */
/* This file prints recorded call stacks. */
#define _GNU_SOURCE
#include "stack_text.h"

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

struct printing {
	FILE *out;
	unsigned left; /* functions that may still be printed */
	struct dp_debuginfo *debug;
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

/* more: bytes from the described address to pc. */
static void put_function(struct printing *p, const struct dp_code_frame *frame, uint64_t pc,
			 uint64_t more)
{
	struct dp_code_frame moved = *frame;
	if (!p->left)
		return;
	p->left--;
	moved.offset += more;
	dph_put_code_frame(p->out, p->debug, &moved, pc);
}

static void put_frame(struct printing *p, const struct dph_unwind *u)
{
	struct dp_code_frame frames[INLINED_MAX];
	const uint64_t place = dph_unwind_place(u);
	p->debug = u->debug;
	const size_t count = dp_debuginfo_frames(u->debug, place, frames, INLINED_MAX);
	for (size_t i = 0; i < count; i++)
		put_function(p, &frames[i], u->pc, u->pc - place);
	if (!count && p->left) {
		p->left--;
		fprintf(p->out, "%*s0x%llx\n", INDENT, "", (unsigned long long)u->pc);
	}
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

static void put_stack(struct printing *p, struct dph_unwind *u)
{
	bool more = dph_unwind_begin(u);
	while (more && p->left) {
		put_frame(p, u);
		more = p->left && dph_unwind_next(u);
	}
	if (u->why[0])
		fprintf(p->out, "%*s[no caller found: %s%s]\n", INDENT, "", u->why,
			u->wanted && u->wanted <= STACK_BYTES_MAX
				? "; record more with #pragma D option stackbytes=N"
				: "");
}

char *dph_stack_text(struct dp_debuginfo *debug, const struct dph_cpu *cpu,
		     const struct dp_value *stack)
{
	if (!debug)
		return dph_print("%*s[no stack: the firmware is not known; give --elf FILE]\n",
				 INDENT, "");
	char *text = NULL;
	size_t bytes;
	struct dph_unwind *u = dph_malloc(sizeof(*u));
	struct printing p = {.out = open_memstream(&text, &bytes), .left = (unsigned)stack->number};
	*u = (struct dph_unwind){.debug = debug, .memory = stack->bytes, .bytes = stack->count};
	take_registers(u, cpu, stack);
	if (p.out) {
		put_stack(&p, u);
		fclose(p.out);
	}
	free(u);
	return text ? text : dph_strdup("");
}

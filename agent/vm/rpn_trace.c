/* SPDX-License-Identifier: BSD-2-Clause */
/* Stack trace records. dprobes.lang(8) "STACK TRACING"; RPN.md 9. A record is measured before
 * the write, so a record without room leaves no bytes. */
#include "dp_build.h"
#include "dp_run.h"

#if DP_WITH_LANGUAGE /* else there is no buffer */
enum {
	DP_HEADER_FIXED_BYTES = RPN_PREFIX_BYTES + 8 + 4 + 2 + 2 + RPN_PREFIX_BYTES
};

/* A list of a frame (a frame has three): which words, and how many of the words exist. */
struct list {
	const dp_word *from;
	dp_word first, count, mask;
};

/* kind 0 stack words, 1 local, 2 global variables. Words that do not exist are left out.
 * decisions.txt C116 */
static struct list list_of(const struct dp_run *run, const struct dp_activation *active,
			   unsigned kind)
{
	const struct dp_program_view *program = run->program;
	struct list list = {run->vm->stack, active->trace[2 * kind], active->trace[2 * kind + 1],
			    DP_STACK_MASK};
	dp_word have = kind == 1 ? program->vars : program->gvars;

	if (kind == 0)
		return list;
	list.from = kind == 1 ? program->lv : program->gv;
	list.mask = (dp_word)-1;
	have = list.first < have ? have - list.first : 0;
	if (list.count > have)
		list.count = have;
	return list;
}

/* The place of a record; at == null: the record is only measured. */
struct out {
	uint8_t *at;
	uint32_t bytes, limit;
};

static void put_word(struct out *out, dp_word value)
{
	if (out->at)
		dp_store_word(out->at + out->bytes, value);
	out->bytes += DP_WORD_BYTES;
}

static void put_prefix(struct out *out, unsigned token, dp_word count)
{
	if (out->at)
		dp_put_prefix(out->at + out->bytes, token, (size_t)count);
	out->bytes += RPN_PREFIX_BYTES;
}

static void put_list(struct out *out, const struct dp_run *run, const struct dp_activation *active,
		     unsigned kind)
{
	struct list list = list_of(run, active, kind);
	dp_word i;

	_Static_assert(RPN_TOKEN_LV == RPN_TOKEN_STACK + 1 && RPN_TOKEN_GV == RPN_TOKEN_STACK + 2,
		       "a token for each kind of range");
	put_prefix(out, RPN_TOKEN_STACK + kind, list.count);
	if (!out->at) {
		out->bytes += list.count > out->limit ? out->limit + 1
						      : (uint32_t)list.count * DP_WORD_BYTES;
		return;
	}
	for (i = 0; i < list.count; i++)
		put_word(out, list.from[(list.first + i) & list.mask]);
}

static void put_record(const struct dp_run *run, struct out *out)
{
	const struct dp_vm *vm = run->vm;
	unsigned depth = vm->depth, kind;

	put_word(out, vm->exception[0]);
	put_word(out, vm->last_handler == UINT16_MAX ? (dp_word)-1 : vm->last_handler);
	put_word(out, vm->exception[1]);
	put_word(out, vm->exception[2]);
	put_prefix(out, RPN_TOKEN_FRAMES, vm->depth);
	for (; depth > 0; depth--) {
		const struct dp_activation *active = &vm->activation[depth];

		put_word(out, active->routine);
		put_word(out, active->back);
		for (kind = 0; kind < 3; kind++)
			put_list(out, run, active, kind);
	}
}

static void put_header(const struct dp_run *run, uint8_t *p)
{
	const struct dp_program_view *program = run->program;
	uint32_t low = (uint32_t)program->offset, high = (uint32_t)(program->offset >> 32);
	unsigned i;

	p = dp_put_prefix(p, RPN_TOKEN_STRING, program->name_bytes);
	for (i = 0; i < program->name_bytes; i++)
		*p++ = program->name[i];
	dp_store_u32(p, DP_PORT_BIG_ENDIAN ? high : low);
	dp_store_u32(p + 4, DP_PORT_BIG_ENDIAN ? low : high);
	dp_store_u32(p + 8, program->id);
	dp_store_u16(p + 12, run->vm->major);
	dp_store_u16(p + 14, run->vm->minor);
	dp_put_prefix(p + 16, RPN_TOKEN_TRACE, 0);
}

bool dp_trace_write(struct dp_run *run)
{
	struct dp_vm *vm = run->vm;
	uint32_t limit = run->program->excpt_log, used = vm->trace_bytes;
	uint32_t header = DP_HEADER_FIXED_BYTES + run->program->name_bytes;
	uint8_t *count = vm->trace + header - 2;
	struct out out;

	out.at = NULL;
	out.bytes = 0;
	out.limit = limit;
	put_record(run, &out);
	if (used == 0)
		used = header;
	if (used + out.bytes > limit) {
		vm->trace_truncated = true;
		return true;
	}
	if (!dp_charge(run, (out.bytes + DP_WORD_BYTES - 1) / DP_WORD_BYTES))
		return false;
	if (vm->trace_bytes == 0)
		put_header(run, vm->trace);
	out.at = vm->trace;
	out.bytes = used;
	put_record(run, &out);
	dp_store_u16(count, (uint16_t)(dp_load_u16(count) + 1));
	vm->trace_bytes = (uint16_t)out.bytes;
	if (vm->trace_top < vm->trace_bytes)
		vm->trace_top = vm->trace_bytes;
	return true;
}
#endif

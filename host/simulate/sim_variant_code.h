/* SPDX-License-Identifier: BSD-2-Clause */
/* struct dph_sim_form gives access to one form of the interpreter. sim_variant_*.c set word size
 * and byte order and include this body. */
#ifndef DPH_SIM_VARIANT_CODE_H
#define DPH_SIM_VARIANT_CODE_H

#include "sim_variant.h"

#include "dp_long.h"
#include "dp_map.h"
#include "dp_plan_code.h"
#include "dp_spec.h"
#include "dp_vm.h"

#include <string.h>

static const struct dp_vm_hooks no_hooks;

static void narrow(dp_word *to, const uint64_t *from, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		to[i] = (dp_word)from[i];
}

static void widen(uint64_t *to, const dp_word *from, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		to[i] = from[i];
}

static unsigned plan(const struct sim_program *p, uint16_t entry, bool items, uint32_t *place)
{
	const struct dp_program_view view = {
		.code = p->code,
		.code_bytes = p->code_bytes,
		.jmpmax = p->jmpmax,
		.logmax = p->logmax,
#if DP_WITH_COUNTS
		.maps = p->maps,
#endif
	};
	struct dp_plan found;
	const unsigned kind = dp_plan_code(&found, &view, entry, items);

	*place = 0;
#if DP_WITH_LANGUAGE
	*place = found.test.ahead;
#endif
	return kind;
}

/* The access of the hit begins with the watched range. */
static void begin_access(const struct sim_program *p, struct dp_watch *watch,
			 struct dp_vm_access *access)
{
	*watch = (struct dp_watch){
		.address = (dp_addr)p->offset, .bytes = (dp_addr)p->watched, .kind = p->watch_kind};
	*access = (struct dp_vm_access){watch, watch->address};
	if (p->watch_kind == 0 || watch->bytes > DP_WATCH_VALUE)
		return;
	if (!p->old->known || p->watch_kind == DP_PROBE_WATCH_R)
		p->old->known = dp_watch_value(watch, p->old->bytes);
	watch->has_old = p->old->known;
	memcpy(watch->old, p->old->bytes, sizeof(watch->old));
}

static void end_access(const struct sim_program *p, const struct dp_watch *watch)
{
	if (p->watch_kind != 0 && watch->bytes <= DP_WATCH_VALUE)
		p->old->known = dp_watch_value(watch, p->old->bytes);
}

/* The words of `return`, and their number. */
static void take_returned(const struct dp_vm *vm, struct sim_result *result)
{
#if DP_RETURNS
	if (!(vm->wants & DP_VM_RETURN))
		return;
	result->returns = true;
	result->words = vm->returned.words;
	for (unsigned i = 0; i < result->words; i++) {
		const unsigned place = DP_PORT_BIG_ENDIAN ? result->words - 1 - i : i;

		result->word[i] = vm->returned.word[i];
		result->result |= result->word[i] << place * DP_WORD_BITS % 64;
	}
#else
	(void)vm, (void)result;
#endif
}

static void run(void *memory, const struct sim_program *p, uint16_t entry, struct dp_frame *frame,
		struct sim_result *result)
{
	struct dp_vm *vm = memory;
	dp_word lv[RPN_VARS_MAX], gv[RPN_VARS_MAX];
	struct dp_watch watch;
	struct dp_vm_access access;
	struct dp_program_view view = {
		.code = p->code,
		.code_bytes = p->code_bytes,
		.lv = lv,
		.gv = gv,
		.vars = p->vars,
		.gvars = p->gvars,
		.jmpmax = p->jmpmax,
		.logmax = p->logmax,
		.excpt_log = p->excpt_log,
		.excpt_mask = p->excpt_mask,
		.major = p->major,
		.minor = p->minor,
		.id = p->id,
		.offset = p->offset,
		.name = p->name,
		.name_bytes = p->name_bytes,
		.autostacktrace = p->autostacktrace,
#if DP_WITH_COUNTS
		.maps = p->maps,
#endif
#if DP_SPECULATES
		.probe = p->point,
#endif
	};

#if DP_WITH_D
	dp_ns_scale(p->tick_hz, &view);
#endif
	narrow(lv, p->lv, p->vars);
	narrow(gv, p->gv, p->gvars);
	begin_access(p, &watch, &access);
	view.access = p->watch_kind != 0 ? &access : NULL;
	dp_vm_run(vm, &view, entry, frame, &no_hooks);
	end_access(p, &watch);
	widen(p->lv, lv, p->vars);
	widen(p->gv, gv, p->gvars);
	/* In a build without parts, members that only those parts write are zero. */
	*result = (struct sim_result){
		.end = vm->end,
		.log = vm->log,
		.trace = vm->trace,
		.log_bytes = vm->log_bytes,
		.trace_bytes = vm->trace_bytes,
		.trace_truncated = vm->trace_truncated,
		.codes_set = vm->codes_set,
		.remove = vm->wants & DP_VM_REMOVE,
		.stop = vm->wants & DP_VM_STOP,
		.exit_number = vm->exit_number,
		.major = vm->major,
		.minor = vm->minor,
		.steps = vm->steps,
		.exception = {vm->exception[0], vm->exception[1], vm->exception[2]},
		.place = vm->pc,
		.tsp = (unsigned)vm->tsp,
		.sbp = (unsigned)vm->sbp % DP_STACK_WORDS,
	};
	take_returned(vm, result);
}

static uint64_t slot(const void *memory, unsigned index)
{
	const struct dp_vm *vm = memory;

	return vm->stack[index % DP_STACK_WORDS];
}

static void maps_place(const uint8_t *rows, unsigned count, void *maps)
{
	dp_maps_place(rows, count, maps);
}

static int map_place(void *memory, unsigned index, unsigned place, bool take, uint64_t *words)
{
	struct dp_map *maps = memory;
	struct dp_map_storage in;

	dp_map_find(&in, maps, &maps[index]);
	if (place > in.mask)
		return -1;
	if (in.mark[place] == 0)
		return 0;
	widen(words, in.entry + place * in.words, in.words);
	if (take)
		dp_map_remove(&in, place);
	return (int)in.words;
}

static uint32_t map_dropped(const void *memory, unsigned index)
{
	const struct dp_map *maps = memory;

	return maps[index].dropped;
}

#if DP_SPECULATES
static bool take_speculated(void *memory, unsigned index, unsigned n, struct sim_speculated *record)
{
	struct dp_map *maps = memory;
	struct dp_spec_buffer *buffer = dp_spec_buffer(maps, &maps[index], n);
	struct dp_spec_record oldest;

	if (!dp_spec_oldest(&maps[index], buffer, &oldest))
		return false;
	record->point = oldest.probe;
	record->ticks = oldest.ticks;
	record->bytes = oldest.bytes;
	memcpy(record->log, oldest.part[0], oldest.part_bytes[0]);
	memcpy(record->log + oldest.part_bytes[0], oldest.part[1], oldest.part_bytes[1]);
	dp_spec_pass(&maps[index], buffer);
	return true;
}

static bool map_speculated(void *memory, unsigned index, struct sim_speculated *record)
{
	const struct dp_map *maps = memory;

	for (unsigned n = 0; n < dp_spec_buffers(&maps[index]); n++)
		if (take_speculated(memory, index, n, record))
			return true;
	return false;
}
#else
static bool map_speculated(void *memory, unsigned index, struct sim_speculated *record)
{
	(void)memory, (void)index, (void)record;
	return false;
}
#endif

const struct dph_sim_form DP_SIM_FORM(dph_sim_form) = {
	.word_bits = DP_WORD_BITS,
	.big_endian = DP_PORT_BIG_ENDIAN,
	.vm_bytes = sizeof(struct dp_vm),
	.stack_words = DP_STACK_WORDS,
	.log_max = DP_LOG_MAX,
	.trace_max = DP_TRACE_MAX,
	.step_budget = DP_STEP_BUDGET,
	.plan = plan,
	.run = run,
	.slot = slot,
	.maps_bytes = dp_maps_bytes,
	.maps_place = maps_place,
	.map_place = map_place,
	.map_dropped = map_dropped,
	.map_speculated = map_speculated,
};

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* The records of a hit. */
#include "dp_hit_log.h"

#include "dp_build.h"
#include "dp_clock.h"
#include "dp_flight.h"
#include "dp_items.h"
#include "dp_log_ring.h"
#include "dp_memory.h"
#include "dp_ring_full.h"
#include "dp_sent.h"
#include "dp_stream_line.h"
#include "dp_tell.h"

_Static_assert(RPN_END_EXIT == 0 && (int)RPN_END_EXCEPTION == (int)DP_RECORD_EXCEPTION &&
		       (int)RPN_END_BUDGET == (int)DP_RECORD_BUDGET,
	       "how a run ended is its flag; one that was aborted has no record");
static uint8_t flags_of(const struct dp_vm *vm)
{
	return (uint8_t)(vm->end | (DP_WITH_LANGUAGE && vm->codes_set ? DP_RECORD_CODES : 0u));
}

/* The ring has no room for a record of the probe. */
static struct dp_record *no_room(struct dp_agent *agent, unsigned number, uint64_t ticks)
{
	DP_THIS_CPU(agent)->ring.dropped++;
	agent->probe[number].dropped++;
	DP_THIS_CPU(agent)->vm.wants &= (uint8_t)~DP_VM_STOP; /* the host would not know */
	dp_ring_full_at(agent, ticks);
	return NULL;
}

/* Return the head of a record; the caller adds the body. Null when the ring has no room, which is
 * counted. */
static struct dp_record *begin_record(struct dp_agent *agent, unsigned number, unsigned bytes,
				      enum dp_record_kind kind, uint64_t ticks)
{
	struct dp_record *record = dp_ring_take(&DP_THIS_CPU(agent)->ring, (bytes + 3u) & ~3u);

	if (!record)
		return no_room(agent, number, ticks);
	dp_hit_log_head(record, number, bytes, kind, ticks);
	return record;
}

#if DP_WITH_HISTORY
struct dp_record *dp_hit_log_begin(struct dp_agent *agent, unsigned number, unsigned bytes,
				   enum dp_record_kind kind, uint64_t ticks)
{
	return begin_record(agent, number, bytes, kind, ticks);
}
#endif

#if DP_WITH_LANGUAGE
static bool load_word(dp_addr address, unsigned width, dp_word *word)
{
	union {
		uint8_t bytes[sizeof(dp_word)];
		dp_word word;
	} value = {.word = 0};

	if (!dp_port_load_memory(
		    address, width,
		    value.bytes + (DP_PORT_BIG_ENDIAN ? (unsigned)sizeof(dp_word) - width : 0)))
		return false;
	*word = dp_load_word(value.bytes);
	return true;
}

/* Read the words. The RPN stack gets what the instructions leave there: decisions.txt C03. returns:
 * false: one is not readable, or no memory. */
static bool load_words(struct dp_agent *agent, const struct dp_plan *plan,
		       const struct dp_frame *frame)
{
	dp_word *top = DP_THIS_CPU(agent)->vm.stack + DP_STACK_WORDS;

	for (unsigned i = 0; i < plan->words; i++) {
		unsigned width = plan->memory.width[i];

		*--top = dp_plan_word(frame, plan->at[i]);
		dp_plan_under(plan->at[i], top - 1);
		if (width == 0)
			continue;
		if (plan->memory.offset[i] != 0)
			top[-1] = plan->memory.offset[i];
		if (!load_word(*top + plan->memory.offset[i], width, top))
			return false;
	}
	return true;
}

bool dp_hit_log_memory(struct dp_agent *agent, const struct dp_plan *plan, unsigned number,
		       const struct dp_frame *frame)
{
	const dp_word *end = DP_THIS_CPU(agent)->vm.stack + DP_STACK_WORDS,
		      *top = end - plan->words;
	dp_ring_unit *to;

	if (!load_words(agent, plan, frame))
		return false;
	to = dp_hit_log_room(agent, plan->words, number);
	if (!to)
		return false;
	while (end != top) {
		to -= DP_WORD_UNITS;
		dp_ring_set_word(to, *--end);
	}
	return true;
}
#endif

static void log_trace(struct dp_agent *agent, unsigned number, uint64_t ticks)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);
	const struct dp_vm *vm = &cpu->vm;
	struct dp_record *record =
		begin_record(agent, number, vm->trace_bytes, DP_RECORD_TRACE, ticks);

	if (!record)
		return;
	if (vm->trace_truncated)
		record->flags = DP_RECORD_TRUNCATED;
	dp_ring_put(&cpu->ring, dp_ring_body(&cpu->ring, record), vm->trace, vm->trace_bytes);
}

/* The exception that ended the run goes in front of all, where the host has asked for it. Returns
 * the flag that says so. */
static uint8_t begin_fault(const struct dp_program *program, const struct dp_vm *vm,
			   struct dp_answer *body)
{
	uint8_t parameter[sizeof(dp_word)];
	uint16_t exception;

	if (!DP_WITH_LANGUAGE || vm->end != RPN_END_EXCEPTION || !program->view.tells_faults)
		return 0;
	exception = (uint16_t)vm->exception[0];
	dp_store_word(parameter, vm->exception[1]);
	dp_give_number(body, &vm->pc, 2);
	dp_give_number(body, &exception, 2);
	dp_give_bytes(body, parameter, sizeof(parameter));
	return DP_RECORD_FAULT;
}

void dp_hit_log(struct dp_agent *agent, unsigned number, const struct dp_program *program,
		const struct dp_frame *frame)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);
	const struct dp_vm *vm = &cpu->vm;
	uint64_t ticks = dp_hit_now(agent);
	uint8_t mask = program->items & DP_ITEM_ALL;
	struct dp_record *record;
	struct dp_answer items;
	unsigned flags;
	uint32_t at = 0;

	items.bytes = 0;
	flags = flags_of(vm) | begin_fault(program, vm, &items);
	if (mask != 0)
		dp_give_items(&items, mask, agent, frame, ticks);
	if (dp_program_flies(program)) {
		dp_flight_log(agent, number, flags, &items, ticks);
		return;
	}
	record = begin_record(agent, number, items.bytes + vm->log_bytes, DP_RECORD_LOG, ticks);
	if (record) {
		record->flags = (uint8_t)flags;
		if (DP_WITH_LANGUAGE) {
			record->major = vm->major;
			record->minor = vm->minor;
		}
		at = dp_ring_body(&cpu->ring, record);
		if (items.bytes != 0)
			at = dp_ring_put(&cpu->ring, at, items.payload, items.bytes);
		if (vm->log_bytes != 0)
			dp_ring_put(&cpu->ring, at, vm->log, vm->log_bytes);
	}
	if (DP_WITH_LANGUAGE && vm->trace_bytes != 0)
		log_trace(agent, number, ticks);
}

/* The log record of the hit has been sent, or begun: a withdraw follows it. */
static void withdraw(struct dp_agent *agent, unsigned number, const struct dp_record *sent)
{
	uint64_t ticks = (uint64_t)sent->ticks_high << 32 | sent->ticks;
	struct dp_ring *ring = &DP_THIS_CPU(agent)->ring;

	if (!begin_record(agent, number, 0, DP_RECORD_WITHDRAW, ticks))
		return;
	ring->withdrawn++;
	dp_ring_commit(ring);
}

void dp_hit_log_abort(struct dp_agent *agent)
{
	struct dp_ring *ring = &DP_THIS_CPU(agent)->ring;
	uint32_t at = ring->committed, end = at;

	while (at != ring->head) {
		struct dp_record *record = dp_ring_new_head(ring, at);

		at = dp_ring_behind(at, record);
		if (agent->probe[record->probe].logonfault) {
			record->flags |= DP_RECORD_FAULTED;
			end = at;
		} else {
			record->kind = DP_RING_VOID;
		}
	}
	ring->head = end; /* void ones at the end would wait for a record that takes them along */
	dp_ring_commit(ring);
}

void dp_hit_log_back(struct dp_agent *agent, struct dp_probe *probe)
{
	struct dp_ring *ring = &DP_THIS_CPU(agent)->ring;
	unsigned number = (unsigned)(probe - agent->probe);
	uint32_t at = probe->left.at;
	const struct dp_record *record = dp_ring_head(ring, at);

	probe->left.at = ring->head;
	/* in the ring still, and not where the next record goes */
	if (ring->committed - at - 1 >= DP_RING_BYTES || record->probe != number ||
	    record->kind > DP_RECORD_TRACE)
		return;
	if ((int32_t)(at - ring->next.at) < 0 || ring->next.piece != 0) {
		withdraw(agent, number, record);
		return;
	}
	dp_stream_changed(agent); /* a line with the record may have been built */
	dp_sent_forget(DP_THIS_CPU(agent), ring->head - DP_RING_BYTES);
	dp_ring_void(ring, at, number);
	dp_ring_full_back(agent);
}

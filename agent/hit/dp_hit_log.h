/* SPDX-License-Identifier: BSD-2-Clause */
/* The records of a hit. */
#ifndef DP_HIT_LOG_H
#define DP_HIT_LOG_H

#include "dp_clock.h"
#include "dp_log_ring.h"
#include "dp_plan.h"

/* Fill the head of a record. */
static inline void dp_hit_log_head(struct dp_record *record, unsigned number, unsigned bytes,
				   enum dp_record_kind kind, uint64_t ticks)
{
	record->kind = (uint8_t)kind;
	record->flags = 0;
	record->probe = (uint8_t)number;
	record->ticks = (uint32_t)ticks;
	record->bytes = (uint16_t)bytes;
	record->ticks_high = (uint16_t)(ticks >> 32);
}

/* Append the log of the handler that ended, and its stack traces, to the ring.
 * number: of the probe. program: its program.
 * context: HIT. */
void dp_hit_log(struct dp_agent *agent, unsigned number, const struct dp_program *program,
		const struct dp_frame *frame);

/* Take room for a record of so many words of the probe with the number. context: HIT. returns: the
 * end of the record; null when the ring has no room in one part. Inlined: 14 instructions a hit
 * (Cortex-A9). */
static inline __attribute__((__always_inline__)) dp_ring_unit *
dp_hit_log_room(struct dp_agent *agent, unsigned words, unsigned number)
{
	uint64_t now = dp_hit_now(agent);
	struct dp_ring *ring = &DP_THIS_CPU(agent)->ring;
	unsigned bytes = words * (unsigned)sizeof(dp_word);
	struct dp_record *record;

	if (!dp_ring_has_whole(ring, bytes))
		return NULL;
	record = dp_ring_take(ring, bytes);
	if (!record)
		return NULL;
	dp_hit_log_head(record, number, bytes, DP_RECORD_LOG, now);
	return (dp_ring_unit *)(void *)((uint8_t *)(record + 1) + bytes);
}

/* Append the words of the frame that the plan names to the ring, as a record of the probe with the
 * number. The RPN stack keeps the words as pushes leave them: decisions.txt C03.
 * context: HIT.
 * returns: false when the ring has no room in one part. Then the handler is to run.
 * Two places call it. Inlined: 7 instructions a hit of a single probe (Thumb-2: arguments, call,
 * registers). */
static inline __attribute__((__always_inline__)) bool dp_hit_log_words(struct dp_agent *agent,
								       const struct dp_plan *plan,
								       unsigned number,
								       const struct dp_frame *frame)
{
	const uint8_t *at = plan->at, *end = at + plan->words;
	dp_ring_unit *to = dp_hit_log_room(agent, plan->words, number);
	dp_word *top;

	if (!to)
		return false;
	/* the word that is pushed last is the first one in the record */
	top = (dp_word *)(void *)((uint8_t *)(DP_THIS_CPU(agent)->vm.stack + DP_STACK_WORDS) -
				  plan->above);
	while (at != end) {
		dp_word word = dp_plan_word(frame, *at++);

		*--top = word;
		to -= DP_WORD_UNITS;
		dp_ring_set_word(to, word);
	}
	return true;
}

/* Append the words of a DP_PLAN_MEMORY, which it reads, to the ring. context: HIT. returns: false:
 * the handler is to run. */
bool dp_hit_log_memory(struct dp_agent *agent, const struct dp_plan *plan, unsigned number,
		       const struct dp_frame *frame);

/* Take room for a record of the hit, whose head is filled: with HISTORY. context: HIT.
 * returns: the head; null: no room, which is counted. */
struct dp_record *dp_hit_log_begin(struct dp_agent *agent, unsigned number, unsigned bytes,
				   enum dp_record_kind kind, uint64_t ticks);

/* The displaced instruction faulted: void the uncommitted records, except records of probes with
 * logonfault. */
void dp_hit_log_abort(struct dp_agent *agent);
/* Withdraw the records of the probe's last hit that left by a one-trap slot: void what waits, and
 * withdraw what was sent. context: interrupts masked. */
void dp_hit_log_back(struct dp_agent *agent, struct dp_probe *probe);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines of the stream: dp_poll builds a line with interrupts open, and masks interrupts only to
 * send the line. */
#ifndef DP_STREAM_LINE_H
#define DP_STREAM_LINE_H

#include "dp_state.h"

/* A line that is being built, and the state of the stream behind the line. */
struct dp_draft {
	struct dp_stream stream;
	struct dp_place next; /* of the ring */
	uint64_t now;         /* as dp_status_line has read it */
	uint64_t full;        /* of a sync */
	uint32_t first;       /* place of the first record that was read */
	uint32_t generation;  /* of the stream when the line was begun */
	uint8_t *done;        /* what is 0 when the line is sent: a flag, a notice; null: nothing */
	struct dp_line *line;
	uint8_t cpu; /* whose stream and ring */
};
/* What the agent has for the CPU of the draft, const as the agent is. */
#define DP_DRAFT_CPU(agent, draft) (&(agent)->cpu[dp_draft_cpu(draft)])
static inline unsigned dp_draft_cpu(const struct dp_draft *draft)
{
	return DP_PORT_CPUS == 1 ? 0 : draft->cpu;
}

/* The line under way on the wire, or the last one. */
static inline struct dp_line *dp_line_now(struct dp_wire *wire)
{
	return &wire->line[wire->now];
}

/* The line that dp_poll builds. Hits leave it alone: they build the line under way anew, when it is
 * out. */
static inline struct dp_line *dp_line_spare(struct dp_wire *wire)
{
	return &wire->line[wire->now ^ 1];
}

/* Is a line to be sent, or half sent? */
static inline bool dp_line_under_way(const struct dp_wire *wire)
{
	return wire->sent < wire->line[wire->now].used;
}

/* The line that has just been under way, for the next one. context: interrupts masked. */
static inline struct dp_line *dp_line_reuse(struct dp_wire *wire)
{
	wire->sent = DP_LINE_MAX; /* idle, however long it grows */
	return dp_line_now(wire);
}

/* Begin a draft in one of the wire's two lines. draft: has its CPU. */
void dp_draft_begin(const struct dp_agent *agent, struct dp_draft *draft, struct dp_line *line);
/* Begin a draft of the CPU's stream. */
static inline void dp_draft_of(const struct dp_agent *agent, unsigned cpu, struct dp_draft *draft,
			       struct dp_line *line)
{
	if (DP_PORT_CPUS > 1)
		draft->cpu = (uint8_t)cpu;
	dp_draft_begin(agent, draft, line);
}
/* Begin the draft's line, with the number of the CPU and the low digits of `number`. */
struct dp_line *dp_stream_begin(struct dp_draft *draft, enum dp_frame_type type, uint32_t number);
/* Send the draft, behind the text that the firmware has written so far. returns: false when the
 * stream has changed since the draft was begun, a hit has overwritten a record of the draft, or a
 * line is under way: nothing was sent. */
bool dp_draft_send(struct dp_agent *agent, struct dp_wire *wire, const struct dp_draft *draft);
/* Let the line be the one under way. context: interrupts masked, no line is under way. */
void dp_line_start(struct dp_wire *wire, const struct dp_line *line);

/* Discard unsent drafts: their source has changed. */
static inline void dp_stream_changed(struct dp_agent *agent)
{
	agent->transmit.generation++;
}

/* A sync of every CPU is due. */
static inline void dp_stream_sync(struct dp_agent *agent)
{
	for (unsigned i = 0; i < DP_PORT_CPUS; i++)
		agent->stream[i].sync_due = 1;
}

/* The next line of records has the whole time, for every CPU. */
static inline void dp_stream_timed(struct dp_agent *agent)
{
	for (unsigned i = 0; i < DP_PORT_CPUS; i++)
		agent->stream[i].timed = 1;
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Stay stopped: receive by the board's `stopped`, answer by the `serve` of struct dp_agent, send by
 * `put`, until a request, a typed line or a silence lets the target go on. */
#include "dp_halt.h"

#include "dp_agent.h"
#include "dp_clock.h"
#include "dp_tell.h"
#include "dp_wire.h"

#if DP_WITH_HALT
static const char resume_line[] = "~dprobes resume";
_Static_assert(sizeof(((struct dp_halt *)0)->typed_at) >= DP_LINES, "one for each line");

enum {
	DP_TYPED_BYTES = sizeof(resume_line) - 1,
	DP_TYPED_OTHER = 0xff, /* the line is another one */
	DP_NEVER = 0xffff      /* the seconds of HALT */
};

/* at: characters of the typed line so far. returns: does the byte end it? */
static bool ends_typed(uint8_t *at, uint8_t byte)
{
	bool whole = *at == DP_TYPED_BYTES;

	if (byte == '\r' || byte == '\n') {
		*at = 0;
		return whole;
	}
	if (*at < DP_TYPED_BYTES && byte == (uint8_t)resume_line[*at])
		++*at;
	else
		*at = DP_TYPED_OTHER;
	return false;
}

/* Take a byte of the line, if one has come. The call also tells the board that the target is
 * stopped, and not hung. */
static void take_byte(struct dp_agent *agent, unsigned com)
{
	int byte = agent->board->stopped(com);

	if (byte < 0)
		return;
	if (ends_typed(&agent->halt.typed_at[com], (uint8_t)byte))
		agent->halt.resume = DP_RESUME_TYPED;
	dp_rx(agent, (enum dp_com_index)com, (uint8_t)byte);
}

/* A byte in and a byte out on each line: a request that comes while an answer goes is not lost.
 * Not inlined: sources.mk names the function for the worst stack. returns: was a request served? */
static DP_APART bool serve_stopped(struct dp_agent *agent)
{
	for (unsigned com = 0; com < DP_LINES; com++) {
		struct dp_wire *wire = &agent->wire[com];

		if (!agent->board->com[com].put)
			continue;
		take_byte(agent, com);
		dp_transmit_some(&agent->board->com[com], wire, 1);
		if (wire->nak)
			dp_transmit_records(agent);
	}
	return agent->serve(agent, true);
}

/* Has no request come for so long? A target without a clock waits for ever. */
static bool is_alone(const struct dp_agent *agent, uint64_t heard)
{
	uint32_t hz = dp_tick_hz(agent);
	uint32_t seconds = agent->halt.seconds != 0 ? agent->halt.seconds : DP_HALT_SECONDS;

	return hz != 0 && seconds != 0 && seconds != DP_NEVER &&
	       dp_now(agent) - heard >= (uint64_t)hz * seconds;
}

static void wait(struct dp_agent *agent, uint64_t heard)
{
	while (agent->halt.resume == 0) {
		if (serve_stopped(agent))
			heard = dp_now(agent);
		else if (is_alone(agent, heard))
			agent->halt.resume = DP_RESUME_ALONE;
	}
}

/* No byte wakes the task of dp_poll: the kernel stands where it was hit. */
static void begin(struct dp_agent *agent, struct dp_frame *frame, dp_addr pc, enum dp_halt_why why)
{
	struct dp_halt *halt = &agent->halt;

	halt->frame = frame;
	halt->pc = pc;
	halt->on = (uint8_t)why;
	halt->asked = halt->due = 0;
	for (unsigned com = 0; com < DP_LINES; com++)
		halt->typed_at[com] = 0;
	agent->woken = 1;
	DP_TELL(agent, DP_NOTICE_STOPPED, DP_WIDTHS_stopped_notice, pc,
		why == DP_HALT_REQUEST ? DP_NONE : halt->probe, why);
	dp_transmit_records(agent);
}

/* Reset the board, if CORE has asked for that in this stop. */
static void reset(struct dp_agent *agent)
{
#if DP_WITH_HISTORY
	if (agent->halt.reset) {
		agent->halt.reset = 0;
		agent->board->reset();
	}
#else
	(void)agent;
#endif
}

static void end(struct dp_agent *agent, enum dp_resume_why why)
{
	struct dp_halt *halt = &agent->halt;
	uint64_t lasted = dp_now(agent) - halt->began;

	halt->seconds = 0;
	halt->alone = why == DP_RESUME_ALONE;
	agent->woken = 0;
	agent->poll_due = 1;
	DP_TELL(agent, DP_NOTICE_RESUMED, DP_WIDTHS_resumed_notice, why, (dp_word)(lasted >> 32),
		(dp_word)(uint32_t)lasted);
	dp_transmit_records(agent);
	dp_clock_note(agent);
	reset(agent);
}

void dp_halt(struct dp_agent *agent, struct dp_frame *frame, dp_addr pc, enum dp_halt_why why)
{
	struct dp_halt *halt = &agent->halt;
	enum dp_resume_why resume;

	if (why < DP_HALT_STEP)
		halt->began = dp_now(agent);
	begin(agent, frame, pc, why);
	wait(agent, dp_now(agent));
	resume = (enum dp_resume_why)halt->resume;
	halt->frame = NULL;
	halt->on = halt->resume = 0;
	if (resume != DP_RESUME_STEP)
		end(agent, resume);
}

void dp_halt_look(struct dp_agent *agent, struct dp_frame *frame, dp_addr pc)
{
	struct dp_halt *halt = &agent->halt;

	halt->frame = frame;
	halt->pc = pc;
	halt->on = DP_HALT_STEP;
	serve_stopped(agent);
	halt->frame = NULL;
	halt->on = 0;
}

void dp_halt_lost(struct dp_agent *agent)
{
	end(agent, DP_RESUME_FAULT);
}
#endif

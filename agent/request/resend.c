/* SPDX-License-Identifier: BSD-2-Clause */
/* The request for records that the line has lost, which also acknowledges the others. */
#include "dp_exchange.h"

#include "dp_at_work.h"
#include "dp_fields.h"
#include "dp_lock.h"
#include "dp_log_ring.h"
#include "dp_sent.h"
#include "dp_stream_line.h"

#if DP_WITH_STREAM
static uint32_t later(uint32_t a, uint32_t b)
{
	return (int32_t)(a - b) > 0 ? a : b;
}

enum {
	DP_TRIES = 8 /* hits of the synchronous mode may move the ring at each */
};

/* Begin to send the range, without the records that are gone: it takes the place of a range that is
 * being sent. Acknowledge the records before `have`.
 * returns: false when a hit has moved the ring, or ended the session. */
static bool begin(struct dp_agent *agent, struct dp_exchange *ex, uint32_t generation,
		  struct dp_mark mark)
{
	uint32_t from = DP_ARG(ex, resend, from), count = DP_ARG(ex, resend, count);
	struct dp_stream *stream = &agent->stream[dp_this_cpu()];
	dp_irq irq = dp_lock_take();
	bool holds = generation == agent->transmit.generation && dp_work_is_ours(agent);

	if (holds) {
		dp_sent_acknowledge(agent, DP_ARG(ex, resend, have));
		ex->n.resend.first = from;
		ex->n.resend.count = 0;
	}
	if (holds && count > 0) {
		if (ex->n.resend.next - from < count)
			count = ex->n.resend.next - from;
		stream->until = from + count;
		stream->from = later(from, mark.number);
		if ((int32_t)(stream->until - stream->from) < 0)
			stream->from = stream->until;
		stream->again.number = mark.number;
		stream->again.at = mark.at;
		stream->again.body = stream->again.piece = 0;
		dp_stream_changed(agent);
		ex->n.resend.first = stream->from;
		ex->n.resend.count = (uint16_t)(stream->until - stream->from);
	}
	dp_lock_give(irq);
	return holds;
}

enum dp_err dp_do_resend(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a)
{
	uint32_t have = DP_ARG(ex, resend, have), from = DP_ARG(ex, resend, from);

	(void)a;
	for (unsigned tries = 0; tries < DP_TRIES; tries++) {
		uint32_t generation = agent->transmit.generation, next;

		dp_ring_barrier(); /* a hit that changes what is read here changes the generation */
		next = DP_THIS_CPU(agent)->ring.next.number;
		if ((int32_t)(next - have) < 0 || (int32_t)(next - from) < 0)
			return DP_ERR_BAD_RANGE;
		ex->n.resend.next = next;
		if (begin(agent, ex, generation, dp_sent_find(agent, DP_THIS_CPU(agent), from)))
			return DP_ERR_OK;
	}
	return DP_ERR_BUSY;
}
#endif

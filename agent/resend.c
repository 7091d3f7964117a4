/* SPDX-License-Identifier: BSD-2-Clause */
/* The request for records that the line has lost, which also acknowledges the others. */
#include "dp_resend.h"

#include "dp_fields.h"
#include "dp_sent.h"
#include "dp_stream_line.h"

#if DP_WITH_STREAM
static uint32_t later(uint32_t a, uint32_t b)
{
	return (int32_t)(a - b) > 0 ? a : b;
}

/* Begin to send the range, without the records that are gone. It takes the place of a range that is
 * being sent. returns: the first record. */
static uint32_t begin(struct dp_agent *agent, uint32_t from, uint32_t count)
{
	struct dp_mark mark = dp_sent_find(agent, from);
	struct dp_stream *stream = &agent->stream;
	uint32_t next = DP_THIS_CPU(agent)->ring.next.number;

	if (next - from < count)
		count = next - from;
	stream->until = from + count;
	stream->from = later(from, mark.number);
	if ((int32_t)(stream->until - stream->from) < 0)
		stream->from = stream->until;
	stream->again.number = mark.number;
	stream->again.at = mark.at;
	stream->again.body = stream->again.piece = 0;
	dp_stream_changed(agent);
	return stream->from;
}

enum dp_err dp_do_resend(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a)
{
	uint32_t have = DP_ARG(ex, resend, have), from = DP_ARG(ex, resend, from);
	uint32_t count = DP_ARG(ex, resend, count), next = DP_THIS_CPU(agent)->ring.next.number;

	(void)a;
	if ((int32_t)(next - have) < 0 || (int32_t)(next - from) < 0)
		return DP_ERR_BAD_RANGE;
	dp_sent_acknowledge(agent, have);
	ex->n.resend.next = next;
	ex->n.resend.first = count > 0 ? begin(agent, from, count) : from;
	ex->n.resend.count = count > 0 ? (uint16_t)(agent->stream.until - agent->stream.from) : 0;
	return DP_ERR_OK;
}
#endif

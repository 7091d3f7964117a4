/* SPDX-License-Identifier: BSD-2-Clause */
/* Bytes in: the splitter runs in the receive interrupt, so that console text keeps its order; good
 * request lines are queued for dp_poll.  PROTOCOL.md 3.1 */
#include "dp_core.h"
#include "dp_memory.h"

static void to_console(const struct dp_com *com, const uint8_t *bytes, size_t count)
{
	if (com->console_in)
		for (size_t i = 0; i < count; i++)
			com->console_in(com->ctx, bytes[i]);
}

enum line {
	LINE_TEXT,    /* its check fails: not for us */
	LINE_DROPPED, /* checked, but nothing that may be asked */
	LINE_REQUEST,
};

/* A line with the session's seed, or HELLO with the seed of all versions. */
static enum line check_line(const struct dp_agent *agent, const struct dp_splitter *s,
			    struct dp_frame_in *frame)
{
	uint32_t session = agent->link.session;
	bool hello;

	if (session != 0 &&
	    dp_frame_check(s->held, s->used, dp_frame_seed(DP_PROTOCOL_VERSION, session), frame))
		hello = false;
	else if (dp_frame_check(s->held, s->used, dp_frame_seed(0, 0), frame))
		hello = true;
	else
		return LINE_TEXT;
	if (frame->bytes == 0 || (frame->payload[0] == DP_CMD_HELLO) != hello)
		return LINE_DROPPED;
	return LINE_REQUEST;
}

static int hex_digit(uint8_t c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* "~Q" SS LL ...: does the length say what is there? Then only the check was wrong. */
static bool well_formed(const struct dp_splitter *s)
{
	int high, low;

	if (s->used < 15)
		return false;
	high = hex_digit(s->held[4]);
	low = hex_digit(s->held[5]);
	return high >= 0 && low >= 0 && s->used == 15 + 2 * (high * 16 + low);
}

static void queue_request(struct dp_link *link, uint8_t com, const struct dp_frame_in *frame)
{
	struct dp_request *request = &link->queue[link->queue_head % DP_RX_LINES];

	if ((uint8_t)(link->queue_head - link->queue_tail) >= DP_RX_LINES) {
		link->lines_lost++;
		return;
	}
	request->com = com;
	request->seq = frame->seq;
	request->check = frame->check;
	request->bytes = frame->bytes;
	dp_copy(request->payload, frame->payload, frame->bytes);
	link->queue_head++;
}

static void end_of_line(struct dp_agent *agent, uint8_t com)
{
	struct dp_link *link = &agent->link;
	struct dp_splitter *s = &link->splitter[com];
	struct dp_frame_in frame;
	uint8_t console[DP_LINE_MAX];

	switch (check_line(agent, s, &frame)) {
	case LINE_REQUEST:
		queue_request(link, com, &frame);
		dp_splitter_take(s);
		return;
	case LINE_DROPPED:
		dp_splitter_take(s);
		return;
	case LINE_TEXT:
		break;
	}
	if (well_formed(s)) {
		link->nak_seq[com] = (uint8_t)(hex_digit(s->held[2]) * 16 + hex_digit(s->held[3]));
		link->nak[com] = 1;
	}
	to_console(&agent->board->com[com], console, dp_splitter_flush(s, console));
}

void dp_rx(struct dp_agent *agent, enum dp_com_index com, uint8_t byte)
{
	uint8_t console[DP_LINE_MAX];
	size_t count;

	agent->link.quiet[com] = 0;
	switch (dp_splitter_feed(&agent->link.splitter[com], byte, "Q", console, &count)) {
	case DP_SPLIT_HELD:
		break;
	case DP_SPLIT_CONSOLE:
		to_console(&agent->board->com[com], console, count);
		break;
	case DP_SPLIT_FRAME:
		end_of_line(agent, (uint8_t)com);
		break;
	}
}

/* A possible frame start is not held for ever: a person may have typed it. */
void dp_receive_timeout(struct dp_agent *agent)
{
	uint32_t hz = dp_tick_hz(agent);
	uint64_t now = dp_now(agent);

	for (unsigned com = 0; hz != 0 && com < DP_COMS; com++) {
		struct dp_splitter *s = &agent->link.splitter[com];
		uint8_t console[DP_LINE_MAX];
		dp_irq irq = dp_port_mask();

		if (s->used == 0 || !agent->link.quiet[com]) {
			agent->link.quiet[com] = 1;
			agent->link.quiet_since[com] = now;
		} else if (now - agent->link.quiet_since[com] > hz / 20) {
			to_console(&agent->board->com[com], console, dp_splitter_flush(s, console));
		}
		dp_port_unmask(irq);
	}
}

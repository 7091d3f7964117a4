/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests from the queues to their answers: repeats, lines, the order of both lines. */
#include "dp_command.h"

#include "dp_memory.h"
#include "dp_owner.h"
#include "dp_requests.h"
#include "dp_storm.h"
#include "dp_stream_line.h"
#include "dp_transmit.h"
#include "dp_typed.h"
#include "dp_typed_line.h"

/* Execute a request, or answer a repeat with the stored answer. False: the request's session has
 * ended meanwhile, and the stored answer belongs to the new session. */
static bool make_answer(struct dp_agent *agent, uint8_t com, const struct dp_request *request,
			bool in_hit)
{
	struct dp_link *link = &agent->link;
	const struct dp_command *command = dp_find_command(request->payload[0]);
	enum dp_err error = DP_ERR_BUSY;

	if (link->last_valid && link->last_seq == request->seq &&
	    link->last_check == request->check && link->last_com == com)
		return true;
	link->last.bytes = 2;
	link->last.payload[0] = request->payload[0];
	if (!in_hit || (command && (command->flags & DP_FROM_HIT)))
		error = dp_execute(agent, com, request, command, &link->last);
	if (dp_request_abandoned(agent) && !agent->executing) {
		link->abandoned = 0;
		return false;
	}
	link->last.payload[1] = (uint8_t)error;
	link->last_valid = error != DP_ERR_BUSY;
	link->last_seq = request->seq;
	link->last_check = request->check;
	link->last_com = com;
	return true;
}

/* A dead line costs a time-out at some hits of a storm, not at every hit. */
static void flush_in_hit(struct dp_agent *agent, uint8_t com)
{
	if (!dp_transmit_flush(agent, com))
		agent->hits_since_poll = 0;
}

/* Serve the next request of the wire; its line is free. */
static void serve_next(struct dp_agent *agent, uint8_t com, bool in_hit, dp_irq irq)
{
	struct dp_link *link = &agent->link;
	struct dp_wire *wire = &agent->wire[com];
	struct dp_request request; /* a hit may serve those that come behind it */
	struct dp_line *line;

	dp_copy(&request, &wire->request[wire->tail % DP_RX_LINES], sizeof(request));
	if (dp_owner_answers(agent, wire, &request))
		return;
	wire->tail++;
	link->irq = irq;
	/* A hit's line that the transmitter has not taken stays whole; a repeat gets the answer. */
	if (!make_answer(agent, com, &request, in_hit) || dp_line_under_way(wire))
		return;
	/* HELLO's own answer must not be sealed with the session it opens. */
	line = dp_line_now(wire);
	line->used = (uint8_t)dp_frame_put_control(
		line->text, DP_FRAME_ANSWER, request.seq, link->last.payload, link->last.bytes,
		request.payload[0] == DP_CMD_HELLO ? DP_HELLO_SEED : link->seed);
	dp_line_start(wire, line);
}

static bool run_next(struct dp_agent *agent, uint8_t com, bool in_hit, dp_irq irq)
{
	struct dp_wire *wire = &agent->wire[com];

	if (wire->tail == wire->head && !dp_typed_waits(wire))
		return false;
	if (in_hit)
		flush_in_hit(agent, com);
	if (dp_line_under_way(wire))
		return false;
	if (!dp_typed_answer(agent, wire))
		serve_next(agent, com, in_hit, irq);
	if (in_hit)
		flush_in_hit(agent, com);
	return true;
}

/* In the order they came, as long as their lines take the answers. */
static bool second_line_first(const struct dp_wire *wire)
{
	const struct dp_wire *second = wire + DP_LINES - 1;

	return (int8_t)(second->request[second->tail % DP_RX_LINES].age -
			wire->request[wire->tail % DP_RX_LINES].age) < 0;
}

/* Requests run with interrupts masked, so that a storm of hits that one lets loose cannot come
 * before its answer. */
bool dp_command_run(struct dp_agent *agent, bool in_hit)
{
	dp_irq irq = dp_port_mask();
	uint8_t com = second_line_first(agent->wire);
	bool ran;

	in_hit = dp_storm_serves(in_hit);
	ran = run_next(agent, com, in_hit, irq);
	if (DP_LINES > 1)
		ran |= run_next(agent, com ^ 1, in_hit, irq);
	dp_port_unmask(irq);
	return ran;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Take requests from the queues and send their answers: repeats, lines, the order of both lines.
 *
 * dp_poll executes a request and builds its answer with interrupts open (dp_at_work.h). In a storm
 * hits serve requests as well, with interrupts masked, also while dp_poll executes a request. */
#include "dp_requests.h"

#include "dp_at_work.h"
#include "dp_lock.h"
#include "dp_memory.h"
#include "dp_owner.h"
#include "dp_sealed.h"
#include "dp_store.h"
#include "dp_storm.h"
#include "dp_stream_line.h"
#include "dp_typed.h"
#include "dp_typed_line.h"
#include "dp_wire.h"
#include "dp_work.h"

enum {
	/* An answer that tells what hits change is made anew when they did. When hits have changed
	 * so many answers, the host asks again. */
	DP_TRIES = 8
};

/* --- answers --- */

static bool is_repeat(const struct dp_link *link, uint8_t com, const struct dp_request *request)
{
	return link->last_valid && link->last_seq == request->seq &&
	       link->last_check == request->check &&
	       (link->last_com == com || dp_sealed_known(request));
}

/* context: interrupts masked. */
static void store_answer(struct dp_link *link, uint8_t com, const struct dp_request *request,
			 const struct dp_answer *answer)
{
	unsigned error = answer->payload[1];

	if (error == DP_ERR_BUSY || error == DP_ERR_IN_USE || dp_sealed_overtaken(link, request))
		return;
	dp_copy_words(&link->last, answer, sizeof(*answer));
	link->last_valid = 1;
	link->last_seq = request->seq;
	link->last_check = request->check;
	link->last_com = com;
}

static void execute(struct dp_agent *agent, uint8_t com, const struct dp_request *request,
		    const struct dp_command *command, struct dp_answer *answer)
{
	answer->bytes = 2;
	answer->payload[0] = request->payload[0];
	answer->payload[1] = (uint8_t)dp_execute(agent, com, request, command, answer);
}

/* HELLO's own answer must not be checked with the seed of the session it opens. */
static void put_answer(struct dp_agent *agent, const struct dp_request *request,
		       const struct dp_answer *answer, struct dp_line *line)
{
	line->used = (uint8_t)dp_frame_put_control(
		line->text, DP_FRAME_ANSWER, request->seq, answer->payload, answer->bytes,
		request->payload[0] == DP_CMD_HELLO ? DP_HELLO_SEED : agent->link.seed);
	dp_sealed_answer(agent, request, line);
}

/* --- in a hit --- */

/* A dead line costs a time-out at some hits of a storm, not at every hit. */
static void flush_in_hit(struct dp_agent *agent, uint8_t com)
{
	if (!dp_transmit_flush(agent, com))
		DP_THIS_CPU(agent)->hits_since_poll = 0;
}

static void answer_in_hit(struct dp_agent *agent, uint8_t com, const struct dp_request *request,
			  struct dp_answer *answer)
{
	const struct dp_command *command = dp_find_command(request->payload[0]);

	if (is_repeat(&agent->link, com, request)) {
		dp_copy_words(answer, &agent->link.last, sizeof(*answer));
		return;
	}
	answer->bytes = 2;
	answer->payload[0] = request->payload[0];
	answer->payload[1] = DP_ERR_BUSY;
	if (command && (command->flags & DP_FROM_HIT) && !dp_sealed_spent(request))
		execute(agent, com, request, command, answer);
	store_answer(&agent->link, com, request, answer);
}

static void serve_in_hit(struct dp_agent *agent, uint8_t com)
{
	struct dp_wire *wire = &agent->wire[com];
	struct dp_request request;
	struct dp_answer answer;
	struct dp_line *line = dp_line_reuse(wire);

	dp_move_settle(agent);
	if (dp_typed_take(wire)) {
		dp_typed_answer(agent, line);
	} else {
		dp_copy(&request, &wire->request[wire->tail % DP_RX_LINES], sizeof(request));
		if (dp_owner_must_tell(agent, wire, &request)) {
			dp_owner_tell(agent, wire, &request, line);
			return;
		}
		wire->tail++;
		if (!dp_sealed_accept(agent, com, &request))
			return;
		dp_owner_heard(agent, &request);
		answer_in_hit(agent, com, &request, &answer);
		put_answer(agent, &request, &answer, line);
	}
	dp_line_start(wire, line);
}

/* --- in dp_poll --- */

/* Take the next request out of its queue. The notice to the owner goes first.
 * returns: false when a hit has served the request, another thread is at work, or the notice goes
 * first. */
static bool take_request(struct dp_agent *agent, struct dp_wire *wire, struct dp_request *request)
{
	dp_irq irq = dp_lock_take();
	bool there = wire->tail != wire->head && !agent->executing, tell = false;

	if (there) {
		dp_copy_words(request, &wire->request[wire->tail % DP_RX_LINES], sizeof(*request));
		tell = dp_owner_must_tell(agent, wire, request);
	}
	if (there && !tell) {
		wire->tail++;
		agent->executing = request->payload[0];
		dp_work_note(agent);
	}
	dp_lock_give(irq);
	if (tell)
		dp_owner_tell(agent, wire, request, dp_line_spare(wire));
	return there && !tell;
}

/* Does the answer tell what hits and modules change, and the request change nothing itself? */
static bool is_reader(const struct dp_command *command)
{
	return (command->flags & DP_NEEDS) == DP_RIGHT_LOOK && command->number != DP_CMD_VARS &&
	       command->number != DP_CMD_MAP;
}

/* Does the answer tell what the lines of the stream change? */
static bool tells_stream(const struct dp_command *command)
{
	return command->number == DP_CMD_STATUS;
}

/* Does the answer still tell what is there? context: interrupts masked. */
static bool holds(const struct dp_agent *agent, const struct dp_command *command,
		  uint32_t generation)
{
	if (!command || !is_reader(command))
		return true;
	return !dp_work_disturbed(agent) &&
	       (!tells_stream(command) || generation == agent->transmit.generation);
}

/* Let the line be the one under way, and store the answer. The line of a hit that the transmitter
 * has not taken stays whole: a repeat gets the answer. A session that has ended gets no answer.
 * returns: false when the answer must be made anew. */
static bool send_answer(struct dp_agent *agent, uint8_t com, const struct dp_request *request,
			const struct dp_answer *answer, const struct dp_command *command,
			uint32_t generation)
{
	struct dp_wire *wire = &agent->wire[com];
	dp_irq irq = dp_lock_take();
	bool stands = holds(agent, command, generation);

	if (stands && !dp_work_abandoned(agent)) {
		store_answer(&agent->link, com, request, answer);
		if (!dp_line_under_way(wire))
			dp_line_start(wire, dp_line_spare(wire));
	}
	dp_lock_give(irq);
	return stands || dp_work_abandoned(agent);
}

/* Execute and answer. A repeat gets the stored answer.
 * returns: false when the answer must be made anew. */
static bool try_request(struct dp_agent *agent, uint8_t com, const struct dp_request *request)
{
	const struct dp_command *command = dp_find_command(request->payload[0]);
	bool repeat = is_repeat(&agent->link, com, request);
	uint32_t generation = agent->transmit.generation;
	struct dp_answer answer;

	dp_work_note(agent);
	if (repeat)
		dp_copy_words(&answer, &agent->link.last, sizeof(answer));
	else
		execute(agent, com, request, command, &answer);
	put_answer(agent, request, &answer, dp_line_spare(&agent->wire[com]));
	return send_answer(agent, com, request, &answer, repeat ? NULL : command, generation);
}

/* What the answer tells changes too fast. */
static void answer_busy(struct dp_agent *agent, uint8_t com, const struct dp_request *request)
{
	struct dp_answer answer;

	answer.bytes = 2;
	answer.payload[0] = request->payload[0];
	answer.payload[1] = DP_ERR_BUSY;
	put_answer(agent, request, &answer, dp_line_spare(&agent->wire[com]));
	send_answer(agent, com, request, &answer, NULL, 0);
}

static void serve_request(struct dp_agent *agent, uint8_t com)
{
	struct dp_request request;
	unsigned tries;

	if (!take_request(agent, &agent->wire[com], &request))
		return;
	if (dp_sealed_accept(agent, com, &request)) {
		dp_owner_heard(agent, &request);
		tries = dp_sealed_spent(&request) ? DP_TRIES : 0;
		while (tries < DP_TRIES && !try_request(agent, com, &request))
			tries++;
		if (tries == DP_TRIES)
			answer_busy(agent, com, &request);
	}
	dp_work_end(agent);
}

static bool serve_typed(struct dp_agent *agent, struct dp_wire *wire)
{
	dp_irq irq = dp_lock_take();
	bool typed = !agent->executing && dp_typed_take(wire);

	if (typed)
		agent->executing = DP_CMD_REMOVE;
	dp_lock_give(irq);
	if (!typed)
		return false;
	dp_typed_answer(agent, dp_line_spare(wire));
	irq = dp_lock_take();
	if (!dp_line_under_way(wire))
		dp_line_start(wire, dp_line_spare(wire));
	dp_lock_give(irq);
	dp_work_end(agent);
	return true;
}

/* --- both --- */

static bool run_next(struct dp_agent *agent, uint8_t com, bool in_hit)
{
	struct dp_wire *wire = &agent->wire[com];

	if (wire->tail == wire->head && !dp_typed_waits(wire))
		return false;
	if (!in_hit && agent->executing) /* another thread, which dp_poll has interrupted */
		return false;
	if (in_hit)
		flush_in_hit(agent, com);
	if (dp_line_under_way(wire))
		return false;
	if (in_hit) {
		serve_in_hit(agent, com);
		flush_in_hit(agent, com);
	} else if (!serve_typed(agent, wire)) {
		serve_request(agent, com);
	}
	return true;
}

/* In the order they came, as long as their lines take the answers. */
static bool second_line_first(const struct dp_wire *wire)
{
	const struct dp_wire *second = wire + DP_LINES - 1;

	return (int8_t)(second->request[second->tail % DP_RX_LINES].age -
			wire->request[wire->tail % DP_RX_LINES].age) < 0;
}

bool dp_command_run(struct dp_agent *agent, bool in_hit)
{
	uint8_t com = second_line_first(agent->wire);
	bool ran;

	in_hit = dp_storm_serves(in_hit);
	ran = run_next(agent, com, in_hit);
	if (DP_LINES > 1)
		ran |= run_next(agent, com ^ 1, in_hit);
	return ran;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Take requests from the queues and send their answers: repeats, lines, the order of both lines.
 *
 * dp_poll executes a request and builds its answer with interrupts open (dp_at_work.h). In a storm
 * hits serve requests as well, with interrupts masked, also while dp_poll executes a request. */
#include "dp_requests.h"

#include "dp_at_work.h"
#include "dp_halt.h"
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

/* The line on which a repeat comes; a sealed one comes on any. */
static uint8_t line_of(uint8_t com, const struct dp_request *request)
{
	return dp_sealed_known(request) ? DP_COM_NONE : com;
}

/* Is the stored answer the one to this request? */
static bool is_stored(const struct dp_link *link, uint8_t com, const struct dp_request *request)
{
	return link->last_valid && link->last_seq == request->seq &&
	       link->last_check == request->check && link->last_com == line_of(com, request);
}

/* The request leaves its queue: is it the last executed one again? A sealed request shows that when
 * its seal is right. context: interrupts masked. */
static void note_repeat(const struct dp_link *link, uint8_t com, struct dp_request *request)
{
	if (is_stored(link, com, request))
		request->how |= DP_REQUEST_SPENT;
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
	link->last_com = line_of(com, request);
}

static void put_error(const struct dp_request *request, enum dp_err error, struct dp_answer *answer)
{
	answer->bytes = 2;
	answer->payload[0] = request->payload[0];
	answer->payload[1] = (uint8_t)error;
}

/* The stored answer; BUSY when there is none: the host asks again. */
static void recall(const struct dp_agent *agent, uint8_t com, const struct dp_request *request,
		   struct dp_answer *answer)
{
	dp_irq irq = dp_lock_take();

	if (is_stored(&agent->link, com, request))
		dp_copy_words(answer, &agent->link.last, sizeof(*answer));
	else
		put_error(request, DP_ERR_BUSY, answer);
	dp_lock_give(irq);
}

static void execute(struct dp_agent *agent, uint8_t com, const struct dp_request *request,
		    const struct dp_command *command, struct dp_answer *answer)
{
	put_error(request, DP_ERR_OK, answer);
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
	if (dp_halted(agent) || dp_halt_hears(agent)) /* they send as they can */
		return;
	if (!dp_transmit_flush(agent, com))
		DP_THIS_CPU(agent)->hits_since_poll = 0;
}

/* In a storm hits serve a few requests. A stopped target serves all but those of an upload that
 * dp_poll may be at. */
static bool is_for_hit(const struct dp_agent *agent, const struct dp_command *command)
{
	if (command->flags & DP_FROM_HIT)
		return true;
	return dp_halted(agent) && !(agent->executing && command->number >= DP_CMD_BEGIN &&
				     command->number <= DP_CMD_COMMIT);
}

/* Is a request among those of the queue that hits serve? Those before it are answered, too. */
static bool has_one_for_hit(const struct dp_wire *wire)
{
	for (uint8_t at = wire->tail; at != wire->head; at++) {
		const struct dp_command *command =
			dp_find_command(wire->request[at % DP_RX_LINES].payload[0]);

		if (command && command->flags & DP_FROM_HIT)
			return true;
	}
	return false;
}

static void answer_in_hit(struct dp_agent *agent, uint8_t com, const struct dp_request *request,
			  struct dp_answer *answer)
{
	const struct dp_command *command = dp_find_command(request->payload[0]);

	if (request->how & DP_REQUEST_SPENT) {
		recall(agent, com, request, answer);
		return;
	}
	put_error(request, dp_halted(agent) ? DP_ERR_STOPPED : DP_ERR_BUSY, answer);
	if (command && is_for_hit(agent, command))
		execute(agent, com, request, command, answer);
	store_answer(&agent->link, com, request, answer);
}

/* Does the request repeat the one that dp_poll executes? It gets no answer of its own: dp_poll
 * makes the answer. After BUSY the host would ask anew, and STORE would store twice. A sealed
 * repeat shows itself by its count. VARS and MAP take counts away, and the host sends them alone:
 * one that comes while dp_poll executes such a request repeats it. */
static bool is_at_work(const struct dp_agent *agent, uint8_t com, const struct dp_request *request)
{
	uint8_t command = request->payload[0];
	bool spent = request->how & DP_REQUEST_SPENT && !is_stored(&agent->link, com, request);

	return agent->executing == command && !dp_work_abandoned(agent) &&
	       (spent || command == DP_CMD_VARS || command == DP_CMD_MAP);
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
		note_repeat(&agent->link, com, &request);
		if (!dp_sealed_accept(agent, com, &request))
			return;
		dp_owner_heard(agent, &request);
		dp_halt_heard(agent);
		if (is_at_work(agent, com, &request))
			return;
		answer_in_hit(agent, com, &request, &answer);
		put_answer(agent, &request, &answer, line);
	}
	dp_line_start(wire, line);
}

/* --- in dp_poll --- */

/* Take the next request out of its queue. The notice to the owner goes first.
 * returns: false when a hit has served the request, another thread is at work, or the notice goes
 * first. */
static bool take_request(struct dp_agent *agent, uint8_t com, struct dp_request *request)
{
	struct dp_wire *wire = &agent->wire[com];
	dp_irq irq = dp_lock_take();
	bool there = wire->tail != wire->head && !agent->executing, tell = false;

	if (there) {
		dp_copy_words(request, &wire->request[wire->tail % DP_RX_LINES], sizeof(*request));
		tell = dp_owner_must_tell(agent, wire, request);
	}
	if (there && !tell) {
		wire->tail++;
		note_repeat(&agent->link, com, request);
		/* 0 and the numbers of enum dp_work are no commands. */
		agent->executing = dp_find_command(request->payload[0]) ? request->payload[0]
									: DP_WORK_UNKNOWN;
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

/* Let the spare line be the one under way. The line of a hit that the transmitter has not taken
 * stays whole: a repeat gets the answer. context: interrupts masked. */
static void start_spare(struct dp_wire *wire)
{
	if (!dp_line_under_way(wire))
		dp_line_start(wire, dp_line_spare(wire));
}

/* Send and store the answer. A session that has ended gets no answer.
 * returns: false when the answer must be made anew. */
static bool send_answer(struct dp_agent *agent, uint8_t com, const struct dp_request *request,
			const struct dp_answer *answer, const struct dp_command *command,
			uint32_t generation)
{
	dp_irq irq = dp_lock_take();
	bool stands = holds(agent, command, generation);

	if (stands && !dp_work_abandoned(agent)) {
		store_answer(&agent->link, com, request, answer);
		start_spare(&agent->wire[com]);
	}
	dp_lock_give(irq);
	return stands || dp_work_abandoned(agent);
}

/* Execute and answer. returns: false when the answer must be made anew. */
static bool try_request(struct dp_agent *agent, uint8_t com, const struct dp_request *request)
{
	const struct dp_command *command = dp_find_command(request->payload[0]);
	uint32_t generation = agent->transmit.generation;
	struct dp_answer answer;

	dp_work_note(agent);
	execute(agent, com, request, command, &answer);
	put_answer(agent, request, &answer, dp_line_spare(&agent->wire[com]));
	return send_answer(agent, com, request, &answer, command, generation);
}

/* Answer without executing: a repeat, or what the answer tells changes too fast. The store of
 * answers stays: a hit may have put another answer there. */
static void answer_again(struct dp_agent *agent, uint8_t com, const struct dp_request *request)
{
	struct dp_wire *wire = &agent->wire[com];
	struct dp_answer answer;
	dp_irq irq;

	recall(agent, com, request, &answer);
	put_answer(agent, request, &answer, dp_line_spare(wire));
	irq = dp_lock_take();
	if (!dp_work_abandoned(agent))
		start_spare(wire);
	dp_lock_give(irq);
}

static void serve_request(struct dp_agent *agent, uint8_t com)
{
	struct dp_request request;
	unsigned tries;

	if (!take_request(agent, com, &request))
		return;
	if (dp_sealed_accept(agent, com, &request)) {
		dp_owner_heard(agent, &request);
		dp_halt_heard(agent);
		tries = request.how & DP_REQUEST_SPENT ? DP_TRIES : 0;
		while (tries < DP_TRIES && !try_request(agent, com, &request))
			tries++;
		if (tries == DP_TRIES)
			answer_again(agent, com, &request);
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
	start_spare(wire);
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
	if (dp_halt_hears(agent) && !has_one_for_hit(wire))
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

/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of requests, and how one is executed. */
#ifndef DP_REQUESTS_H
#define DP_REQUESTS_H

#include "dp_exchange.h"
#include "dp_state.h"

/* Bits of struct dp_command's flags. */
enum {
	DP_FROM_HIT = 0x01, /* also served while a probe storm keeps dp_poll from running */
	DP_NEEDS = DP_RIGHT_LOOK | DP_RIGHT_LOG | DP_RIGHT_INSERT, /* the right it needs */
	DP_NAMES_PROGRAM = 0x10, /* the first argument is the index of an installed program */
	DP_EVEN_SO = 0x20,       /* most refusals have the form as well */
	DP_OF_ANY_VERSION =
		0x40 /* in other versions its numbers may be others, but for the first */
};
_Static_assert(DP_NEEDS == 0x0e, "the bits that the other flags leave");

/* A request as this agent knows it. */
struct dp_command {
	/* form: where the answer's begins in forms. widths: of 4 numbers, as many as struct
	 * dp_exchange has. */
	uint32_t number : 7, form : 9, widths : 9, flags : 7;
	/* Interrupts are open in dp_poll: it masks them for the steps that hits must see whole, and
	 * changes nothing when a hit has ended its session (dp_work_is_ours). */
	enum dp_err (*run)(struct dp_agent *, struct dp_exchange *, struct dp_answer *);
};

/* The row of the request; null: this agent lacks the request. */
const struct dp_command *dp_find_command(uint8_t number);
/* Execute a request (command null: an unknown one) that came on `com`. In dp_poll interrupts are
 * open, in a hit they are masked. a: holds the request's number and room for the error; receives
 * the fields of the answer. returns: the error. */
enum dp_err dp_execute(struct dp_agent *agent, uint8_t com, const struct dp_request *request,
		       const struct dp_command *command, struct dp_answer *a);

/* Run the oldest request of each line and answer it; the `serve` of struct dp_agent.
 * in_hit: waits for the transmitter, and answers BUSY to requests that a hit does not serve.
 * context: thread; HIT with in_hit.
 * returns: false if there are no requests, or their lines are not free. */
bool dp_command_run(struct dp_agent *agent, bool in_hit);

#endif

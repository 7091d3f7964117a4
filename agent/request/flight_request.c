/* SPDX-License-Identifier: BSD-2-Clause */
/* The request FLIGHT: the ring of the flight recorder, as its bytes lie. PROTOCOL.md 9 */
#include "dp_exchange.h"

#include "dp_at_work.h"
#include "dp_fields.h"
#include "dp_flight.h"
#include "dp_lock.h"
#include "dp_memory.h"

#if DP_WITH_HISTORY
enum {
	DP_HOW_READ,
	DP_HOW_FREEZE,
	DP_HOW_CLEAR,
	DP_FLIGHT_MOST = 40 /* bytes of the ring in an answer */
};

/* Bytes and position of one moment: a record that is being written stays out of both. */
static void tell(const struct dp_agent *agent, struct dp_exchange *ex)
{
	ex->n.flight.state = agent->flight.frozen ? 1 : agent->flight.left != 0 ? 2 : 0;
	ex->n.flight.boot = agent->boot;
	ex->n.flight.size = DP_FLIGHT_BYTES;
	ex->n.flight.end = agent->flight.end;
#if DP_FLIGHT_BYTES > 0
	unsigned at = DP_ARG(ex, flight, at);

	if (at < DP_FLIGHT_BYTES) {
		ex->tail.bytes = ex->words;
		ex->tail.count =
			(uint8_t)(DP_FLIGHT_BYTES - at < DP_FLIGHT_MOST ? DP_FLIGHT_BYTES - at
									: DP_FLIGHT_MOST);
		dp_copy(ex->words, agent->keep->history.ring + at, ex->tail.count);
	}
#endif
}

enum dp_err dp_do_flight(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a)
{
	unsigned how = DP_ARG(ex, flight, how);
	enum dp_err error = DP_ERR_OK;
	dp_irq irq;

	(void)a;
	if (how > DP_HOW_CLEAR)
		return DP_ERR_BAD_REQUEST;
	if (how != DP_HOW_READ)
		error = dp_may(agent, DP_RIGHT_INSERT);
	if (error != DP_ERR_OK)
		return error;
	if (how == DP_HOW_CLEAR)
		dp_flight_clear(agent);
	irq = dp_lock_take();
	if (how == DP_HOW_FREEZE)
		dp_flight_freeze(agent, 0);
	tell(agent, ex);
	dp_lock_give(irq);
	return DP_ERR_OK;
}
#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Records wait by number until the missing record before them arrives or is lost. */
#include "record_order.h"

#include <stdlib.h>

enum {
	NUMBER_ROUND = 0x1000, /* a line tells the low 12 bits of a number */
	NEIGHBOURS = 8,        /* so many present records between missing ones are asked for too */
};

/* In the slot of a record that was given up. */
static struct dph_kept given_up;

static struct dph_kept **slot(struct dph_order *order, uint32_t number)
{
	return &order->slot[number % DPH_ORDER_MAX];
}

static void forget(struct dph_kept **at)
{
	if (*at != &given_up)
		free(*at);
	*at = NULL;
}

void dph_order_free(struct dph_order *order)
{
	for (uint32_t number = order->first; number != order->next; number++)
		forget(slot(order, number));
}

void dph_order_begin(struct dph_order *order, uint32_t number)
{
	dph_order_free(order);
	order->begun = true;
	order->first = order->next = number;
}

void dph_order_place(struct dph_order *order, uint32_t number)
{
	const uint32_t ahead = (number - order->next) % NUMBER_ROUND;
	const uint32_t move = number - ahead - order->next; /* a multiple of NUMBER_ROUND */

	order->first += move;
	order->next += move;
	order->placed = true;
}

static bool waits(const struct dph_order *order, uint32_t number)
{
	return number - order->first < order->next - order->first;
}

bool dph_order_misses(const struct dph_order *order, uint32_t number)
{
	return waits(order, number) && order->slot[number % DPH_ORDER_MAX] == NULL;
}

void dph_order_expect(struct dph_order *order, uint32_t number)
{
	order->next = number;
}

bool dph_order_put(struct dph_order *order, uint32_t number, struct dph_kept *kept)
{
	if (kept == NULL || !dph_order_misses(order, number)) {
		free(kept);
		return false;
	}
	*slot(order, number) = kept;
	return true;
}

void dph_order_give_up(struct dph_order *order, uint32_t number)
{
	for (uint32_t i = order->first; i != order->next && i != number; i++)
		if (*slot(order, i) == NULL)
			*slot(order, i) = &given_up;
}

struct dph_kept *dph_order_take(struct dph_order *order, uint32_t *lost)
{
	struct dph_kept *kept = NULL;

	for (*lost = 0; order->first != order->next; ++*lost) {
		kept = *slot(order, order->first);
		if (kept == NULL)
			return NULL;
		*slot(order, order->first++) = NULL;
		if (kept != &given_up)
			return kept;
	}
	return NULL;
}

uint32_t dph_order_missing(const struct dph_order *order, uint32_t after, uint32_t *from)
{
	uint32_t number = waits(order, after) ? after : order->first, end;

	if (after - order->next <= INT32_MAX)
		number = order->next;
	while (number != order->next && order->slot[number % DPH_ORDER_MAX] != NULL)
		number++;
	*from = end = number;
	for (; number != order->next && number - end <= NEIGHBOURS; number++)
		if (order->slot[number % DPH_ORDER_MAX] == NULL)
			end = number + 1;
	return end - *from;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The items of records: facts of the hit beside the program's own bytes. */
#ifndef DP_ITEMS_H
#define DP_ITEMS_H

#include "dp_build.h"
#include "dp_state.h"
#include "dp_tell.h"

#if DP_WITH_STREAM
enum {
	DP_ITEMS = DP_ITEM_ALL | DP_DERIVED_ALL,  /* that programs may ask for */
	DP_ITEM_BYTES = 21 + 2 * sizeof(dp_word), /* of all items of a record: items.def */
};

/* Append the items of the mask. ticks: of the record. context: HIT, behind the run. */
void dp_give_items(struct dp_answer *items, uint8_t mask, struct dp_agent *agent,
		   const struct dp_frame *frame, uint64_t ticks);
#else
enum {
	DP_ITEMS = 0,
	DP_ITEM_BYTES = 0
};

static inline void dp_give_items(struct dp_answer *items, uint8_t mask, struct dp_agent *agent,
				 const struct dp_frame *frame, uint64_t ticks)
{
	(void)items, (void)mask, (void)agent, (void)frame, (void)ticks;
}
#endif

enum {
	DP_FAULT_BYTES = DP_WITH_LANGUAGE ? DP_FAULT_PARAMETER + sizeof(dp_word) : 0,
};

#endif

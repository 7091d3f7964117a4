/* SPDX-License-Identifier: BSD-2-Clause */
/* The reach of an agent's slots. */
#ifndef DPH_SLOT_REACH_H
#define DPH_SLOT_REACH_H

#include <stdbool.h>
#include <stdint.h>

/* A range of addresses, the last byte included. */
struct dph_span {
	uint64_t first, last;
};

/* Can each slot be left for each address of the text without a second trap?
 * cpu: enum dp_cpu. A CPU without a row has any reach. */
bool dph_slots_reach(unsigned cpu, struct dph_span slots, struct dph_span text);

#endif

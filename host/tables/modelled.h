/* SPDX-License-Identifier: BSD-2-Clause */
/* The units of CPUs that have run on a model alone: DP_MODELLED of port/ports.def. */
#ifndef DPH_MODELLED_H
#define DPH_MODELLED_H

#include <dprobes/session.h>

/* The use of a unit: DP_MODELLED. */
enum dph_modelled {
	DPH_MODELLED_CODE,   /* comparators that stop the CPU in place of a trap */
	DPH_MODELLED_BEHIND, /* comparators of data, which the CPU reports behind the access */
	DPH_MODELLED_USES
};

/* Return the name of the unit that the agent uses so and that no hardware has shown; null: there is
 * none.
 * cpu: enum dp_cpu. hardware: the agent's answer. */
const char *dph_modelled(unsigned cpu, const struct dp_hardware_answer *hardware,
			 enum dph_modelled use);

#endif

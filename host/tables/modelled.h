/* SPDX-License-Identifier: BSD-2-Clause */
/* The units of CPUs that have run on a model alone: DP_MODELLED of port/ports.def. */
#ifndef DPH_MODELLED_H
#define DPH_MODELLED_H

/* The use of a unit: DP_MODELLED. */
enum dph_modelled {
	DPH_MODELLED_CODE,  /* comparators that stop the CPU in place of a trap */
	DPH_MODELLED_BEHIND /* comparators of data, which the CPU reports behind the access */
};

/* Return the name of the unit that the port drives for this use and that no hardware has shown;
 * null: there is none.
 * cpu: enum dp_cpu. */
const char *dph_modelled(unsigned cpu, enum dph_modelled use);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* The vectors that the ports take over: DP_VECTOR of port/ports.def. */
#ifndef DPH_VECTORS_H
#define DPH_VECTORS_H

/* Return the name of an exception in the CPU's manual; null: the port takes over no such vector.
 * cpu: enum dp_cpu. class: the port's number of the exception (HARDWARE's `vector`). */
const char *dph_vector_name(unsigned cpu, unsigned class);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Exceptions of the empty port that firmware with its own vectors passes to the agent:
 * dprobes_hit.h.
 */
#ifndef DPROBES_FRAME_H
#define DPROBES_FRAME_H

#include <stdint.h>

/* The classes dp_port_exception is called with. */
#define DP_CLASS_TRAP   1
#define DP_CLASS_MEMORY 2

/* Everything the CPU has, in the order the entry code can store it best. */
struct dp_frame {
	uint32_t r[32];
	uint32_t pc;
	uint32_t status;
};
#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* A stretch of readable memory inside one range of the board. */
#ifndef DP_STRETCH_H
#define DP_STRETCH_H

#include <stdint.h>

#include "dprobes_cpu.h"

struct dp_stretch {
	DPROBES_WORD start;
	DPROBES_WORD bytes; /* 0: nothing is known to be readable */
};

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Names the one agent of this image: a trap entry has no other way to find it. */
#ifndef DP_THE_AGENT_H
#define DP_THE_AGENT_H

#include "dp_state.h"

extern struct dp_agent *dp_the_agent; /* null before dp_init */

#endif

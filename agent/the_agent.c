/* SPDX-License-Identifier: BSD-2-Clause */
/* The one static of the core: the agent that a trap entry starts from. */
#include "dp_the_agent.h"

struct dp_agent *dp_the_agent;

/* SPDX-License-Identifier: BSD-2-Clause */
/* The pointer to the agent, for trap entries: the only static variable of the core. */
#include "dp_the_agent.h"

struct dp_agent *dp_the_agent;

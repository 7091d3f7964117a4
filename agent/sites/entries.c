/* SPDX-License-Identifier: BSD-2-Clause */
/* Entries of the agent's tables by their index. */
#include "dp_entries.h"

#include "dp_build.h"

struct dp_site *dp_site_at(struct dp_agent *agent, unsigned index)
{
	return index == DP_NONE ? NULL : &agent->site[index];
}

struct dp_program *dp_program_at(struct dp_agent *agent, unsigned index)
{
	return &agent->program[index];
}

struct dp_probe *dp_probe_at(struct dp_agent *agent, unsigned index)
{
	return index == DP_NONE ? NULL : &agent->probe[index];
}

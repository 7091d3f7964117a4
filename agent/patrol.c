/* SPDX-License-Identifier: BSD-2-Clause */
/* The periodic check that traps and stored programs are intact. */
#include "dp_patrol.h"

#include "dp_crc.h"
#include "dp_entries.h"
#include "dp_notice.h"
#include "dp_plan.h"
#include "dp_point.h"
#include "dp_probes.h"
#include "dp_site_check.h"

enum {
	PATROL_BYTES = 16 /* of a program, at each poll */
};

/* The program differs from the verified program: end the whole program. */
static void retire(struct dp_agent *agent, uint8_t program)
{
	struct dp_probe *probe = NULL;

	dp_program_at(agent, program)->damaged = 1;
	while ((probe = dp_probe_next(agent, program, probe))) {
		probe->state = DP_PROBE_DAMAGED;
		dp_probe_disarm(agent, probe);
	}
	dp_notice(agent, DP_NOTICE_PROGRAM_DAMAGED, DP_WIDTHS_program_damaged_notice, program);
}

static void check_program(struct dp_agent *agent)
{
	const struct dp_program *p = dp_program_at(agent, agent->patrol_program);

	if (agent->patrol_at == 0)
		agent->patrol_crc = 0;
	if (p->object && !p->damaged) {
		uint32_t left = p->bytes - agent->patrol_at;
		bool last = left <= PATROL_BYTES;

		agent->patrol_crc = dp_crc32(agent->patrol_crc, p->object + agent->patrol_at,
					     last ? left : PATROL_BYTES);
		agent->patrol_at += PATROL_BYTES;
		if (!last)
			return;
		if (agent->patrol_crc != p->crc)
			retire(agent, agent->patrol_program);
	}
	agent->patrol_at = 0;
	if (++agent->patrol_program == DP_MAX_PROGRAMS)
		agent->patrol_program = 0;
}

void dp_patrol(struct dp_agent *agent)
{
	dp_irq irq = dp_port_mask();

	dp_site_check(agent, dp_site_at(agent, agent->patrol_site));
	dp_plan_drop(dp_site_at(agent, agent->patrol_site)); /* its sum does not cover the plan */
	agent->patrol_site = (agent->patrol_site + 1) & (DP_MAX_PROBES - 1);
	check_program(agent);
	dp_port_unmask(irq);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The periodic check that traps and stored programs are intact. */
#include "dp_work.h"

#include "dp_at_work.h"
#include "dp_crc.h"
#include "dp_entries.h"
#include "dp_lock.h"
#include "dp_plan.h"
#include "dp_point.h"
#include "dp_probes.h"
#include "dp_site_check.h"
#include "dp_tell.h"
#include "dp_timers.h"

enum {
	DP_PATROL_BYTES = 16 /* of a program, at each poll */
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
	DP_TELL(agent, DP_NOTICE_PROGRAM_DAMAGED, DP_WIDTHS_program_damaged_notice, program);
}

static void next_program(struct dp_agent *agent)
{
	agent->patrol_at = 0;
	agent->patrol_crc = 0;
	if (++agent->patrol_program == DP_MAX_PROGRAMS)
		agent->patrol_program = 0;
}

/* The end of a program: is its sum the one of its COMMIT? */
static void judge(struct dp_agent *agent, const struct dp_program *p, uint32_t crc)
{
	if (crc != p->crc)
		retire(agent, agent->patrol_program);
	next_program(agent);
}

/* The sum of a piece is computed with interrupts open. A hit that removes a program meanwhile
 * begins the patrol of programs again. */
static void check_program(struct dp_agent *agent)
{
	const struct dp_program *p = dp_program_at(agent, agent->patrol_program);
	uint32_t at = agent->patrol_at, left = p->bytes - at, crc;
	uint32_t before = dp_work_changes(agent);
	dp_irq irq;

	if (!p->object || p->damaged) {
		next_program(agent);
		return;
	}
	crc = dp_crc32(at == 0 ? 0 : agent->patrol_crc, p->object + at,
		       left < DP_PATROL_BYTES ? left : DP_PATROL_BYTES);
	irq = dp_lock_take();
	if (before != agent->changes) {
		agent->patrol_at = 0;
	} else if (left <= DP_PATROL_BYTES) {
		judge(agent, p, crc);
	} else {
		agent->patrol_crc = crc;
		agent->patrol_at = at + DP_PATROL_BYTES;
	}
	dp_lock_give(irq);
}

void dp_patrol(struct dp_agent *agent)
{
	struct dp_site *site = dp_site_at(agent, agent->patrol_site);

	dp_site_check(agent, site);
	dp_plan_renew(agent, site);
	dp_timers_renew(agent);
	agent->patrol_site = (uint8_t)dp_site_behind(agent->patrol_site);
	check_program(agent);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The events of a D program: BEGIN and END. Their handlers run outside of a hit, and count as hits:
 * each makes a record, and its probe has ended then. */
#include "dp_hit.h"

#include "dp_bytes.h"
#include "dp_entries.h"
#include "dp_lock.h"
#include "dp_memory.h"
#include "dp_object.h"
#include "dp_probes.h"
#include "dp_store.h"

#if DP_WITH_D
static bool is_due(struct dp_agent *agent, const struct dp_probe *probe, enum dp_event event)
{
	const struct dp_point point =
		dp_program_point(dp_program_at(agent, probe->program), probe->point);

	return probe->state == DP_PROBE_ARMED && point.traits[DP_TR_KIND] == DP_PROBE_EVENT &&
	       dp_point_address(&point) == (dp_addr)event;
}

/* Run the probe's handler, masked as a hit is. A hit may have removed the program. */
static void run_due(struct dp_agent *agent, struct dp_probe *probe, uint8_t program,
		    enum dp_event event)
{
	struct dp_frame frame;
	dp_irq irq = dp_lock_take();

	/* in a hit the interpreter is busy */
	if (!DP_THIS_CPU(agent)->in_hit && probe->program == program &&
	    is_due(agent, probe, event)) {
		dp_clear(&frame, sizeof(frame));
		dp_hit_nowhere(agent, (unsigned)(probe - agent->probe), NULL, &frame);
		probe->state = DP_PROBE_DISABLED;
	}
	dp_lock_give(irq);
}

void dp_event_run(struct dp_agent *agent, uint8_t program, enum dp_event event)
{
	struct dp_probe *probe = NULL;

	while ((probe = dp_probe_next(agent, program, probe)))
		run_due(agent, probe, program, event);
}
#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* The end of a thread's work. */
#include "dp_work.h"

#include "dp_lock.h"
#include "dp_sites.h"
#include "dp_store.h"

void dp_work_end(struct dp_agent *agent)
{
	dp_irq irq = dp_lock_take();

	while (agent->leavings || agent->modules_came) {
		bool came = agent->modules_came;

		agent->leavings = 0;
		agent->link.abandoned = 0;
		dp_work_note(agent);
		dp_lock_give(irq);
		if (came)
			dp_modules_arm(agent);
		dp_sites_tidy(agent);
		dp_store_tidy(agent);
		irq = dp_lock_take();
	}
	agent->executing = 0;
	agent->link.abandoned = 0;
	dp_lock_give(irq);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Arm the programs that wait for code which the firmware has loaded. */
#include "dp_work.h"

#include "dp_at_work.h"
#include "dp_entries.h"
#include "dp_identity.h"
#include "dp_module_names.h"
#include "dp_point.h"
#include "dp_store.h"
#include "dp_tell.h"

#if DP_WITH_MODULES
/* Arm the probe, if it waits for the module. */
static enum dp_err arm_waiting(struct dp_agent *agent, struct dp_probe *probe,
			       const struct dp_program *program, const struct dp_module *module)
{
	const struct dp_point point = dp_program_point(program, probe->point);
	const uint8_t *row = dp_program_module(program, &point);
	struct dp_verdict verdict;

	if (dp_module_of(agent, program, row) != module)
		return DP_ERR_OK;
	verdict.found = 0;
	if (agent->locked)
		return DP_ERR_LOCKED;
	if (!dp_module_matches(agent, program, row, module))
		return DP_ERR_WRONG_IMAGE;
	return dp_probe_arm(agent, probe, &verdict);
}

void dp_module_arm(struct dp_agent *agent, const struct dp_module *module)
{
	for (struct dp_probe *probe = agent->probe; probe < agent->probe + DP_MAX_PROBES; probe++) {
		unsigned number = probe->program; /* a hit may remove the program */
		enum dp_err error;

		if (number == DP_NONE || probe->site != DP_NONE || probe->state != DP_PROBE_WAITING)
			continue;
		error = arm_waiting(agent, probe, dp_program_at(agent, number), module);
		if (error == DP_ERR_BUSY || (error != DP_ERR_OK && dp_work_disturbed(agent)))
			agent->modules_came = 1; /* once more */
		else if (error != DP_ERR_OK)
			DP_TELL(agent, DP_NOTICE_MODULE_REFUSED, DP_WIDTHS_module_refused_notice,
				number, error, probe->point);
	}
}

void dp_modules_arm(struct dp_agent *agent)
{
	agent->modules_came = 0;
	for (unsigned i = 1; i < agent->module_count; i++)
		dp_module_arm(agent, &agent->module[i]);
}
#endif

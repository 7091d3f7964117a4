/* SPDX-License-Identifier: BSD-2-Clause */
/* Code that the firmware loads and unloads, and the programs that wait for it. */
#include "dp_modules.h"

#include "dp_agent.h"
#include "dp_at_work.h"
#include "dp_entries.h"
#include "dp_identity.h"
#include "dp_memory.h"
#include "dp_module_names.h"
#include "dp_notice.h"
#include "dp_point.h"
#include "dp_store.h"

#if DP_WITH_MODULES
/* Arm the probe of an announced module. */
static enum dp_err arm_waiting(struct dp_agent *agent, struct dp_probe *probe,
			       const struct dp_program *program, const uint8_t *row,
			       const struct dp_module *module)
{
	struct dp_verdict verdict;

	verdict.found = 0;
	if (agent->locked)
		return DP_ERR_LOCKED;
	if (!dp_module_matches(agent, program, row, module))
		return DP_ERR_WRONG_IMAGE;
	return dp_probe_arm(agent, probe, &verdict);
}

/* Arm or disarm the probes of a module that came (base set) or goes. */
static void change(struct dp_agent *agent, const struct dp_module *module, bool comes)
{
	for (struct dp_probe *probe = agent->probe; probe < agent->probe + DP_MAX_PROBES; probe++) {
		unsigned number = probe->program; /* a hit may remove the program */
		const struct dp_program *program;
		struct dp_point point;
		const uint8_t *row;
		enum dp_err error;

		if (number == DP_NONE || comes != (probe->site == DP_NONE) ||
		    (comes && probe->state != DP_PROBE_WAITING))
			continue;
		program = dp_program_at(agent, number);
		point = dp_program_point(program, probe->point);
		row = dp_program_module(program, &point);
		if (dp_module_of(agent, program, row) != module)
			continue;
		if (!comes) {
			dp_probe_disarm(agent, probe);
			continue;
		}
		error = arm_waiting(agent, probe, program, row, module);
		if (error == DP_ERR_BUSY) /* once more, behind the next request */
			agent->modules_came = 1;
		else if (error != DP_ERR_OK)
			dp_notice(agent, DP_NOTICE_MODULE_REFUSED, DP_WIDTHS_module_refused_notice,
				  number, error, probe->point);
	}
}

enum dp_err dp_module_loaded(struct dp_agent *agent, const struct dp_module *module)
{
	enum dp_err error = DP_ERR_TABLE_FULL;
	dp_irq irq;

	dp_module_unloaded(agent, module->name);
	irq = dp_port_mask();
	if (agent->module_count < DP_MAX_MODULES) {
		struct dp_module *entry = &agent->module[agent->module_count++];

		dp_copy(entry, module, sizeof(*entry));
		if (agent->executing)
			agent->modules_came = 1;
		else
			change(agent, entry, true);
		dp_work_disturb(agent);
		error = DP_ERR_OK;
	}
	dp_port_unmask(irq);
	return error;
}

void dp_module_unloaded(struct dp_agent *agent, const char *name)
{
	dp_irq irq = dp_port_mask();
	const struct dp_module *module = dp_module_find(agent, name, dp_name_bytes(name));

	if (module) {
		change(agent, module, false);
		dp_work_disturb(agent);
		dp_copy(&agent->module[module - agent->module],
			&agent->module[--agent->module_count], sizeof(*module));
	}
	dp_port_unmask(irq);
}

void dp_modules_arm(struct dp_agent *agent)
{
	agent->modules_came = 0;
	for (unsigned i = 1; i < agent->module_count; i++)
		change(agent, &agent->module[i], true);
}
#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Code that the firmware loads and unloads. */
#include "dp_agent.h"

#include "dp_entries.h"
#include "dp_exits.h"
#include "dp_lock.h"
#include "dp_memory.h"
#include "dp_module_names.h"
#include "dp_point.h"
#include "dp_probes.h"
#include "dp_work.h"

#if DP_WITH_MODULES
/* Enter the module in the table. Another thread at work arms its probes.
 * returns: its entry, or null: the table is full. */
static const struct dp_module *enter(struct dp_agent *agent, const struct dp_module *module,
				     bool at_work)
{
	struct dp_module *entry = NULL;
	dp_irq irq = dp_lock_take();

	if (agent->module_count < DP_MAX_MODULES) {
		entry = &agent->module[agent->module_count++];
		dp_copy_words(entry, module, sizeof(*entry));
		agent->modules_came |= !at_work;
		dp_work_disturb(agent);
	}
	dp_lock_give(irq);
	return entry;
}

/* Take the entry out of the table; the last entry takes its place. Another thread at work may be
 * looking at that one: it looks at all modules again.
 * returns: false when the entry is another module's now. */
static bool leave(struct dp_agent *agent, struct dp_module *entry, const char *name, bool at_work)
{
	dp_irq irq = dp_lock_take();
	bool same = entry < agent->module + agent->module_count && entry->name == name;

	if (same) {
		agent->module_count--;
		dp_copy_words(entry, &agent->module[agent->module_count], sizeof(*entry));
		agent->modules_came |= !at_work;
		dp_work_disturb(agent);
	}
	dp_lock_give(irq);
	return same;
}

static bool is_in(struct dp_agent *agent, const struct dp_probe *probe,
		  const struct dp_module *module)
{
	const struct dp_site *site =
		probe->program == DP_NONE ? NULL : dp_site_at(agent, probe->site);

	if (dp_probe_is_returned(probe))
		return probe->program != DP_NONE &&
		       probe->left.address - module->base < module->bytes;
	return site && site->address - module->base < module->bytes;
}

/* Disarm the probes of the module. While another thread is at work, each probe takes one masked
 * stretch, as in a hit. */
static void disarm(struct dp_agent *agent, const struct dp_module *module, bool at_work)
{
	for (struct dp_probe *probe = agent->probe; probe < agent->probe + DP_MAX_PROBES; probe++) {
		dp_irq irq;

		if (!is_in(agent, probe, module))
			continue;
		if (at_work) {
			dp_probe_disarm(agent, probe);
			continue;
		}
		irq = dp_lock_take();
		if (is_in(agent, probe, module))
			dp_probe_disarm(agent, probe);
		dp_lock_give(irq);
	}
}

enum dp_err dp_module_loaded(struct dp_agent *agent, const struct dp_module *module)
{
	const struct dp_module *entry;
	bool at_work;

	dp_module_unloaded(agent, module->name);
	at_work = dp_work_begin(agent, DP_WORK_MODULES);
	entry = enter(agent, module, at_work);
	if (at_work) {
		dp_work_note(agent);
		if (entry)
			dp_module_arm(agent, entry);
		dp_work_end(agent);
	}
	return entry ? DP_ERR_OK : DP_ERR_TABLE_FULL;
}

void dp_module_unloaded(struct dp_agent *agent, const char *name)
{
	bool at_work = dp_work_begin(agent, DP_WORK_MODULES);
	const struct dp_module *found;

	while ((found = dp_module_find(agent, name, dp_name_bytes(name)))) {
		struct dp_module module;

		dp_copy_words(&module, found, sizeof(module)); /* entries move */
		disarm(agent, &module, at_work);
		dp_exits_leave(agent, name);
		if (leave(agent, &agent->module[found - agent->module], module.name, at_work))
			break;
	}
	if (at_work)
		dp_work_end(agent);
}
#endif

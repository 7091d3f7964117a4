/* SPDX-License-Identifier: BSD-2-Clause */
/* Announced modules by their names. */
#include "dp_module_names.h"

#include "dp_bytes.h"
#include "dp_memory.h"
#include "dp_object.h"
#include "dp_probes.h"

#if DP_WITH_MODULES
unsigned dp_name_bytes(const char *name)
{
	unsigned n = 0;

	while (name[n] != '\0')
		n++;
	return n;
}

const struct dp_module *dp_module_find(const struct dp_agent *agent, const void *name,
				       unsigned bytes)
{
	for (unsigned i = 1; i < agent->module_count; i++)
		if (dp_name_bytes(agent->module[i].name) == bytes &&
		    dp_equal(agent->module[i].name, name, bytes))
			return &agent->module[i];
	return NULL;
}

const struct dp_module *dp_module_of(const struct dp_agent *agent, const struct dp_program *program,
				     const uint8_t *row)
{
	uint32_t name;

	if (!row)
		return NULL;
	if (row[DP_MOD_TYPE] == DP_MODULE_KERNEL)
		return agent->module;
	name = (uint32_t)program->strings + dp_get_u16(row + DP_MOD_NAME);
	if (name + row[DP_MOD_NAME_BYTES] > program->bytes)
		return NULL;
	return dp_module_find(agent, program->object + name, row[DP_MOD_NAME_BYTES]);
}

bool dp_program_waits(struct dp_agent *agent, unsigned program)
{
	struct dp_probe *probe = NULL;

	while ((probe = dp_probe_next(agent, program, probe)))
		if (probe->state == DP_PROBE_WAITING)
			return true;
	return false;
}
#endif

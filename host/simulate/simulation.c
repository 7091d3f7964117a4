/* SPDX-License-Identifier: BSD-2-Clause */
/* This file offers simulate.c as the public functions of dprobes/simulate.h. */
#include <dprobes/simulate.h>

#include "base/diag.h"
#include <dprobes/errors.h>
#include <dprobes/host.h>
#include "object/object_read.h"
#include "simulate.h"

#include <stdlib.h>
#include <string.h>

struct dp_simulation {
	struct dph_simulation *machine;
	unsigned top; /* slot of the top of the stack */
};

struct dp_simulation *dp_simulation_open(const struct dp_object_file *object, bool write,
					 struct dp_messages *messages)
{
	struct dp_simulation *simulation = calloc(1, sizeof *simulation);
	struct dp_verdict verdict = {.error = DP_ERR_OK};

	if (simulation)
		simulation->machine =
			dph_simulation_open(object->data, object->travelling, write, &verdict);
	if (simulation && simulation->machine)
		return simulation;
	free(simulation);
	if (verdict.error == DP_ERR_OK)
		dph_file_error(messages, NULL, "not enough memory");
	else
		dph_verdict_message(object, &verdict, NULL, messages);
	return NULL;
}

void dp_simulation_close(struct dp_simulation *simulation)
{
	if (simulation)
		dph_simulation_close(simulation->machine);
	free(simulation);
}

bool dp_simulation_memory(struct dp_simulation *simulation, uint64_t address, const void *bytes,
			  size_t count, bool writable)
{
	return count > 0 &&
	       dph_simulation_map(simulation->machine, address, bytes, count, writable);
}

static const struct dp_reg *register_named(const struct dp_simulation *simulation, const char *name)
{
	return dph_reg_named(dph_simulation_cpu(simulation->machine), name, strlen(name));
}

bool dp_simulation_register(struct dp_simulation *simulation, const char *name,
			    const uint64_t *words, size_t count)
{
	const struct dp_reg *reg = register_named(simulation, name);
	uint64_t all[DP_REG_WORDS_MAX] = {0};

	if (!reg || count > DP_REG_WORDS_MAX)
		return false;
	memcpy(all, words, count * sizeof *words);
	dph_simulation_register(simulation->machine, reg->index, all);
	return true;
}

int dp_simulation_point(const struct dp_simulation *simulation, unsigned minor)
{
	return dph_simulation_point(simulation->machine, minor);
}

enum dp_simulated_how dp_simulation_hit(struct dp_simulation *simulation, unsigned point,
					struct dp_simulated *result)
{
	struct sim_result r;
	enum dph_hit how;

	if (point >= dph_simulation_points(simulation->machine))
		return DP_SIMULATED_DISABLED;
	how = dph_simulation_hit(simulation->machine, point, &r);
	if (how != DPH_HIT_RAN)
		return how == DPH_HIT_IGNORED ? DP_SIMULATED_IGNORED : DP_SIMULATED_DISABLED;
	simulation->top = r.tsp;
	*result = (struct dp_simulated){
		.end = r.end,
		.major = r.major,
		.minor = r.minor,
		.log = r.log,
		.log_bytes = r.log_bytes,
		.trace = r.trace,
		.trace_bytes = r.trace_bytes,
		.trace_truncated = r.trace_truncated,
		.removed = r.remove,
		.exit_number = r.exit_number,
		.steps = r.steps,
		.exception = {r.exception[0], r.exception[1], r.exception[2]},
		.returns = r.returns,
		.result = r.result,
	};
	return DP_SIMULATED_RAN;
}

unsigned dp_simulation_variables(const struct dp_simulation *simulation, bool global)
{
	const struct sim_program *program = dph_simulation_program(simulation->machine);

	return global ? program->gvars : program->vars;
}

uint64_t dp_simulation_variable(const struct dp_simulation *simulation, bool global, unsigned index)
{
	const struct sim_program *program = dph_simulation_program(simulation->machine);

	if (index >= dp_simulation_variables(simulation, global))
		return 0;
	return (global ? program->gv : program->lv)[index];
}

size_t dp_simulation_stack(const struct dp_simulation *simulation, uint64_t *words, size_t room)
{
	unsigned size = dph_simulation_form(simulation->machine)->stack_words;
	unsigned count = (size - simulation->top) % size;

	for (unsigned i = 0; i < count && i < room; i++)
		words[i] = dph_simulation_slot(simulation->machine, simulation->top + i);
	return count;
}

bool dp_simulation_register_after(const struct dp_simulation *simulation, const char *name,
				  uint64_t words[4])
{
	const struct dp_reg *reg = register_named(simulation, name);

	if (!reg)
		return false;
	dph_simulation_register_after(simulation->machine, reg->index, words);
	return true;
}

bool dp_simulation_write(const struct dp_simulation *simulation, size_t index,
			 struct dp_simulated_write *write)
{
	const struct dph_sim_write *writes;

	if (index >= dph_simulation_writes(simulation->machine, &writes))
		return false;
	*write = (struct dp_simulated_write){writes[index].address, writes[index].bytes,
					     writes[index].count};
	return true;
}

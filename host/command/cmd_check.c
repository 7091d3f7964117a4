/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes check PROGRAM prints the verifier's verdict and the proved bounds. With --templates the
 * command checks the templates and names the probes without one. */
#include "cmd.h"

#include "cli_output.h"

#include "check_points.h"

#include "base/pool.h"
#include "simulate/plans.h"

#include <stdlib.h>

static uint16_t limit(const struct dph_cli *cli, enum dph_cli_option option)
{
	return (uint16_t)dph_cli_number(cli, option);
}

/* --- templates --- */

/* Minor codes of the probes that have no template. The codes are the codes of the probes'
 * headers: setmaj and setmin may change them. Returns the number of codes; the caller frees
 * *minors. */
static size_t list_missing(const struct dp_templates *templates,
			   const struct dp_object_file *object, uint16_t major, uint64_t **minors)
{
	struct dp_point_info point;
	size_t count = 0, capacity = 0;

	*minors = NULL;
	for (unsigned i = 0; dp_object_point(object, i, &point); i++) {
		if (dp_template_desc(templates, major, (uint16_t)point.minor))
			continue;
		*minors = dph_grow(*minors, &capacity, count, sizeof **minors);
		(*minors)[count++] = point.minor;
	}
	return count;
}

/* object: null where there is no PROGRAM. */
static void tell_templates(const struct dph_cli *cli, struct dp_sink *sink,
			   const struct dp_templates *templates,
			   const struct dp_object_file *object)
{
	struct dp_templates_view view = {
		.path = dph_cli_get(cli, DPH_OPT_TEMPLATES),
		.count = dp_templates_count(templates),
		.program = object != NULL,
	};
	struct dp_program_info program;
	uint64_t *minors = NULL;

	if (object) {
		dp_object_program(object, &program);
		view.major = program.major;
		view.missing_count = list_missing(templates, object, program.major, &minors);
		view.missing = minors;
	}
	dp_sink_reading(sink, DP_READING_TEMPLATES, &view);
	free(minors);
}

static bool needs_program(enum dph_cli_option option)
{
	switch (option) {
	case DPH_OPT_DEFINE:
	case DPH_OPT_INCLUDE:
	case DPH_OPT_SYM:
	case DPH_OPT_ELF:
	case DPH_OPT_CPU:
	case DPH_OPT_WORD:
	case DPH_OPT_ENDIAN:
	case DPH_OPT_DONT_VERIFY:
	case DPH_OPT_WRITE:
	case DPH_OPT_LOG_MAX:
	case DPH_OPT_TRACE_MAX:
	case DPH_OPT_VARS_MAX:
	case DPH_OPT_GVARS_MAX:
	case DPH_OPT_PROBES_MAX:
	case DPH_OPT_ARENA_MAX:
		return true;
	default:
		return false;
	}
}

static int check_templates(const struct dph_cli *cli, const struct dp_templates *templates)
{
	struct dp_sink *sink;
	FILE *out;

	if (!templates)
		return dph_cli_usage(cli, "a PROGRAM is missing, or --templates FILE");
	for (size_t i = 0; i < cli->value_count; i++)
		if (needs_program(cli->values[i].option))
			return dph_cli_usage(cli, "--%s needs a PROGRAM, and none is given",
					     dph_options[cli->values[i].option].name);
	out = dph_output_open(cli);
	sink = out ? dph_output_sink(cli, out) : NULL;
	if (sink)
		tell_templates(cli, sink, templates, NULL);
	dp_sink_close(sink);
	return out && dph_output_close(cli, out) && sink ? DPH_EXIT_DONE : DPH_EXIT_USAGE;
}

/* --- programs --- */

/* No object tells whether a CPU has comparators. */
static unsigned watchpoints_of(const struct dp_object_file *object)
{
	struct dp_point_info point;
	unsigned count = 0;

	for (unsigned i = 0; dp_object_point(object, i, &point); i++)
		count += DP_POINTS_WATCHED >> point.kind & 1;
	return count;
}

/* The agent has few, and may have none. */
static unsigned timers_of(const struct dp_object_file *object)
{
	struct dp_point_info point;
	unsigned count = 0;

	for (unsigned i = 0; dp_object_point(object, i, &point); i++)
		count += point.kind == DP_PROBE_TIMER;
	return count;
}

/* A conditional return is no return where its condition is false. */
static unsigned taken_of(const struct dp_object_file *object)
{
	struct dp_point_info point;
	unsigned count = 0;

	for (unsigned i = 0; dp_object_point(object, i, &point); i++)
		count += (point.flags & DP_POINT_TAKEN) != 0;
	return count;
}

static int tell_verdict(const struct dph_cli *cli, const struct dp_check_options *limits,
			const struct dp_object_file *object, const struct dp_templates *templates,
			struct dp_sink *sink, struct dp_messages *messages)
{
	struct dp_check_result result;
	struct dp_program_info program;
	struct dp_check_view view = {.result = &result,
				     .program = &program,
				     .bytes = object->travelling,
				     .watchpoints = watchpoints_of(object),
				     .taken = taken_of(object),
				     .timers = timers_of(object)};
	struct dph_plans plans = {0};
	const bool verified = dp_check_object(object, limits, &result, messages);
	const bool good = dph_check_points(object, cli->elf, cli->args[0], messages) && verified;

	dp_object_program(object, &program);
	if (result.accepted)
		dph_plans_find(object, &plans);
	view.no_plans = plans.rows;
	view.no_plan_count = plans.row_count;
	view.plans = plans.kinds;
	view.plan_count = plans.kind_count;
	dp_sink_reading(sink, DP_READING_CHECK, &view);
	dph_plans_free(&plans);
	if (templates)
		tell_templates(cli, sink, templates, object);
	return good ? DPH_EXIT_DONE : DPH_EXIT_REFUSED;
}

static int check_program(const struct dph_cli *cli, const struct dp_templates *templates)
{
	struct dp_messages messages = {0};
	struct dp_build_options options = dph_cli_build_options(cli);
	options.write = true; /* whether it may is the verifier's question here */
	const struct dp_check_options limits = {
		.log_max = limit(cli, DPH_OPT_LOG_MAX),
		.trace_max = limit(cli, DPH_OPT_TRACE_MAX),
		.vars_max = limit(cli, DPH_OPT_VARS_MAX),
		.gvars_max = limit(cli, DPH_OPT_GVARS_MAX),
		.probes_max = limit(cli, DPH_OPT_PROBES_MAX),
		.arena_bytes = (uint32_t)dph_cli_number(cli, DPH_OPT_ARENA_MAX),
		.read_only = !cli->write,
	};
	struct dp_object_file *object = dp_open_program(cli->args[0], &options, &messages);
	int status = DPH_EXIT_USAGE;
	FILE *out = object ? dph_output_open(cli) : NULL;
	struct dp_sink *sink = out ? dph_output_sink(cli, out) : NULL;
	if (sink)
		status = tell_verdict(cli, &limits, object, templates, sink, &messages);
	dp_sink_close(sink);
	if (out && !dph_output_close(cli, out))
		status = DPH_EXIT_USAGE;
	dph_cli_report(cli, &messages);
	dp_object_free(object);
	dph_cli_build_options_free(&options);
	return status;
}

int dph_cmd_check(const struct dph_cli *cli)
{
	struct dp_templates *templates;
	int status;

	if (dph_cli_templates(cli, &templates, &status))
		status = cli->arg_count > 0 ? check_program(cli, templates)
					    : check_templates(cli, templates);
	dp_templates_free(templates);
	return status;
}

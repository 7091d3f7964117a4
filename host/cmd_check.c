/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes check PROGRAM: the verifier's verdict, and what it could prove. With --templates: are
 * these right, and which probes have none? */
#include "cli_output.h"

#include "cli_tables.h"

#include "json.h"

#include "dp_rpn.h"

static uint16_t limit(const struct dp_cli *cli, enum dp_option option)
{
	return (uint16_t)dp_cli_number(cli, option, UINT16_MAX);
}

static const struct {
	unsigned bit;
	const char *name, *meaning;
} groups[] = {
	{RPN_GROUP_WRITE, "write", "changes memory or registers"},
	{RPN_GROUP_IO, "io", "uses I/O ports"},
	{RPN_GROUP_SEG, "seg", "uses segments"},
	{RPN_GROUP_HOOK, "hook", "calls into the firmware"},
};
enum {
	GROUPS = sizeof(groups) / sizeof(*groups)
};

/* --- templates --- */

/* The codes that the header of a probe gives; setmaj and setmin change them. */
static void list_missing(const struct dp_templates *templates, const struct dp_object_file *object,
			 FILE *out, struct dp_json *json)
{
	struct dp_program_info program;
	struct dp_point_info point;

	dp_object_program(object, &program);
	for (unsigned i = 0; dp_object_point(object, i, &point); i++) {
		if (dp_template_desc(templates, program.major, (uint16_t)point.minor))
			continue;
		if (json)
			dp_json_number(json, NULL, point.minor);
		else
			fprintf(out, "           none for DProbes(%u,%u): its records are dumped\n",
				program.major, point.minor);
	}
}

/* object: null where there is no PROGRAM. */
static void tell_templates(const struct dp_cli *cli, FILE *out,
			   const struct dp_templates *templates,
			   const struct dp_object_file *object)
{
	const size_t count = dp_templates_count(templates);

	if (cli->format == DP_FORMAT_JSON) {
		struct dp_json json = dp_json_begin(out);

		dp_json_string(&json, "kind", "templates");
		dp_json_number(&json, "count", count);
		if (object) {
			dp_json_open(&json, "none_for_minor", '[');
			list_missing(templates, object, out, &json);
			dp_json_close(&json, ']');
		}
		dp_json_end(&json);
		return;
	}
	fprintf(out, "templates: %zu in %s\n", count, dp_cli_get(cli, DP_OPT_TEMPLATES));
	if (object)
		list_missing(templates, object, out, NULL);
}

static bool needs_program(enum dp_option option)
{
	switch (option) {
	case DP_OPT_DEFINE:
	case DP_OPT_SYM:
	case DP_OPT_ELF:
	case DP_OPT_CPU:
	case DP_OPT_WORD:
	case DP_OPT_ENDIAN:
	case DP_OPT_DONT_VERIFY:
	case DP_OPT_WRITE:
	case DP_OPT_LOG_MAX:
	case DP_OPT_TRACE_MAX:
	case DP_OPT_VARS_MAX:
	case DP_OPT_GVARS_MAX:
	case DP_OPT_PROBES_MAX:
		return true;
	default:
		return false;
	}
}

static int check_templates(const struct dp_cli *cli, const struct dp_templates *templates)
{
	FILE *out;

	if (!templates)
		return dp_cli_usage(cli, "a PROGRAM is missing, or --templates FILE");
	for (size_t i = 0; i < cli->value_count; i++)
		if (needs_program(cli->values[i].option))
			return dp_cli_usage(cli, "--%s is about a PROGRAM, and there is none",
					    dph_options[cli->values[i].option].name);
	out = dp_output_open(cli);
	if (!out)
		return DP_EXIT_USAGE;
	tell_templates(cli, out, templates, NULL);
	return dp_output_close(cli, out) ? DP_EXIT_DONE : DP_EXIT_USAGE;
}

/* --- programs --- */

static void print_text(FILE *out, const struct dp_check_result *r,
		       const struct dp_object_file *object)
{
	struct dp_program_info p;
	const char *separator = "";
	dp_object_program(object, &p);
	if (!r->accepted) {
		fprintf(out, "verdict: refused: %s\n", r->sentence);
		return;
	}
	fprintf(out, "verdict: accepted\n");
	fprintf(out, "size:    %u bytes to upload, %u of code, %u probe point%s\n",
		object->travelling, p.code_bytes, p.points, p.points == 1 ? "" : "s");
	if (r->steps_max && r->steps_max <= r->step_budget)
		fprintf(out, "steps:   at most %u a hit\n", r->steps_max);
	else
		fprintf(out, "steps:   at most %u a hit, by the step budget: it %s\n",
			r->step_budget,
			r->loops       ? "loops"
			: r->steps_max ? "is long"
				       : "takes counts from the stack");
	if (r->log_max != UINT32_MAX && r->log_max <= p.logmax)
		fprintf(out, "log:     at most %u bytes a hit\n", r->log_max);
	else
		fprintf(out, "log:     at most %u bytes a hit, by logmax\n", p.logmax);
	fprintf(out, "uses:    ");
	for (unsigned i = 0; i < GROUPS; i++)
		if (r->groups & groups[i].bit) {
			fprintf(out, "%s%s (%s)", separator, groups[i].name, groups[i].meaning);
			separator = ", ";
		}
	fprintf(out, "%s\n", *separator ? "" : "nothing but reading and logging");
}

static void print_json(FILE *out, const struct dp_check_result *r,
		       const struct dp_object_file *object)
{
	struct dp_json json = dp_json_begin(out);
	struct dp_program_info p;

	dp_object_program(object, &p);
	dp_json_string(&json, "kind", "check");
	dp_json_flag(&json, "accepted", r->accepted);
	dp_json_number(&json, "error", r->error);
	dp_json_string(&json, "sentence", r->sentence);
	dp_json_number(&json, "bytes", object->travelling);
	dp_json_number(&json, "code_bytes", p.code_bytes);
	dp_json_number(&json, "points", p.points);
	if (r->accepted) {
		const bool proved = r->steps_max && r->steps_max < r->step_budget;

		dp_json_flag(&json, "loops", r->loops);
		dp_json_flag(&json, "calls", r->calls);
		dp_json_number(&json, "steps_max", proved ? r->steps_max : r->step_budget);
		dp_json_number(&json, "log_max", r->log_max < p.logmax ? r->log_max : p.logmax);
		dp_json_open(&json, "uses", '[');
		for (unsigned i = 0; i < GROUPS; i++)
			if (r->groups & groups[i].bit)
				dp_json_string(&json, NULL, groups[i].name);
		dp_json_close(&json, ']');
	}
	dp_json_end(&json);
}

static int check_program(const struct dp_cli *cli, const struct dp_templates *templates)
{
	struct dp_messages messages = {0};
	struct dp_build_options options = dp_cli_build_options(cli);
	options.write = true; /* whether it may is the verifier's question here */
	const struct dp_check_options limits = {
		.log_max = limit(cli, DP_OPT_LOG_MAX),
		.trace_max = limit(cli, DP_OPT_TRACE_MAX),
		.vars_max = limit(cli, DP_OPT_VARS_MAX),
		.gvars_max = limit(cli, DP_OPT_GVARS_MAX),
		.probes_max = limit(cli, DP_OPT_PROBES_MAX),
		.read_only = !cli->write,
	};
	struct dp_object_file *object = dp_open_program(cli->args[0], &options, &messages);
	int status = DP_EXIT_USAGE;
	FILE *out = object ? dp_output_open(cli) : NULL;
	if (out) {
		struct dp_check_result result;
		status = dp_check_object(object, &limits, &result, &messages) ? DP_EXIT_DONE
									      : DP_EXIT_REFUSED;
		if (cli->format == DP_FORMAT_JSON)
			print_json(out, &result, object);
		else
			print_text(out, &result, object);
		if (templates)
			tell_templates(cli, out, templates, object);
		if (!dp_output_close(cli, out))
			status = DP_EXIT_USAGE;
	}
	dp_cli_report(cli, &messages);
	dp_object_free(object);
	dp_cli_build_options_free(&options);
	return status;
}

int dp_cmd_check(const struct dp_cli *cli)
{
	struct dp_templates *templates;
	int status;

	if (dp_cli_templates(cli, &templates, &status))
		status = cli->arg_count > 0 ? check_program(cli, templates)
					    : check_templates(cli, templates);
	dp_templates_free(templates);
	return status;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes vars: local variables of programs, and the global ones. */
#include "cmd_target.h"

#include "json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	VARS_MAX = 256
};

struct vars {
	const struct dp_cli *cli;
	struct dp_session *session;
	FILE *out;
	const char *name; /* null: every program */
	uint16_t first, last;
	bool reset, local, global;
	bool failed;
	unsigned found;
	bool any; /* a variable exists */
};

/* N1-N2, or one number. */
static bool parse_index(const char *text, struct vars *vars)
{
	char *end;
	unsigned long first = strtoul(text, &end, 0), last = first;

	if (end == text)
		return false;
	if (*end == '-') {
		text = end + 1;
		last = strtoul(text, &end, 0);
		if (end == text)
			return false;
	}
	if (*end != '\0' || last < first || last >= VARS_MAX)
		return false;
	vars->first = (uint16_t)first;
	vars->last = (uint16_t)last;
	return true;
}

static void print(const struct vars *vars, const char *program, unsigned index, uint64_t value)
{
	if (vars->cli->format == DP_FORMAT_JSON) {
		struct dp_json json = dp_json_begin(vars->out);

		dp_json_string(&json, "kind", program != NULL ? "local" : "global");
		if (program != NULL)
			dp_json_string(&json, "program", program);
		dp_json_number(&json, "index", index);
		dp_json_number(&json, "value", value);
		dp_json_end(&json);
		return;
	}
	fprintf(vars->out, "%s%s%u = 0x%0*" PRIx64 " (%" PRIu64 ")\n",
		program != NULL ? program : "", program != NULL ? " lv " : "gv ", index,
		dp_session_target(vars->session)->word_bytes * 2, value, value);
}

/* With --reset none is printed, as DProbes 3.6.4 does it. */
static bool show(struct vars *vars, uint8_t program, const char *name)
{
	uint64_t words[VARS_MAX];
	size_t count, there, room = vars->last - vars->first + 1u;

	if (!dp_session_vars(vars->session, program, vars->first, vars->reset, words, room, &count,
			     &there)) {
		/* "a too large lower end yields nothing" */
		if (dp_session_failure(vars->session)->error == DP_ERR_BAD_RANGE)
			return vars->any = true;
		vars->failed = true;
		return false;
	}
	vars->any = vars->any || there > 0;
	for (size_t i = 0; i < count && !vars->reset; i++)
		print(vars, name, vars->first + (unsigned)i, words[i]);
	return true;
}

static bool show_program(void *context, const struct dp_target_program *program)
{
	struct vars *vars = context;

	if (vars->name != NULL && strcmp(vars->name, program->name) != 0)
		return true;
	vars->found++;
	if (program->vars == 0)
		return true;
	return show(vars, program->index, program->name);
}

/* Nothing was printed: why. */
static void say_none(const struct vars *vars)
{
	if (vars->cli->quiet)
		return;
	if (vars->local && vars->found == 0)
		fprintf(stderr, "dprobes: no program is installed%s\n",
			vars->global ? ", and there are no global variables" : "");
	else
		fprintf(stderr,
			"dprobes: the installed programs have no %svariables (%s in a file header "
			"makes N)\n",
			!vars->local    ? "global "
			: !vars->global ? "local "
					: "",
			!vars->local    ? "'gvars = N'"
			: !vars->global ? "'vars = N'"
					: "'vars = N' or 'gvars = N'");
}

/* What was asked for, as far as the agent has it; false: it has not. Before any change. */
static bool narrow(struct vars *vars, bool only_global)
{
	if (!dp_session_has_part(vars->session, DP_PART_VARS) ||
	    (only_global && !dp_session_has_part(vars->session, DP_PART_GLOBALS)))
		return false;
	if (!(dp_session_target(vars->session)->parts >> DP_PART_GLOBALS & 1))
		vars->global = false;
	return true;
}

static int show_all(struct vars *vars)
{
	const struct dp_walk walk = {.context = vars, .program = show_program};

	if (vars->local && (!dp_session_walk(vars->session, &walk) || vars->failed))
		return dp_target_failed(vars->cli, vars->session);
	if (vars->name != NULL && vars->found == 0) {
		dp_cli_error(vars->cli, "no program '%s' is installed; 'dprobes list' shows them",
			     vars->name);
		return DP_EXIT_AGENT;
	}
	if (vars->global && !show(vars, DP_VARS_GLOBAL, NULL))
		return dp_target_failed(vars->cli, vars->session);
	if (!vars->any && vars->name != NULL && vars->local) { /* an error in DProbes 3.6.4 too */
		dp_cli_error(vars->cli,
			     "'%s' has no local variables; 'vars = N' in its file header makes N",
			     vars->name);
		return DP_EXIT_AGENT;
	}
	if (!vars->any)
		say_none(vars);
	return DP_EXIT_DONE;
}

int dp_cmd_vars(const struct dp_cli *cli)
{
	struct vars vars = {
		.cli = cli,
		.last = VARS_MAX - 1,
		.reset = dp_cli_has(cli, DP_OPT_RESET),
	};
	const bool only_local = dp_cli_has(cli, DP_OPT_LOCAL);
	const bool only_global = dp_cli_has(cli, DP_OPT_GLOBAL);
	const char *index = dp_cli_get(cli, DP_OPT_INDEX);
	int status = DP_EXIT_USAGE;

	if (!dp_cli_program(cli, &vars.name, &status))
		return status;
	if (index != NULL && !parse_index(index, &vars))
		return dp_cli_usage(cli, "--index: '%s' is no range N1-N2 below %u", index,
				    VARS_MAX);
	if (vars.name != NULL && only_global)
		return dp_cli_usage(cli,
				    "'%s' is one program, --global are everybody's variables; "
				    "leave one of them out",
				    vars.name);
	vars.local = only_local || !only_global;
	vars.global = only_global || (!only_local && vars.name == NULL);
	vars.out = dp_output_open(cli);
	if (vars.out == NULL)
		return status;
	vars.session = dp_target_open(cli, NULL, &status);
	if (vars.session != NULL)
		status = narrow(&vars, only_global) ? show_all(&vars)
						    : dp_target_failed(cli, vars.session);
	dp_session_close(vars.session);
	return dp_output_close(cli, vars.out) || status != DP_EXIT_DONE ? status : DP_EXIT_USAGE;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes vars prints the local variables of programs and the global variables. */
#include "cmd_names.h"

#include <stdlib.h>
#include <string.h>

enum {
	VARS_MAX = 256
};

struct vars {
	const struct dph_cli *cli;
	struct dp_session *session;
	struct dp_sink *sink;
	struct dph_images images;
	const struct dp_image *names;
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
	const struct dp_variable_view view = {
		.program = program,
		.index = index,
		.value = value,
		.word_bytes = dp_session_target(vars->session)->word_bytes,
		.names = vars->names,
	};

	dp_sink_reading(vars->sink, DP_READING_VARIABLE, &view);
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

static bool show_program(void *context, const struct dp_program_answer *program)
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

static int show_all(struct vars *vars)
{
	const struct dp_walk walk = {.context = vars, .program = show_program};

	if (vars->local && (!dp_session_walk(vars->session, &walk) || vars->failed))
		return dph_target_failed(vars->cli, vars->session);
	if (vars->name != NULL && vars->found == 0) {
		dph_cli_error(vars->cli, "no program '%s' is installed; 'dprobes list' shows them",
			      vars->name);
		return DPH_EXIT_AGENT;
	}
	if (vars->global && !show(vars, DP_VARS_GLOBAL, NULL))
		return dph_target_failed(vars->cli, vars->session);
	if (!vars->any && vars->name != NULL && vars->local) { /* an error in DProbes 3.6.4 too */
		dph_cli_error(vars->cli,
			      "'%s' has no local variables; 'vars = N' in its file header makes N",
			      vars->name);
		return DPH_EXIT_AGENT;
	}
	if (!vars->any)
		say_none(vars);
	return DPH_EXIT_DONE;
}

static int ask(struct vars *vars, FILE *out)
{
	int status;

	if (!dp_session_has_part(vars->session, DP_PART_VARS))
		return dph_target_failed(vars->cli, vars->session);
	vars->names = dph_names_for(vars->cli, vars->session, &vars->images);
	vars->sink = dph_output_sink(vars->cli, out);
	status = vars->sink != NULL ? show_all(vars) : DPH_EXIT_USAGE;
	dp_sink_close(vars->sink);
	return status;
}

int dph_cmd_vars(const struct dph_cli *cli)
{
	struct vars vars = {
		.cli = cli,
		.last = VARS_MAX - 1,
		.reset = dph_cli_has(cli, DPH_OPT_RESET),
	};
	const bool only_local = dph_cli_has(cli, DPH_OPT_LOCAL);
	const bool only_global = dph_cli_has(cli, DPH_OPT_GLOBAL);
	const char *index = dph_cli_get(cli, DPH_OPT_INDEX);
	int status = DPH_EXIT_USAGE;
	FILE *out;

	if (!dph_cli_program(cli, &vars.name, &status))
		return status;
	if (index != NULL && !parse_index(index, &vars))
		return dph_cli_usage(cli, "--index: '%s' is no range N1-N2 below %u", index,
				     VARS_MAX);
	if (vars.name != NULL && only_global)
		return dph_cli_usage(cli,
				     "'%s' names one program, --global names the variables of all "
				     "programs; leave one of them out",
				     vars.name);
	vars.local = only_local || !only_global;
	vars.global = only_global || (!only_local && vars.name == NULL);
	out = dph_names_open(cli, &vars.images, &status) ? dph_output_open(cli) : NULL;
	if (out == NULL) {
		dph_images_close(&vars.images);
		return status;
	}
	vars.session = dph_target_open(cli, DP_RIGHT_LOOK | (vars.reset ? DP_RIGHT_INSERT : 0),
				       NULL, &status);
	if (vars.session != NULL)
		status = ask(&vars, out);
	dp_session_close(vars.session);
	dph_images_close(&vars.images);
	return dph_output_close(cli, out) || status != DPH_EXIT_DONE ? status : DPH_EXIT_USAGE;
}

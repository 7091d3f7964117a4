/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes vars prints the local variables of programs and the global variables. */
#include "cmd.h"

#include "aggs.h"
#include "cmd_insert.h"
#include "cmd_names.h"
#include "installed.h"
#include "kept.h"

#include "base/pool.h"
#include <dprobes/errors.h>

#include <stdlib.h>
#include <string.h>

enum {
	VARS_MAX = 256
};

/* What an object says of the variables of a D program. */
struct known {
	uint8_t program;
	char *name;
	struct dp_object_file *object; /* that was kept; null: the file has it */
	struct dp_formats *formats;
};

struct vars {
	const struct dph_cli *cli;
	struct dp_session *session;
	struct dp_sink *sink;
	struct dph_images images;
	const struct dp_image *names;
	const char *name; /* null: every program, or that of the file */
	struct dph_insertion file;
	struct dp_program_answer made; /* the program that was made from the file */
	uint16_t first, last;
	bool reset, local, global;
	unsigned found;
	bool any; /* a variable exists */
	/* The variables to read, each with the name of its program; null: global variables. */
	struct dp_vars *ranges;
	char **labels;
	size_t range_count, range_room, label_room;
	struct known *known;
	size_t known_count, known_room;
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

static void add_range(struct vars *vars, uint8_t program, const char *name)
{
	const size_t room = vars->last - vars->first + 1u;

	vars->ranges =
		dph_grow(vars->ranges, &vars->range_room, vars->range_count, sizeof *vars->ranges);
	vars->labels =
		dph_grow(vars->labels, &vars->label_room, vars->range_count, sizeof *vars->labels);
	vars->labels[vars->range_count] = name != NULL ? dph_strdup(name) : NULL;
	vars->ranges[vars->range_count++] = (struct dp_vars){
		.program = program,
		.first = vars->first,
		.reset = vars->reset,
		.words = dph_malloc(room * sizeof(uint64_t)),
		.room = room,
	};
}

/* Names are asked for all variables of a program alone: --index counts the words of the target. */
static void add_known(struct vars *vars, const struct dp_program_answer *program)
{
	struct known known = {.program = program->index};
	const struct dp_object_file *object;

	if (vars->reset || dph_cli_has(vars->cli, DPH_OPT_INDEX) ||
	    dph_cli_has(vars->cli, DPH_OPT_NO_NAMES))
		return;
	if (vars->file.insertion == NULL)
		object = known.object = dph_kept_find(program);
	else
		object = dp_insertion_object(vars->file.insertion);
	known.formats = object != NULL ? dp_formats_open(object, vars->names) : NULL;
	if (known.formats == NULL || !dp_formats_named(known.formats)) {
		dp_formats_close(known.formats);
		dp_object_free(known.object);
		return;
	}
	known.name = dph_strdup(program->name);
	vars->known =
		dph_grow(vars->known, &vars->known_room, vars->known_count, sizeof *vars->known);
	vars->known[vars->known_count++] = known;
}

static const struct known *known_of(const struct vars *vars, const struct dp_vars *range)
{
	for (size_t i = 0; i < vars->known_count; i++)
		if (range->program == vars->known[i].program)
			return &vars->known[i];
	return NULL;
}

static void free_known(struct vars *vars)
{
	for (size_t i = 0; i < vars->known_count; i++) {
		dp_formats_close(vars->known[i].formats);
		dp_object_free(vars->known[i].object);
		free(vars->known[i].name);
	}
	free(vars->known);
}

static bool add_program(void *context, const struct dp_program_answer *program)
{
	struct vars *vars = context;

	if (vars->file.insertion != NULL
		    ? program->index != vars->made.index
		    : vars->name != NULL && strcmp(vars->name, program->name) != 0)
		return true;
	vars->found++;
	if (program->vars > 0)
		add_range(vars, program->index, program->name);
	add_known(vars, program);
	return true;
}

/* With --reset none is printed, as DProbes 3.6.4 does it. Returns false when the agent refused. */
static bool print_range(struct vars *vars, const struct dp_vars *range, const char *name)
{
	const struct known *known = known_of(vars, range);

	/* "a too large lower end yields nothing" */
	vars->any = vars->any || range->there > 0 || range->error == DP_ERR_BAD_RANGE;
	if (range->error != DP_ERR_OK)
		return range->error == DP_ERR_BAD_RANGE;
	if (known != NULL) {
		dp_formats_tell_variables(known->formats, name, range->words, range->count,
					  vars->sink);
		return true;
	}
	for (size_t i = 0; i < range->count && !vars->reset; i++)
		print(vars, name, vars->first + (unsigned)i, range->words[i]);
	return true;
}

/* Read the ranges together and print them. */
static int read_ranges(struct vars *vars)
{
	if (!dp_session_vars_of(vars->session, vars->ranges, vars->range_count))
		return dph_target_failed(vars->cli, vars->session);
	for (size_t i = 0; i < vars->range_count; i++)
		if (!print_range(vars, &vars->ranges[i], vars->labels[i])) {
			dph_cli_error(vars->cli, "the agent refused 'vars': %s",
				      dp_error_sentence(vars->ranges[i].error));
			return DPH_EXIT_AGENT;
		}
	for (size_t i = 0; i < vars->known_count; i++) {
		struct dp_array_info info;

		vars->any = vars->any || dp_formats_array(vars->known[i].formats, 0, &info);
		if (!dph_arrays_tell(vars->session, vars->known[i].program, vars->known[i].name,
				     vars->known[i].formats, vars->sink, NULL))
			return dph_target_failed(vars->cli, vars->session);
	}
	return DPH_EXIT_DONE;
}

static void free_ranges(struct vars *vars)
{
	for (size_t i = 0; i < vars->range_count; i++) {
		free(vars->ranges[i].words);
		free(vars->labels[i]);
	}
	free(vars->ranges);
	free(vars->labels);
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
	const struct dp_walk walk = {.context = vars, .program = add_program};
	int status;

	if (vars->local && !dp_session_walk(vars->session, &walk))
		return dph_target_failed(vars->cli, vars->session);
	if (vars->name != NULL && vars->found == 0)
		return dph_installed_missing(vars->cli, vars->session,
					     "no program '%s' is installed", vars->name);
	if (vars->global)
		add_range(vars, DP_VARS_GLOBAL, NULL);
	status = read_ranges(vars);
	if (status != DPH_EXIT_DONE)
		return status;
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

/* Find the program that was made from the file. Returns false with *status set. */
static bool find_made(struct vars *vars, int *status)
{
	bool found;

	if (vars->file.insertion == NULL)
		return true;
	if (!dph_insertion_find(vars->cli, vars->session, &vars->file, &vars->made, &found, status))
		return false;
	if (!found)
		*status = dph_insertion_missing(vars->cli, vars->session);
	return found;
}

static int ask(struct vars *vars, FILE *out)
{
	int status;

	if (!dp_session_has_part(vars->session, DP_PART_VARS))
		return dph_target_failed(vars->cli, vars->session);
	if (!find_made(vars, &status))
		return status;
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
	FILE *out = NULL;

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
	if (!dph_insertion_is_file(cli) || dph_insertion_prepare(cli, &vars.file, &status))
		out = dph_names_open(cli, &vars.images, &status) ? dph_output_open(cli) : NULL;
	if (out == NULL) {
		dph_insertion_free(&vars.file);
		dph_images_close(&vars.images);
		return status;
	}
	vars.session = dph_target_open(cli, DP_RIGHT_LOOK | (vars.reset ? DP_RIGHT_INSERT : 0),
				       NULL, &status);
	if (vars.session != NULL)
		status = ask(&vars, out);
	dp_session_close(vars.session);
	free_ranges(&vars);
	free_known(&vars);
	dph_insertion_free(&vars.file);
	dph_images_close(&vars.images);
	return dph_output_close(cli, out) || status != DPH_EXIT_DONE ? status : DPH_EXIT_USAGE;
}

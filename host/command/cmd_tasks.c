/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes tasks and dprobes stack print the tasks of the firmware's kernel while the firmware runs.
 */
#include "cmd.h"

#include "cmd_look.h"
#include "cmd_names.h"
#include "present/tasked.h"
#include "tasks/tasks.h"

#include <inttypes.h>
#include <string.h>

enum {
	NAME_LEAST = 4 /* width of the column TASK */
};

struct tasking {
	const struct dph_cli *cli;
	struct dph_tasks_how how;
	struct dph_images images;
	struct dp_session *session;
	struct dph_tasks *tasks;
};

/* --- the target ------------------------------------------------------------------------------ */

static bool open_session(struct tasking *t, int *status)
{
	*status = DPH_EXIT_USAGE;
	if (!dph_names_open(t->cli, &t->images, status))
		return false;
	if (dph_images_names(&t->images) == NULL) {
		*status = dph_cli_usage(t->cli, "tasks are found by the names of the firmware: "
						"give the ELF file (--elf)");
		return false;
	}
	t->session = dph_target_open(t->cli, DP_RIGHT_LOOK | DP_RIGHT_INSERT, NULL, status);
	if (t->session == NULL)
		return false;
	if (dp_session_has_part(t->session, DP_PART_MEMORY))
		return true;
	*status = dph_target_failed(t->cli, t->session);
	return false;
}

/* The names must be those of the firmware that runs. */
static bool open_tasks(struct tasking *t, int *status)
{
	const char *why;

	*status = DPH_EXIT_AGENT;
	if (!dph_names_fit(t->cli, t->session, &t->images))
		return false;
	t->tasks = dph_tasks_open(&t->images, &why);
	if (why == NULL)
		return true;
	dph_cli_error(t->cli, "%s", why);
	*status = DPH_EXIT_USAGE;
	return false;
}

static bool count_runs(void *session, struct dp_run *runs, size_t count)
{
	return dp_session_runs(session, runs, count);
}

static bool read_tasks(struct tasking *t, int *status)
{
	const uint64_t parts = dp_hello_parts(dp_session_target(t->session));
	const char *why;

	t->how.runs = parts >> DP_PART_RUNS & 1 ? count_runs : NULL;
	if (dph_tasks_read(t->tasks, &t->how, dph_session_places, t->session, &why))
		return true;
	if (why == NULL) {
		*status = dph_target_failed(t->cli, t->session);
	} else {
		dph_cli_error(t->cli, "%s", why);
		*status = DPH_EXIT_AGENT;
	}
	return false;
}

/* --- output ---------------------------------------------------------------------------------- */

static bool is_shown(const struct tasking *t, const struct dph_task *task)
{
	return t->how.only == NULL || dph_task_is(task, t->how.only);
}

static unsigned name_width(const struct tasking *t)
{
	size_t most = NAME_LEAST;

	for (size_t i = 0; i < dph_tasks_count(t->tasks); i++) {
		const size_t columns = strlen(dph_tasks_at(t->tasks, i)->name);

		most = columns > most ? columns : most;
	}
	return (unsigned)most;
}

static void tell(const struct tasking *t, struct dp_sink *sink, const struct dph_task *task,
		 bool first)
{
	const struct dph_task_view view = {
		.kernel = dph_tasks_kernel(t->tasks),
		.name = task->name,
		.state = dph_task_state_word(task->state),
		.block = task->block,
		.priority = task->priority,
		.stack = task->stack,
		.stack_bytes = task->stack_bytes,
		.left_known = task->left_known,
		.left = task->left,
		.saved = task->saved,
		.pc = task->pc,
		.where = task->where,
		.object = task->object,
		.waiting = task->waiting,
		.why = task->why,
		.framed = t->how.frames,
		.frames = task->frames,
		.frame_count = task->frame_count,
		.debug = dph_tasks_debug(t->tasks),
		.first = first,
		.name_width = name_width(t),
	};

	dp_sink_reading(sink, DP_READING_TASK, &view);
}

static int show(const struct tasking *t)
{
	FILE *out = dph_output_open(t->cli);
	struct dp_sink *sink = out != NULL ? dph_output_sink(t->cli, out) : NULL;
	bool first = true, good;

	if (out == NULL)
		return DPH_EXIT_USAGE;
	for (size_t i = 0; i < dph_tasks_count(t->tasks) && sink != NULL; i++) {
		const struct dph_task *task = dph_tasks_at(t->tasks, i);

		if (!is_shown(t, task))
			continue;
		tell(t, sink, task, first);
		first = false;
	}
	good = sink != NULL && dp_sink_close(sink);
	return dph_output_close(t->cli, out) && good ? DPH_EXIT_DONE : DPH_EXIT_USAGE;
}

/* A word that names no task, or several. */
static bool choose(const struct tasking *t, int *status)
{
	size_t count = 0;

	*status = DPH_EXIT_USAGE;
	for (size_t i = 0; i < dph_tasks_count(t->tasks); i++)
		count += is_shown(t, dph_tasks_at(t->tasks, i));
	if (t->how.only == NULL || count == 1)
		return true;
	if (count == 0)
		dph_cli_error(t->cli, "%s has no task '%s'; 'dprobes tasks' lists them",
			      dph_tasks_kernel(t->tasks), t->how.only);
	else
		dph_cli_error(t->cli,
			      "%zu tasks have the name '%s'; give the address of one:", count,
			      t->how.only);
	for (size_t i = 0; i < dph_tasks_count(t->tasks) && count > 1; i++) {
		const struct dph_task *task = dph_tasks_at(t->tasks, i);

		if (is_shown(t, task))
			fprintf(stderr, "  0x%" PRIx64 ": %s, priority %" PRId64 "\n", task->block,
				dph_task_state_word(task->state), task->priority);
	}
	return false;
}

static void tell_missed(const struct tasking *t)
{
	const uint64_t missed = dph_tasks_missed(t->tasks);

	if (missed > 0 && !t->cli->quiet)
		fprintf(stderr,
			"dprobes: warning: %" PRIu64 " more task(s) were not found: the lists of "
			"%s changed each time they were read\n",
			missed, dph_tasks_kernel(t->tasks));
}

static int run(struct tasking *t)
{
	int status;

	if (open_session(t, &status) && open_tasks(t, &status) && read_tasks(t, &status) &&
	    choose(t, &status)) {
		status = show(t);
		tell_missed(t);
	}
	dp_session_close(t->session);
	dph_tasks_close(t->tasks);
	dph_images_close(&t->images);
	return status;
}

int dph_cmd_tasks(const struct dph_cli *cli)
{
	struct tasking tasking = {.cli = cli, .how = {.left = true}};

	return run(&tasking);
}

int dph_cmd_stack(const struct dph_cli *cli)
{
	struct tasking tasking = {
		.cli = cli,
		.how = {.left = true,
			.frames = true,
			.only = cli->arg_count > 0 ? cli->args[0] : NULL},
	};

	return run(&tasking);
}

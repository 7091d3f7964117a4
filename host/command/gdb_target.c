/* SPDX-License-Identifier: BSD-2-Clause */
/* The firmware as gdb's target. */
#define _GNU_SOURCE
#include "gdb_target.h"

#include "base/pool.h"
#include "cmd_look.h"
#include "cmd_names.h"
#include "gdb/features.h"
#include "own_service.h"
#include "tables/registers.h"
#include "tasks/tasks.h"

#include "dp_rpn.h"

#include <stdlib.h>
#include <string.h>

enum {
	FRESH_MS = 1000 /* threads and registers that gdb asks for together are read once */
};

/* --- failures -------------------------------------------------------------------------------- */

static bool is_same(const struct dp_module_answer *a, const struct dp_module_answer *b)
{
	return a->base == b->base && a->bytes == b->bytes && a->identity == b->identity &&
	       a->id.count == b->id.count && memcmp(a->id.bytes, b->id.bytes, a->id.count) == 0;
}

/* Go on behind a restart of the same firmware: gdb keeps the ELF file and the memory map that the
 * connection began with. */
static void recover(struct dph_gdb_firmware *firmware, struct dph_gdb_why *why)
{
	struct dp_session *session = firmware->session;
	struct dp_module_answer image;

	firmware->read = firmware->stepped = false;
	firmware->stops.here = 0;
	firmware->stops.stopped = firmware->stops.installed = false;
	firmware->stops.lost = firmware->stops.text != NULL;
	dph_gdb_records_drop(&firmware->trace, session, "the target was restarted");
	if (!dp_session_restarted(session) || !dp_session_open_again(session) ||
	    !dp_session_module(session, 0, &image)) {
		snprintf(why->text, sizeof why->text, "%s", dp_session_failure(session)->text);
		dph_target_failed(firmware->cli, session);
		firmware->ended = true;
	} else if (!is_same(&image, &firmware->image)) {
		snprintf(
			why->text, sizeof why->text,
			"the target was restarted with another firmware: start dprobes gdb and gdb "
			"again with its ELF file");
		dph_cli_error(firmware->cli, "%s", why->text);
		firmware->ended = true;
	} else {
		fprintf(stderr, "dprobes: the target was restarted\n");
	}
}

/* A request has failed. The session goes on behind a refusal of the agent. */
void dph_gdb_failed(struct dph_gdb_firmware *firmware, struct dph_gdb_why *why)
{
	const struct dp_failure *failure = dp_session_failure(firmware->session);

	snprintf(why->text, sizeof why->text, "%s", failure->text);
	if (failure->kind != DP_FAILED_LINK || !firmware->opened || firmware->ended)
		return;
	if (firmware->begins && failure->silent) {
		dph_target_failed(firmware->cli, firmware->session);
		firmware->ended = true;
	} else {
		recover(firmware, why);
	}
}

bool dph_gdb_firmware_listen(struct dph_gdb_firmware *firmware)
{
	struct dph_gdb_why why = {""};

	if (!firmware->ended && !dp_session_listen(firmware->session, 0))
		dph_gdb_failed(firmware, &why);
	dph_gdb_records_deliver(&firmware->trace);
	return !firmware->ended;
}

/* --- threads --------------------------------------------------------------------------------- */

static const struct dph_gdb_thread whole[] = {
	{1, "firmware", "runs; no task of a kernel is known", false, false}};
static const struct dph_gdb_thread whole_stopped[] = {
	{1, "firmware", "stopped; no task of a kernel is known", true, true}};

static void tell(void *context, const char *sentence)
{
	const struct dph_gdb_firmware *firmware = context;

	dph_cli_error(firmware->cli, "%s", sentence);
}

static unsigned id_of(struct dph_gdb_firmware *firmware, uint64_t block)
{
	size_t i = 0;

	while (i < firmware->block_count && firmware->blocks[i] != block)
		i++;
	if (i == firmware->block_count) {
		firmware->blocks = dph_grow(firmware->blocks, &firmware->block_capacity, i,
					    sizeof *firmware->blocks);
		firmware->blocks[firmware->block_count++] = block;
	}
	return (unsigned)i + 1;
}

/* A step ends in the same thread nearly always: the stacks of the others are read when gdb asks for
 * threads. */
static unsigned here(void *context)
{
	struct dph_gdb_firmware *firmware = context;
	struct dph_gdb_stops *stops = &firmware->stops;
	uint64_t block;

	if (!stops->stopped)
		return 0;
	if (firmware->tasks == NULL)
		return whole_stopped[0].id;
	if (stops->here == 0 &&
	    dph_tasks_read_running(firmware->tasks, dph_session_places, firmware->session, &block))
		stops->here = id_of(firmware, block);
	return stops->here;
}

/* Behind steps in one task: are the others where they were? */
static bool are_as_before(struct dph_gdb_firmware *firmware)
{
	return firmware->stepped && here(firmware) == firmware->stepped_in &&
	       dph_tasks_stand(firmware->tasks, dph_session_places, firmware->session);
}

/* Returns false: there are no tasks to tell of, and why was said. */
static bool read_tasks(struct dph_gdb_firmware *firmware)
{
	const struct dph_tasks_how how = {.left = false};
	struct dph_gdb_why failed;
	const char *why;

	if (firmware->read && dp_clock_ms() - firmware->read_ms < FRESH_MS)
		return true;
	firmware->read =
		are_as_before(firmware) ||
		dph_tasks_read(firmware->tasks, &how, dph_session_places, firmware->session, &why);
	firmware->stepped_in = here(firmware);
	firmware->read_ms = dp_clock_ms();
	if (firmware->read)
		return true;
	if (why != NULL) {
		tell(firmware, why);
	} else {
		dph_gdb_failed(firmware, &failed);
		tell(firmware, failed.text);
	}
	return false;
}

static char *state_of(const struct dph_gdb_firmware *firmware, const struct dph_task *task)
{
	const char *word = dph_task_state_word(task->state);

	if (task->state == DPH_TASK_RUNNING && firmware->stops.stopped)
		return dph_print("stopped");
	if (task->state == DPH_TASK_RUNNING)
		return dph_print("%s: its registers are in the CPU", word);
	if (task->where == NULL)
		return dph_print("%s%s%s", word, task->why != NULL ? ": " : "",
				 task->why != NULL ? task->why : "");
	return dph_print("%s in %s", word, task->where);
}

/* Is the target stopped in the task, or in an interrupt that has interrupted it? */
static bool is_here(const struct dph_gdb_firmware *firmware, const struct dph_task *task)
{
	return firmware->stops.stopped && task->state == DPH_TASK_RUNNING;
}

static void forget_threads(struct dph_gdb_firmware *firmware)
{
	for (size_t i = 0; i < firmware->thread_count; i++)
		free((char *)firmware->threads[i].state);
	free(firmware->threads);
	firmware->threads = NULL;
	firmware->thread_count = 0;
}

static size_t threads(void *context, const struct dph_gdb_thread **found)
{
	struct dph_gdb_firmware *firmware = context;
	size_t count;

	*found = firmware->stops.stopped ? whole_stopped : whole;
	if (firmware->tasks == NULL || !read_tasks(firmware))
		return sizeof whole / sizeof whole[0];
	forget_threads(firmware);
	count = dph_tasks_count(firmware->tasks);
	firmware->threads = dph_malloc((count + 1) * sizeof *firmware->threads);
	for (size_t i = 0; i < count; i++) {
		const struct dph_task *task = dph_tasks_at(firmware->tasks, i);

		firmware->threads[firmware->thread_count++] = (struct dph_gdb_thread){
			.id = id_of(firmware, task->block),
			.name = task->name,
			.state = state_of(firmware, task),
			.has_registers = task->saved || is_here(firmware, task),
			.here = is_here(firmware, task),
		};
	}
	*found = firmware->threads;
	return count;
}

_Static_assert((int)DPH_UNWIND_REGISTERS <= (int)DPH_GDB_REGISTERS_MAX, "all have a place");

static bool registers(void *context, unsigned thread, struct dph_gdb_registers *found)
{
	struct dph_gdb_firmware *firmware = context;

	if (firmware->stops.stopped && here(context) == thread) {
		dph_gdb_read_stopped(firmware, found);
		return true;
	}
	if (firmware->tasks == NULL || !read_tasks(firmware)) {
		if (firmware->stops.stopped)
			dph_gdb_read_stopped(firmware, found);
		return thread == whole[0].id;
	}
	for (size_t i = 0; i < dph_tasks_count(firmware->tasks); i++) {
		const struct dph_task *task = dph_tasks_at(firmware->tasks, i);

		if (id_of(firmware, task->block) != thread)
			continue;
		if (is_here(firmware, task)) {
			dph_gdb_read_stopped(firmware, found);
			return true;
		}
		for (unsigned r = 0; task->saved && r < DPH_UNWIND_REGISTERS; r++) {
			found->known[r] = task->known[r];
			found->values[r] = task->values[r];
		}
		return true;
	}
	return false;
}

/* --- traces ---------------------------------------------------------------------------------- */

static bool trace_start(void *context, const char *program, const struct dph_gdb_tracer *tracer,
			struct dph_gdb_why *why)
{
	struct dph_gdb_firmware *firmware = context;

	return dph_gdb_records_start(&firmware->trace, firmware->cli, firmware->session,
				     DPH_GDB_TRACE, program, tracer, why);
}

static size_t trace_variables(void *context, uint64_t *words, size_t room)
{
	struct dph_gdb_firmware *firmware = context;

	return dph_gdb_records_variables(&firmware->trace, firmware->session, words, room);
}

static void trace_stop(void *context)
{
	struct dph_gdb_firmware *firmware = context;

	dph_gdb_records_stop(&firmware->trace, firmware->session, DPH_GDB_TRACE);
}

static bool print(void *context, const char *program, const struct dph_gdb_tracer *tracer,
		  struct dph_gdb_why *why)
{
	struct dph_gdb_firmware *firmware = context;

	dph_gdb_records_stop(&firmware->trace, firmware->session, DPH_GDB_PRINT);
	return program == NULL ||
	       dph_gdb_records_start(&firmware->trace, firmware->cli, firmware->session,
				     DPH_GDB_PRINT, program, tracer, why);
}

static void settle(void *context)
{
	struct dph_gdb_firmware *firmware = context;

	if (!firmware->ended)
		dph_gdb_records_settle(&firmware->trace, firmware->session);
}

/* --- open and close -------------------------------------------------------------------------- */

static const struct dph_gdb_ops ops = {
	.threads = threads,
	.here = here,
	.registers = registers,
	.read = dph_gdb_read_target,
	.write = dph_gdb_write_target,
	.sum = dph_gdb_sum_target,
	.ranges = dph_gdb_ranges,
	.monitor = dph_gdb_run_command,
	.trace_start = trace_start,
	.trace_variables = trace_variables,
	.trace_stop = trace_stop,
	.print = print,
	.settle = settle,
	.no_stop = dph_gdb_no_stop,
	.begin_stops = dph_gdb_begin_stops,
	.stop = dph_gdb_stop,
	.resume = dph_gdb_resume,
	.step = dph_gdb_step,
	.is_left = dph_gdb_is_left,
	.is_stopped = dph_gdb_is_stopped,
	.released = dph_gdb_released,
	.install = dph_gdb_install_stops,
	.stop_variables = dph_gdb_stop_variables,
	.no_watch = dph_gdb_no_watch,
	.comparators = dph_gdb_comparators,
	.write_register = dph_gdb_write_stopped,
	.tell = tell,
};

static bool can_stop(const struct dph_gdb_firmware *firmware)
{
	return dp_hello_parts(dp_session_target(firmware->session)) >> DP_PART_STEP & 1;
}

static bool open_session(struct dph_gdb_firmware *firmware, int *status)
{
	const struct dph_cli *cli = firmware->cli;
	const struct dp_listener listener = dph_gdb_records_listener(&firmware->trace);
	struct dph_gdb_why why;
	bool stopped;

	if (cli->port != NULL)
		dph_own_service_start(cli);
	firmware->session = dph_target_open_temporary(
		cli, DP_RIGHT_LOOK | DP_RIGHT_LOG | DP_RIGHT_INSERT, &listener, status);
	if (firmware->session == NULL)
		return false;
	*status = DPH_EXIT_AGENT;
	/* A firmware that hangs answers the other requests in a stop alone. */
	if (!dph_gdb_begin_stops(firmware, &stopped, &why))
		return false;
	firmware->opened = dp_session_has_part(firmware->session, DP_PART_MEMORY) &&
			   dp_session_module(firmware->session, 0, &firmware->image) &&
			   dph_rows_read(&firmware->rows, firmware->session);
	if (firmware->opened)
		return true;
	*status = dph_target_failed(cli, firmware->session);
	if (dp_session_failure(firmware->session)->silent && !cli->write && can_stop(firmware))
		fputs("dprobes: with --write, dprobes gdb stops a firmware that hangs\n", stderr);
	return false;
}

/* What a program without a `logmax` logs at most at a hit. */
static uint32_t log_max(const struct dp_hello_answer *hello)
{
	return hello->log_max > 0 && hello->log_max < RPN_LOGMAX_DEFAULT ? hello->log_max
									 : RPN_LOGMAX_DEFAULT;
}

static bool know_target(struct dph_gdb_firmware *firmware, int *status)
{
	const struct dp_hello_answer *hello = dp_session_target(firmware->session);
	const struct dph_cpu *cpu = dph_cpu_numbered(hello->cpu);

	*status = DPH_EXIT_USAGE;
	if (!dph_gdb_describes(cpu, hello->word_bytes)) {
		dph_cli_error(firmware->cli,
			      "gdb's registers of the CPU %s with words of %u bytes are not known "
			      "here",
			      cpu != NULL ? cpu->name : "of this target", hello->word_bytes);
		return false;
	}
	firmware->target = (struct dph_gdb_target){
		.ops = &ops,
		.context = firmware,
		.cpu = cpu,
		.word_bytes = hello->word_bytes,
		.big_endian = hello->big_endian != 0,
		.moved = dp_module_moved(&firmware->image, hello),
		.log_max = log_max(hello),
	};
	dph_gdb_know_ranges(firmware);
	return true;
}

/* Without tasks the firmware is one thread. */
static void know_tasks(struct dph_gdb_firmware *firmware)
{
	const char *why;

	firmware->names = dph_names_for(firmware->cli, firmware->session, &firmware->images);
	if (firmware->names == NULL)
		return;
	firmware->tasks = dph_tasks_open(&firmware->images, &why);
	if (why == NULL)
		return;
	if (!firmware->cli->quiet)
		fprintf(stderr, "dprobes: %s; gdb sees one thread\n", why);
	dph_tasks_close(firmware->tasks);
	firmware->tasks = NULL;
}

bool dph_gdb_firmware_open(struct dph_gdb_firmware *firmware, const struct dph_cli *cli,
			   int *status)
{
	*firmware = (struct dph_gdb_firmware){.cli = cli, .gdb = {.fd = -1}};
	*status = DPH_EXIT_USAGE;
	if (!dph_names_open(cli, &firmware->images, status) || !open_session(firmware, status) ||
	    !know_target(firmware, status))
		return false;
	dph_gdb_remove_left(firmware);
	know_tasks(firmware);
	return true;
}

void dph_gdb_firmware_close(struct dph_gdb_firmware *firmware)
{
	forget_threads(firmware);
	free(firmware->blocks);
	free(firmware->stops.text);
	dp_session_close(firmware->session);
	dph_tasks_close(firmware->tasks);
	dph_images_close(&firmware->images);
}

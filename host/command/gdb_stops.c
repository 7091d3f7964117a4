/* SPDX-License-Identifier: BSD-2-Clause */
/* The firmware as a target that gdb stops, steps and lets go on. */
#define _GNU_SOURCE
#include "gdb_target.h"

#include "base/pool.h"
#include "stopped.h"
#include "gdb/features.h"
#include "tables/registers.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum {
	SECONDS = 10,  /* the target goes on when gdb's server is gone for so long */
	PAUSE_MS = 20, /* between two questions whether the target is stopped */
	PAUSES = 250,  /* until nobody polls */
	RUNS_MS = 200, /* between two looks at a target that runs, and of which no notice comes */
	STANDS_MS = 2000, /* at one that is stopped: each keeps it stopped */
	STEPS_MAX = 4096, /* of one request */
	DPH_GDB_LEFT_MAX = 16
};

static const char *const stop_names[] = {"gdb-stops-0", "gdb-stops-1"};

/* gdb asks for registers and threads anew. */
static void forget(struct dph_gdb_firmware *firmware)
{
	firmware->read = firmware->stepped = false;
	firmware->stops.here = 0;
	firmware->stops.has_registers = false;
}

/* The same behind a step, in which most tasks stay what they were. */
static void forget_step(struct dph_gdb_firmware *firmware)
{
	const bool stepped = firmware->read || firmware->stepped;

	forget(firmware);
	firmware->stepped = stepped;
}

static void note(struct dph_gdb_firmware *firmware, bool stopped)
{
	struct dph_gdb_stops *stops = &firmware->stops;

	if (stops->stopped != stopped)
		forget(firmware);
	if (stopped && !stops->stopped) { /* the notice of a resumption before the stop has come */
		stops->released = NULL;
		firmware->trace.resumed = DPH_GDB_RESUMED_NOT;
	}
	stops->stopped = stopped;
	stops->asked_ms = dp_clock_ms();
}

/* The agent has refused to tell, or the step itself. */
static void ask_refused(struct dph_gdb_firmware *firmware, const struct dp_step_answer *answer)
{
	const enum dp_err error = dp_session_failure(firmware->session)->error;
	struct dph_gdb_why why = {.text = ""};

	firmware->stops.hangs = error == DP_ERR_NOT_POLLED;
	if (dph_stopped_not(error)) {
		note(firmware, false);
	} else if (dph_stopped_there(firmware->session, answer)) {
		note(firmware, true);
	} else { /* the last state stays */
		firmware->stops.asked_ms = dp_clock_ms();
		dph_gdb_failed(firmware, &why);
		if (firmware->stops.said != error)
			dph_cli_error(firmware->cli, "%s", why.text);
		firmware->stops.said = error;
	}
}

/* Find out whether the target is stopped. Returns false while steps are under way. */
static bool ask(struct dph_gdb_firmware *firmware)
{
	const struct dp_step_request none = {.count = 0};
	struct dp_step_answer answer;
	struct dph_gdb_why why = {.text = ""};

	firmware->trace.noticed = firmware->stops.hangs = false;
	if (dp_session_step(firmware->session, &none, &answer)) {
		note(firmware, true);
		return answer.left == 0;
	}
	if (dp_session_failure(firmware->session)->kind == DP_FAILED_LINK)
		dph_gdb_failed(firmware, &why);
	else
		ask_refused(firmware, &answer);
	return true;
}

/* Install a program beside the one before, whose name is the other one. */
static bool install(struct dph_gdb_firmware *firmware, const char *program, struct dph_gdb_why *why)
{
	struct dph_gdb_stops *stops = &firmware->stops;

	if (!dph_gdb_install(firmware->cli, firmware->session, stop_names[stops->turn], program,
			     &stops->program, why))
		return false;
	stops->turn ^= 1;
	return true;
}

/* Behind a restart of the target, its breakpoints are gone. */
static void install_again(struct dph_gdb_firmware *firmware)
{
	struct dph_gdb_stops *stops = &firmware->stops;
	struct dph_gdb_why why = {.text = ""};

	stops->lost = false;
	stops->installed = install(firmware, stops->text, &why);
	if (!stops->installed)
		dph_cli_error(firmware->cli, "%s", why.text);
}

const char *dph_gdb_no_stop(void *context)
{
	const struct dph_gdb_firmware *firmware = context;
	const struct dp_hello_answer *hello = dp_session_target(firmware->session);

	if (!(dp_hello_parts(hello) >> DP_PART_STEP & 1))
		return "the firmware runs, and this agent has no HALT to stop it";
	if (!firmware->cli->write)
		return "dprobes gdb stops nothing without the option --write";
	if (!(hello->rights & DP_RIGHT_WRITE))
		return "the agent gives this session no right to change the firmware";
	return NULL;
}

/* Has a stop ended without gdb? The notice tells also of one that another stop has followed. */
static bool is_released(struct dph_gdb_firmware *firmware)
{
	static const char *const why[] = {
		[DPH_GDB_RESUMED_BY_REQUEST] =
			"the target was not stopped any more: another command has resumed it",
		[DPH_GDB_RESUMED_TYPED] =
			"the target was not stopped any more: '~dprobes resume' was "
			"typed on its line",
		[DPH_GDB_RESUMED_ALONE] =
			"the target was not stopped any more: it went on by itself, "
			"because no request had come for some seconds",
	};
	const unsigned resumed = firmware->trace.resumed;

	firmware->trace.resumed = DPH_GDB_RESUMED_NOT;
	if (resumed == DPH_GDB_RESUMED_NOT || resumed >= sizeof why / sizeof why[0])
		return false;
	firmware->stops.released = why[resumed];
	note(firmware, false);
	return true;
}

const char *dph_gdb_released(void *context)
{
	const struct dph_gdb_firmware *firmware = context;

	return firmware->stops.released;
}

bool dph_gdb_is_stopped(void *context, bool was)
{
	struct dph_gdb_firmware *firmware = context;
	struct dph_gdb_stops *stops = &firmware->stops;

	if (firmware->ended)
		return was;
	if (firmware->trace.noticed ||
	    dp_clock_ms() - stops->asked_ms >= (uint64_t)(was ? STANDS_MS : RUNS_MS))
		ask(firmware);
	if (stops->lost && !firmware->ended)
		install_again(firmware);
	if (was && is_released(firmware))
		return false;
	return stops->stopped;
}

bool dph_gdb_stop(void *context, struct dph_gdb_why *why)
{
	struct dph_gdb_firmware *firmware = context;
	struct dp_halt_answer where;

	for (unsigned i = 0; i < PAUSES; i++) {
		if (!dp_session_halt(firmware->session, SECONDS, &where)) {
			dph_gdb_failed(firmware, why);
			return false;
		}
		if (where.why != 0) {
			note(firmware, true);
			forget(firmware);
			return true;
		}
		if (!dp_session_listen(firmware->session, PAUSE_MS)) {
			dph_gdb_failed(firmware, why);
			return false;
		}
	}
	snprintf(why->text, sizeof why->text,
		 "the firmware does not stop: it calls neither dprobes_poll nor dprobes_sample");
	return false;
}

static bool stop_hanging(struct dph_gdb_firmware *firmware, struct dph_gdb_why *why)
{
	const bool good = dph_gdb_stop(firmware, why);

	if (!good)
		dph_cli_error(firmware->cli, "%s", why->text);
	else if (!firmware->cli->quiet)
		fputs("dprobes: the firmware does not call dprobes_poll: it is stopped where it "
		      "hangs\n",
		      stderr);
	return good;
}

bool dph_gdb_begin_stops(void *context, bool *stopped, struct dph_gdb_why *why)
{
	struct dph_gdb_firmware *firmware = context;

	*stopped = false;
	if (dph_gdb_no_stop(firmware) != NULL)
		return true;
	firmware->begins = true;
	ask(firmware);
	firmware->begins = false;
	snprintf(why->text, sizeof why->text, "%s", dp_session_failure(firmware->session)->text);
	if (!firmware->ended && firmware->stops.hangs && !stop_hanging(firmware, why))
		return false;
	*stopped = firmware->stops.stopped;
	return !firmware->ended;
}

bool dph_gdb_resume(void *context, struct dph_gdb_why *why)
{
	struct dph_gdb_firmware *firmware = context;
	bool good = dp_session_resume(firmware->session);

	if (!good) {
		/* It goes on by itself already. */
		good = dph_stopped_not(dp_session_failure(firmware->session)->error);
		if (!good)
			dph_gdb_failed(firmware, why);
		else if (!is_released(firmware))
			firmware->stops.released =
				"the target was not stopped any more: another command has resumed "
				"it, or it was stopped too long without a request";
	}
	if (good) {
		note(firmware, false);
		forget(firmware);
	}
	return good;
}

bool dph_gdb_is_left(void *context)
{
	const struct dph_gdb_firmware *firmware = context;

	return firmware->gdb.fd >= 0 && firmware->gdb.asks(firmware->gdb.context);
}

/* Wait for the end of the steps. HALT ends them where gdb has sent something, or the user ends the
 * command. */
static bool end_steps(struct dph_gdb_firmware *firmware, struct dph_gdb_why *why)
{
	struct dp_halt_answer where;
	bool halted = false;

	while (!ask(firmware)) {
		if (halted || !(dph_interrupted || dph_gdb_is_left(firmware)))
			continue;
		halted = dp_session_halt(firmware->session, SECONDS, &where);
		if (!halted) {
			dph_gdb_failed(firmware, why);
			return false;
		}
	}
	return true;
}

bool dph_gdb_step(void *context, uint64_t first, uint64_t bytes, struct dph_gdb_why *why)
{
	struct dph_gdb_firmware *firmware = context;
	const struct dp_step_request request = {
		.count = bytes != 0 ? STEPS_MAX : 1,
		.first = first,
		.bytes = bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX,
	};
	struct dp_step_answer answer;

	if (!dp_session_step(firmware->session, &request, &answer)) {
		dph_gdb_failed(firmware, why);
		return false;
	}
	forget_step(firmware);
	return end_steps(firmware, why);
}

static bool remove_program(struct dph_gdb_firmware *firmware, uint8_t program,
			   struct dph_gdb_why *why)
{
	uint8_t removed;

	if (dp_session_remove(firmware->session, program, &removed) ||
	    dp_session_failure(firmware->session)->error == DP_ERR_NO_PROGRAM)
		return true;
	dph_gdb_failed(firmware, why);
	return false;
}

/* Remove the program before, where there was no room for another one beside it. The target is
 * stopped meanwhile. Returns false: there was none, or why has the reason. */
static bool remove_before(struct dph_gdb_firmware *firmware, struct dph_gdb_why *why)
{
	struct dph_gdb_stops *stops = &firmware->stops;

	if (!stops->installed || !remove_program(firmware, stops->program, why))
		return false;
	stops->installed = false;
	return true;
}

bool dph_gdb_install_stops(void *context, const char *program, struct dph_gdb_why *why)
{
	struct dph_gdb_firmware *firmware = context;
	struct dph_gdb_stops *stops = &firmware->stops;
	const uint8_t before = stops->program;

	if (program != NULL && firmware->cli->elf == NULL) {
		snprintf(why->text, sizeof why->text,
			 "breakpoints need the instructions of the firmware: give the ELF file "
			 "(--elf) to dprobes gdb");
		return false;
	}
	if (program != NULL && !install(firmware, program, why) &&
	    !(stops->stopped && remove_before(firmware, why) && install(firmware, program, why)))
		return false;
	if (stops->installed && !remove_program(firmware, before, why))
		return false;
	stops->installed = program != NULL;
	stops->lost = false;
	stops->asked_ms = 0; /* the next question whether the target is stopped is asked */
	free(stops->text);
	stops->text = program != NULL ? dph_strdup(program) : NULL;
	return true;
}

/* --- programs of a server that was killed --- */

/* The programs of gdb that no process of this host owns. The id of each is its server's process. */
struct left {
	uint8_t programs[DPH_GDB_LEFT_MAX];
	size_t count;
};

static bool find_left(void *context, const struct dp_program_answer *program)
{
	struct left *left = context;
	const pid_t server = (pid_t)program->id;
	const bool gdbs = dph_gdb_records_has_name(program->name) ||
			  strcmp(program->name, stop_names[0]) == 0 ||
			  strcmp(program->name, stop_names[1]) == 0;

	if (gdbs && server > 0 && kill(server, 0) != 0 && errno == ESRCH)
		left->programs[left->count++] = program->index;
	return left->count < DPH_GDB_LEFT_MAX;
}

void dph_gdb_remove_left(struct dph_gdb_firmware *firmware)
{
	struct left left = {.count = 0};
	const struct dp_walk walk = {.context = &left, .program = find_left};
	struct dph_gdb_why why = {.text = ""};
	size_t removed = 0;

	if (!dp_session_walk(firmware->session, &walk)) {
		dph_gdb_failed(firmware, &why);
		return;
	}
	for (size_t i = 0; i < left.count; i++)
		removed += remove_program(firmware, left.programs[i], &why);
	if (removed > 0 && !firmware->cli->quiet)
		fprintf(stderr,
			"dprobes: %zu program(s) of a dprobes gdb that was killed are removed\n",
			removed);
}

size_t dph_gdb_stop_variables(void *context, uint64_t *words, size_t room)
{
	struct dph_gdb_firmware *firmware = context;
	size_t count = 0, there;
	struct dph_gdb_why why = {.text = ""};

	if (!firmware->stops.installed)
		return 0;
	if (!dp_session_vars(firmware->session, firmware->stops.program, 0, true, words, room,
			     &count, &there)) {
		dph_gdb_failed(firmware, &why);
		return 0;
	}
	return count;
}

const char *dph_gdb_no_watch(void *context)
{
	const struct dph_gdb_firmware *firmware = context;
	const struct dp_hello_answer *hello = dp_session_target(firmware->session);

	if (dp_hello_parts(hello) >> DP_PART_WATCH_STOP & 1)
		return NULL;
	return "this agent does not stop at watchpoints: 'delete' the watchpoint, or build the "
	       "firmware with the agent of this dprobes";
}

unsigned dph_gdb_comparators(void *context, unsigned kind)
{
	struct dph_gdb_firmware *firmware = context;
	struct dp_hardware_answer hardware;
	struct dph_gdb_why why = {.text = ""};

	if (!dp_session_has_part(firmware->session, DP_PART_HARDWARE) ||
	    !dp_session_has_part(firmware->session, DP_PART_VARS))
		return 0;
	if (!dp_session_hardware(firmware->session, &hardware)) {
		dph_gdb_failed(firmware, &why);
		return 0;
	}
	return hardware.kinds >> kind & 1 ? hardware.data : 0;
}

bool dph_gdb_write_stopped(void *context, unsigned index, uint64_t value, struct dph_gdb_why *why)
{
	struct dph_gdb_firmware *firmware = context;

	firmware->stops.has_registers = false;
	if (dp_session_reg_write(firmware->session, (uint16_t)index, value))
		return true;
	dph_gdb_failed(firmware, why);
	return false;
}

/* Read registers with numbers one after the other. */
static bool read_run(const struct dph_gdb_firmware *firmware, unsigned first, size_t count,
		     struct dph_gdb_registers *registers)
{
	struct dp_register values[DPH_GDB_REGISTERS_MAX];

	if (!dp_session_regs(firmware->session, (uint16_t)first, count, values))
		return false;
	for (size_t i = 0; i < count; i++) {
		registers->known[first + i] = values[i].there;
		registers->values[first + i] = values[i].value;
	}
	return true;
}

/* Read each register that gdb knows. */
static bool read_all(struct dph_gdb_firmware *firmware, struct dph_gdb_registers *registers)
{
	const unsigned known = dph_gdb_register_count(&firmware->target);
	bool wanted[DPH_GDB_REGISTERS_MAX] = {false}, good = true;
	struct dph_gdb_why why = {.text = ""};

	for (unsigned i = 0; i < known; i++) {
		const struct dp_reg *reg = dph_gdb_register(&firmware->target, i);

		if (reg != NULL && reg->index < DPH_GDB_REGISTERS_MAX)
			wanted[reg->index] = true;
	}
	for (unsigned first = 0, end; first < DPH_GDB_REGISTERS_MAX && good; first = end) {
		for (end = first; end < DPH_GDB_REGISTERS_MAX && wanted[end]; end++)
			;
		good = end == first || read_run(firmware, first, end - first, registers);
		end += end == first;
	}
	if (!good)
		dph_gdb_failed(firmware, &why);
	return good;
}

bool dph_gdb_read_stopped(struct dph_gdb_firmware *firmware, struct dph_gdb_registers *registers)
{
	struct dph_gdb_stops *stops = &firmware->stops;

	if (!stops->has_registers) {
		stops->registers = (struct dph_gdb_registers){0};
		stops->has_registers = read_all(firmware, &stops->registers);
	}
	*registers = stops->registers;
	return stops->has_registers;
}

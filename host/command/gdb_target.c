/* SPDX-License-Identifier: BSD-2-Clause */
/* The firmware as gdb's target. */
#define _GNU_SOURCE
#include "gdb_target.h"

#include "base/pool.h"
#include "cmd_look.h"
#include "cmd_names.h"
#include "gdb/features.h"
#include "own_service.h"
#include "symbols/elf_image.h"
#include "tables/registers.h"
#include "tasks/tasks.h"

#include "dp_crc.h"
#include "dp_rpn.h"

#include <stdlib.h>
#include <string.h>

enum {
	FRESH_MS = 1000,   /* threads and registers that gdb asks for together are read once */
	SUM_TEXT = 0x4000, /* most bytes of a request for a sum of text: */
	SUM_PIECE = 64,    /* a multiple of these from the begin of the text, */
	SUM_READ = 2048,   /* bytes that are read at a time for a sum */
	WIDTH_MAX = 8,
	TRAP_BYTES = 4 /* at most */
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

/* --- memory ---------------------------------------------------------------------------------- */

/* A register of a device is read in one access. */
static unsigned width_of(const struct dph_gdb_firmware *firmware, uint64_t address, size_t bytes)
{
	const int row = dph_row_of(&firmware->rows, address);
	const bool one = bytes <= WIDTH_MAX && (bytes & (bytes - 1)) == 0 && address % bytes == 0;

	return row != DPH_NO_ROW && firmware->rows.row[row].access & DP_ACCESS_DEVICE && one
		       ? (unsigned)bytes
		       : 0;
}

static size_t read_as_is(void *context, uint64_t address, uint8_t *data, size_t bytes,
			 struct dph_gdb_why *why)
{
	struct dph_gdb_firmware *firmware = context;
	struct dp_read_place place = {.address = address, .bytes = bytes, .data = data};

	snprintf(why->text, sizeof why->text, "the target does not let 0x%llx be read",
		 (unsigned long long)address);
	if (dp_session_read(firmware->session, &place, 1, width_of(firmware, address, bytes), NULL))
		return place.have;
	dph_gdb_failed(firmware, why);
	return 0;
}

static bool is_code(const struct dph_gdb_firmware *firmware, uint64_t address, size_t bytes)
{
	return firmware->names != NULL &&
	       dph_image_executable_within(firmware->names, address, bytes);
}

/* Why nothing may be written there; null: it may. */
static const char *no_write(const struct dph_gdb_firmware *firmware, uint64_t address, size_t bytes)
{
	const struct dp_hello_answer *hello = dp_session_target(firmware->session);

	if (hello->profile == 0)
		return "the agent only reads: build the firmware with "
		       "DP_PROFILE=DP_PROFILE_FULL to let gdb write";
	if (!firmware->cli->write)
		return "dprobes gdb writes nothing without the option --write";
	if (!(hello->rights & DP_RIGHT_WRITE))
		return "the agent gives this session no right to change the firmware";
	if (is_code(firmware, address, bytes))
		return "the code of a firmware is not written: no 'load' here";
	return NULL;
}

/* Lay the bytes of the ELF file over those of [address, address + bytes) that a trap at `place` may
 * have changed. */
static void lay_place(const struct dph_gdb_firmware *firmware, uint64_t place, uint64_t address,
		      uint8_t *data, size_t bytes)
{
	for (unsigned i = 0; i < TRAP_BYTES; i++) {
		const uint64_t at = place + i - address;

		if (at < bytes)
			dp_image_read(firmware->names, place + i, data + at, 1);
	}
}

/* A trap of a breakpoint is no code of the firmware. */
static void lay_code(const struct dph_gdb_firmware *firmware, uint64_t address, uint8_t *data,
		     size_t bytes)
{
	static const char key[] = "address = ";
	const char *at = firmware->stops.installed ? firmware->stops.text : NULL;

	if (firmware->names == NULL || at == NULL)
		return;
	while ((at = strstr(at, key)) != NULL) {
		uint64_t place;

		at += strlen(key);
		place = strtoull(at, NULL, 0);
		if (is_code(firmware, place, 1)) /* else a watchpoint is there */
			lay_place(firmware, place, address, data, bytes);
	}
}

static size_t read_memory(void *context, uint64_t address, uint8_t *data, size_t bytes,
			  struct dph_gdb_why *why)
{
	const struct dph_gdb_firmware *firmware = context;
	const size_t have = read_as_is(context, address, data, bytes, why);

	if (have > 0)
		lay_code(firmware, address, data, have);
	return have;
}

static bool write_memory(void *context, uint64_t address, const uint8_t *data, size_t bytes,
			 struct dph_gdb_why *why)
{
	struct dph_gdb_firmware *firmware = context;
	const char *no = no_write(firmware, address, bytes);
	size_t stored;

	if (no != NULL) {
		snprintf(why->text, sizeof why->text, "%s", no);
		return false;
	}
	for (size_t at = 0; at < bytes; at += stored) {
		const size_t now = bytes - at < DP_STORE_MAX ? bytes - at : DP_STORE_MAX;

		if (!dp_session_store(firmware->session, address + at, data + at, now, &stored)) {
			dph_gdb_failed(firmware, why);
			return false;
		}
		if (stored < now) {
			snprintf(why->text, sizeof why->text,
				 "the target does not let 0x%llx be written",
				 (unsigned long long)address + at + stored);
			return false;
		}
	}
	return true;
}

/* --- sums ------------------------------------------------------------------------------------ */

/* How many bytes from the address on the agent gives a sum of; 0: none. */
static size_t text_bytes(const struct dph_gdb_firmware *firmware, uint64_t address, uint64_t bytes)
{
	const uint64_t at = address - firmware->image.base, all = firmware->image.bytes;

	if (firmware->names == NULL || at >= all || at % SUM_PIECE != 0)
		return 0;
	bytes = bytes < SUM_TEXT ? bytes : SUM_TEXT;
	bytes = bytes < all - at ? bytes : all - at;
	return (size_t)(bytes == all - at ? bytes : bytes - bytes % SUM_PIECE);
}

/* How many bytes to read before the agent may give a sum. */
static size_t other_bytes(const struct dph_gdb_firmware *firmware, uint64_t address)
{
	const uint64_t at = address - firmware->image.base;

	if (at < firmware->image.bytes)
		return SUM_PIECE - (size_t)(at % SUM_PIECE);
	return address < firmware->image.base && firmware->image.base - address < SUM_READ
		       ? (size_t)(firmware->image.base - address)
		       : SUM_READ;
}

/* Sum text that is the ELF file's: the agent compares, by a sum of another kind, and the bytes come
 * from the file. Returns false: the text differs, or the agent does not tell. */
static bool sum_text(struct dph_gdb_firmware *firmware, uint64_t address, size_t bytes,
		     uint32_t *sum)
{
	uint8_t *data = dph_malloc(bytes);
	uint32_t crc;
	const bool same =
		dp_image_read(firmware->names, address, data, bytes) &&
		dp_session_text(firmware->session, address, (uint32_t)bytes, true, &crc, NULL) &&
		crc == dp_crc32(0, data, bytes);

	if (same)
		*sum = dph_gdb_sum(*sum, data, bytes);
	free(data);
	return same;
}

static bool sum_memory(struct dph_gdb_firmware *firmware, uint64_t address, size_t bytes,
		       uint32_t *sum, struct dph_gdb_why *why)
{
	uint8_t data[SUM_READ];

	for (size_t now; bytes > 0; address += now, bytes -= now) {
		now = bytes < sizeof data ? bytes : sizeof data;
		if (read_memory(firmware, address, data, now, why) < now)
			return false;
		*sum = dph_gdb_sum(*sum, data, now);
	}
	return true;
}

/* The end of the memory around an address that can be read at once; the address: there is none. */
static uint64_t end_of_memory(const struct dph_gdb_firmware *firmware, uint64_t address)
{
	if (address - firmware->image.base < firmware->image.bytes)
		return firmware->image.base + firmware->image.bytes;
	for (size_t i = 0; i < firmware->range_count; i++)
		if (address - firmware->ranges[i].start < firmware->ranges[i].bytes)
			return firmware->ranges[i].start + firmware->ranges[i].bytes;
	return address;
}

/* Has the board's table all of these bytes? An agent that tells no rows has the bound of its
 * addresses alone. */
static bool has_memory(const struct dph_gdb_firmware *firmware, uint64_t address, uint64_t bytes)
{
	const uint64_t last =
		firmware->target.word_bytes == sizeof(uint32_t) ? UINT32_MAX : UINT64_MAX;

	if (bytes > 0 && bytes - 1 > last - address)
		return false;
	while (bytes > 0 && firmware->range_count > 0) {
		const uint64_t now = end_of_memory(firmware, address) - address;

		if (now == 0)
			return false;
		if (now >= bytes)
			break;
		address += now;
		bytes -= now;
	}
	return true;
}

static bool is_left(struct dph_gdb_firmware *firmware)
{
	return dph_interrupted || dph_gdb_is_left(firmware);
}

static bool sum(void *context, uint64_t address, uint64_t bytes, uint32_t *result,
		struct dph_gdb_why *why)
{
	struct dph_gdb_firmware *firmware = context;

	if (!has_memory(firmware, address, bytes)) {
		snprintf(why->text, sizeof why->text,
			 "the board's table does not have 0x%llx bytes from 0x%llx on",
			 (unsigned long long)bytes, (unsigned long long)address);
		return false;
	}
	*result = DPH_GDB_SUM_BEGIN;
	for (size_t now; bytes > 0; address += now, bytes -= now) {
		if (is_left(firmware)) {
			snprintf(why->text, sizeof why->text, "the sum was left at 0x%llx",
				 (unsigned long long)address);
			return false;
		}
		now = text_bytes(firmware, address, bytes);
		if (now > 0 && sum_text(firmware, address, now, result))
			continue;
		if (now == 0)
			now = other_bytes(firmware, address);
		now = now < bytes ? now : (size_t)bytes;
		if (!sum_memory(firmware, address, now, result, why))
			return false;
	}
	return true;
}

/* --- ranges ---------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void add_range(struct dph_gdb_firmware *firmware, uint64_t start, uint64_t end, bool writes)
{
	struct dph_gdb_range *last = &firmware->ranges[firmware->range_count] - 1;

	if (firmware->range_count > 0 && last->start + last->bytes == start &&
	    last->writes == writes)
		last->bytes += end - start;
	else
		firmware->ranges[firmware->range_count++] =
			(struct dph_gdb_range){start, end - start, writes};
}

/* Rows may overlap, and the first one decides; gdb takes rows that do not. */
static void know_ranges(struct dph_gdb_firmware *firmware)
{
	const struct dph_rows *rows = &firmware->rows;
	uint64_t edges[DPH_GDB_RANGES_MAX] = {0};
	size_t count = 0;

	for (unsigned i = 0; i < rows->count && !rows->cut; i++) {
		edges[count++] = rows->row[i].start;
		edges[count++] = rows->row[i].start + rows->row[i].bytes;
	}
	qsort(edges, count, sizeof edges[0], compare);
	for (size_t i = 0; i + 1 < count; i++) {
		const int row = dph_row_of(rows, edges[i]);

		if (edges[i] < edges[i + 1] && row != DPH_NO_ROW &&
		    rows->row[row].access & DP_ACCESS_READ)
			add_range(firmware, edges[i], edges[i + 1],
				  rows->row[row].access & DP_ACCESS_WRITE);
	}
}

static size_t ranges(void *context, const struct dph_gdb_range **found)
{
	const struct dph_gdb_firmware *firmware = context;

	*found = firmware->ranges;
	return firmware->range_count;
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
	.read = read_memory,
	.write = write_memory,
	.sum = sum,
	.ranges = ranges,
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
	know_ranges(firmware);
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

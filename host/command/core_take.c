/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include "core_take.h"

#include "base/pool.h"
#include "cmd_look.h"
#include "core/core.h"
#include "core/core_registers.h"
#include "core_part.h"
#include "core_ranges.h"
#include "doctor_addresses.h"
#include "stopped.h"
#include "symbols/elf_image.h"
#include "tables/registers.h"
#include "tasks/tasks.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	BLOCK = 4096,      /* bytes of a place that is read */
	TOGETHER = 8192,   /* bytes that are read before they are in the part of the core */
	CAREFUL = 32,      /* of one behind memory that cannot be read */
	STACK_MOST = 1024, /* of a running stack whose end is not known */
	TELL_MS = 200
};

/* What the file has. */
struct saved {
	bool there;
	size_t tasks, registers;
	uint64_t bytes, absent;
	bool line_failed;
};

struct taking {
	const struct dph_cli *cli;
	struct dp_session *session;
	const struct dph_images *images;
	const struct dph_core_wish *wish;
	struct dph_core core;
	struct dph_tasks *tasks;     /* null: no kernel is known */
	struct dp_register *running; /* by index; null: the target is not stopped in a hit */
	size_t running_count;
	struct dph_core_spans wanted, holes; /* no row of the board has the holes */
	struct dp_read_place *places;        /* read, or asked for */
	size_t place_count, place_capacity;
	bool line_failed;   /* memory without bytes was not read */
	struct saved saved; /* in the file */
	struct dph_core_part part;
	uint64_t resumed;     /* bytes that a command before this one has read */
	struct dph_pool pool; /* of the memory */
	uint64_t total, done, began_ms, told_ms;
};

_Static_assert((int)BLOCK <= (int)DPH_CORE_PART_MAX, "a place is a piece of the part");

/* --- the target ------------------------------------------------------------------------------ */

static bool know_target(struct taking *t, int *status)
{
	const struct dp_hello_answer *hello = dp_session_target(t->session);
	const struct dp_image *image = dph_images_names(t->images);
	struct dp_image_info info = {0};
	struct dp_module_answer module;

	t->core.cpu = dph_cpu_numbered(hello->cpu);
	t->core.word_bytes = hello->word_bytes;
	t->wanted.last = hello->word_bytes == 4 ? UINT32_MAX : UINT64_MAX;
	t->core.big_endian = hello->big_endian != 0;
	if (image != NULL)
		dp_image_info(image, &info);
	t->core.machine =
		info.machine != 0 || t->core.cpu == NULL ? info.machine : t->core.cpu->elf_machine;
	t->core.flags = image != NULL ? dph_image_flags(image) : 0;
	for (unsigned i = 0;
	     i < hello->modules && dp_session_module(t->session, (uint8_t)i, &module); i++)
		dph_core_add_module(&t->core, &module);
	if (dph_core_slots(t->core.cpu, t->core.word_bytes) > 0)
		return true;
	dph_cli_error(t->cli,
		      "the registers of a core of the CPU %s with words of %u bytes are not known "
		      "here",
		      t->core.cpu != NULL ? t->core.cpu->name : "of this target",
		      t->core.word_bytes);
	*status = DPH_EXIT_USAGE;
	return false;
}

/* Read the registers of a target that is stopped in a hit. */
static bool read_running(struct taking *t, int *status)
{
	size_t rows;
	const struct dp_reg *table = dph_cpu_regs(t->core.cpu, &rows);
	enum dp_err error;

	if (!(dp_hello_parts(dp_session_target(t->session)) >> DP_PART_HALT & 1) || rows == 0)
		return true;
	t->running_count = table[rows - 1].index + (size_t)1;
	t->running = dph_malloc(t->running_count * sizeof *t->running);
	if (dp_session_regs(t->session, 0, t->running_count, t->running))
		return true;
	error = dp_session_failure(t->session)->error;
	free(t->running);
	t->running = NULL;
	if (dp_session_failure(t->session)->kind == DP_FAILED_AGENT &&
	    (dph_stopped_not(error) || error == DP_ERR_NO_REGISTERS || error == DP_ERR_NO_STOP))
		return true;
	*status = dph_target_failed(t->cli, t->session);
	return false;
}

/* The value of a register of the running context, by its name. */
static bool running_value(const struct taking *t, const char *name, uint64_t *value)
{
	const struct dp_reg *reg = dph_reg_named(t->core.cpu, name, strlen(name));

	if (t->running == NULL || reg == NULL || reg->index >= t->running_count ||
	    !t->running[reg->index].there)
		return false;
	*value = t->running[reg->index].value;
	return true;
}

/* --- tasks ----------------------------------------------------------------------------------- */

/* Without tasks a core has the registers of a stopped target alone. */
static bool read_tasks(struct taking *t, int *status)
{
	const struct dph_tasks_how how = {.left = false};
	const char *why = NULL;

	if (dph_images_names(t->images) == NULL)
		return true;
	t->tasks = dph_tasks_open(t->images, &why);
	if (why == NULL && !dph_tasks_read(t->tasks, &how, dph_session_places, t->session, &why) &&
	    why == NULL) {
		*status = dph_target_failed(t->cli, t->session);
		return false;
	}
	if (why == NULL)
		return true;
	if (!t->cli->quiet)
		fprintf(stderr, "dprobes: %s; the core has no tasks\n", why);
	dph_tasks_close(t->tasks);
	t->tasks = NULL;
	return true;
}

/* The stopped context: of the running task, or of an interrupt that has interrupted it. */
static void add_running(struct taking *t, const struct dph_task *task)
{
	struct dph_core_task *to = dph_core_add_task(&t->core);

	snprintf(to->name, sizeof to->name, "%s", task != NULL ? task->name : "firmware");
	snprintf(to->state, sizeof to->state, "running");
	to->block = task != NULL ? task->block : 0;
	to->priority = task != NULL ? task->priority : 0;
	to->saved = t->running != NULL;
	for (size_t i = 0; i < t->running_count && to->saved && i < DPH_CORE_REGISTERS; i++) {
		to->known[i] = t->running[i].there;
		to->values[i] = t->running[i].value;
	}
}

static void add_waiting(struct taking *t, const struct dph_task *task)
{
	struct dph_core_task *to = dph_core_add_task(&t->core);

	snprintf(to->name, sizeof to->name, "%s", task->name);
	snprintf(to->state, sizeof to->state, "%s", dph_task_state_word(task->state));
	snprintf(to->where, sizeof to->where, "%s", task->where != NULL ? task->where : "");
	to->block = task->block;
	to->priority = task->priority;
	to->saved = task->saved;
	memcpy(to->known, task->known, sizeof task->known);
	memcpy(to->values, task->values, sizeof task->values);
}

_Static_assert((int)DPH_CORE_REGISTERS == (int)DPH_UNWIND_REGISTERS, "a place for each register");

static const struct dph_task *running_task(const struct taking *t)
{
	const size_t count = t->tasks != NULL ? dph_tasks_count(t->tasks) : 0;

	for (size_t i = 0; i < count; i++)
		if (dph_tasks_at(t->tasks, i)->state == DPH_TASK_RUNNING)
			return dph_tasks_at(t->tasks, i);
	return NULL;
}

static void add_tasks(struct taking *t)
{
	const struct dph_task *running = running_task(t);
	const size_t count = t->tasks != NULL ? dph_tasks_count(t->tasks) : 0;

	add_running(t, running);
	for (size_t i = 0; i < count; i++)
		if (dph_tasks_at(t->tasks, i) != running)
			add_waiting(t, dph_tasks_at(t->tasks, i));
}

/* --- ranges ---------------------------------------------------------------------------------- */

static void want_running_stack(struct taking *t)
{
	const struct dph_task *task = running_task(t);
	uint64_t sp;

	if (!running_value(t, "sp", &sp))
		return;
	if (task != NULL && sp - task->stack < task->stack_bytes)
		dph_core_spans_add(&t->wanted, sp, task->stack + task->stack_bytes - sp);
	else
		dph_core_spans_add(&t->wanted, sp, STACK_MOST);
}

static void want_task_stacks(struct taking *t)
{
	for (size_t i = 0; t->tasks != NULL && i < dph_tasks_count(t->tasks); i++)
		dph_core_spans_add(&t->wanted, dph_tasks_at(t->tasks, i)->stack,
				   dph_tasks_at(t->tasks, i)->stack_bytes);
}

/* Without sections that name memory, a core has all of it. */
static bool want_rows(struct taking *t, int *status)
{
	struct dph_rows rows;

	if (!(t->wish->ranges & DPH_CORE_ALL) && dph_images_names(t->images) != NULL)
		return true;
	if (!dph_rows_read(&rows, t->session)) {
		*status = dph_target_failed(t->cli, t->session);
		return false;
	}
	dph_core_spans_add_rows(&t->wanted, &rows);
	return true;
}

/* A stopped target is read once: memory that was read has the same bytes. */
static void leave_out_known(struct taking *t)
{
	for (size_t i = 0; i < t->place_count; i++)
		dph_core_spans_leave_out(&t->wanted, t->places[i].address, t->places[i].bytes);
}

/* Memory without a row is not asked for: the agent would refuse each of its small places. */
static bool leave_out_holes(struct taking *t, int *status)
{
	struct dph_rows rows;

	if (!dph_rows_read(&rows, t->session)) {
		*status = dph_target_failed(t->cli, t->session);
		return false;
	}
	dph_core_spans_part(&t->wanted, &t->holes, &rows);
	return true;
}

/* --- memory ---------------------------------------------------------------------------------- */

static void add_place(struct taking *t, uint64_t address, size_t bytes)
{
	t->places = dph_grow(t->places, &t->place_capacity, t->place_count, sizeof *t->places);
	t->places[t->place_count++] = (struct dp_read_place){
		.address = address,
		.bytes = bytes,
		.data = dph_pool_take(&t->pool, bytes),
	};
}

static void add_places(struct taking *t, uint64_t first, uint64_t end, size_t block)
{
	for (uint64_t now; first < end; first += now) {
		now = block - first % block;
		now = now < end - first ? now : end - first;
		add_place(t, first, (size_t)now);
	}
}

/* "core: 12288 of 65536 bytes, 4 s left" */
static void tell_progress(void *context, uint64_t now_done)
{
	struct taking *t = context;
	const uint64_t now = dp_clock_ms(), ms = now - t->began_ms, done = t->done + now_done;

	if (t->cli->quiet || !t->cli->terminal || (now - t->told_ms < TELL_MS && done < t->total))
		return;
	t->told_ms = now;
	fprintf(stderr, "\rcore: %" PRIu64 " of %" PRIu64 " bytes, %" PRIu64 " s left   %s",
		t->resumed + done, t->resumed + t->total,
		done > 0 ? ((t->total - done) * ms / done + 999) / 1000 : 0,
		done == t->total ? "\n" : "");
}

static void tell_no_part(const struct taking *t)
{
	if (errno == EEXIST)
		dph_cli_error(t->cli,
			      "%s is no part of a core: this core cannot be resumed where it ends",
			      t->part.path);
	else
		dph_cli_error(t->cli,
			      "cannot write %s: %s; this core cannot be resumed where it ends",
			      t->part.path, strerror(errno));
}

/* Keep what was read of the places for the next command. */
static void keep(struct taking *t, size_t first, size_t behind)
{
	for (size_t i = first; i < behind; i++)
		dph_core_part_add(&t->part, t->places[i].address, t->places[i].data,
				  t->places[i].have);
	if (!dph_core_part_flush(&t->part))
		tell_no_part(t);
}

static bool read_from(struct taking *t, size_t first)
{
	const struct dp_progress progress = {t, tell_progress};
	bool good = true;

	t->total = t->done = 0;
	for (size_t i = first; i < t->place_count; i++)
		t->total += t->places[i].bytes;
	t->began_ms = dp_clock_ms();
	for (size_t behind; good && first < t->place_count; first = behind) {
		uint64_t bytes = 0;

		for (behind = first; behind < t->place_count && bytes < TOGETHER; behind++)
			bytes += t->places[behind].bytes;
		good = dp_session_dump(t->session, t->places + first, behind - first, &progress);
		keep(t, first, behind);
		t->done += bytes;
	}
	return good;
}

/* Memory behind a byte that cannot be read is read in small places. */
static bool read_rest(struct taking *t, size_t first)
{
	const size_t count = t->place_count;

	for (size_t i = first; i < count; i++) {
		const struct dp_read_place place = t->places[i];

		if (place.have == place.bytes || place.bytes <= CAREFUL)
			continue;
		t->places[i].bytes = place.have;
		add_places(t, place.address + place.have, place.address + place.bytes, CAREFUL);
	}
	return t->place_count == count || read_from(t, count);
}

static bool read_spans(struct taking *t)
{
	const size_t first = t->place_count;

	for (size_t i = 0; i < t->wanted.count; i++)
		add_places(t, t->wanted.list[i].first, t->wanted.list[i].end, BLOCK);
	t->wanted.count = 0;
	t->line_failed = !read_from(t, first) || !read_rest(t, first);
	return !t->line_failed;
}

/* --- the file -------------------------------------------------------------------------------- */

static int by_address(const void *a, const void *b)
{
	const struct dp_read_place *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

static void add_absent(struct taking *t, uint64_t address, uint64_t bytes)
{
	struct dph_core *core = &t->core;
	struct dph_core_piece *last =
		core->piece_count > 0 ? &core->pieces[core->piece_count - 1] : NULL;

	if (last != NULL && last->data == NULL && last->address + last->bytes == address)
		last->bytes += (size_t)bytes;
	else
		dph_core_add_piece(core, (struct dph_core_piece){address, (size_t)bytes, NULL});
}

/* Join the bytes of the places from `first` on that lie behind one another. Returns the place
 * behind them. */
static size_t add_piece(struct taking *t, size_t first)
{
	const struct dp_read_place *place = &t->places[first];
	uint64_t end = place->address + place->have;
	size_t behind = first + 1, at = 0;
	uint8_t *data;

	while (behind < t->place_count &&
	       t->places[behind - 1].have == t->places[behind - 1].bytes &&
	       t->places[behind].address == end)
		end += t->places[behind++].have;
	if (end > place->address) {
		data = dph_pool_take(&t->pool, (size_t)(end - place->address));
		for (size_t i = first; i < behind; i++) {
			memcpy(data + at, t->places[i].data, t->places[i].have);
			at += t->places[i].have;
		}
		dph_core_add_piece(&t->core, (struct dph_core_piece){place->address, at, data});
	}
	place = &t->places[behind - 1];
	if (place->have < place->bytes)
		add_absent(t, place->address + place->have, place->bytes - place->have);
	return behind;
}

/* Note what the file has. */
static void note_saved(struct taking *t)
{
	struct saved *saved = &t->saved;

	*saved = (struct saved){
		.there = true, .tasks = t->core.task_count, .line_failed = t->line_failed};
	for (size_t i = 0; i < t->core.piece_count; i++)
		*(t->core.pieces[i].data != NULL ? &saved->bytes : &saved->absent) +=
			t->core.pieces[i].bytes;
	for (size_t i = 0; i < t->core.task_count; i++)
		saved->registers += t->core.tasks[i].saved;
}

static bool save(struct taking *t)
{
	t->core.piece_count = 0;
	if (t->place_count > 0)
		qsort(t->places, t->place_count, sizeof *t->places, by_address);
	for (size_t i = 0; i < t->place_count;)
		i = add_piece(t, i);
	for (size_t i = 0; i < t->holes.count; i++)
		add_absent(t, t->holes.list[i].first,
			   t->holes.list[i].end - t->holes.list[i].first);
	if (dph_core_write(&t->core, t->wish->path)) {
		note_saved(t);
		return true;
	}
	dph_cli_error(t->cli, "cannot write %s: %s", t->wish->path, strerror(errno));
	return false;
}

static void tell_saved(const struct taking *t)
{
	const struct saved *saved = &t->saved;

	if (t->cli->quiet || !saved->there)
		return;
	fprintf(stderr, "dprobes: %s: %zu task(s), registers of %zu, %" PRIu64 " bytes of memory",
		t->wish->path, saved->tasks, saved->registers, saved->bytes);
	if (saved->absent > 0)
		fprintf(stderr, ", %" PRIu64 " that %s", saved->absent,
			saved->line_failed ? "were not read: the session failed"
					   : "cannot be read");
	fputc('\n', stderr);
	if (saved->line_failed && t->part.out != NULL)
		fprintf(stderr,
			"dprobes: %s has what was read of the memory: 'dprobes core -o %s' goes on "
			"there while the target stays stopped\n",
			t->part.path, t->wish->path);
}

static void tell_reason(struct taking *t)
{
	const char *text = t->wish->reason;

	if (text == NULL)
		text = t->running != NULL ? "the target was stopped" : "the target went on";
	snprintf(t->core.reason, sizeof t->core.reason, "%s", text);
	if (t->tasks != NULL)
		snprintf(t->core.kernel, sizeof t->core.kernel, "%s", dph_tasks_kernel(t->tasks));
}

/* --------------------------------------------------------------------------------------------- */

/* Read what is wanted, and write what is known then: also when the line has failed. */
static bool read_and_save(struct taking *t, int *status)
{
	const bool good = read_spans(t);

	if (!good)
		*status = dph_target_failed(t->cli, t->session);
	if (save(t))
		return good;
	if (good)
		*status = DPH_EXIT_USAGE;
	return false;
}

static bool save_now(struct taking *t, int *status)
{
	tell_reason(t);
	dph_core_spans_merge(&t->wanted);
	leave_out_known(t);
	return read_and_save(t, status);
}

/* Registers and the running stack first: the search of the tasks takes longer. */
static bool take_small(struct taking *t, int *status)
{
	if (!know_target(t, status) || !read_running(t, status))
		return false;
	if (t->running != NULL) {
		add_running(t, NULL);
		want_running_stack(t);
		if (!save_now(t, status))
			return false;
		t->core.task_count = 0;
	}
	if (!read_tasks(t, status))
		return false;
	add_tasks(t);
	want_running_stack(t);
	return save_now(t, status);
}

/* A piece that the part of the core has. The small core was read again. */
static void take_piece(void *context, uint64_t address, const uint8_t *data, size_t bytes)
{
	struct taking *t = context;
	struct dp_read_place *place;

	for (size_t i = 0; i < t->place_count; i++)
		if (address < t->places[i].address + t->places[i].bytes &&
		    t->places[i].address < address + bytes)
			return;
	add_place(t, address, bytes);
	place = &t->places[t->place_count - 1];
	memcpy(place->data, data, bytes);
	place->have = bytes;
	t->resumed += bytes;
}

/* Open the part of the core, where the stop can be told from another one. */
static void open_part(struct taking *t)
{
	struct dph_bytes key = {0};
	uint64_t pc;

	if (running_value(t, "pc", &pc) &&
	    dph_core_part_key(t->session, &t->core, t->running, t->running_count, pc, &key) &&
	    !dph_core_part_open(&t->part, t->wish->path, &key, take_piece, t))
		tell_no_part(t);
	free(key.data);
	if (t->part.another && !t->cli->quiet)
		fprintf(stderr, "dprobes: %s is of another stop: the core begins anew\n",
			t->part.path);
}

static void tell_resumed(const struct taking *t)
{
	uint64_t left = 0;

	for (size_t i = 0; i < t->wanted.count; i++)
		left += t->wanted.list[i].end - t->wanted.list[i].first;
	if (t->resumed > 0 && !t->cli->quiet)
		fprintf(stderr, "dprobes: resumed at %" PRIu64 " of %" PRIu64 " bytes\n",
			t->resumed, t->resumed + left);
}

/* The running stack is there by now. */
static bool take_memory(struct taking *t, int *status)
{
	open_part(t);
	if (t->wish->ranges & DPH_CORE_STACK)
		want_task_stacks(t);
	dph_core_spans_add_sections(&t->wanted, dph_images_names(t->images), t->wish->ranges);
	if (!want_rows(t, status))
		return false;
	dph_core_spans_merge(&t->wanted);
	leave_out_known(t);
	if (!leave_out_holes(t, status))
		return false;
	tell_resumed(t);
	return read_and_save(t, status);
}

int dph_core_take(const struct dph_cli *cli, struct dp_session *session,
		  const struct dph_images *images, const struct dph_core_wish *wish)
{
	struct taking t = {.cli = cli, .session = session, .images = images, .wish = wish};
	int status = DPH_EXIT_DONE;

	if (take_small(&t, &status) && (wish->small || take_memory(&t, &status)))
		status = DPH_EXIT_DONE;
	tell_saved(&t);
	dph_core_part_close(&t.part, status == DPH_EXIT_DONE);
	free(t.running);
	free(t.wanted.list);
	free(t.holes.list);
	free(t.places);
	dph_tasks_close(t.tasks);
	dph_core_free(&t.core);
	dph_pool_free(&t.pool);
	return status;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes top shows where the firmware spends its time. It runs a D program whose timer counts the
 * pcs that it interrupts, and makes rows of functions or lines of the counts. */
#define _GNU_SOURCE
#include "cmd.h"

#include "cmd_look.h"
#include "cmd_stream.h"

#include "base/pool.h"
#include "debuginfo/line.h"
#include "present/formats.h"
#include "present/profiled.h"
#include "tables/isas.h"
#include "tasks/tasks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum {
	RATE = 97,           /* samples a second, without --rate */
	PLACES = 128,        /* of keys on the target */
	TAKEN_KEYS = 64,     /* that may come between two readings: half of the places */
	TAKE_LEAST_MS = 50,  /* between two readings: the least that D permits */
	TAKE_MOST_MS = 1000, /* the program's own interval without an option */
	SHOW_LEAST_MS = 450, /* between two tables */
	FRAMES_MAX = 32,     /* inlined functions around a pc */
	HEAD_LINES = 4       /* of a screen: the head, the names of the columns, the cursor */
};

static const double for_s = 5; /* without --for */

struct top {
	struct dph_teller teller; /* the first member */
	const struct dph_cli *cli;
	bool live, lines, by_task;
	bool own_names; /* of tasks: the firmware tells them, as its kernel is not known */
	uint32_t rate;  /* samples a second */
	bool lowered;   /* the board samples less often than the program asks */
	struct dph_tasks *tasks;
	bool tasks_fail;   /* they could not be read: tasks have addresses */
	uint64_t ran_ms;   /* of the run, when the samples were read last */
	uint64_t shown_ms; /* when a table was printed last; 0: never */
	struct dph_pool pool;
};

/* --- rows ------------------------------------------------------------------------------------ */

/* A growing list of rows. */
struct rows {
	struct dph_share_view *list;
	size_t count, capacity;
};

static int compare_texts(const char *a, const char *b)
{
	if (a == NULL || b == NULL)
		return (a != NULL) - (b != NULL);
	return strcmp(a, b);
}

static int by_function(const struct dph_share_view *a, const struct dph_share_view *b)
{
	const int task = compare_texts(a->task, b->task);
	const int function = task != 0 ? task : compare_texts(a->function, b->function);

	return function != 0 ? function : compare_texts(a->file, b->file);
}

static int by_line(const void *left, const void *right)
{
	const struct dph_share_view *a = left, *b = right;
	const int order = by_function(a, b);

	return order != 0 ? order : (a->line > b->line) - (a->line < b->line);
}

static int by_samples(const void *left, const void *right)
{
	const struct dph_share_view *a = left, *b = right;

	if (a->samples != b->samples)
		return a->samples > b->samples ? -1 : 1;
	return by_line(a, b);
}

static void join_lines(struct rows *rows)
{
	size_t kept = 0;

	for (size_t i = 0; i < rows->count; i++)
		if (kept > 0 && by_line(&rows->list[kept - 1], &rows->list[i]) == 0)
			rows->list[kept - 1].samples += rows->list[i].samples;
		else
			rows->list[kept++] = rows->list[i];
	rows->count = kept;
}

/* A pc whose line is not known is of the same function as one with a line. */
static bool is_one_function(struct dph_share_view a, const struct dph_share_view *b)
{
	a.file = a.file != NULL ? a.file : b->file;
	return by_function(&a, b) == 0;
}

/* The row of a function has the place of its line with the most samples. */
static void join_functions(struct rows *rows)
{
	size_t kept = 0;
	uint64_t most = 0;

	for (size_t i = 0; i < rows->count; i++) {
		const struct dph_share_view row = rows->list[i];
		struct dph_share_view *last = &rows->list[kept - (kept > 0)];

		if (kept == 0 || !is_one_function(*last, &row)) {
			rows->list[kept++] = row;
			most = row.samples;
			continue;
		}
		if (last->place == NULL || row.samples > most) {
			last->file = row.file;
			last->line = row.line;
			last->place = row.place;
			most = row.samples;
		}
		last->samples += row.samples;
	}
	rows->count = kept;
}

/* A function of a list of symbols reaches to the next symbol; behind the last one is none. Lists of
 * some CPUs have addresses of 32 bits with the sign in 64. */
static const struct dp_symbol *listed_function(const struct dp_image *image, uint64_t pc,
					       uint64_t mask)
{
	const struct dp_symbol *symbols, *found = NULL;
	bool ends = false;

	for (size_t count = dp_image_symbols(image, &symbols); count > 0; count--, symbols++) {
		const uint64_t value = symbols->value & mask;

		ends = ends || value > pc;
		if (symbols->kind == DP_SYMBOL_FUNCTION && value <= pc &&
		    (found == NULL || value >= (found->value & mask)))
			found = symbols;
	}
	return ends ? found : NULL;
}

/* The function by the symbols; without them the address. */
static const char *function_by_symbol(struct top *top, const struct dp_formats *formats,
				      uint64_t pc)
{
	const uint64_t mask =
		formats->program.word_bytes == sizeof(uint32_t) ? UINT32_MAX : UINT64_MAX;
	const struct dp_image *image = formats->image;
	const struct dp_symbol *symbol = NULL;
	struct dp_image_info info;

	if (image != NULL) {
		dp_image_info(image, &info);
		symbol = info.elf ? dp_image_function(image, pc) : listed_function(image, pc, mask);
	}
	return symbol != NULL ? symbol->name : dph_pool_print(&top->pool, "0x%08" PRIx64, pc);
}

/* Name the code at a pc. Inlined functions are functions of their own. */
static void name_code(struct top *top, struct dp_formats *formats, uint64_t pc,
		      struct dph_share_view *row)
{
	const struct dph_isa *isa =
		formats->cpu != NULL ? dph_isa_addressed(formats->cpu, pc) : NULL;
	struct dp_code_frame frames[FRAMES_MAX];

	pc &= isa != NULL ? ~isa->address_bit : UINT64_MAX;
	if (formats->debug == NULL ||
	    dp_debuginfo_frames(formats->debug, pc, frames, FRAMES_MAX) == 0) {
		row->function = function_by_symbol(top, formats, pc);
		return;
	}
	row->function = frames[0].function;
	row->file = frames[0].file;
	row->line = frames[0].line;
	if (row->file != NULL && row->line != 0)
		row->place = dph_pool_print(&top->pool, "%s:%u",
					    dph_file_text(formats->debug, row->file), row->line);
}

/* --- tasks ----------------------------------------------------------------------------------- */

static const struct dph_task *find_task(const struct top *top, uint64_t block)
{
	for (size_t i = 0; i < dph_tasks_count(top->tasks); i++)
		if (dph_tasks_at(top->tasks, i)->block == block)
			return dph_tasks_at(top->tasks, i);
	return NULL;
}

/* Read the tasks again: one has begun since they were read. A kernel that cannot be read names
 * none. */
static void read_tasks(struct top *top, struct dph_stream *stream)
{
	static const struct dph_tasks_how how = {.names = true};
	const char *why = NULL;

	if (top->tasks == NULL)
		top->tasks = dph_tasks_open(&stream->images, &why);
	top->tasks_fail =
		top->tasks_fail || why != NULL ||
		!dph_tasks_read(top->tasks, &how, dph_session_places, stream->session, &why);
}

static bool are_all_known(const struct top *top, const struct dph_aggregated *counts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (counts[i].keys[0] != 0 &&
		    (top->tasks == NULL || find_task(top, counts[i].keys[0]) == NULL))
			return false;
	return true;
}

/* The first key as the firmware's own name of a task. */
static const char *own_name(struct top *top, const struct dp_formats *formats,
			    const struct dph_aggregated *count)
{
	char *text = dph_formats_first_key(formats, 0, count);
	const char *name = *text != '\0' ? dph_pool_copy(&top->pool, text, strlen(text)) : "-";

	free(text);
	return name;
}

static const char *task_name(struct top *top, const struct dp_formats *formats,
			     const struct dph_aggregated *count)
{
	const uint64_t block = count->keys[0];
	const struct dph_task *task = top->tasks != NULL ? find_task(top, block) : NULL;

	if (top->own_names)
		return own_name(top, formats, count);
	if (block == 0)
		return "-"; /* no task has run yet */
	return task != NULL ? dph_pool_print(&top->pool, "%s", task->name)
			    : dph_pool_print(&top->pool, "0x%08" PRIx64, block);
}

/* --- the table ------------------------------------------------------------------------------- */

static struct rows make_rows(struct top *top, struct dph_stream *stream,
			     const struct dph_aggregated *counts, size_t count, uint64_t *total)
{
	struct dp_formats *formats = stream->formats;
	const unsigned pc = top->by_task ? dph_formats_first_words(formats, 0) : 0;
	struct rows rows = {0};

	if (top->by_task && !top->own_names && !top->tasks_fail &&
	    !are_all_known(top, counts, count))
		read_tasks(top, stream);
	for (size_t i = 0; i < count; i++) {
		struct dph_share_view row = {.samples = (uint64_t)counts[i].value};

		if (top->by_task)
			row.task = task_name(top, formats, &counts[i]);
		name_code(top, formats, counts[i].keys[pc], &row);
		*total += row.samples;
		rows.list = dph_grow(rows.list, &rows.capacity, rows.count, sizeof *rows.list);
		rows.list[rows.count++] = row;
	}
	if (rows.count > 0)
		qsort(rows.list, rows.count, sizeof *rows.list, by_line);
	join_lines(&rows);
	if (!top->lines)
		join_functions(&rows);
	if (rows.count > 0)
		qsort(rows.list, rows.count, sizeof *rows.list, by_samples);
	for (size_t i = 0; i < rows.count; i++)
		rows.list[i].percent =
			(double)(uint64_t)((double)rows.list[i].samples * 1e4 / (double)*total +
					   0.5) /
			100;
	return rows;
}

static bool is_screen(const struct dph_stream *stream)
{
	return stream->cli->format == dp_sink_kinds[0] && isatty(fileno(stream->out));
}

/* Make a table fit the terminal. The last one has the rows that --top asks for. */
static void fit(const struct top *top, const struct dph_stream *stream,
		struct dph_profile_view *view, bool last)
{
	struct winsize size;
	size_t room;

	if (!is_screen(stream) || ioctl(fileno(stream->out), TIOCGWINSZ, &size) != 0)
		return;
	view->columns = size.ws_col;
	room = size.ws_row > HEAD_LINES ? (size_t)(size.ws_row - HEAD_LINES) : 1;
	if ((last && dph_cli_has(top->cli, DPH_OPT_TOP)) || size.ws_row == 0 ||
	    view->row_count <= room)
		return;
	view->more = last ? view->row_count - room : 0;
	view->row_count = room;
}

/* Samples a second that came, where they are less than half of what was asked for; else 0. */
static double few(const struct dph_profile_view *view)
{
	const double found = (double)(view->total + view->lost);

	return view->seconds >= 1 && found * 2 < (double)view->rate * view->seconds
		       ? found / view->seconds
		       : 0;
}

/* The last table stands below what is told of the end of the run, and the one before it. */
static void show(struct top *top, struct dph_stream *stream, bool last, uint64_t missed)
{
	uint64_t dropped;
	size_t count;
	struct dph_aggregated *counts = dph_formats_rows(stream->formats, 0, &count, &dropped);
	const uint64_t most = dph_cli_number(top->cli, DPH_OPT_TOP);
	struct dph_profile_view view = {
		.rate = top->rate,
		.seconds = (double)top->ran_ms / 1000,
		.lost = dropped + missed,
		.keys_full = dropped,
	};
	struct rows rows = make_rows(top, stream, counts, count, &view.total);

	view.rows = rows.list;
	view.row_count = most != 0 && most < rows.count ? (size_t)most : rows.count;
	view.came = last ? few(&view) : 0;
	fit(top, stream, &view, last);
	if (top->live && !last && is_screen(stream))
		fputs("\033[H\033[J", stream->out);
	dp_sink_reading(stream->sink, DP_READING_PROFILE, &view);
	fflush(stream->out);
	free(rows.list);
	dph_formats_rows_free(counts, count);
	dph_pool_free(&top->pool);
	top->pool = (struct dph_pool){0};
}

static void tell(struct dph_teller *teller, struct dph_stream *stream, bool last, uint64_t ran_ms,
		 uint64_t missed)
{
	struct top *top = (struct top *)teller;
	const uint64_t now = dp_clock_ms();

	top->ran_ms = ran_ms != 0 ? ran_ms : top->ran_ms;
	if (!last && (!top->live || now - top->shown_ms < SHOW_LEAST_MS))
		return;
	top->shown_ms = now;
	show(top, stream, last, top->lowered ? 0 : missed);
}

/* --- the command ----------------------------------------------------------------------------- */

/* A target that never samples refuses the insertion. An agent without a part refuses it too, but
 * with a place in a program that nobody has written. */
static bool begin(struct dph_teller *teller, struct dp_session *session, int *status)
{
	struct top *top = (struct top *)teller;
	struct dp_hardware_answer hardware;

	if (!dp_session_has_part(session, DP_PART_TIMERS) ||
	    !dp_session_has_part(session, DP_PART_MAPS) ||
	    !dp_session_hardware(session, &hardware)) {
		*status = dph_target_failed(top->cli, session);
		return false;
	}
	if (hardware.sample_hz == 0 || top->rate <= hardware.sample_hz)
		return true;
	if (dph_cli_has(top->cli, DPH_OPT_RATE)) {
		*status = dph_cli_usage(top->cli,
					"--rate %" PRIu32 " is more than the target has: its board "
					"samples %" PRIu32 " times a second (sample_hz)",
					top->rate, hardware.sample_hz);
		return false;
	}
	top->rate = hardware.sample_hz;
	top->lowered = true; /* the periods in between were never there */
	return true;
}

/* What names the running task in D, from the heap: the variable of the kernel, or the firmware's
 * own name where the kernel is not known. Null: a file does not serve (said). */
static char *running_task(struct top *top)
{
	struct dph_images images = {0};
	struct dph_tasks *tasks = NULL;
	const char *why = NULL;
	char *name = NULL;
	int status;

	if (dph_names_open(top->cli, &images, &status)) {
		tasks = dph_tasks_open(&images, &why);
		top->own_names = why != NULL;
		name = top->own_names ? dph_strdup("execname")
				      : dph_print("`%s", dph_tasks_running(tasks));
	}
	dph_tasks_close(tasks);
	dph_images_close(&images);
	return name;
}

/* The program, from the heap. task: the first key; null: none is wanted. */
static char *write_program(const struct top *top, const char *task)
{
	const uint32_t wanted_ms = 1000 * TAKEN_KEYS / top->rate;
	const uint32_t take_ms = wanted_ms < TAKE_LEAST_MS  ? TAKE_LEAST_MS
				 : wanted_ms > TAKE_MOST_MS ? TAKE_MOST_MS
							    : wanted_ms;

	return dph_print("#pragma D option quiet\n"
			 "#pragma D option aggsize=%d\n"
			 "#pragma D option aggrate=%" PRIu32 "ms\n"
			 "profile-%" PRIu32 " { @[%s%sarg0] = count(); }\n",
			 PLACES, take_ms, top->rate, task != NULL ? task : "",
			 task != NULL ? ", " : "");
}

/* Run the program, which stands in the command line as with -n. */
static int run(struct top *top, const char *task)
{
	struct dph_cli own = *top->cli;
	char *program = write_program(top, task);
	int status;

	own.own_program = dph_own_program_name(DPH_OWN_TOP);
	own.values = dph_malloc((own.value_count + 1) * sizeof *own.values);
	memcpy(own.values, top->cli->values, own.value_count * sizeof *own.values);
	own.values[own.value_count++] = (struct dph_cli_value){DPH_OPT_CLAUSE, program};
	if (!top->live && own.for_s == 0 && own.timeout_s == 0)
		own.for_s = for_s;
	status = dph_run_told(&own, &top->teller);
	free(own.values);
	free(program);
	return status;
}

/* A terminal shows the table while the program runs, unless the run has an end. */
static bool is_live(const struct dph_cli *cli)
{
	return dph_cli_has(cli, DPH_OPT_LIVE) ||
	       (cli->for_s == 0 && cli->timeout_s == 0 && cli->output == NULL &&
		cli->format == dp_sink_kinds[0] && isatty(STDOUT_FILENO));
}

int dph_cmd_top(const struct dph_cli *cli)
{
	const uint64_t rate = dph_cli_number(cli, DPH_OPT_RATE);
	struct top top = {
		.teller = {DP_TABLE_PROFILE, begin, tell},
		.cli = cli,
		.live = is_live(cli),
		.lines = dph_cli_has(cli, DPH_OPT_LINES),
		.by_task = dph_cli_has(cli, DPH_OPT_BY_TASK),
		.rate = rate != 0 ? (uint32_t)rate : RATE,
	};
	char *task;
	int status;

	if (cli->elf == NULL && !dph_cli_has(cli, DPH_OPT_SYM))
		return dph_cli_usage(cli, "the firmware's ELF file is missing; give --elf FILE, or "
					  "set DPROBES_ELF");
	task = top.by_task ? running_task(&top) : NULL;
	if (top.by_task && task == NULL)
		return DPH_EXIT_USAGE;
	status = run(&top, task);
	dph_tasks_close(top.tasks);
	free(task);
	return status;
}

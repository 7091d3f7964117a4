/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include "core_files.h"

#include "base/pool.h"
#include "cli_output.h"
#include "core/core.h"
#include "core_ranges.h"
#include "core_take.h"
#include "report_core.h"
#include "symbols/elf_image.h"
#include "tables/registers.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	REGISTERS = 1, /* in place of the address of a piece: PROTOCOL.md 10 */
	NUMBERS = 100000,
	WRITTEN_MAX = 100, /* files of a command: a core at each hit fills a disk */
	HELD_S = 600       /* a target whose core could not be written stays stopped so long */
};

/* --- names of files -------------------------------------------------------------------------- */

/* The next name that no file has. The caller frees it. */
static char *next_path(struct dph_core_files *files)
{
	const char *stem = dph_cli_get(files->cli, DPH_OPT_CORES);

	while (files->number < NUMBERS) {
		char *path =
			dph_print("%s.%u", stem != NULL ? stem : "dprobes.core", ++files->number);

		if (access(path, F_OK) != 0)
			return path;
		free(path);
	}
	return dph_print("%s", stem != NULL ? stem : "dprobes.core");
}

/* --- pieces ---------------------------------------------------------------------------------- */

static uint64_t word_at(const struct dph_core_files *files, const uint8_t *from)
{
	uint64_t word = 0;

	for (unsigned i = 0; i < files->word_bytes; i++)
		word = word << 8 | from[files->big_endian ? i : files->word_bytes - 1 - i];
	return word;
}

/* The registers in the order of the CPU's table: the agent sends those that are one word. */
static void take_registers(const struct dph_core_files *files, struct dph_core_task *task,
			   const uint8_t *words, size_t count)
{
	size_t rows, at = 0;
	const struct dp_reg *reg = dph_cpu_regs(files->cpu, &rows);

	for (size_t i = 0; i < rows && at < count; i++) {
		if (reg[i].words != 1 || reg[i].pops != 0 || !(reg[i].access & DP_REG_PUSH_R))
			continue;
		if (reg[i].index < DPH_CORE_REGISTERS) {
			task->known[reg[i].index] = true;
			task->values[reg[i].index] = word_at(files, words + at * files->word_bytes);
		}
		at++;
	}
	task->saved = true;
}

static int by_address(const void *a, const void *b)
{
	const struct dph_core_piece *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

/* Make each byte part of one piece alone. */
static void part(struct dph_core *core)
{
	uint64_t end = 0;
	size_t kept = 0;

	if (core->piece_count > 0)
		qsort(core->pieces, core->piece_count, sizeof *core->pieces, by_address);
	for (size_t i = 0; i < core->piece_count; i++) {
		struct dph_core_piece piece = core->pieces[i];
		const uint64_t behind = piece.address + piece.bytes;
		const size_t known = end > piece.address ? (size_t)(end - piece.address) : 0;

		if (kept > 0 && known >= piece.bytes)
			continue;
		if (kept > 0) {
			piece.address += known;
			piece.data += known;
			piece.bytes -= known;
		}
		core->pieces[kept++] = piece;
		end = behind;
	}
	core->piece_count = kept;
}

/* Put the pieces together. Returns false when their registers are missing. */
static bool assemble(const struct dph_core_files *files, const struct dph_held *pieces,
		     const struct dph_images *images, struct dph_core *core)
{
	const struct dp_image *image = dph_images_names(images);
	const struct dp_log_record *first = &pieces->list[0];
	struct dph_core_task *task = dph_core_add_task(core);

	core->cpu = files->cpu;
	core->word_bytes = files->word_bytes;
	core->big_endian = files->big_endian;
	core->machine = files->cpu->elf_machine;
	core->flags = image != NULL ? dph_image_flags(image) : 0;
	for (size_t i = 0; i < files->modules->count; i++)
		dph_core_add_module(core, &files->modules->list[i]);
	snprintf(core->reason, sizeof core->reason, "exit 3 of %s",
		 first->probe != NULL ? first->probe->name : "a program");
	snprintf(task->name, sizeof task->name, "firmware");
	snprintf(task->state, sizeof task->state, "running");
	for (size_t i = 0; i < pieces->count; i++) {
		const struct dp_log_record *record = &pieces->list[i];
		const unsigned word = files->word_bytes;
		const uint64_t address = word_at(files, record->data);

		if (address == REGISTERS)
			take_registers(files, task, record->data + word, record->bytes / word - 1);
		else
			dph_core_add_piece(core,
					   (struct dph_core_piece){address, record->bytes - word,
								   record->data + word});
	}
	part(core);
	return task->saved;
}

/* --- files ----------------------------------------------------------------------------------- */

static void write_core(struct dph_core_files *files, const struct dph_images *images,
		       const struct dph_core *core)
{
	char *path = next_path(files);

	files->written++;
	if (!dph_core_write(core, path)) {
		dph_cli_error(files->cli, "cannot write %s: %s", path, strerror(errno));
		files->failed = true;
	} else if (!files->cli->quiet) {
		fprintf(stderr, "dprobes: %s: a core of the running context (%s)\n", path,
			core->reason);
		dph_report_core_stack(files->cli, core, images);
	}
	free(path);
}

static bool is_wanted(const struct dph_core_files *files)
{
	return files->written < WRITTEN_MAX && (strcmp(files->cli->command, "report") != 0 ||
						dph_cli_has(files->cli, DPH_OPT_CORES));
}

/* Write a core whose pieces have come, and forget it. */
static void end(struct dph_core_files *files, size_t index, const struct dph_images *images)
{
	struct dph_held *pieces = &files->coming[index].pieces;
	struct dph_core core = {0};

	if (!is_wanted(files))
		files->left_out++;
	else if (files->cpu == NULL)
		dph_cli_error(files->cli, "a core came from a CPU that is not known here");
	else if (assemble(files, pieces, images, &core))
		write_core(files, images, &core);
	else
		dph_cli_error(files->cli,
			      "a core came without its registers: the line has lost them");
	dph_core_free(&core);
	dph_held_free(pieces);
	files->coming_count--;
	memmove(files->coming + index, files->coming + index + 1,
		(files->coming_count - index) * sizeof *files->coming);
}

/* Has the core a piece of this address? A hit sends no address twice. */
static bool has_piece(const struct dph_core_files *files, const struct dph_held *pieces,
		      uint64_t address)
{
	for (size_t i = 0; i < pieces->count; i++)
		if (word_at(files, pieces->list[i].data) == address)
			return true;
	return false;
}

/* The core of the hit that has sent the piece; null: there is none yet. One that a later hit ends
 * is written. Hits of other probes, and of other CPUs, come between the pieces. */
static struct dph_core_coming *find(struct dph_core_files *files,
				    const struct dp_log_record *record,
				    const struct dph_images *images)
{
	const uint64_t address = word_at(files, record->data);

	for (size_t i = files->coming_count; i-- > 0;) {
		const struct dph_held *pieces = &files->coming[i].pieces;

		if (pieces->list[0].head.probe != record->head.probe ||
		    pieces->list[0].stream != record->stream ||
		    pieces->list[0].ticks != record->ticks)
			continue;
		/* The registers are the first piece of a core. */
		if (address != REGISTERS && !has_piece(files, pieces, address))
			return &files->coming[i];
		end(files, i, images);
	}
	return NULL;
}

void dph_core_files_add(struct dph_core_files *files, const struct dp_log_record *record,
			const struct dph_images *images)
{
	struct dph_core_coming *core;

	if (files->word_bytes == 0 || record->bytes < files->word_bytes)
		return;
	core = find(files, record, images);
	if (core == NULL) {
		if (files->coming_count == DPH_CORES_COMING)
			end(files, 0, images);
		core = &files->coming[files->coming_count++];
		*core = (struct dph_core_coming){.came_ms = 0};
	}
	dph_held_add(&core->pieces, record);
	core->came_ms = dp_clock_ms();
}

void dph_core_files_end(struct dph_core_files *files, const struct dph_images *images,
			uint64_t silent_ms)
{
	const uint64_t now = dp_clock_ms();

	for (size_t i = 0; i < files->coming_count;) {
		if (silent_ms == 0 || now - files->coming[i].came_ms >= silent_ms)
			end(files, i, images);
		else
			i++;
	}
}

void dph_core_files_free(struct dph_core_files *files)
{
	if (files->left_out > 0 && files->written > 0)
		fprintf(stderr, "dprobes: %lu more core(s) of exit 3 were not written\n",
			files->left_out);
	else if (files->left_out > 0 && !files->cli->quiet)
		fprintf(stderr, "dprobes: %lu core(s) of exit 3: --cores PATH writes them\n",
			files->left_out);
	while (files->coming_count > 0)
		dph_held_free(&files->coming[--files->coming_count].pieces);
}

/* --- exit 2 ---------------------------------------------------------------------------------- */

bool dph_core_then_good(const struct dph_cli *cli, int *status)
{
	const char *then = dph_cli_get(cli, DPH_OPT_THEN);

	if (then == NULL || strcmp(then, "reset") == 0 || strcmp(then, "go") == 0 ||
	    strcmp(then, "stay") == 0)
		return true;
	*status = dph_cli_usage(cli, "--then is reset, go or stay, not '%s'", then);
	return false;
}

bool dph_core_go_on(const struct dph_cli *cli, struct dp_session *session)
{
	const char *then = dph_cli_get(cli, DPH_OPT_THEN);

	if (then != NULL && strcmp(then, "stay") == 0)
		return true;
	if (then == NULL || strcmp(then, "reset") == 0) {
		if (dp_session_reset(session)) {
			if (!cli->quiet)
				fprintf(stderr, "dprobes: the board is reset\n");
			return true;
		}
		if (then != NULL || dp_session_failure(session)->error != DP_ERR_NO_RESET)
			return dp_session_restarted(session);
	}
	return dp_session_resume(session);
}

bool dph_core_path_good(const struct dph_cli *cli, const char *path, int *status)
{
	const char *slash = path != NULL ? strrchr(path, '/') : NULL;
	char *folder =
		slash == NULL ? dph_print(".") : dph_print("%.*s/", (int)(slash - path), path);
	const bool good = path == NULL || access(folder, W_OK | X_OK) == 0;

	if (!good) {
		dph_cli_error(cli, "cannot write %s: %s", path, strerror(errno));
		*status = DPH_EXIT_USAGE;
	}
	free(folder);
	return good;
}

bool dph_core_stays(const struct dph_cli *cli, struct dp_session *session)
{
	struct dp_halt_answer where;

	if (!dp_session_halt(session, HELD_S, &where))
		return false;
	dph_cli_error(
		cli,
		"the target stays stopped for %d s: 'dprobes core -o FILE' takes its core, and "
		"'dprobes resume' lets it go on",
		HELD_S);
	return true;
}

bool dph_core_files_crash(struct dph_core_files *files, struct dp_session *session,
			  const struct dph_images *images)
{
	struct dph_core_wish wish = {.ranges = DPH_CORE_USUAL, .reason = "exit 2 of a program"};
	char *path;
	int status;

	files->crashed = false;
	if (files->written >= WRITTEN_MAX) {
		dph_cli_error(files->cli, "%d cores are the most that a command writes",
			      WRITTEN_MAX);
		files->failed = files->stays = true;
		return dph_core_stays(files->cli, session);
	}
	path = next_path(files);
	wish.path = path;
	status = dph_core_take(files->cli, session, images, &wish);
	free(path);
	files->written++;
	if (status == DPH_EXIT_DONE)
		return dph_core_go_on(files->cli, session);
	files->failed = files->stays = true;
	return status != DPH_EXIT_LINK && dph_core_stays(files->cli, session);
}

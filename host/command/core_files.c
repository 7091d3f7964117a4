/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include "core_files.h"

#include "base/pool.h"
#include "cli_output.h"
#include "core/core.h"
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
	WRITTEN_MAX = 100 /* files of a command: a core at each hit fills a disk */
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
static bool assemble(const struct dph_core_files *files, const struct dph_images *images,
		     struct dph_core *core)
{
	const struct dp_image *image = dph_images_names(images);
	const struct dp_log_record *first = &files->pieces.list[0];
	struct dph_core_task *task = dph_core_add_task(core);

	core->cpu = files->cpu;
	core->word_bytes = files->word_bytes;
	core->big_endian = files->big_endian;
	core->machine = files->cpu->elf_machine;
	core->flags = image != NULL ? dph_image_flags(image) : 0;
	snprintf(core->reason, sizeof core->reason, "exit 3 of %s",
		 first->probe != NULL ? first->probe->name : "a program");
	snprintf(task->name, sizeof task->name, "firmware");
	snprintf(task->state, sizeof task->state, "running");
	for (size_t i = 0; i < files->pieces.count; i++) {
		const struct dp_log_record *record = &files->pieces.list[i];
		const unsigned word = files->word_bytes;
		uint64_t address;

		if (record->bytes < word)
			continue;
		address = word_at(files, record->data);
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

static void end(struct dph_core_files *files, const struct dph_images *images)
{
	struct dph_core core = {0};

	if (files->pieces.count == 0)
		return;
	if (!is_wanted(files))
		files->left_out++;
	else if (files->cpu == NULL)
		dph_cli_error(files->cli, "a core came from a CPU that is not known here");
	else if (assemble(files, images, &core))
		write_core(files, images, &core);
	else
		dph_cli_error(files->cli, "a core came without its registers: the agent's ring had "
					  "no room for them, or the line has lost them");
	dph_core_free(&core);
	dph_held_drop(&files->pieces, files->pieces.count);
}

void dph_core_files_add(struct dph_core_files *files, const struct dp_log_record *record,
			const struct dph_images *images)
{
	const struct dp_log_record *first = files->pieces.list;

	if (files->pieces.count > 0 &&
	    (first->head.probe != record->head.probe || first->ticks != record->ticks))
		end(files, images);
	dph_held_add(&files->pieces, record);
	files->came_ms = dp_clock_ms();
}

void dph_core_files_end(struct dph_core_files *files, const struct dph_images *images,
			uint64_t silent_ms)
{
	if (silent_ms == 0 || dp_clock_ms() - files->came_ms >= silent_ms)
		end(files, images);
}

void dph_core_files_free(struct dph_core_files *files)
{
	if (files->left_out > 0 && files->written > 0)
		fprintf(stderr, "dprobes: %lu more core(s) of exit 3 were not written\n",
			files->left_out);
	else if (files->left_out > 0 && !files->cli->quiet)
		fprintf(stderr, "dprobes: %lu core(s) of exit 3: --cores PATH writes them\n",
			files->left_out);
	dph_held_free(&files->pieces);
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

bool dph_core_files_crash(struct dph_core_files *files, struct dp_session *session,
			  const struct dph_images *images)
{
	char *path = next_path(files);
	const struct dph_core_wish wish = {
		.path = path, .ranges = DPH_CORE_USUAL, .reason = "exit 2 of a program"};

	files->crashed = false;
	dph_core_take(files->cli, session, images, &wish);
	free(path);
	return dph_core_go_on(files->cli, session);
}

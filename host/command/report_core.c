/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include "report_core.h"

#include "base/content.h"
#include "base/plain.h"
#include "base/pool.h"
#include "cli_output.h"
#include "cmd_names.h"
#include "core/core.h"
#include "insertion/placed_images.h"
#include "present/tasked.h"
#include "symbols/elf_image.h"
#include "tables/registers.h"
#include "tasks/stacks.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A core that is printed. */
struct printing {
	const struct dph_cli *cli;
	const char *path;
	struct dph_content *content;
	struct dph_core core;
	struct dph_images images;
	struct dph_stacks *stacks; /* null: no names */
	FILE *out;
	struct dp_sink *sink;
};

static bool read_places(void *context, struct dp_read_place *wanted, size_t count)
{
	const struct printing *p = context;

	for (size_t i = 0; i < count; i++)
		wanted[i].have = dph_core_memory(&p->core, wanted[i].address, wanted[i].data,
						 wanted[i].bytes);
	return true;
}

/* --- files ----------------------------------------------------------------------------------- */

static bool read_core(struct printing *p, int *status)
{
	const char *wrong;

	*status = DPH_EXIT_USAGE;
	p->content = dph_content_open(p->path);
	if (p->content == NULL) {
		dph_cli_error(p->cli, "cannot read %s: %s", p->path, dph_content_why(errno));
		return false;
	}
	if (dph_images_names(&p->images) != NULL)
		p->core.cpu = dph_image_cpu(dph_images_names(&p->images));
	wrong = dph_core_read(&p->core, (const uint8_t *)p->content->data, p->content->bytes);
	if (wrong != NULL)
		dph_cli_error(p->cli, "%s is no core that can be read: %s", p->path, wrong);
	return wrong == NULL;
}

/* Is the image that of the core? It gets the place where the target ran it. */
static bool fits(struct printing *p, const struct dp_image *image)
{
	const struct dph_module_list list = {p->core.modules, p->core.module_count, 0};
	const struct dph_modules modules = dph_modules_of_list(&list, p->core.word_bytes);
	const char *other = NULL;
	struct dp_image_info info;

	dp_image_info(image, &info);
	if (info.elf && (info.machine != p->core.machine || info.big_endian != p->core.big_endian ||
			 info.word_bits != p->core.word_bytes * CHAR_BIT))
		other = "is a core of another CPU than";
	else if (!dph_images_place_at(&p->images, &modules, &image))
		other = "is a core of another build than";
	if (other != NULL)
		dph_cli_error(p->cli,
			      "%s %s %s: give the ELF file of the firmware that the core is of "
			      "(--elf)",
			      p->path, other, info.path);
	return other == NULL;
}

static bool open_files(struct printing *p, int *status)
{
	const struct dp_image *image;
	const char *why = NULL;

	if (!dph_names_open(p->cli, &p->images, status) || !read_core(p, status))
		return false;
	image = dph_images_names(&p->images);
	if (image != NULL && !fits(p, image))
		return false;
	if (image != NULL)
		p->stacks = dph_stacks_open(&p->images, &why);
	if (p->stacks == NULL && !p->cli->quiet)
		fprintf(stderr, "dprobes: %s\n",
			why != NULL ? why
				    : "functions have names with the ELF file of the firmware "
				      "(--elf)");
	return true;
}

/* --- output ---------------------------------------------------------------------------------- */

static unsigned name_width(const struct dph_core *core)
{
	size_t most = 0;

	for (size_t i = 0; i < core->task_count; i++)
		most = strlen(core->tasks[i].name) > most ? strlen(core->tasks[i].name) : most;
	return (unsigned)most;
}

/* The functions of a task, which the caller frees. */
static struct dph_task *unwind(struct printing *p, const struct dph_core_task *from)
{
	struct dph_task *task = dph_malloc(sizeof *task);

	memset(task, 0, sizeof *task);
	task->saved = from->saved;
	memcpy(task->known, from->known, sizeof task->known);
	memcpy(task->values, from->values, sizeof task->values);
	if (from->saved && p->stacks != NULL)
		dph_stacks_read(p->stacks, task, read_places, p);
	return task;
}

static void tell_task(struct printing *p, const struct dph_core_task *from, bool first)
{
	struct dph_task *task = unwind(p, from);
	const struct dph_task_view view = {
		.kernel = p->core.kernel,
		.name = from->name,
		.state = from->state,
		.block = from->block,
		.priority = from->priority,
		.saved = from->saved,
		.pc = task->pc,
		.where = from->where[0] != '\0' ? from->where : NULL,
		.why = task->why,
		.framed = true,
		.frames = task->frames,
		.frame_count = task->frame_count,
		.debug = p->stacks != NULL ? dph_stacks_debug(p->stacks) : NULL,
		.first = first,
		.name_width = name_width(&p->core),
	};

	dp_sink_reading(p->sink, DP_READING_TASK, &view);
	free(task);
}

/* The registers of the context that was stopped, with the functions of those that are in code. */
static void print_registers(const struct printing *p, const struct dph_core_task *task)
{
	const struct dp_image *names = dph_images_names(&p->images);
	size_t rows;
	const struct dp_reg *table = dph_cpu_regs(p->core.cpu, &rows);

	fprintf(p->out, "\nregisters of ");
	dph_plain_print(task->name, p->out);
	putc('\n', p->out);
	for (size_t i = 0; i < rows; i++) {
		const unsigned index = table[i].index;
		char room[DP_NAME_ROOM];
		const char *place;

		if (index >= DPH_CORE_REGISTERS || !task->known[index])
			continue;
		place = dp_image_function(names, task->values[index]) != NULL
				? dp_image_name(names, task->values[index], room)
				: NULL;
		fprintf(p->out, "%-8s 0x%0*" PRIx64, dph_reg_name(p->core.cpu, index),
			(int)p->core.word_bytes * 2, task->values[index]);
		if (place != NULL) {
			fputs("  ", p->out);
			dph_plain_print(place, p->out);
		}
		putc('\n', p->out);
	}
}

static bool is_text(const struct dph_cli *cli)
{
	return strcmp(cli->format->name, "text") == 0;
}

static int print(struct printing *p)
{
	bool good;

	p->sink = dph_output_table(p->cli, DP_TABLE_TASKS, p->out);
	if (p->sink != NULL && is_text(p->cli) && p->core.reason[0] != '\0' && !p->cli->quiet)
		fprintf(stderr, "dprobes: %s: %s\n", p->path, p->core.reason);
	for (size_t i = 0; i < p->core.task_count && p->sink != NULL; i++)
		tell_task(p, &p->core.tasks[i], i == 0);
	good = p->sink != NULL && dp_sink_close(p->sink);
	if (good && is_text(p->cli) && p->core.task_count > 0 && p->core.tasks[0].saved)
		print_registers(p, &p->core.tasks[0]);
	return dph_output_close(p->cli, p->out) && good ? DPH_EXIT_DONE : DPH_EXIT_USAGE;
}

void dph_report_core_stack(const struct dph_cli *cli, const struct dph_core *core,
			   const struct dph_images *images)
{
	struct printing p = {.cli = cli, .core = *core};
	const char *why;

	if (dph_images_names(images) == NULL)
		return;
	p.stacks = dph_stacks_open(images, &why);
	p.sink = p.stacks != NULL ? dph_output_talk(cli) : NULL;
	if (p.sink != NULL) {
		tell_task(&p, &p.core.tasks[0], true);
		dp_sink_close(p.sink);
	}
	dph_stacks_close(p.stacks);
}

int dph_report_core(const struct dph_cli *cli, const char *path)
{
	struct printing p = {.cli = cli, .path = path};
	int status;

	if (open_files(&p, &status)) {
		p.out = dph_output_open(cli);
		status = p.out != NULL ? print(&p) : DPH_EXIT_USAGE;
	}
	dph_stacks_close(p.stacks);
	dph_core_free(&p.core);
	dph_content_close(p.content);
	dph_images_close(&p.images);
	return status;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes embed PROGRAM... --elf FIRMWARE -o FILE puts programs into the image of a firmware. */
#define _GNU_SOURCE
#include "cmd.h"

#include "cli_output.h"
#include "cmd_insert.h"
#include "cmd_names.h"
#include "kept.h"
#include "symbols/embedded.h"

#include "base/pool.h"
#include "dp_errors.h"
#include "dp_object.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- programs --- */

/* Compile and verify, as an agent does that has no session: nobody has the right to write. */
static struct dp_object_file *open_program(const struct dph_cli *cli, const char *path,
					   const struct dp_build_options *options)
{
	const struct dp_check_options limits = {.read_only = true};
	struct dp_messages messages = {0};
	struct dp_object_file *object = dp_open_program(path, options, &messages);
	struct dp_program_info program;
	struct dp_check_result result;
	bool good = object != NULL;

	if (good) {
		dp_object_program(object, &program);
		good = !program.destructive;
		if (!good)
			dph_cli_error(cli,
				      "%s changes or calls the firmware; a program of an image "
				      "has no right to that: insert it with --write",
				      path);
		good = good && dp_check_object(object, &limits, &result, &messages);
	}
	dph_cli_report(cli, &messages);
	if (good)
		return object;
	dp_object_free(object);
	return NULL;
}

/* Was the object built for this image? The agent compares at each start as well. */
static bool is_of_image(const struct dph_cli *cli, const char *path,
			const struct dp_object_file *object)
{
	struct dp_messages messages = {0};
	struct dp_image *image = dp_image_open(cli->elf, &messages);
	struct dp_module_info built = {0};
	struct dp_image_info info;
	bool same = image != NULL;

	if (same) {
		dp_image_info(image, &info);
		same = dp_object_module(object, 0, &built) && dph_is_build(&built, &info);
		if (!same && info.build_id_bytes > 0)
			dph_cli_error(cli,
				      "%s was built for another build of the firmware than %s; "
				      "build it with this file (--elf)",
				      path, cli->elf);
		else if (!same) /* dph_embedded_fill says what is missing */
			same = true;
	}
	dph_cli_report(cli, &messages);
	dp_image_close(image);
	return same;
}

static bool add_program(const struct dph_cli *cli, const char *path,
			const struct dp_build_options *options, struct dph_embedded *embedded)
{
	struct dp_object_file *object = open_program(cli, path, options);

	if (object == NULL || !is_of_image(cli, path, object)) {
		dp_object_free(object);
		return false;
	}
	dph_embedded_add(embedded, object->data, object->travelling);
	dph_kept_object(cli, object, true);
	if (cli->verbose)
		fprintf(stderr, "dprobes: %s: %u bytes\n", path, object->travelling);
	dp_object_free(object);
	return true;
}

/* --- the command --- */

/* Write the bytes to a file of its own, with the mode of the linked firmware. */
static bool write_bytes(const struct dph_cli *cli, const struct dph_embedded *embedded,
			const char *path)
{
	FILE *file = fopen(path, "wbe");
	struct stat linked;
	bool good;

	if (file == NULL)
		return false;
	good = fwrite(embedded->file, 1, embedded->file_bytes, file) == embedded->file_bytes &&
	       stat(cli->elf, &linked) == 0 && fchmod(fileno(file), linked.st_mode & 0777) == 0;
	return fclose(file) == 0 && good;
}

/* The file gets its name when it is whole. */
static bool write_file(const struct dph_cli *cli, const struct dph_embedded *embedded)
{
	char *part;
	bool good;

	if (dph_output_is_input(cli, cli->output))
		return false;
	part = dph_print("%s.part", cli->output);
	good = write_bytes(cli, embedded, part) && rename(part, cli->output) == 0;
	if (!good) {
		dph_cli_error(cli, "cannot write %s: %s", cli->output, strerror(errno));
		unlink(part);
	}
	free(part);
	return good;
}

static bool embed(const struct dph_cli *cli, struct dph_embedded *embedded)
{
	struct dp_build_options options = dph_cli_build_options(cli);
	struct dp_messages messages = {0};
	bool good = true;

	options.d_argument_count = 0; /* each word is a program */
	/* Nobody asks the agent of the image what it has; one of profile READ lets nothing return.
	 */
	options.lacks |= UINT64_C(1) << DP_PART_RETURN;
	for (size_t i = 0; i < cli->arg_count && good; i++)
		good = add_program(cli, cli->args[i], &options, embedded);
	good = good && dph_embedded_fill(embedded, cli->elf, &messages);
	dph_cli_report(cli, &messages);
	dph_cli_build_options_free(&options);
	return good && write_file(cli, embedded);
}

int dph_cmd_embed(const struct dph_cli *cli)
{
	struct dph_embedded embedded = {0};
	int status = DPH_EXIT_DONE;

	if (cli->elf == NULL)
		return dph_cli_usage(cli, "name the linked firmware: --elf FILE");
	if (cli->output == NULL || strcmp(cli->output, "-") == 0)
		return dph_cli_usage(cli, "name the file of the firmware with the programs: -o "
					  "FILE");
	if (!dph_items_of(cli, &embedded.items, &status))
		return status;
	embedded.flight = dph_cli_has(cli, DPH_OPT_FLIGHT);
	status = embed(cli, &embedded) ? DPH_EXIT_DONE : DPH_EXIT_USAGE;
	if (status == DPH_EXIT_DONE && !cli->quiet)
		fprintf(stderr, "dprobes: %u program(s) in %zu of %zu bytes of %s\n",
			embedded.count, embedded.used, embedded.room, cli->output);
	dph_embedded_free(&embedded);
	return status;
}

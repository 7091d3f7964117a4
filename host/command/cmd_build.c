/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes build PROGRAM [-o OBJECT] compiles a program to an object. */
#define _GNU_SOURCE
#include "cmd.h"

#include "cli_output.h"

#include "base/pool.h"

#include <stdlib.h>
#include <string.h>

/* net.dp becomes net.ppdf, in the folder of net.dp. */
static char *object_name(const char *source)
{
	const char *slash = strrchr(source, '/'), *dot = strrchr(source, '.');
	size_t bytes =
		dot && dot > (slash ? slash + 1 : source) ? (size_t)(dot - source) : strlen(source);
	return strcmp(source, "-") == 0 ? dph_strdup("-")
					: dph_print("%.*s.ppdf", (int)bytes, source);
}

int dph_cmd_build(const struct dph_cli *cli)
{
	struct dp_messages messages = {0};
	struct dp_build_options options = dph_cli_build_options(cli);
	struct dp_object_file *object = dp_compile_file(cli->args[0], &options, &messages);
	char *path = cli->output ? dph_strdup(cli->output) : object_name(cli->args[0]);
	bool good = object && !dph_output_is_input(cli, path) &&
		    dp_object_save(object, path, &messages);
	dph_cli_report(cli, &messages);
	if (good && cli->verbose)
		fprintf(stderr, "dprobes: %s: %u bytes, %u of them travel\n", path, object->bytes,
			object->travelling);
	free(path);
	dp_object_free(object);
	dph_cli_build_options_free(&options);
	return good ? DPH_EXIT_DONE : DPH_EXIT_USAGE;
}

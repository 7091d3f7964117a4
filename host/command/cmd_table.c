/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes table ELF writes the table of functions that objcopy puts into the firmware. */
#include "cmd.h"

#include "cli_output.h"
#include "symbols/function_table.h"

#include <stdlib.h>
#include <unistd.h>

static bool write_table(const struct dph_cli *cli, const struct dph_function_table *table)
{
	FILE *out = dph_output_open(cli);
	if (!out)
		return false;
	const bool good = fwrite(table->bytes, 1, table->count, out) == table->count;
	return dph_output_close(cli, out) && good;
}

int dph_cmd_table(const struct dph_cli *cli)
{
	struct dp_messages messages = {0};
	struct dph_function_table table = {0};
	bool good;
	if (!cli->output && isatty(STDOUT_FILENO))
		return dph_cli_usage(cli, "the table is no text for a terminal; use -o FILE");
	struct dp_image *image = dp_image_open(cli->args[0], &messages);
	good = image && dph_function_table(image, &table, &messages) && write_table(cli, &table);
	if (good && !cli->quiet)
		fprintf(stderr, "dprobes: %u entries in %zu of %zu bytes\n", table.entries,
			table.used, table.count);
	free(table.bytes);
	dph_cli_report(cli, &messages);
	dp_image_close(image);
	return good ? DPH_EXIT_DONE : DPH_EXIT_USAGE;
}

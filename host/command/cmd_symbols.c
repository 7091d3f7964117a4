/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes symbols lists the names for offset, address and push. */
#define _GNU_SOURCE
#include "cmd.h"

#include "cli_output.h"
#include "debuginfo/debuginfo.h"
#include "symbols_place.h"

#include <fnmatch.h>
#include <string.h>

/* A pattern without * ? [ is a part of the name. */
static bool wanted(const char *name, const char *pattern)
{
	if (!pattern)
		return true;
	if (strpbrk(pattern, "*?["))
		return fnmatch(pattern, name, 0) == 0;
	return strstr(name, pattern) != NULL;
}

static void tell_no_symbol(const struct dp_image *image, const char *path, const char *pattern)
{
	struct dp_debuginfo *debug = dp_debuginfo_open(image, NULL);
	const char *absent = dph_absent_function(debug, pattern);
	if (absent)
		fprintf(stderr, "dprobes: %s\n", absent);
	else
		fprintf(stderr, "dprobes: no symbol of %s matches '%s'\n", path, pattern);
	dp_debuginfo_close(debug);
}

/* Hand over the symbols that the pattern wants. False: the file has none at all. */
static bool show_symbols(const struct dph_cli *cli, struct dp_sink *sink,
			 const struct dp_image *image, const char *pattern)
{
	struct dp_image_info info;
	const struct dp_symbol *symbols;
	dp_image_info(image, &info);
	size_t count = dp_image_symbols(image, &symbols), found = 0;
	for (size_t i = 0; i < count; i++)
		if (wanted(symbols[i].name, pattern)) {
			const struct dp_symbol_view view = {&symbols[i], info.cpu,
							    info.word_bits == 64 ? 16 : 8};
			dp_sink_reading(sink, DP_READING_SYMBOL, &view);
			found++;
		}
	if (count && !found && !cli->quiet)
		tell_no_symbol(image, info.path, pattern);
	if (!count)
		dph_cli_error(cli, "%s has no symbols; use the file before strip", info.path);
	return count != 0;
}

int dph_cmd_symbols(const struct dph_cli *cli)
{
	struct dp_messages messages = {0};
	const char *path = dph_cli_get(cli, DPH_OPT_SYM);
	const char *pattern = cli->arg_count ? cli->args[0] : NULL;
	const enum dp_table table =
		pattern && dph_is_place(pattern) ? DP_TABLE_PLACES : DP_TABLE_SYMBOLS;
	path = path ? path : cli->elf;
	if (!dp_sink_shows(cli->format, table))
		return dph_cli_usage(cli, "a place in the code has no --format %s",
				     cli->format->name);
	if (!path)
		return dph_cli_usage(cli, "no firmware is given; use --elf FILE or --sym FILE");
	struct dp_image *image = dp_image_open(path, &messages);
	FILE *out = image ? dph_output_open(cli) : NULL;
	struct dp_sink *sink = out ? dph_output_table(cli, table, out) : NULL;
	bool done = false;
	if (sink && table == DP_TABLE_PLACES)
		done = dph_symbols_place(cli, sink, image, pattern, &messages);
	else if (sink)
		done = show_symbols(cli, sink, image, pattern);
	dp_sink_close(sink);
	int status = out && dph_output_close(cli, out) && done ? DPH_EXIT_DONE : DPH_EXIT_USAGE;
	dph_cli_report(cli, &messages);
	dp_image_close(image);
	return status;
}

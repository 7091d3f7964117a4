/* SPDX-License-Identifier: BSD-2-Clause */
/* The options of exports: which one is given, and whether this tool can write it. */
#define _GNU_SOURCE
#include "exporting.h"

#include "cmd_stream.h"

#include "base/pool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const enum dph_cli_option options[] = {
	[DPH_EXPORT_CTF] = DPH_OPT_CTF,       [DPH_EXPORT_PERFETTO] = DPH_OPT_PERFETTO,
	[DPH_EXPORT_SVG] = DPH_OPT_SVG,       [DPH_EXPORT_FLAME] = DPH_OPT_FLAME,
	[DPH_EXPORT_FOLDED] = DPH_OPT_FOLDED,
};

static bool is_there(const struct dp_sink_kind *kind)
{
	return kind != NULL;
}

/* A trace is all files of its folder, so the folder is a new one. The library makes it: here is
 * only found out whether it can be made. */
static bool can_make(const struct dph_cli *cli, const char *path)
{
	if (mkdir(path, 0777) == 0)
		return rmdir(path) == 0;
	if (errno == EEXIST)
		dph_cli_error(cli, "%s is there already; name a new folder", path);
	else
		dph_cli_error(cli, "cannot make the folder %s: %s", path, strerror(errno));
	return false;
}

/* A command line of its own: aggregations come as often as they were read. */
static void copy_line(struct dph_exporting *exporting, const struct dph_cli *cli)
{
	exporting->cli = *cli;
	exporting->values = dph_malloc((cli->value_count + 1) * sizeof *exporting->values);
	if (cli->value_count > 0)
		memcpy(exporting->values, cli->values,
		       cli->value_count * sizeof *exporting->values);
	exporting->values[cli->value_count] = (struct dph_cli_value){DPH_OPT_LIVE, ""};
	exporting->cli.values = exporting->values;
	exporting->cli.value_count++;
}

/* Let the command line of `exporting` be that of one export. */
static bool export_to(struct dph_exporting *exporting, const struct dph_cli *cli,
		      enum dph_export_id id, const char *path, int *status)
{
	const struct dph_export export = dph_export_of(id);

	*exporting = (struct dph_exporting){.cli = *cli};
	*status = DPH_EXIT_USAGE;
	if (!is_there(export.kind)) {
		*status = DPH_EXIT_REFUSED;
		dph_cli_error(cli,
			      "this dprobes was built without the export %s; install %s and build "
			      "it again",
			      export.name, export.library);
		return false;
	}
	copy_line(exporting, cli);
	exporting->cli.format = export.kind;
	exporting->cli.output = export.folder ? NULL : path;
	exporting->folder = export.folder ? path : NULL;
	return !export.folder || can_make(cli, path);
}

/* Refuse an option that the export would leave without effect. */
static bool is_alone(const struct dph_cli *cli, enum dph_cli_option option, int *status)
{
	static const enum dph_cli_option others[] = {
		DPH_OPT_CTF,    DPH_OPT_PERFETTO, DPH_OPT_SVG,    DPH_OPT_FLAME,
		DPH_OPT_FOLDED, DPH_OPT_FORMAT,   DPH_OPT_OUTPUT, DPH_OPT_TALLY};

	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		if (others[i] == option || !dph_cli_has(cli, others[i]))
			continue;
		*status = dph_cli_usage(cli, "--%s and --%s are two outputs; leave one of them out",
					dph_options[option].name, dph_options[others[i]].name);
		return false;
	}
	return true;
}

bool dph_exporting_init(struct dph_exporting *exporting, const struct dph_cli *cli, int *status)
{
	*exporting = (struct dph_exporting){.cli = *cli};
	for (int id = 0; id < DPH_EXPORTS; id++)
		if (dph_cli_has(cli, options[id]))
			return is_alone(cli, options[id], status) &&
			       export_to(exporting, cli, (enum dph_export_id)id,
					 dph_cli_get(cli, options[id]), status);
	return true;
}

void dph_exporting_free(struct dph_exporting *exporting)
{
	free(exporting->values);
	exporting->values = NULL;
}

bool dph_exported_can_run(const struct dph_cli *cli, int *status)
{
	const char *missing = NULL;

	if (cli->output == NULL)
		missing = "the file is missing; write -o FILE";
	else if (cli->elf == NULL)
		missing = "the firmware's ELF file is missing; give --elf FILE, or set "
			  "DPROBES_ELF";
	if (missing != NULL)
		*status = dph_cli_usage(cli, "%s", missing);
	return missing == NULL;
}

bool dph_exported_ends_in(const struct dph_cli *cli, const char *end)
{
	const size_t bytes = strlen(cli->output), tail = strlen(end);

	return bytes >= tail && strcmp(cli->output + bytes - tail, end) == 0;
}

int dph_run_exported(const struct dph_cli *cli, enum dph_export_id id, enum dph_own_program own,
		     const char *program, double for_s)
{
	struct dph_exporting exporting;
	int status;

	if (export_to(&exporting, cli, id, cli->output, &status))
		status = dph_run_text(&exporting.cli, own, program, for_s);
	dph_exporting_free(&exporting);
	return status;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes trace runs a D program: `dprobes -n TEXT` and `dprobes -s FILE` are short for it. */
#include "cmd.h"

#include "cmd_insert.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A line for each point: "fbt:demo:queue_put:entry 0x600176f0". The compiler adds one where a
 * function begins that return() lets return. */
static void tell_points(const struct dp_object_file *object, FILE *out)
{
	struct dp_formats *formats = dp_formats_open(object, NULL);
	struct dp_point_info point;

	for (unsigned i = 0; dp_object_point(object, i, &point); i++) {
		const char *name = formats != NULL ? dp_formats_probe(formats, i, true) : NULL;

		if (point.kind == DP_PROBE_BREAK)
			fprintf(out, "%s 0x%08" PRIx64 "%s\n", name != NULL ? name : "?",
				point.address,
				point.phase == DP_PHASE_RETURNED ? " after return()" : "");
		else
			fprintf(out, "%s\n", name != NULL ? name : "?");
	}
	dp_formats_close(formats);
}

/* -V, -S: what is armed, before anything is sent. */
void dph_trace_tell(const struct dph_cli *cli, const struct dp_object_file *object)
{
	struct dp_messages messages = {0};

	if (dph_cli_has(cli, DPH_OPT_MATCHED))
		tell_points(object, stderr);
	if (dph_cli_has(cli, DPH_OPT_RPN))
		dp_disassemble(object, stderr, &messages);
	dph_cli_report(cli, &messages);
}

/* Compile, and print what would be armed. */
static int compile_only(const struct dph_cli *cli)
{
	struct dph_insertion insertion;
	int status;
	FILE *out = NULL;

	if (dph_insertion_prepare(cli, &insertion, &status)) {
		out = dph_output_open(cli);
		status = out != NULL ? DPH_EXIT_DONE : DPH_EXIT_USAGE;
	}
	if (out != NULL) {
		const struct dp_object_file *object = dp_insertion_object(insertion.insertion);
		struct dp_messages messages = {0};

		tell_points(object, out);
		if (dph_cli_has(cli, DPH_OPT_RPN))
			dp_disassemble(object, out, &messages);
		dph_cli_report(cli, &messages);
		if (!dph_output_close(cli, out))
			status = DPH_EXIT_USAGE;
	}
	dph_insertion_free(&insertion);
	return status;
}

int dph_cmd_trace(const struct dph_cli *cli)
{
	const bool text = dph_cli_has(cli, DPH_OPT_CLAUSE);
	int status;

	if (!text && cli->arg_count == 0)
		return dph_cli_usage(cli, "a program is missing; write -n 'CLAUSE' or -s FILE");
	if (dph_cli_has(cli, DPH_OPT_COMPILE_ONLY))
		return compile_only(cli);
	if (cli->port != NULL || cli->port_refused != NULL)
		return dph_cmd_run(cli);
	status = compile_only(cli);
	if (status != DPH_EXIT_DONE)
		return status;
	dph_cli_error(cli, "the program compiles, and nothing was armed: there is no line to a "
			   "target; give --port URL or --board NAME, or set DPROBES_PORT");
	return DPH_EXIT_USAGE;
}

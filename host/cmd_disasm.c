/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes disasm PROGRAM */
#include "cli_output.h"

int dp_cmd_disasm(const struct dp_cli *cli)
{
	struct dp_messages messages = {0};
	struct dp_build_options options = dp_cli_build_options(cli);
	options.write = options.opcode_optional = true; /* nothing is sent */
	struct dp_object_file *object = dp_open_program(cli->args[0], &options, &messages);
	bool good = false;
	FILE *out = object ? dp_output_open(cli) : NULL;
	if (out) {
		good = dp_disassemble(object, out, &messages);
		good = dp_output_close(cli, out) && good;
	}
	dp_cli_report(cli, &messages);
	dp_object_free(object);
	dp_cli_build_options_free(&options);
	return good ? DP_EXIT_DONE : DP_EXIT_USAGE;
}

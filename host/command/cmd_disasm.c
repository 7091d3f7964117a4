/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes disasm PROGRAM prints an object as source. */
#include "cmd.h"

#include "cli_output.h"

int dph_cmd_disasm(const struct dph_cli *cli)
{
	struct dp_messages messages = {0};
	struct dp_build_options options = dph_cli_build_options(cli);
	options.write = options.opcode_optional = true; /* nothing is sent */
	struct dp_object_file *object = dp_open_program(cli->args[0], &options, &messages);
	bool good = false;
	FILE *out = object ? dph_output_open(cli) : NULL;
	if (out) {
		good = dph_cli_has(cli, DPH_OPT_SOURCE)
			       ? dp_disassemble_source(object, out, &messages)
			       : dp_disassemble(object, out, &messages);
		good = dph_output_close(cli, out) && good;
	}
	dph_cli_report(cli, &messages);
	dp_object_free(object);
	dph_cli_build_options_free(&options);
	return good ? DPH_EXIT_DONE : DPH_EXIT_USAGE;
}

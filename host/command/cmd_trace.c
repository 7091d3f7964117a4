/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes trace runs a D program: `dprobes -n TEXT` and `dprobes -s FILE` are short for it. */
#include "cmd_insert.h"

#include <string.h>

int dph_cmd_trace(const struct dph_cli *cli)
{
	const bool text = dph_cli_has(cli, DPH_OPT_CLAUSE);

	if (!text && cli->arg_count == 0)
		return dph_cli_usage(cli, "a program is missing; write -n 'CLAUSE' or -s FILE");
	return dph_cmd_run(cli);
}

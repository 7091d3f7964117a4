/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes COMMAND ... : finds the command, hands it its decoded options. */
#include "cli_parse.h"

#include <stdio.h>

int main(int argc, char **argv)
{
	setvbuf(stderr, NULL, _IOLBF, 0);
	return dph_cli_main(argc, argv);
}

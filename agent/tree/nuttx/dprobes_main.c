/* SPDX-License-Identifier: BSD-2-Clause */
/* The command `dprobes` of NSH: starts the agent, once. */
#include <nuttx/config.h>

#include <stdio.h>

#include "dprobes_start.h"

int main(int argc, char *argv[])
{
	int error = dprobes_start();

	(void)argc, (void)argv;
	if (error == 0)
		printf("dprobes: the agent runs on this line\n");
	else if (error == -1)
		fprintf(stderr, "dprobes: there is no memory for the agent's thread\n");
	else if (error == -2)
		fprintf(stderr, "dprobes: the driver of the console has no functions for single "
				"bytes; set DPROBES_CONSOLE_PATH to another device\n");
	else
		fprintf(stderr,
			"dprobes: the agent refuses this system with error %d "
			"(protocol/errors.def)\n",
			error);
	return error;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes COMMAND ... finds the command and runs the command with its decoded options. */
#define _GNU_SOURCE
#include "cli.h"
#include "cli_parse.h"

#include "base/content.h"

#include <fcntl.h>
#include <unistd.h>

/* With `>&-` the line to the target would become descriptor 1, and the output would go to the
 * target. The direction is wrong on purpose, so that every use of the descriptor is an error. */
static void occupy_standard_files(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
			_exit(DPH_EXIT_USAGE);
}

int main(int argc, char **argv)
{
	int status;

	occupy_standard_files();
	dph_contents_keep(); /* all that a command prints is by one state of its files */
	setvbuf(stderr, NULL, _IOLBF, 0);
	status = dph_cli_main(argc, argv);
	if ((fflush(stdout) != 0 || ferror(stdout)) && status == DPH_EXIT_DONE) {
		fputs("dprobes: error: standard output could not be written completely\n", stderr);
		status = DPH_EXIT_USAGE;
	}
	return status;
}

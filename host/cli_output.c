/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include "cli_output.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

FILE *dp_output_open(const struct dp_cli *cli)
{
	FILE *out;

	if (cli->output == NULL || strcmp(cli->output, "-") == 0)
		return stdout;
	out = fopen(cli->output, "w");
	if (out == NULL)
		dp_cli_error(cli, "cannot write %s: %s", cli->output, strerror(errno));
	return out;
}

bool dp_output_unread(FILE *out)
{
	struct pollfd poller = {.fd = fileno(out)};

	return poll(&poller, 1, 0) > 0 && (poller.revents & (POLLERR | POLLHUP)) != 0;
}

bool dp_output_close(const struct dp_cli *cli, FILE *out)
{
	const bool unread = dp_output_unread(out);
	bool good = (fflush(out) == 0 && !ferror(out)) || unread;

	if (unread)
		clearerr(out);
	if (out != stdout)
		good = (fclose(out) == 0 || unread) && good;
	if (!good)
		dp_cli_error(cli, "%s could not be written completely",
			     out == stdout ? "standard output" : cli->output);
	return good;
}

/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include "cli_output.h"

#include "cli_tables.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>

static bool same_file(const char *path, const struct stat *file)
{
	struct stat other;

	return path != NULL && stat(path, &other) == 0 && other.st_dev == file->st_dev &&
	       other.st_ino == file->st_ino;
}

bool dp_output_is_input(const struct dp_cli *cli, const char *path)
{
	const bool program = strstr(dph_command_named(cli->command)->words, "PROGRAM") != NULL;
	const char *const files[] = {
		program && cli->arg_count > 0 ? cli->args[0] : NULL,
		cli->elf,
		dp_cli_get(cli, DP_OPT_SYM),
		dp_cli_get(cli, DP_OPT_TEMPLATES),
	};
	struct stat file;

	if (stat(path, &file) != 0 || !S_ISREG(file.st_mode))
		return false;
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		if (!same_file(files[i], &file))
			continue;
		dp_cli_error(cli,
			     "%s is read by this command, and would be overwritten; name another "
			     "file with --output",
			     path);
		return true;
	}
	return false;
}

FILE *dp_output_open(const struct dp_cli *cli)
{
	FILE *out;

	if (cli->output == NULL || strcmp(cli->output, "-") == 0)
		return stdout;
	if (dp_output_is_input(cli, cli->output))
		return NULL;
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

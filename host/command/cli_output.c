/* SPDX-License-Identifier: BSD-2-Clause */
/* The output of a command opens, checks and closes the file of --output. */
#define _GNU_SOURCE
#include "cli_output.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool same_file(const char *path, const struct stat *file)
{
	struct stat other;

	return path != NULL && stat(path, &other) == 0 && other.st_dev == file->st_dev &&
	       other.st_ino == file->st_ino;
}

bool dph_output_is_input(const struct dph_cli *cli, const char *path)
{
	const bool program = strstr(cli->words, "PROGRAM") != NULL;
	const char *const files[] = {
		program && cli->arg_count > 0 ? cli->args[0] : NULL,
		cli->elf,
		dph_cli_get(cli, DPH_OPT_SYM),
		dph_cli_get(cli, DPH_OPT_TEMPLATES),
	};
	struct stat file;

	if (stat(path, &file) != 0 || !S_ISREG(file.st_mode))
		return false;
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		if (!same_file(files[i], &file))
			continue;
		dph_cli_error(cli,
			      "%s is read by this command, and would be overwritten; name another "
			      "file with --output",
			      path);
		return true;
	}
	return false;
}

FILE *dph_output_open(const struct dph_cli *cli)
{
	FILE *out;

	if (cli->output == NULL || strcmp(cli->output, "-") == 0)
		return stdout;
	if (dph_output_is_input(cli, cli->output))
		return NULL;
	out = fopen(cli->output, "w");
	if (out == NULL)
		dph_cli_error(cli, "cannot write %s: %s", cli->output, strerror(errno));
	return out;
}

static struct dp_sink *open_sink(const struct dph_cli *cli, const struct dp_sink_kind *kind,
				 enum dp_table table, FILE *out, const char *folder)
{
	const struct dp_sink_options options = {
		.out = out,
		.aside = stderr,
		.folder = folder,
		.table = table,
		.quiet = cli->quiet,
	};
	struct dp_sink *sink = dp_sink_open(kind, &options);

	if (sink == NULL)
		dph_cli_error(cli, "not enough memory");
	return sink;
}

struct dp_sink *dph_output_sink(const struct dph_cli *cli, FILE *out)
{
	return dph_output_table(cli, cli->table, out);
}

struct dp_sink *dph_output_table(const struct dph_cli *cli, enum dp_table table, FILE *out)
{
	return open_sink(cli, cli->format, table, out, NULL);
}

struct dp_sink *dph_output_into(const struct dph_cli *cli, enum dp_table table, FILE *out,
				const char *folder)
{
	return open_sink(cli, cli->format, table, out, folder);
}

struct dp_formats *dph_output_formats(FILE *out, const struct dp_object_file *object,
				      const struct dp_image *image)
{
	struct dp_formats *formats = dp_formats_open(object, image);

	if (formats != NULL && out != NULL && isatty(fileno(out))) {
		dp_formats_use_units(formats);
		dp_formats_use_heads(formats);
	}
	return formats;
}

struct dp_sink *dph_output_talk(const struct dph_cli *cli)
{
	return open_sink(cli, dp_sink_kinds[0], DP_TABLE_CHANGES, stderr, NULL);
}

bool dph_output_unread(FILE *out)
{
	struct pollfd poller = {.fd = fileno(out)};

	return poll(&poller, 1, 0) > 0 && (poller.revents & (POLLERR | POLLHUP)) != 0;
}

bool dph_output_close(const struct dph_cli *cli, FILE *out)
{
	const bool unread = dph_output_unread(out);
	bool good = (fflush(out) == 0 && !ferror(out)) || unread;

	if (unread)
		clearerr(out);
	if (out != stdout)
		good = (fclose(out) == 0 || unread) && good;
	if (!good)
		dph_cli_error(cli, "%s could not be written completely",
			      out == stdout ? "standard output" : cli->output);
	return good;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The output of a command: the file of --output, or standard output. */
#ifndef DPH_CLI_OUTPUT_H
#define DPH_CLI_OUTPUT_H

#include "cli.h"

/* Is it a file that the command reads: program, ELF, symbols, templates? Says so then. */
bool dph_output_is_input(const struct dph_cli *cli, const char *path);

/* null: could not be opened (said). Close with dph_output_close. */
FILE *dph_output_open(const struct dph_cli *cli);

/* The sink of --format on out, for the table of this command or another one. Null: no memory
 * (said). */
struct dp_sink *dph_output_sink(const struct dph_cli *cli, FILE *out);
struct dp_sink *dph_output_table(const struct dph_cli *cli, enum dp_table table, FILE *out);
/* The same for a format that may write into a folder; null: it does not. */
struct dp_sink *dph_output_into(const struct dph_cli *cli, enum dp_table table, FILE *out,
				const char *folder);

/* The formats of an object for what is printed on out: times have units on a terminal. Null: the
 * object has none. dp_formats_close closes them. */
struct dp_formats *dph_output_formats(FILE *out, const struct dp_object_file *object,
				      const struct dp_image *image);

/* A sink for text on standard error, whatever --format says. Null: no memory (said). */
struct dp_sink *dph_output_talk(const struct dph_cli *cli);
/* Return whether the reader of a pipe has exited, as `head` does after enough lines. Not an
 * error. */
bool dph_output_unread(FILE *out);
/* false: not everything could be written to a reader that is there (said). */
bool dph_output_close(const struct dph_cli *cli, FILE *out);

#endif

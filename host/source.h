/* SPDX-License-Identifier: BSD-2-Clause */
/* A program behind the C preprocessor: its lines, and where each stood in the files that were
 * written by hand. */
#ifndef DPH_SOURCE_H
#define DPH_SOURCE_H

#include "diag.h"
#include "pool.h"

struct dph_line {
	const char *text; /* preprocessed, NUL-terminated */
	const char *file;
	unsigned number; /* in file, from 1 */
};

struct dph_source_file {
	const char *name;
	const char *text;
	size_t bytes;
};

struct dph_source {
	struct dph_pool pool;
	struct dph_line *lines;
	size_t count, capacity;
	struct dph_source_file *files; /* that lines or messages come from; [0] is the program */
	size_t file_count, file_capacity;
};

/* A span of a preprocessed line. */
struct dph_place {
	const struct dph_line *line; /* null: the program as a whole */
	size_t start, bytes;
};

/* Run text through cpp. false when cpp found errors (they are in messages). */
bool dph_source_prepare(struct dph_source *source, const char *text, size_t bytes, const char *name,
			const char *const *defines, size_t define_count,
			struct dp_messages *messages);
void dph_source_free(struct dph_source *source);

/* Whole file; `-` is standard input. null: could not be read (said in messages). */
char *dph_read_file(const char *path, size_t *bytes, struct dp_messages *messages);

/* Add a message at a place: column and caret are those of the line as it was written, where that
 * line still has the token. */
void dph_source_message(struct dph_source *source, struct dp_messages *messages,
			enum dp_severity severity, const struct dph_place *place,
			const char *format, va_list args);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* The source holds the lines of a program after the C preprocessor, and the place of each line in
 * the written files. */
#ifndef DPH_SOURCE_H
#define DPH_SOURCE_H

#include "base/diag.h"
#include "base/pool.h"

#include <stdio.h>

/* Where a file was included. */
struct dph_include {
	const char *file;
	unsigned line;
	const struct dph_include *outer; /* null: that file is the program */
};

struct dph_line {
	const char *text; /* preprocessed, NUL-terminated */
	const char *file;
	unsigned number;                /* in file, from 1 */
	const struct dph_include *from; /* null: the file is the program */
};

struct dph_source_file {
	const char *name;
	const char *text;
	size_t bytes;
	size_t *starts; /* of its lines; null: not looked for yet */
	size_t line_count;
};

struct dph_source {
	struct dph_pool pool;
	struct dph_line *lines;
	size_t count, capacity;
	struct dph_source_file *files; /* that lines or messages come from; [0] is the program */
	size_t file_count, file_capacity;
	const struct dph_include *told; /* the last inclusion that a note is about */
};

/* A span of a preprocessed line. */
struct dph_place {
	const struct dph_line *line; /* null: the program as a whole */
	size_t start, bytes;
};

/* What cpp printed for a text. Start with all zero. */
struct dph_cpp_output {
	char *out, *err; /* null: cpp has not run */
	int status;      /* as waitpid has it */
};
void dph_cpp_output_free(struct dph_cpp_output *output);

/* What cpp is asked for. */
struct dph_cpp_options {
	const char *const *defines; /* "KEY=VALUE" or "KEY" */
	size_t define_count;
	const char *const *includes; /* folders that #include searches behind the program's own */
	size_t include_count;
	/* Of the same text and options: used where it has an output, else set. The files that the
	 * text includes are then read once. Null: cpp runs each time. */
	struct dph_cpp_output *output;
};

/* Run text through cpp. false when cpp found errors (they are in messages). */
bool dph_source_prepare(struct dph_source *source, const char *text, size_t bytes, const char *name,
			const struct dph_cpp_options *options, struct dp_messages *messages);
void dph_source_free(struct dph_source *source);

/* Line `number` of a file as it was written, in the pool; null: the file or line is not known. */
char *dph_source_line(struct dph_source *source, const char *name, unsigned number);

/* Add a note that says which lines included the file, after a message about a line of it. */
void dph_source_included(struct dph_source *source, struct dp_messages *messages,
			 const struct dp_message *where, const struct dph_include *from);

/* Bytes of the mark (BOM) that some editors write before a text: 3 or 0. */
size_t dph_mark_bytes(const char *text, size_t bytes);

/* Does the text begin with the mark of UTF-16? */
bool dph_is_utf16(const char *text, size_t bytes);

/* Whole file without that mark; `-` is standard input. null: could not be read (said in messages).
 */
char *dph_read_file(const char *path, size_t *bytes, struct dp_messages *messages);
/* The same of an open file, which stays open. path: for the message. */
char *dph_read_open(FILE *file, const char *path, size_t *bytes, struct dp_messages *messages);

/* Add a message at a place: column and caret are those of the line as it was written, where that
 * line still has the token. */
void dph_source_message(struct dph_source *source, struct dp_messages *messages,
			enum dp_severity severity, const struct dph_place *place,
			const char *format, va_list args);

#endif

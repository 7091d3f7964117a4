/* SPDX-License-Identifier: BSD-2-Clause */
/* The complaints of the C preprocessor become messages at places of the user's files. */
#define _GNU_SOURCE
#include "cpp.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const char *dph_cpp_name(struct dph_source *source, const char *folder, const char *theirs,
			 size_t bytes)
{
	const char *program = source->files[0].name;
	if (bytes == 7 && memcmp(theirs, "<stdin>", 7) == 0)
		return program;
	if (*theirs == '/' || *theirs == '<' || strcmp(folder, ".") == 0)
		return dph_pool_copy(&source->pool, theirs, bytes);
	while (bytes > 2 && theirs[0] == '.' && theirs[1] == '/') {
		theirs += 2;
		bytes -= 2;
	}
	const char *join = folder[strlen(folder) - 1] == '/' ? "" : "/";
	return dph_pool_print(&source->pool, "%s%s%.*s", folder, join, (int)bytes, theirs);
}

struct dph_source_file *dph_know_file(struct dph_source *source, const char *name)
{
	for (size_t i = 0; i < source->file_count; i++)
		if (strcmp(source->files[i].name, name) == 0)
			return &source->files[i];
	source->files = dph_grow(source->files, &source->file_capacity, source->file_count,
				 sizeof(*source->files));
	struct dph_source_file *file = &source->files[source->file_count++];
	*file = (struct dph_source_file){.name = name};
	struct dp_messages ignored = {0};
	char *text = *name == '<' ? NULL : dph_read_file(name, &file->bytes, &ignored);
	dp_messages_free(&ignored);
	if (text) {
		file->text = dph_pool_copy(&source->pool, text, file->bytes);
		free(text);
	}
	return file;
}

/* `FILE:LINE:COLUMN: [fatal ]error: TEXT` or `...: warning: TEXT`; LINE and COLUMN may be missing.
 */
struct complaint {
	size_t name_bytes;
	unsigned number, column;
	bool error;
	char text[512];
};

/* `:NUMBER`. False: other characters are at *at. Never sscanf, which measures the whole rest. */
static bool read_number(const char **at, unsigned *number)
{
	char *end;
	if (**at != ':' || !isdigit((unsigned char)(*at)[1]))
		return false;
	*number = (unsigned)strtoul(*at + 1, &end, 10);
	*at = end;
	return true;
}

static bool take_prefix(const char **at, const char *prefix)
{
	const size_t bytes = strlen(prefix);
	if (strncmp(*at, prefix, bytes) != 0)
		return false;
	*at += bytes;
	return true;
}

static bool read_complaint(const char *line, struct complaint *c)
{
	*c = (struct complaint){.name_bytes = strcspn(line, ":\n")};
	const char *rest = line + c->name_bytes;
	if (read_number(&rest, &c->number))
		read_number(&rest, &c->column);
	if (!take_prefix(&rest, ": "))
		return false;
	take_prefix(&rest, "fatal ");
	c->error = take_prefix(&rest, "error: ");
	if (!c->error && !take_prefix(&rest, "warning: "))
		return false;
	snprintf(c->text, sizeof(c->text), "%.*s", (int)strcspn(rest, "\n"), rest);
	/* Options of cpp, which the user does not call. */
	char *hint = strstr(c->text, " (use -f");
	if (hint)
		*hint = '\0';
	return true;
}

static void say(struct dph_source *source, struct dp_messages *messages, struct complaint *c,
		const char *name, const struct dph_include *from)
{
	const enum dp_severity severity = c->error ? DP_ERROR : DP_WARNING;
	if (!dph_messages_keep(messages, severity))
		return;
	const char *line = dph_source_line(source, name, c->number);
	/* cpp points at the word behind the #; the message means the directive. */
	if (line && c->column > 1 && c->column <= strlen(line) && line[c->column - 2] == '#')
		c->column--;
	const struct dp_message where = {
		.severity = severity,
		.file = (char *)name,
		.line = c->number,
		.column = c->column ? c->column : 1,
		.width = 1,
		.source = (char *)line,
	};
	const bool include = line && strstr(line, "include") && strstr(c->text, ": No such file");
	dph_message(messages, &where, "%s%s", c->text,
		    include ? "; #include looks beside the program" : "");
	dph_source_included(source, messages, &where, from);
}

static void take_complaint(struct dph_source *source, const char *folder, const char *line,
			   const struct dph_include *from, struct dp_messages *messages)
{
	struct complaint c;
	if (messages->errors >= DPH_ERRORS_MAX || !read_complaint(line, &c))
		return;
	if (!c.number) { /* `cpp: error: ...` is about no file of the user's */
		const struct dp_message where = {.severity = c.error ? DP_ERROR : DP_WARNING,
						 .file = (char *)source->files[0].name};
		dph_message(messages, &where, "cpp failed: %s", c.text);
		return;
	}
	const char *name = dph_cpp_name(source, folder, line, c.name_bytes);
	const struct dph_source_file *file = dph_know_file(source, name);
	if (file->text && dph_is_utf16(file->text, file->bytes))
		return; /* one mistake, which cpp.c reports */
	say(source, messages, &c, name, from);
}

/* Read `In file included from FILE:LINE,` and below it ` from FILE:LINE:`. Returns the place, or
 * null for any other line. */
static struct dph_include *read_include(struct dph_source *source, const char *folder,
					const char *line)
{
	static const char first[] = "In file included from ", more[] = "                 from ";
	if (strncmp(line, first, sizeof(first) - 1) != 0 &&
	    strncmp(line, more, sizeof(more) - 1) != 0)
		return NULL;
	const char *name = strstr(line, "from ") + 5;
	const size_t bytes = strcspn(name, ":\n");
	const char *at = name + bytes;
	unsigned number;
	if (!read_number(&at, &number))
		return NULL;
	struct dph_include *include = dph_pool_take(&source->pool, sizeof(*include));
	*include = (struct dph_include){dph_cpp_name(source, folder, name, bytes), number, NULL};
	return include;
}

void dph_cpp_complaints(struct dph_source *source, const char *folder, const char *text,
			struct dp_messages *messages)
{
	const struct dph_include *from = NULL, **outer = &from;
	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		struct dph_include *include = read_include(source, folder, line);
		if (include && *line == 'I')
			outer = &from;
		if (include) {
			*outer = include;
			outer = &include->outer;
		} else if (!isspace((unsigned char)*line)) {
			take_complaint(source, folder, line, from, messages);
			from = NULL;
			outer = &from;
		}
	}
	dph_messages_full(messages, source->files[0].name);
}

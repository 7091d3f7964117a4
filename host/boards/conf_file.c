/* SPDX-License-Identifier: BSD-2-Clause */
/* The reader of dprobes.conf: lines `key = value`, `[board]` and `# comment`. A comment may end a
 * line, behind a blank. libinih would read the same lines, but has no columns, cuts lines at 200
 * characters and joins indented lines. */
#define _GNU_SOURCE
#include "conf_file.h"

#include "base/diag.h"
#include "base/pool.h"
#include "source/source.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#define UNKNOWN_OWNER UINT_MAX /* nobody's: its commands do not run */

static const char *const key_names[DPH_CONF_KEYS] = {
#define BOARD_KEY(field, option, help) #field,
#include "board_keys.def"
};

struct reader {
	struct dph_conf_file *file;
	struct dp_messages *messages;
	const char *text; /* the line, NUL-terminated */
	unsigned line;
};

/* A piece of the line without blanks around it. */
struct piece {
	const char *at;
	size_t bytes;
};

static struct piece trimmed(const char *at, size_t bytes)
{
	while (bytes > 0 && strchr(" \t\r", at[0]) != NULL) {
		at++;
		bytes--;
	}
	while (bytes > 0 && strchr(" \t\r", at[bytes - 1]) != NULL)
		bytes--;
	return (struct piece){at, bytes};
}

static bool begins(struct piece piece, const char *word)
{
	return piece.bytes >= strlen(word) && memcmp(piece.at, word, strlen(word)) == 0;
}

/* The piece without the comment at its end: a '#' behind a blank. A command keeps its text, because
 * the shell has the same comments, and quotes. */
static struct piece uncommented(struct piece piece)
{
	if (begins(piece, "exec:"))
		return piece;
	for (size_t i = 0; i < piece.bytes; i++)
		if (piece.at[i] == '#' && (i == 0 || strchr(" \t", piece.at[i - 1]) != NULL))
			return trimmed(piece.at, i);
	return piece;
}

static bool is(struct piece piece, const char *word)
{
	return piece.bytes == strlen(word) && memcmp(piece.at, word, piece.bytes) == 0;
}

__attribute__((format(printf, 3, 4))) static void fail(const struct reader *r, struct piece piece,
						       const char *format, ...)
{
	const struct dp_message where = {
		.severity = DP_ERROR,
		.file = r->file->path,
		.line = r->line,
		.column = (unsigned)(piece.at - r->text) + 1,
		.width = piece.bytes > 0 ? (unsigned)piece.bytes : 1,
		.source = (char *)r->text,
	};
	va_list args;

	va_start(args, format);
	dph_message_v(r->messages, &where, format, args);
	va_end(args);
}

static struct dph_conf_section *add_section(struct dph_conf_file *file, char *name, unsigned line)
{
	file->sections =
		dph_grow(file->sections, &file->capacity, file->count, sizeof *file->sections);
	file->sections[file->count] = (struct dph_conf_section){.name = name, .line = line};
	return &file->sections[file->count++];
}

static void read_section(struct reader *r, struct piece line)
{
	const char *end = memchr(line.at, ']', line.bytes);
	struct piece name;
	char *copy;

	/* A wrong line begins a board too: the keys behind it are not those of the board before. */
	if (end == NULL || end != line.at + line.bytes - 1) {
		fail(r, line, "a board is '[NAME]' alone in its line");
		add_section(r->file, dph_strdup(""), r->line);
		return;
	}
	name = trimmed(line.at + 1, line.bytes - 2);
	if (name.bytes == 0) {
		fail(r, line, "the board has no name");
		add_section(r->file, dph_strdup(""), r->line);
		return;
	}
	copy = dph_strndup(name.at, name.bytes);
	if (dph_conf_board(r->file, copy) != NULL)
		fail(r, name, "board '%s' is defined twice; the first definition is in line %u",
		     copy, dph_conf_board(r->file, copy)->line);
	add_section(r->file, copy, r->line);
}

static void unknown_key(const struct reader *r, struct piece key)
{
	struct dph_closest closest = dph_closest(key.at, key.bytes);

	for (int i = 0; i < DPH_CONF_KEYS; i++)
		dph_closest_try(&closest, key_names[i]);
	if (is(key, "board"))
		fail(r, key,
		     "'board' names the board that is used without --board; write this "
		     "line in front of the first '[NAME]'");
	else if (closest.best != NULL)
		fail(r, key, "unknown key '%.*s'; did you mean '%s'?", (int)key.bytes, key.at,
		     closest.best);
	else
		fail(r, key, "unknown key '%.*s'; there are board"
#define BOARD_KEY(field, option, help) ", " #field
#include "board_keys.def"
		     ,
		     (int)key.bytes, key.at);
}

bool dph_conf_is_baud(const char *text)
{
	char *end;
	const unsigned long rate = strtoul(text, &end, 10);

	return isdigit((unsigned char)text[0]) && *end == '\0' && rate >= DPH_BAUD_MIN &&
	       rate <= DPH_BAUD_MAX;
}

bool dph_conf_is_switch(const char *text)
{
	return strcmp(text, "on") == 0 || strcmp(text, "off") == 0;
}

/* Returns whether the value fits its key; says so if not. */
static bool good_value(const struct reader *r, enum dph_conf_key key, struct piece value,
		       const char *text)
{
	if (key == DPH_CONF_com && strcasecmp(text, "COM1") != 0 && strcasecmp(text, "COM2") != 0 &&
	    strcasecmp(text, "NONE") != 0) {
		fail(r, value, "com is one of COM1, COM2, NONE, not '%s'", text);
		return false;
	}
	if ((key == DPH_CONF_dtr || key == DPH_CONF_rts) && !dph_conf_is_switch(text)) {
		fail(r, value, "%s is on or off, not '%s'", key_names[key], text);
		return false;
	}
	if (key == DPH_CONF_serve && strcmp(text, "yes") != 0 && strcmp(text, "no") != 0) {
		fail(r, value, "serve is yes or no, not '%s'", text);
		return false;
	}
	if (key != DPH_CONF_baud || dph_conf_is_baud(text))
		return true;
	fail(r, value, "baud is a number from %d to %d, not '%s'", DPH_BAUD_MIN, DPH_BAUD_MAX,
	     text);
	return false;
}

static char **place_of(const struct reader *r, struct piece key, int *index)
{
	struct dph_conf_section *section = &r->file->sections[r->file->count - 1];

	*index = DPH_CONF_KEYS;
	if (is(key, "board") && section->name == NULL)
		return &r->file->board;
	for (int i = 0; i < DPH_CONF_KEYS; i++)
		if (is(key, key_names[i])) {
			*index = i;
			return &section->values[i];
		}
	return NULL;
}

static void read_pair(struct reader *r, struct piece key, struct piece value)
{
	int index;
	char **place = place_of(r, key, &index), *text;

	if (place == NULL) {
		unknown_key(r, key);
		return;
	}
	if (value.bytes == 0) {
		fail(r, key, "the value of '%.*s' is empty", (int)key.bytes, key.at);
		return;
	}
	if (*place != NULL) {
		fail(r, key, "'%.*s' is set twice", (int)key.bytes, key.at);
		return;
	}
	text = dph_strndup(value.at, value.bytes);
	if (index == DPH_CONF_KEYS || good_value(r, (enum dph_conf_key)index, value, text))
		*place = text;
	else
		free(text);
}

static void read_line(struct reader *r)
{
	const struct piece line = trimmed(r->text, strlen(r->text));
	const char *equals;

	if (line.bytes == 0 || line.at[0] == '#' || line.at[0] == ';')
		return;
	if (line.at[0] == '[') {
		read_section(r, uncommented(line));
		return;
	}
	equals = memchr(line.at, '=', line.bytes);
	if (equals == NULL || equals == line.at)
		fail(r, line, "this line is no 'key = value', no '[board]' and no '# comment'");
	else
		read_pair(r, trimmed(line.at, (size_t)(equals - line.at)),
			  uncommented(trimmed(equals + 1,
					      (size_t)(line.at + line.bytes - equals) - 1)));
}

static void read_lines(struct reader *r, char *text)
{
	while (text != NULL && !dph_messages_full(r->messages, r->file->path)) {
		r->line++;
		r->text = strsep(&text, "\n");
		read_line(r);
	}
}

bool dph_conf_read(struct dph_conf_file *file, const char *path, struct dp_messages *messages)
{
	struct reader r = {.file = file, .messages = messages};
	const size_t errors = messages->errors;
	struct stat status;
	size_t bytes;
	char *data, *text;
	FILE *stream;

	*file = (struct dph_conf_file){.path = dph_strdup(path)};
	stream = fopen(path, "rb");
	if (stream == NULL && (errno == ENOENT || errno == ENOTDIR))
		return true;
	if (stream == NULL) {
		dph_file_error(messages, path, "cannot read it: %s", strerror(errno));
		return false;
	}
	/* Of the open file: its name may belong to another file by now. */
	file->owner = fstat(fileno(stream), &status) == 0 ? status.st_uid : UNKNOWN_OWNER;
	data = dph_read_open(stream, path, &bytes, messages);
	fclose(stream);
	if (data == NULL)
		return false;
	add_section(file, NULL, 0);
	text = dph_strndup(data, bytes);
	if (strlen(text) != bytes)
		dph_file_error(messages, path, "the file has a NUL byte: it is no text");
	else
		read_lines(&r, text);
	free(text);
	free(data);
	return messages->errors == errors;
}

void dph_conf_free(struct dph_conf_file *file)
{
	for (size_t i = 0; i < file->count; i++) {
		free(file->sections[i].name);
		for (int key = 0; key < DPH_CONF_KEYS; key++)
			free(file->sections[i].values[key]);
	}
	free(file->sections);
	free(file->board);
	free(file->path);
}

const struct dph_conf_section *dph_conf_board(const struct dph_conf_file *file, const char *name)
{
	for (size_t i = 1; i < file->count; i++)
		if (strcmp(file->sections[i].name, name) == 0)
			return &file->sections[i];
	return NULL;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The reader of templates reads the statements of template files and directories.  TEMPLATES.md,
 * The file */
#define _GNU_SOURCE
#include "template.h"

#include "source/lex.h"
#include "source/source.h"
#include "base/diag_fold.h"
#include "base/utf8.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
	CODES = UINT16_MAX + 1,
	ERRORS_MAX = DPH_ERRORS_SHOWN, /* then reading stops */
	SHOWN_MAX = 40,                /* characters of a word that a message shows */
};

static const char *const keywords[] = {"major", "minor", "desc", "fmt", "file"};
enum keyword {
	MAJOR,
	MINOR,
	DESC,
	FMT,
	FILE_NAME,
	KEYWORDS
};

/* --- messages ------------------------------------------------------------------------------ */

static void find_lines(struct dph_template_file *file)
{
	size_t at = 0;
	do {
		const char *end = memchr(file->text + at, '\n', file->bytes - at);
		file->lines = dph_grow(file->lines, &file->line_capacity, file->line_count,
				       sizeof *file->lines);
		file->lines[file->line_count++] = at;
		at = end ? (size_t)(end - file->text) + 1 : file->bytes;
	} while (at < file->bytes);
}

/* Index of the line that an offset is in. */
static size_t line_of(const struct dph_template_file *file, size_t at)
{
	size_t low = 0, high = file->line_count;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		if (file->lines[middle] <= at)
			low = middle;
		else
			high = middle;
	}
	return low;
}

void dph_template_say(const struct dph_template_file *file, enum dp_severity severity, size_t at,
		      size_t bytes, const char *format, ...)
{
	const size_t line = line_of(file, at), begin = file->lines[line];
	struct dp_message where = {
		.severity = severity,
		.file = (char *)file->name,
		.line = (unsigned)line + 1,
		.column = (unsigned)(at - begin) + 1,
		.width = bytes ? (unsigned)bytes : 1,
		.source = (char *)file->text + begin,
	};
	va_list args;
	va_start(args, format);
	dph_message_v(file->messages, &where, format, args);
	va_end(args);
}

bool dph_template_enough(const struct dph_template_file *file)
{
	return file->messages->errors - file->errors_before >= ERRORS_MAX;
}

/* --- tokens -------------------------------------------------------------------------------- */

struct token {
	enum dph_token_kind kind; /* END: of the file */
	size_t at, bytes;
	bool closed; /* a string with both its quotes */
};

/* A line of a directory. */
struct entry {
	const struct dph_template_file *directory;
	size_t at, bytes; /* of the name */
	uint16_t major;
};

struct reader {
	struct dph_template_file file;
	const struct entry *entry; /* null: not named by a directory */
	size_t at;                 /* behind the token */
	struct token token;
	size_t last; /* where the token before it ended */
	struct dp_templates *templates;
	uint16_t major;
	struct dph_template *open; /* the template that is being read */
	size_t open_at;            /* the place of its minor= */
	bool complained;           /* about a missing part */
	struct dph_format format;
	size_t errors; /* that were there before this statement */
	size_t *codes; /* CODES: where each minor (in a directory: major) stands, plus 1 */
	char found[SHOWN_MAX + 16];
};

static const char *token_text(const struct reader *r)
{
	return r->file.text + r->token.at;
}

static void skip_comment(struct reader *r)
{
	const char *text = r->file.text + r->at;
	if (text[1] == '/') {
		r->at += strcspn(text, "\n");
		return;
	}
	const char *end = memmem(text + 2, r->file.bytes - r->at - 2, "*/", 2);
	if (end) {
		r->at = (size_t)(end - r->file.text) + 2;
		return;
	}
	dph_template_error(&r->file, r->at, 2, "the comment is not closed; its '*/' is missing");
	r->at = r->file.bytes;
}

static void skip_blanks(struct reader *r)
{
	while (r->at < r->file.bytes) {
		const char *text = r->file.text + r->at;
		if (text[0] == '/' && (text[1] == '/' || text[1] == '*'))
			skip_comment(r);
		else if (isspace((unsigned char)*text))
			r->at++;
		else
			return;
	}
}

/* Up to behind the closing quote, or the end of the line. */
static size_t string_bytes(const char *text, bool *closed)
{
	size_t i = 1;
	while (text[i] && text[i] != '\n' && text[i] != '"')
		i += text[i] == '\\' && text[i + 1] && text[i + 1] != '\n' ? 2 : 1;
	*closed = text[i] == '"';
	return i + *closed;
}

static size_t word_bytes(const char *text)
{
	size_t i = 0;
	while (isalnum((unsigned char)text[i]) || text[i] == '_')
		i++;
	return i;
}

static void next(struct reader *r)
{
	r->last = r->token.at + r->token.bytes;
	skip_blanks(r);
	const char *text = r->file.text + r->at;
	struct token token = {DPH_TOKEN_SIGN, r->at, 1, false};
	if (r->at >= r->file.bytes) {
		token = (struct token){DPH_TOKEN_END, r->last, 0, false};
	} else if (*text == '"') {
		token.kind = DPH_TOKEN_STRING;
		token.bytes = string_bytes(text, &token.closed);
	} else if (word_bytes(text)) {
		token.kind = isdigit((unsigned char)*text) ? DPH_TOKEN_NUMBER : DPH_TOKEN_WORD;
		token.bytes = word_bytes(text);
	}
	r->at += token.bytes;
	r->token = token;
}

static enum keyword keyword(const struct reader *r)
{
	for (int i = 0; r->token.kind == DPH_TOKEN_WORD && i < KEYWORDS; i++)
		if (strlen(keywords[i]) == r->token.bytes &&
		    strncasecmp(keywords[i], token_text(r), r->token.bytes) == 0)
			return (enum keyword)i;
	return KEYWORDS;
}

static bool is_sign(const struct reader *r, char sign)
{
	return r->token.kind == DPH_TOKEN_SIGN && *token_text(r) == sign;
}

static void skip_to_keyword(struct reader *r)
{
	while (r->token.kind != DPH_TOKEN_END && keyword(r) == KEYWORDS)
		next(r);
}

#define token_error(r, ...)                                                                        \
	dph_template_error(&(r)->file, (r)->token.at, (r)->token.bytes, __VA_ARGS__)

/* The words at the place, for a message. Valid until the next call. */
static const char *found(struct reader *r)
{
	const unsigned char c = (unsigned char)*token_text(r);
	const int bytes = r->token.bytes < SHOWN_MAX ? (int)r->token.bytes : SHOWN_MAX;
	if (r->token.kind == DPH_TOKEN_END)
		return "the end of the file";
	if (r->token.kind == DPH_TOKEN_STRING)
		return "a string";
	if (r->token.kind == DPH_TOKEN_SIGN && (c < 0x20 || c > 0x7e))
		snprintf(r->found, sizeof r->found, "byte 0x%02x", c);
	else
		snprintf(r->found, sizeof r->found, "'%.*s'", bytes, token_text(r));
	return r->found;
}

/* --- values -------------------------------------------------------------------------------- */

/* Behind a keyword: its sign and the first token of its value. */
static bool take_equals(struct reader *r, enum keyword key)
{
	next(r);
	if (!is_sign(r, '=')) {
		token_error(r, "'=' is missing behind '%s'; here is %s", keywords[key], found(r));
		return false;
	}
	next(r);
	return true;
}

/* A comma may follow a statement. After a wrong statement the reader looks for the next keyword. */
static void end_statement(struct reader *r, bool good)
{
	if (!good) {
		skip_to_keyword(r);
		return;
	}
	next(r);
	if (is_sign(r, ','))
		next(r);
}

static bool take_code(struct reader *r, enum keyword key, uint16_t *code)
{
	uint64_t value;
	if (!take_equals(r, key))
		return false;
	if (r->token.kind != DPH_TOKEN_NUMBER) {
		token_error(r, "'%s' needs a number, decimal or 0x, not %s", keywords[key],
			    found(r));
		return false;
	}
	enum dph_number_state state = dph_number(token_text(r), r->token.bytes, &value);
	if (state == DPH_NUMBER_BAD) {
		token_error(r, "%s is not a number; write it decimal, or hexadecimal with 0x",
			    found(r));
		return false;
	}
	if (state == DPH_NUMBER_TOO_LARGE || value >= CODES) {
		token_error(r, "a %s code is 0..65535, not %.*s", keywords[key],
			    r->token.bytes < SHOWN_MAX ? (int)r->token.bytes : SHOWN_MAX,
			    token_text(r));
		return false;
	}
	if (state == DPH_NUMBER_ZEROS)
		dph_template_say(&r->file, DP_WARNING, r->token.at, r->token.bytes,
				 "%s is decimal, not octal; drop the leading zeros", found(r));
	*code = (uint16_t)value;
	return true;
}

static void add_byte(struct dph_format *text, size_t at, char byte)
{
	text->at = dph_grow(text->at, &text->at_capacity, text->chars.count, sizeof *text->at);
	text->at[text->chars.count] = at;
	dph_bytes_add(&text->chars, &byte, 1);
}

static void take_escape(const struct reader *r, size_t at, struct dph_format *text)
{
	static const char escapes[] = "n\nt\t\\\\\"\"";
	for (const char *p = escapes; *p; p += 2)
		if (*p == r->file.text[at + 1]) {
			add_byte(text, at, p[1]);
			return;
		}
	dph_template_error(&r->file, at, 2,
			   "unknown escape in a string; there are '\\n', '\\t', '\\\\' and '\\\"'");
}

/* Add the character at the place to text, or refuse the character. Returns its bytes. */
static size_t take_char(const struct reader *r, size_t at, struct dph_format *text)
{
	const char *c = r->file.text + at;
	uint32_t value;
	const unsigned bytes = dph_utf8(c, &value);
	if (*c == '\\') {
		take_escape(r, at, text);
		return 2;
	}
	if (!bytes) {
		dph_template_error(&r->file, at, 1, "byte 0x%02x in a string is no UTF-8",
				   (unsigned char)*c);
		return 1;
	}
	if (dph_is_control(value))
		dph_template_error(
			&r->file, at, bytes,
			"control character 0x%02x in a string; write '\\n' or '\\t', other ones "
			"are not for a terminal",
			(unsigned)value);
	for (unsigned i = 0; i < bytes && !dph_is_control(value); i++)
		add_byte(text, at + i, c[i]);
	return bytes;
}

/* The characters of a string are added to text. */
static bool take_string(struct reader *r, enum keyword key, struct dph_format *text)
{
	const size_t errors = r->file.messages->errors;
	if (!take_equals(r, key))
		return false;
	const size_t bytes = r->token.bytes;
	if (r->token.kind != DPH_TOKEN_STRING) {
		token_error(r, "'%s' needs a string in double quotes, not %s", keywords[key],
			    found(r));
		return false;
	}
	if (!r->token.closed) {
		token_error(r, "the string is not closed; its '\"' is missing before the end of "
			       "the line");
		return false;
	}
	for (size_t i = 1; i + 1 < bytes && !dph_template_enough(&r->file);)
		i += take_char(r, r->token.at + i, text);
	return r->file.messages->errors == errors;
}

static void format_free(struct dph_format *format)
{
	free(format->chars.data);
	free(format->at);
}

/* --- templates ----------------------------------------------------------------------------- */

/* Before the next template, or the end: the one that is open is complete. */
static void close_template(struct reader *r)
{
	struct dph_template *t = r->open;
	if (!t)
		return;
	r->open = NULL;
	if (!t->desc && !r->complained)
		dph_template_error(&r->file, r->open_at, strlen(keywords[MINOR]),
				   "minor %u has no 'desc ='; describe its records", t->minor);
	if (t->formatted)
		dph_template_compile(&r->file, &r->format, &r->templates->pool, t);
}

/* Each code once; a note names the first one. */
static bool take_new_code(struct reader *r, enum keyword key, uint16_t *code)
{
	const size_t at = r->token.at;
	if (!take_code(r, key, code))
		return false;
	if (!r->codes[*code]) {
		r->codes[*code] = at + 1;
		return true;
	}
	token_error(r, "%s %u is given twice", keywords[key], *code);
	dph_template_say(&r->file, DP_NOTE, r->codes[*code] - 1, strlen(keywords[key]),
			 "the first one is here");
	return false;
}

static void take_minor(struct reader *r)
{
	struct dp_templates *all = r->templates;
	struct dph_template new = {.major = r->major};
	close_template(r);
	r->format.chars.count = 0;
	r->open_at = r->token.at;
	const bool good = take_new_code(r, MINOR, &new.minor);
	r->complained = !good;
	all->list = dph_grow(all->list, &all->capacity, all->count, sizeof *all->list);
	r->open = &all->list[all->count++];
	*r->open = new;
	end_statement(r, good);
}

/* The description is printed at the end of a record's first line. */
static bool one_line(const struct reader *r, const struct dph_format *text)
{
	for (size_t i = 0; i < text->chars.count; i++)
		if (text->chars.data[i] == '\n') {
			dph_template_error(&r->file, text->at[i], 2,
					   "a description is one line, without '\\n'");
			return false;
		}
	return true;
}

static void take_desc(struct reader *r)
{
	struct dph_format text = {0};
	if (r->open->desc)
		token_error(r, "this minor has a 'desc =' already");
	const bool good = take_string(r, DESC, &text) && one_line(r, &text);
	dph_bytes_zero(&text.chars, 1);
	r->open->desc =
		dph_pool_copy(&r->templates->pool, (char *)text.chars.data, text.chars.count - 1);
	format_free(&text);
	end_statement(r, good);
}

static void take_fmt(struct reader *r)
{
	if (!r->open->desc && !r->complained) {
		token_error(r, "'desc =' comes before 'fmt =', and is missing here");
		r->complained = true;
	}
	r->open->formatted = true;
	end_statement(r, take_string(r, FMT, &r->format));
}

static void unknown_keyword(struct reader *r)
{
	struct dph_closest closest = dph_closest(token_text(r), r->token.bytes);
	for (int i = 0; i < KEYWORDS; i++)
		dph_closest_try(&closest, keywords[i]);
	if (r->token.kind == DPH_TOKEN_STRING)
		token_error(r, "each string needs its own 'fmt ='");
	else if (r->token.kind != DPH_TOKEN_WORD)
		token_error(r, "a keyword belongs here (minor, desc, fmt), not %s", found(r));
	else if (closest.best)
		token_error(r, "unknown keyword %s; did you mean '%s'?", found(r), closest.best);
	else
		token_error(r, "unknown keyword %s; there are major, minor, desc, fmt and file",
			    found(r));
}

static void misplaced(struct reader *r, enum keyword key)
{
	if (key == MAJOR)
		token_error(r, "a second 'major ='; all templates of a file have the same");
	else if (key == FILE_NAME)
		token_error(r, "'file' belongs into a directory of files, right behind 'major ='; "
			       "here are templates");
	else
		token_error(r, "'%s' belongs behind a 'minor ='", keywords[key]);
	next(r);
}

static void read_templates(struct reader *r)
{
	while (r->token.kind != DPH_TOKEN_END && !dph_template_enough(&r->file)) {
		const enum keyword key = keyword(r);
		if (key == MINOR)
			take_minor(r);
		else if (key == DESC && r->open)
			take_desc(r);
		else if (key == FMT && r->open)
			take_fmt(r);
		else if (key != KEYWORDS)
			misplaced(r, key);
		else
			unknown_keyword(r);
		if (r->file.messages->errors > r->errors)
			skip_to_keyword(r);
		r->errors = r->file.messages->errors;
	}
	close_template(r);
}

/* --- directories --------------------------------------------------------------------------- */

static void read_text(struct dp_templates *templates, const char *text, size_t bytes,
		      const char *name, const struct entry *entry, struct dp_messages *messages);

static void note_entry(const struct entry *entry)
{
	dph_template_say(entry->directory, DP_NOTE, entry->at, entry->bytes,
			 "the directory names the file here");
}

/* A name is relative to the file that has it; `-` is a name too. */
static char *path_beside(const char *beside, const char *name)
{
	const char *slash = strrchr(beside, '/');
	if (*name == '/')
		return dph_strdup(name);
	if (!slash)
		return dph_print("%s%s", strcmp(name, "-") == 0 ? "./" : "", name);
	return dph_print("%.*s/%s", (int)(slash - beside), beside, name);
}

static void read_named(struct reader *r, const char *name, uint16_t major)
{
	const struct entry entry = {&r->file, r->token.at, r->token.bytes, major};
	char *path = path_beside(r->file.name, name);
	size_t bytes;
	char *text = dph_read_file(path, &bytes, r->file.messages);
	if (text)
		read_text(r->templates, text, bytes, path, &entry, r->file.messages);
	else
		note_entry(&entry);
	free(text);
	free(path);
}

static void take_file(struct reader *r, uint16_t major)
{
	struct dph_format name = {0};
	const bool good = take_string(r, FILE_NAME, &name);
	dph_bytes_zero(&name.chars, 1);
	if (good && name.chars.count == 1)
		token_error(r, "the name of the file is empty");
	else if (good)
		read_named(r, (char *)name.chars.data, major);
	format_free(&name);
	end_statement(r, good);
}

/* Behind the first `major =`, at its `file`. */
static void read_directory(struct reader *r)
{
	uint16_t major = r->major;
	while (!dph_template_enough(&r->file)) {
		if (keyword(r) != FILE_NAME) {
			token_error(r, "'file =' is missing behind 'major ='; here is %s",
				    found(r));
			return;
		}
		take_file(r, major);
		if (r->token.kind == DPH_TOKEN_END)
			return;
		if (keyword(r) != MAJOR) {
			token_error(r, "a directory has 'major =' and 'file =' in turn; here is %s",
				    found(r));
			return;
		}
		const bool good = take_new_code(r, MAJOR, &major);
		end_statement(r, good);
	}
}

/* --- files --------------------------------------------------------------------------------- */

static void read_statements(struct reader *r)
{
	next(r);
	const size_t at = r->token.at;
	if (keyword(r) != MAJOR) {
		token_error(r, "a file of templates begins with 'major ='; here is %s", found(r));
		return;
	}
	const bool good = take_code(r, MAJOR, &r->major);
	const struct token code = r->token;
	end_statement(r, good);
	if (keyword(r) == FILE_NAME && r->entry) {
		token_error(r, "this is a directory too; a directory names files with templates");
		note_entry(r->entry);
	} else if (keyword(r) == FILE_NAME) {
		r->codes[r->major] = at + 1;
		read_directory(r);
	} else {
		if (good && r->entry && r->entry->major != r->major) {
			dph_template_error(&r->file, code.at, code.bytes,
					   "the directory says that this file is for major %u",
					   r->entry->major);
			note_entry(r->entry);
		}
		r->errors = r->file.messages->errors;
		read_templates(r);
	}
}

/* Some editors write this mark first; the mark has no meaning. */
static const char byte_order_mark[] = "\xef\xbb\xbf";

/* text has a NUL behind it. */
static void read_text(struct dp_templates *templates, const char *text, size_t bytes,
		      const char *name, const struct entry *entry, struct dp_messages *messages)
{
	const size_t mark = strncmp(text, byte_order_mark, strlen(byte_order_mark)) == 0
				    ? strlen(byte_order_mark)
				    : 0;
	struct reader r = {
		.file = {.name = name,
			 .text = text + mark,
			 .bytes = bytes - mark,
			 .messages = messages},
		.entry = entry,
		.templates = templates,
		.codes = dph_malloc(CODES * sizeof *r.codes),
	};
	const char *nul = memchr(r.file.text, '\0', r.file.bytes);
	r.file.errors_before = entry ? entry->directory->errors_before : messages->errors;
	find_lines(&r.file);
	if (nul)
		dph_template_error(&r.file, (size_t)(nul - r.file.text), 1,
				   "a NUL byte is here; templates are text");
	else
		read_statements(&r);
	if (!entry && dph_template_enough(&r.file))
		dph_template_say(&r.file, DP_NOTE, r.token.at, r.token.bytes,
				 "reading stops here: there are %d errors", ERRORS_MAX);
	format_free(&r.format);
	free(r.codes);
	free(r.file.lines);
}

static int by_codes(const void *left, const void *right)
{
	const struct dph_template *a = left, *b = right;
	if (a->major != b->major)
		return a->major < b->major ? -1 : 1;
	return (a->minor > b->minor) - (a->minor < b->minor);
}

struct dp_templates *dp_templates_from_text(const char *text, size_t bytes, const char *name,
					    struct dp_messages *messages)
{
	const size_t errors = messages->errors;
	struct dp_templates *templates = dph_malloc(sizeof *templates);
	char *copy = dph_strndup(text, bytes);
	read_text(templates, copy, bytes, name, NULL, messages);
	free(copy);
	if (messages->errors > errors) {
		dp_templates_free(templates);
		return NULL;
	}
	if (templates->count)
		qsort(templates->list, templates->count, sizeof *templates->list, by_codes);
	return templates;
}

struct dp_templates *dp_templates_read(const char *path, struct dp_messages *messages)
{
	struct dp_templates *templates = NULL;
	size_t bytes;
	char *text = dph_read_file(path, &bytes, messages);
	if (text)
		templates = dp_templates_from_text(text, bytes, path, messages);
	free(text);
	return templates;
}

void dp_templates_free(struct dp_templates *templates)
{
	if (!templates)
		return;
	dph_pool_free(&templates->pool);
	free(templates->list);
	free(templates);
}

size_t dp_templates_count(const struct dp_templates *templates)
{
	return templates->count;
}

const struct dph_template *dph_template_of(const struct dp_templates *templates, uint16_t major,
					   uint16_t minor)
{
	const struct dph_template key = {.major = major, .minor = minor};
	if (!templates || !templates->count)
		return NULL;
	return bsearch(&key, templates->list, templates->count, sizeof key, by_codes);
}

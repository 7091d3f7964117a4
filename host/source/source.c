/* SPDX-License-Identifier: BSD-2-Clause */
/* The source reads a preprocessed program and finds the written place of each token. */
#define _GNU_SOURCE
#include "source.h"

#include "base/content.h"
#include "lex.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
	TOKENS_MAX = 256,
	INCLUDES_TOLD = 8 /* of a chain of #include: a file that includes itself has 200 */
};

void dph_source_free(struct dph_source *source)
{
	free(source->lines);
	free(source->files);
	dph_pool_free(&source->pool);
	*source = (struct dph_source){0};
}

size_t dph_mark_bytes(const char *text, size_t bytes)
{
	static const char mark[] = "\xef\xbb\xbf";
	return bytes >= 3 && memcmp(text, mark, 3) == 0 ? 3 : 0;
}

bool dph_is_utf16(const char *text, size_t bytes)
{
	return bytes >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0);
}

static char *read_stream(FILE *file, size_t *bytes)
{
	struct dph_bytes text = {0};
	unsigned char piece[4096];
	size_t n;
	while (text.count <= DPH_CONTENT_MAX && (n = fread(piece, 1, sizeof(piece), file)) > 0)
		dph_bytes_add(&text, piece, n);
	dph_bytes_zero(&text, 1);
	*bytes = text.count - 1;
	const size_t mark = dph_mark_bytes((char *)text.data, *bytes);
	*bytes -= mark;
	memmove(text.data, text.data + mark, *bytes + 1);
	return (char *)text.data;
}

static void cannot_read(struct dp_messages *messages, const char *path, int error)
{
	dph_file_error(messages, path, "cannot read it: %s", dph_content_why(error));
}

char *dph_read_open(FILE *file, const char *path, size_t *bytes, struct dp_messages *messages)
{
	char *text;

	errno = 0;
	text = read_stream(file, bytes);
	if (!ferror(file) && *bytes <= DPH_CONTENT_MAX)
		return text;
	cannot_read(messages, path, ferror(file) ? errno : EFBIG);
	free(text);
	return NULL;
}

char *dph_read_file(const char *path, size_t *bytes, struct dp_messages *messages)
{
	if (strcmp(path, "-") == 0)
		return dph_read_open(stdin, path, bytes, messages);
	struct dph_content *content = dph_content_open(path);
	if (!content) {
		cannot_read(messages, path, errno);
		return NULL;
	}
	const size_t mark = dph_mark_bytes(content->data, content->bytes);
	*bytes = content->bytes - mark;
	char *text = dph_strndup(content->data + mark, *bytes);
	dph_content_close(content);
	return text;
}

/* --- the written line ----------------------------------------------------------------------- */

static struct dph_source_file *source_file(struct dph_source *source, const char *name)
{
	for (size_t i = 0; i < source->file_count; i++)
		if (strcmp(source->files[i].name, name) == 0)
			return &source->files[i];
	return NULL;
}

static void find_lines(struct dph_source *source, struct dph_source_file *file)
{
	const char *end = file->text + file->bytes, *at;
	size_t count = 1;
	for (at = file->text; (at = memchr(at, '\n', (size_t)(end - at))); at++)
		count++;
	file->starts = dph_pool_take(&source->pool, count * sizeof(*file->starts));
	file->line_count = 1;
	for (at = file->text; (at = memchr(at, '\n', (size_t)(end - at))); at++)
		file->starts[file->line_count++] = (size_t)(at + 1 - file->text);
}

char *dph_source_line(struct dph_source *source, const char *name, unsigned number)
{
	struct dph_source_file *file = source_file(source, name);
	if (!file || !file->text || !number)
		return NULL;
	if (!file->starts)
		find_lines(source, file);
	if (number > file->line_count || file->starts[number - 1] >= file->bytes)
		return NULL;
	const char *line = file->text + file->starts[number - 1];
	size_t bytes = file->bytes - file->starts[number - 1];
	const char *stop = memchr(line, '\n', bytes);
	bytes = stop ? (size_t)(stop - line) : bytes;
	if (bytes && line[bytes - 1] == '\r')
		bytes--;
	return dph_pool_copy(&source->pool, line, bytes);
}

/* --- columns ------------------------------------------------------------------------------- */

struct token_list {
	struct dph_token token[TOKENS_MAX];
	size_t count; /* without the END token, which stands at token[count] */
};

static void list_tokens(struct token_list *list, const char *line)
{
	list->count = 0;
	do
		list->token[list->count] = dph_lex(&line);
	while (list->token[list->count].kind != DPH_TOKEN_END && ++list->count < TOKENS_MAX - 1);
	/* The end is where the last token ends, not behind blanks and comment. */
	struct dph_token *end = &list->token[list->count];
	end->kind = DPH_TOKEN_END;
	end->bytes = 0;
	if (list->count)
		end->text = end[-1].text + end[-1].bytes;
}

static bool same_token(const struct dph_token *a, const struct dph_token *b)
{
	return a->bytes == b->bytes && memcmp(a->text, b->text, a->bytes) == 0;
}

/* How a preprocessed line matches the written line: `head` tokens are equal from the left,
 * `tail` from the right; a macro made the tokens between. */
struct alignment {
	struct token_list now, written;
	size_t head, tail;
};

static void align(struct alignment *a, const char *now, const char *written)
{
	list_tokens(&a->now, now);
	list_tokens(&a->written, written);
	size_t most = a->now.count < a->written.count ? a->now.count : a->written.count;
	a->head = a->tail = 0;
	while (a->head < most && same_token(&a->now.token[a->head], &a->written.token[a->head]))
		a->head++;
	while (a->tail < most - a->head &&
	       same_token(&a->now.token[a->now.count - 1 - a->tail],
			  &a->written.token[a->written.count - 1 - a->tail]))
		a->tail++;
}

static size_t token_at(const struct token_list *list, const char *text)
{
	size_t i = 0;
	while (i < list->count && list->token[i].text + list->token[i].bytes <= text)
		i++;
	return i;
}

/* Index of the written token for one of the preprocessed line. */
static size_t written_token(const struct alignment *a, size_t now, bool *macro)
{
	*macro = false;
	if (now < a->head)
		return now;
	if (now + a->tail >= a->now.count)
		return a->written.count - (a->now.count - now);
	*macro = true;
	size_t i = a->head;
	return i < a->written.count ? i : a->written.count;
}

/* Column and width on the written line. */
static bool locate(struct dp_message *where, const struct dph_place *place, const char *written)
{
	struct alignment a;
	bool macro, macro_end;
	align(&a, place->line->text, written);
	const char *start = place->line->text + place->start;
	size_t first = token_at(&a.now, start), last = first;
	if (place->bytes)
		last = token_at(&a.now, start + place->bytes - 1);
	const struct dph_token *from = &a.written.token[written_token(&a, first, &macro)];
	const struct dph_token *to = &a.written.token[written_token(&a, last, &macro_end)];
	if (to->text < from->text)
		to = from;
	where->column = (unsigned)(from->text - written) + 1;
	where->width = (unsigned)(to->text + to->bytes - from->text);
	/* Part of a token only, such as one bad character in it. */
	if (!macro && first == last && place->bytes && first < a.now.count) {
		where->column += (unsigned)(start - a.now.token[first].text);
		where->width = (unsigned)place->bytes;
	}
	if (!where->width)
		where->width = 1;
	return macro || macro_end;
}

void dph_source_message(struct dph_source *source, struct dp_messages *messages,
			enum dp_severity severity, const struct dph_place *place,
			const char *format, va_list args)
{
	struct dp_message where = {.severity = severity, .file = (char *)source->files[0].name};
	if (!place->line || !dph_messages_keep(messages, severity)) {
		dph_message_v(messages, &where, format, args);
		return;
	}
	where.file = (char *)place->line->file;
	where.line = place->line->number;
	where.source = dph_source_line(source, where.file, where.line);
	const char *written = where.source ? where.source : place->line->text;
	bool macro = locate(&where, place, written);
	dph_message_v(messages, &where, format, args);
	struct dp_message note = {.severity = DP_NOTE, .file = where.file, .line = where.line};
	if (macro)
		dph_message(messages, &note, "with its macros replaced the line is: %s",
			    place->line->text + strspn(place->line->text, " \t"));
	if (severity != DP_NOTE)
		dph_source_included(source, messages, &note, place->line->from);
}

void dph_source_included(struct dph_source *source, struct dp_messages *messages,
			 const struct dp_message *where, const struct dph_include *from)
{
	struct dp_message note = {.severity = DP_NOTE, .file = where->file, .line = where->line};
	const char *chain = "";
	unsigned count = 0;
	if (!from || from == source->told)
		return;
	source->told = from;
	for (; from && count < INCLUDES_TOLD; from = from->outer, count++)
		chain = dph_pool_print(&source->pool, "%s%sfrom %s:%u", chain, *chain ? ", " : "",
				       from->file, from->line);
	for (count = 0; from; from = from->outer)
		count++;
	if (count > 0)
		chain = dph_pool_print(&source->pool, "%s, and %u more", chain, count);
	dph_message(messages, &note, "this file is included %s", chain);
}

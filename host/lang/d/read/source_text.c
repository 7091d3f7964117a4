/* SPDX-License-Identifier: BSD-2-Clause */
/* The text of an argument as the program has it. */
#define _GNU_SOURCE
#include "tree.h"

#include <ctype.h>
#include <string.h>

/* The columns of one line that the parts of an expression take. */
struct span {
	const struct dph_line *line;
	size_t start, end;
};

static void widen(struct span *span, const struct d_node *node)
{
	if (!node)
		return;
	const struct dph_place *place = &node->place;
	if (place->line == span->line) {
		span->start = place->start < span->start ? place->start : span->start;
		span->end = place->start + place->bytes > span->end ? place->start + place->bytes
								    : span->end;
	}
	if (node->deferred) /* its parts stand elsewhere */
		return;
	widen(span, node->a);
	widen(span, node->b);
	widen(span, node->c);
	for (const struct d_node *part = node->list; part; part = part->next)
		widen(span, part);
}

/* Do commas and brackets that the expression has not opened end it here? */
static bool is_end(char c, unsigned depth)
{
	return depth == 0 && (c == ',' || c == ';' || c == '{' || c == '}');
}

static size_t start_of(const char *text, size_t at)
{
	unsigned depth = 0;
	for (; at > 0 && !is_end(text[at - 1], depth); at--) {
		if (text[at - 1] == ')' || text[at - 1] == ']')
			depth++;
		else if ((text[at - 1] == '(' || text[at - 1] == '[') && depth-- == 0)
			break;
	}
	return at;
}

static size_t end_of(const char *text, size_t at)
{
	unsigned depth = 0;
	for (; text[at] && !is_end(text[at], depth); at++) {
		if (text[at] == '(' || text[at] == '[')
			depth++;
		else if ((text[at] == ')' || text[at] == ']') && depth-- == 0)
			break;
	}
	return at;
}

const char *dph_d_source_text(struct d_front *d, const struct d_node *node)
{
	if (!node->place.line)
		return "";
	struct span span = {node->place.line, node->place.start, node->place.start};
	widen(&span, node);
	const char *text = span.line->text;
	if (span.end > strlen(text))
		return "";
	size_t start = start_of(text, span.start), end = end_of(text, start);
	if (end < span.end)
		end = end_of(text, span.end);
	while (start < end && isspace((unsigned char)text[start]))
		start++;
	while (end > start && isspace((unsigned char)text[end - 1]))
		end--;
	return dph_pool_copy(d->pool, text + start, end - start);
}

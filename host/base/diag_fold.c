/* SPDX-License-Identifier: BSD-2-Clause */
/* Two warnings are alike when they differ only in quoted words, names of the firmware (`name) and
 * numbers. Two errors are alike when their sentences are equal: each other name is one more thing
 * to correct. */
#include "diag_fold.h"

#include <ctype.h>
#include <string.h>

/* Return what follows the quoted word, the name or the number that begins here; null: none begins
 * here. In "firmware's" no quoted word begins. */
static const char *behind_detail(const char *text, const char *at)
{
	const bool inside = at > text && isalnum((unsigned char)at[-1]);
	if (*at == '\'' && !inside) {
		const char *end = strchr(at + 1, '\'');
		return end ? end + 1 : NULL;
	}
	if (*at == '`')
		return at + strcspn(at, " ,;)");
	if (!isdigit((unsigned char)*at))
		return NULL;
	while (isalnum((unsigned char)*at))
		at++;
	return at;
}

static bool alike(const struct dp_message *a, const struct dp_message *b)
{
	const char *x = a->text, *y = b->text;
	if (a->severity != b->severity || a->severity == DP_NOTE)
		return false;
	if (a->severity == DP_ERROR)
		return a->file && strcmp(x, y) == 0;
	while (*x && *y) {
		const char *const next_x = behind_detail(a->text, x);
		const char *const next_y = behind_detail(b->text, y);
		if (next_x && next_y) {
			x = next_x;
			y = next_y;
		} else if (*x++ != *y++) {
			return false;
		}
	}
	return *x == *y;
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* Are they one warning that two readers of the program have found? */
static bool same(const struct dp_message *a, const struct dp_message *b)
{
	return a->severity == DP_WARNING && b->severity == DP_WARNING && a->line == b->line &&
	       a->column == b->column && same_text(a->file, b->file) && same_text(a->text, b->text);
}

/* Of messages from the index on, count those that are alike, without repetitions. */
static size_t count_alike(const struct dp_messages *messages, size_t index)
{
	const struct dp_message *list = messages->list;
	size_t count = 0;
	for (size_t i = index; i < messages->count; i++) {
		bool again = false;
		for (size_t k = index; k < i && !again; k++)
			again = same(&list[k], &list[i]);
		count += !again && alike(&list[index], &list[i]);
	}
	return count;
}

static size_t first_alike(const struct dp_messages *messages, size_t index)
{
	size_t first = 0; /* the message is alike itself, unless it has no place */
	while (first < index && !alike(&messages->list[first], &messages->list[index]))
		first++;
	return first;
}

static bool is_repeated(const struct dp_messages *messages, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (same(&messages->list[i], &messages->list[index]))
			return true;
	return false;
}

bool dph_message_shown(const struct dp_messages *messages, size_t index, size_t *more)
{
	*more = 0;
	if (is_repeated(messages, index))
		return false;
	if (messages->list[index].severity == DP_NOTE)
		return true;
	const size_t first = first_alike(messages, index), count = count_alike(messages, first);
	*more = first == index && count > DPH_ALIKE_SHOWN ? count - 1 : 0;
	return first == index || count <= DPH_ALIKE_SHOWN;
}

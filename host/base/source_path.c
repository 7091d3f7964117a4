/* SPDX-License-Identifier: BSD-2-Clause */
/* This file compares paths of source files component by component, from the end. */
#include "source_path.h"

#include "pool.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_separator(char c)
{
	return c == '/' || c == '\\';
}

/* Does a drive's name begin here: "C:\"? All before it is not of the path. */
static bool is_drive(const char *at)
{
	return isalpha((unsigned char)at[0]) && at[1] == ':' && is_separator(at[2]);
}

static const char *without_folder(const char *path)
{
	const char *start = path;
	for (const char *at = path; *at; at++)
		if ((at == path || is_separator(at[-1])) && is_drive(at))
			start = at;
	while (start[0] == '.' && is_separator(start[1]))
		start += 2;
	return start;
}

/* Components of a path, the last one first. */
struct walk {
	const char *start, *at; /* at: behind the component that comes next */
	unsigned up;            /* components that ".." behind them takes away */
};

static struct walk walk_of(const char *path)
{
	return (struct walk){.start = path, .at = path + strlen(path)};
}

static size_t step_back(struct walk *walk)
{
	while (walk->at > walk->start && is_separator(walk->at[-1]))
		walk->at--;
	const char *end = walk->at;
	while (walk->at > walk->start && !is_separator(walk->at[-1]))
		walk->at--;
	return (size_t)(end - walk->at);
}

/* Step to the component before. Returns false at the start of the path. "." is none, and ".." is
 * none where a component is before it. */
static bool step(struct walk *walk, const char **component, size_t *bytes)
{
	for (;;) {
		*bytes = step_back(walk);
		*component = walk->at;
		if (!*bytes && walk->up) {
			walk->up--;
			*component = "..";
			*bytes = 2;
			return true;
		}
		if (*bytes == 1 && **component == '.')
			continue;
		if (*bytes == 2 && memcmp(*component, "..", 2) == 0)
			walk->up++;
		else if (*bytes && walk->up)
			walk->up--;
		else
			return *bytes != 0;
	}
}

/* A component that is typed may have '?' for any character. */
static bool is_alike(const char *component, const char *typed, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		if (component[i] != typed[i] && typed[i] != '?')
			return false;
	return true;
}

/* Step both while their components are the same. Returns whether the second is at its start. */
static bool step_alike(struct walk *path, struct walk *tail)
{
	const char *a, *b;
	size_t a_bytes, b_bytes;
	for (;;) {
		const struct walk before = *path;
		if (!step(tail, &b, &b_bytes))
			return true;
		if (!step(path, &a, &a_bytes) || a_bytes != b_bytes || !is_alike(a, b, b_bytes)) {
			*path = before;
			return false;
		}
	}
}

bool dph_path_same(const char *path, const char *other)
{
	const char *component;
	size_t bytes;
	struct walk of_path = walk_of(without_folder(path)),
		    of_other = walk_of(without_folder(other));
	return step_alike(&of_path, &of_other) && !step(&of_path, &component, &bytes);
}

bool dph_path_ends(const char *path, const char *tail)
{
	const bool whole = is_separator(tail[0]) || (tail[0] == '.' && is_separator(tail[1]));
	const char *component;
	size_t bytes;
	struct walk of_path = walk_of(without_folder(path)),
		    of_tail = walk_of(without_folder(tail));
	if (of_tail.at == of_tail.start || !step_alike(&of_path, &of_tail))
		return false;
	return !whole || !step(&of_path, &component, &bytes);
}

bool dph_in_path(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("_.+-/\\", c));
}

size_t dph_drive_bytes(const char *text)
{
	return is_drive(text) ? 2 : 0;
}

const char *dph_path_base(const char *path)
{
	const char *base = path;
	for (const char *at = path; *at; at++)
		if (is_separator(*at))
			base = at + 1;
	return base;
}

char *dph_path_apart(const char *path, const char *other)
{
	const char *start = without_folder(path), *component = start;
	size_t bytes;
	struct walk of_path = walk_of(start), of_other = walk_of(without_folder(other));
	step_alike(&of_path, &of_other);
	const bool more = step(&of_path, &component, &bytes) && of_path.at == component;
	char *text = more ? dph_strdup(component) : dph_print("./%s", start);
	for (char *at = text; *at; at++)
		if (*at == '\\')
			*at = '/';
	return text;
}

char *dph_path_alone(const char *path, const char *const *others, size_t count)
{
	const char *base = dph_path_base(path);
	char *longest = dph_strdup(base);
	for (size_t i = 0; i < count; i++) {
		if (strcmp(dph_path_base(others[i]), base) != 0 || dph_path_same(path, others[i]))
			continue;
		char *apart = dph_path_apart(path, others[i]);
		const bool longer = strlen(apart) > strlen(longest);
		free(longer ? longest : apart);
		longest = longer ? apart : longest;
	}
	return longest;
}

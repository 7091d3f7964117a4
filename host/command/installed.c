/* SPDX-License-Identifier: BSD-2-Clause */
/* The names of the installed programs, for commands that take one of them. */
#define _GNU_SOURCE
#include "installed.h"

#include "base/plain.h"
#include "base/pool.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* --- names --- */

struct names {
	char **list;
	size_t count, capacity;
};

/* Programs of one name differ in their id. */
static bool keep_name(void *context, const struct dp_program_answer *program)
{
	struct names *names = context;

	for (size_t i = 0; i < names->count; i++)
		if (strcmp(names->list[i], program->name) == 0)
			return true;
	names->list = dph_grow(names->list, &names->capacity, names->count, sizeof *names->list);
	names->list[names->count++] = dph_strdup(program->name);
	return true;
}

static void free_names(struct names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->list[i]);
	free(names->list);
}

/* "installed: demo, trace", which the caller frees; null: the request failed. */
static char *sentence(struct dp_session *session)
{
	struct names names = {0};
	const struct dp_walk walk = {.context = &names, .program = keep_name};
	struct dph_bytes text = {0};
	const char *before = "installed: ", *none = "no program is installed at all";

	if (!dp_session_walk(session, &walk)) {
		free_names(&names);
		return NULL;
	}
	for (size_t i = 0; i < names.count; i++) {
		dph_bytes_add(&text, before, strlen(before));
		dph_bytes_add(&text, names.list[i], strlen(names.list[i]));
		before = ", ";
	}
	if (names.count == 0)
		dph_bytes_add(&text, none, strlen(none));
	dph_bytes_zero(&text, 1);
	free_names(&names);
	return (char *)text.data;
}

/* --- messages --- */

int dph_installed_missing(const struct dph_cli *cli, struct dp_session *session, const char *format,
			  ...)
{
	char *names = sentence(session), *text;
	va_list args;

	if (names == NULL)
		return dph_target_failed(cli, session);
	va_start(args, format);
	text = dph_vprint(format, args);
	va_end(args);
	dph_cli_error(cli, "%s; %s", text, names);
	free(text);
	free(names);
	return DPH_EXIT_AGENT;
}

void dph_installed_tell(const struct dph_cli *cli)
{
	struct dp_failure failure;
	int status;
	struct dp_session *session =
		cli->port != NULL && !cli->quiet
			? dph_target_try(cli, DP_RIGHT_LOOK, NULL, &status, &failure)
			: NULL;
	char *names = session != NULL ? sentence(session) : NULL;

	if (names != NULL) {
		fputs("dprobes: ", stderr);
		dph_plain_print(names, stderr);
		putc('\n', stderr);
	}
	free(names);
	dp_session_close(session);
}

/* --- search --- */

struct search {
	const char *name;
	struct dp_program_answer *answer;
	bool found;
};

static bool compare_name(void *context, const struct dp_program_answer *program)
{
	struct search *search = context;

	if (strcmp(program->name, search->name) != 0)
		return true;
	*search->answer = *program;
	search->found = true;
	return false;
}

int dph_installed_named(const struct dph_cli *cli, struct dp_session *session, const char *name,
			struct dp_program_answer *program)
{
	struct search search = {.name = name, .answer = program};
	const struct dp_walk walk = {.context = &search, .program = compare_name};

	if (!dp_session_walk(session, &walk))
		return dph_target_failed(cli, session);
	if (search.found)
		return DPH_EXIT_DONE;
	return dph_installed_missing(
		cli, session, "'%s' is no file, and no installed program has this name", name);
}

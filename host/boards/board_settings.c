/* SPDX-License-Identifier: BSD-2-Clause */
/* The settings of a board: first those of the board, then those of all boards; first from the
 * project's file, then from the user's file. */
#define _GNU_SOURCE
#include <dprobes/boards.h>

#include "base/diag.h"
#include "base/pool.h"
#include "conf_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_NAME "dprobes.conf"

enum {
	PROJECT,
	USER,
	FILES
};

/* --- where the files are --- */

/* The file in this folder or the nearest above it; null: none. */
static char *project_file(const char *folder)
{
	char *here = realpath(folder, NULL);

	while (here != NULL) {
		char *path = dph_print("%s/" FILE_NAME, strcmp(here, "/") == 0 ? "" : here);
		char *slash = strrchr(here, '/');

		if (access(path, F_OK) == 0) {
			free(here);
			return path;
		}
		free(path);
		if (slash == NULL || strcmp(here, "/") == 0)
			break;
		slash[slash == here] = '\0';
	}
	free(here);
	return NULL;
}

/* null: there is none, or it lies in a folder that this user may not search (HOME of another user,
 * kept by setpriv or sudo). */
static char *user_file(void)
{
	const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	char *path = NULL;

	if (xdg != NULL && xdg[0] == '/')
		path = dph_print("%s/dprobes/" FILE_NAME, xdg);
	else if (home != NULL && home[0] == '/')
		path = dph_print("%s/.config/dprobes/" FILE_NAME, home);
	if (path != NULL && access(path, F_OK) != 0) {
		free(path);
		path = NULL;
	}
	return path;
}

/* --- settings --- */

static char **member(struct dp_board_settings *settings, enum dph_conf_key key)
{
	switch (key) {
#define BOARD_KEY(field, option, help)                                                             \
	case DPH_CONF_##field:                                                                     \
		return &settings->field;
#include "board_keys.def"
	case DPH_CONF_KEYS:
		break;
	}
	return NULL;
}

/* The `~/` of unix:~/line and pty:~/line; null: there is none. */
static const char *path_of_port(const char *port)
{
	static const char *const kinds[] = {"unix:~/", "pty:~/"};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (strncmp(port, kinds[i], strlen(kinds[i])) == 0)
			return port + strlen(kinds[i]) - 2;
	return NULL;
}

/* A path of the file is relative to the file's folder; `~/` is the folder of the user. */
static char *resolved(const struct dph_conf_file *file, enum dph_conf_key key, const char *value)
{
	const char *slash = file->path != NULL ? strrchr(file->path, '/') : NULL;
	const char *tilde = path_of_port(value);
	const char *home = strncmp(value, "~/", 2) == 0 ? getenv("HOME") : NULL;

	if (home != NULL)
		return dph_print("%s%s", home, value + 1);
	if (key == DPH_CONF_port && tilde != NULL && getenv("HOME") != NULL)
		return dph_print("%.*s%s%s", (int)(tilde - value), value, getenv("HOME"),
				 tilde + 1);
	if ((key != DPH_CONF_elf && key != DPH_CONF_key) || value[0] == '/' || slash == NULL)
		return dph_strdup(value);
	return dph_print("%.*s%s", (int)(slash + 1 - file->path), file->path, value);
}

/* Another user's file may name the place of a board, but may not run a command. */
static bool may_open(const struct dph_conf_file *file, const char *port)
{
	return strncmp(port, "exec:", 5) != 0 || file->owner == geteuid() || file->owner == 0;
}

/* Take the settings that no earlier file has set. A port that is refused sets the sentence; no
 * later file gives another port. */
static void take(struct dp_board_settings *settings, const struct dph_conf_file *file,
		 const struct dph_conf_section *section)
{
	for (int i = 0; i < DPH_CONF_KEYS; i++) {
		const enum dph_conf_key key = (enum dph_conf_key)i;
		const char *value = section->values[i];
		char **to = member(settings, key);

		if (*to != NULL || value == NULL ||
		    (key == DPH_CONF_port && settings->port_refused != NULL))
			continue;
		if (key == DPH_CONF_port && !may_open(file, value))
			settings->port_refused = dph_print(
				"%s: the file belongs to another user, and its port is a command: "
				"'%s'; give --port if the command may run",
				file->path, value);
		else
			*to = resolved(file, key, value);
	}
}

static bool has_name(const struct dp_board_settings *settings, const char *name)
{
	for (size_t i = 0; i < settings->name_count; i++)
		if (strcmp(settings->names[i], name) == 0)
			return true;
	return false;
}

static void take_names(struct dp_board_settings *settings, const struct dph_conf_file *files)
{
	size_t capacity = 0;

	for (int f = 0; f < FILES; f++)
		for (size_t i = 1; i < files[f].count; i++) {
			const char *name = files[f].sections[i].name;

			if (has_name(settings, name))
				continue;
			settings->names = dph_grow(settings->names, &capacity, settings->name_count,
						   sizeof *settings->names);
			settings->names[settings->name_count++] = dph_strdup(name);
		}
}

static void no_board(const struct dp_board_settings *settings, const struct dph_conf_file *files,
		     const char *name, struct dp_messages *messages)
{
	const struct dp_message nowhere = {.severity = DP_ERROR};
	struct dph_pool pool = {0};
	const char *list = "";

	for (size_t i = 0; i < settings->name_count; i++)
		list = dph_pool_print(&pool, "%s%s%s", list, i > 0 ? ", " : "", settings->names[i]);
	if (settings->name_count > 0)
		dph_message(messages, &nowhere, "there is no board '%s'; there %s: %s", name,
			    settings->name_count == 1 ? "is 1 board" : "are the boards", list);
	else if (files[PROJECT].path == NULL && files[USER].path == NULL)
		dph_message(messages, &nowhere,
			    "there is no board '%s': no " FILE_NAME " is in this folder, above it, "
			    "or in ~/.config/dprobes",
			    name);
	else if (files[PROJECT].path == NULL)
		dph_message(messages, &nowhere,
			    "there is no board '%s': no " FILE_NAME " is in this folder or above "
			    "it, and %s names no board",
			    name, files[USER].path);
	else
		dph_message(messages, &nowhere, "there is no board '%s': %s names no board", name,
			    files[PROJECT].path);
	dph_pool_free(&pool);
}

static bool look_up(struct dp_board_settings *settings, const struct dph_conf_file *files,
		    const char *name, struct dp_messages *messages)
{
	const struct dph_conf_section *board = NULL;
	int f;

	for (f = 0; f < FILES && name == NULL; f++)
		name = files[f].board;
	for (f = 0; f < FILES && name != NULL && board == NULL; f++) {
		board = dph_conf_board(&files[f], name);
		if (board != NULL) {
			settings->name = dph_strdup(name);
			take(settings, &files[f], board);
		}
	}
	if (name != NULL && board == NULL) {
		no_board(settings, files, name, messages);
		return false;
	}
	for (f = 0; f < FILES; f++)
		if (files[f].count > 0)
			take(settings, &files[f], &files[f].sections[0]);
	return true;
}

struct dp_board_settings *dp_board_settings_read(const char *folder, const char *name,
						 struct dp_messages *messages)
{
	char *paths[FILES] = {project_file(folder != NULL ? folder : "."), user_file()};
	struct dp_board_settings *settings = dph_malloc(sizeof *settings);
	struct dph_conf_file files[FILES] = {{0}};
	bool good = true;

	*settings = (struct dp_board_settings){0};
	for (int f = 0; f < FILES; f++) {
		/* The user's file may be the project's: below the folder of settings. */
		const bool same = f == USER && paths[PROJECT] != NULL && paths[USER] != NULL &&
				  strcmp(paths[PROJECT], paths[USER]) == 0;

		if (paths[f] != NULL && !same)
			good = dph_conf_read(&files[f], paths[f], messages) && good;
	}
	take_names(settings, files);
	good = good && look_up(settings, files, name, messages);
	for (int f = 0; f < FILES; f++) {
		dph_conf_free(&files[f]);
		free(paths[f]);
	}
	if (good)
		return settings;
	dp_board_settings_free(settings);
	return NULL;
}

void dp_board_settings_free(struct dp_board_settings *settings)
{
	if (settings == NULL)
		return;
	for (int i = 0; i < DPH_CONF_KEYS; i++)
		free(*member(settings, (enum dph_conf_key)i));
	for (size_t i = 0; i < settings->name_count; i++)
		free(settings->names[i]);
	free(settings->names);
	free(settings->name);
	free(settings->port_refused);
	free(settings);
}

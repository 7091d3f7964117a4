/* SPDX-License-Identifier: BSD-2-Clause */
/* This file searches the folders of provider files and reads the files. */
#define _GNU_SOURCE
#include "provider_files.h"

#include "lang/d/parse/parse.h"
#include "source/cpp.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	FOLDERS_UP = 4, /* from the command or library to the prefix: lib/x86_64-linux-gnu */
	FILES_MAX = 100 /* of a folder */
};

/* The folders of the search, in its order; a folder counts once. */
struct search {
	struct d_front *d;
	struct stat *seen;
	size_t count, capacity;
};

/* --- a file ---------------------------------------------------------------------------------- */

static const char *keep(struct dph_pool *pool, const char *text)
{
	return dph_pool_copy(pool, text, strlen(text));
}

/* The lines live as long as the program's: messages and code have places in them. */
static struct dph_source *keep_lines(struct d_front *d, const struct dph_source *read)
{
	struct dph_source *source = dph_pool_take(d->pool, sizeof(*source));
	source->count = read->count;
	source->lines = dph_pool_take(d->pool, (read->count + 1) * sizeof(*source->lines));
	for (size_t i = 0; i < read->count; i++)
		source->lines[i] = (struct dph_line){.text = keep(d->pool, read->lines[i].text),
						     .file = keep(d->pool, read->lines[i].file),
						     .number = read->lines[i].number};
	return source;
}

static void parse(struct d_front *d, const struct dph_source *source)
{
	const struct dph_source *program = d->source;
	const size_t directive_line = d->directive_line;
	d->source = source;
	d->directive_line = 0;
	dph_d_parse_provider_file(d);
	d->source = program;
	d->directive_line = directive_line;
}

/* A folder, a pipe or a dead link is passed by. */
static void read_file(struct d_front *d, const char *path)
{
	static const struct dph_cpp_options options = {0};
	struct dph_source read = {0};
	struct stat about;
	size_t bytes;
	if (stat(path, &about) != 0 || !S_ISREG(about.st_mode))
		return;
	char *text = dph_read_file(path, &bytes, d->report.messages);
	if (!text)
		return;
	if (dph_source_prepare(&read, text, bytes, path, &options, d->report.messages)) {
		dph_know_file(d->report.source, keep(d->pool, path));
		parse(d, keep_lines(d, &read));
	}
	dph_source_free(&read);
	free(text);
}

/* --- a folder -------------------------------------------------------------------------------- */

static int is_provider_file(const struct dirent *entry)
{
	return fnmatch("*.provider.d", entry->d_name, FNM_PERIOD) == 0;
}

static bool is_seen(struct search *s, const struct stat *folder)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->seen[i].st_dev == folder->st_dev && s->seen[i].st_ino == folder->st_ino)
			return true;
	s->seen = dph_grow(s->seen, &s->capacity, s->count, sizeof(*s->seen));
	s->seen[s->count++] = *folder;
	return false;
}

/* Read the files of the folder in the order of their names. Returns false: it is no folder. */
static bool read_folder(struct search *s, const char *folder)
{
	struct d_front *d = s->d;
	struct dirent **list = NULL;
	struct stat about;
	if (stat(folder, &about) != 0)
		return false;
	if (!S_ISDIR(about.st_mode)) {
		errno = ENOTDIR;
		return false;
	}
	if (is_seen(s, &about))
		return true;
	const int count = scandir(folder, &list, is_provider_file, alphasort);
	if (count < 0)
		return false;
	for (int i = 0; i < count; i++) {
		if (i < FILES_MAX)
			read_file(d, strcmp(folder, ".") == 0
					     ? keep(d->pool, list[i]->d_name)
					     : dph_pool_print(d->pool, "%s/%s", folder,
							      list[i]->d_name));
		free(list[i]);
	}
	free(list);
	if (count > FILES_MAX)
		dph_file_error(d->report.messages, folder,
			       "this folder has %d provider files; %d are read", count, FILES_MAX);
	return true;
}

/* The folder in which the file is. */
static const char *folder_of(struct d_front *d, const char *path)
{
	const char *slash = strrchr(path, '/');
	if (!slash)
		return ".";
	return dph_pool_copy(d->pool, path, slash == path ? 1 : (size_t)(slash - path));
}

/* --- the search ------------------------------------------------------------------------------ */

/* The file of the command, or of the library that another program uses. Null: not known. */
static const char *own_file(struct d_front *d, char *room, size_t bytes)
{
	Dl_info about;
	const ssize_t got = readlink("/proc/self/exe", room, bytes - 1);
	if (dladdr((void *)&dph_d_read_provided, &about) && about.dli_fname &&
	    strstr(about.dli_fname, ".so"))
		return keep(d->pool, about.dli_fname);
	if (got <= 0)
		return NULL;
	room[got] = 0;
	return room;
}

/* PREFIX/share/dprobes/d, where a folder above the command is PREFIX. */
static void read_installed(struct search *s)
{
	char room[4096];
	const char *path = own_file(s->d, room, sizeof(room));
	for (unsigned i = 0; path && i < FOLDERS_UP && strcmp(path, "/") != 0; i++) {
		path = folder_of(s->d, path);
		if (read_folder(s, dph_pool_print(s->d->pool, "%s/share/dprobes/d", path)))
			break;
	}
}

void dph_d_read_provided(struct d_front *d)
{
	struct search search = {.d = d};
	const char *program = d->source->files[0].name;
	if (*program != '<' && strcmp(program, "-") != 0)
		read_folder(&search, folder_of(d, program));
	if (d->image) {
		struct dp_image_info info;
		dp_image_info(d->image, &info);
		if (info.path)
			read_folder(&search, folder_of(d, info.path));
	}
	for (const struct d_folder *lib = d->libs; lib; lib = lib->next)
		if (!read_folder(&search, lib->path))
			dph_file_error(d->report.messages, lib->path,
				       "cannot search the folder for provider files: %s",
				       strerror(errno));
	read_installed(&search);
	free(search.seen);
}

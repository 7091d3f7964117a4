/* SPDX-License-Identifier: BSD-2-Clause */
/* A kept file has the CRC and the bytes of the object's travelling part in its name. Counts are
 * those of one line to a target, whose CRC the name has too. */
#define _GNU_SOURCE
#include "kept.h"

#include "base/pool.h"
#include "dp_crc.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
	KEPT_S = 30 * 24 * 3600 /* a file that nobody wrote for so long is removed */
};

#define OBJECT_TAIL ".ppdf"
#define TAKEN_TAIL  ".taken"

/* The folder, from the heap; null: the user has none. */
static char *folder(void)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

	if (cache != NULL && cache[0] == '/')
		return dph_print("%s/dprobes", cache);
	return home != NULL && home[0] == '/' ? dph_print("%s/.cache/dprobes", home) : NULL;
}

static void make_folder(const char *path)
{
	char *above = dph_strdup(path);

	*strrchr(above, '/') = '\0';
	mkdir(above, 0700);
	mkdir(path, 0700);
	free(above);
}

static bool is_kept(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot != NULL && (strcmp(dot, OBJECT_TAIL) == 0 || strcmp(dot, TAKEN_TAIL) == 0);
}

static void remove_old(const char *path)
{
	DIR *dir = opendir(path);

	for (const struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;) {
		char *file = dph_print("%s/%s", path, entry->d_name);
		struct stat info;

		if (is_kept(entry->d_name) && stat(file, &info) == 0 &&
		    time(NULL) - info.st_mtime > KEPT_S)
			unlink(file);
		free(file);
	}
	if (dir != NULL)
		closedir(dir);
}

/* The name of a file, from the heap; null: the user has no folder. */
static char *object_file(uint32_t bytes, uint32_t crc)
{
	char *path = folder(), *name;

	if (path == NULL)
		return NULL;
	name = dph_print("%s/%08" PRIx32 "-%" PRIu32 OBJECT_TAIL, path, crc, bytes);
	free(path);
	return name;
}

static uint32_t crc_of(const struct dp_object_file *object)
{
	return dp_crc32(0, object->data, object->travelling);
}

static char *taken_file(const struct dph_cli *cli, const struct dp_object_file *object)
{
	const char *port = cli->port != NULL ? cli->port : "";
	char *path = folder(), *name;

	if (path == NULL)
		return NULL;
	name = dph_print("%s/%08" PRIx32 "-%" PRIu32 "-%08" PRIx32 TAKEN_TAIL, path, crc_of(object),
			 object->travelling, dp_crc32(0, (const uint8_t *)port, strlen(port)));
	free(path);
	return name;
}

/* A new file, which has the name when finish() puts it there: a reader sees a whole file. */
static FILE *begin(const char *name, char **made)
{
	*made = dph_print("%s.%ld", name, (long)getpid());
	return fopen(*made, "wbe");
}

static void finish(FILE *file, const char *name, char *made)
{
	const bool good = file != NULL && !ferror(file);

	if (file != NULL && (fclose(file) != 0 || !good || rename(made, name) != 0))
		unlink(made);
	free(made);
}

void dph_kept_object(const struct dph_cli *cli, const struct dp_object_file *object, bool always)
{
	struct dp_formats *formats = dp_formats_open(object, NULL);
	char *path = folder(), *name = NULL, *made;
	FILE *file;

	if (formats != NULL || always)
		name = object_file((uint32_t)object->travelling, crc_of(object));
	if (name != NULL) {
		make_folder(path);
		remove_old(path);
		file = begin(name, &made);
		if (file != NULL)
			fwrite(object->data, 1, object->bytes, file);
		finish(file, name, made);
		dph_kept_forget(cli, object);
	}
	dp_formats_close(formats);
	free(name);
	free(path);
}

struct dp_object_file *dph_kept_find(const struct dp_program_answer *program)
{
	struct dp_messages unsaid = {0};
	char *name = object_file(program->bytes, program->crc);
	struct dp_object_file *object =
		name != NULL && access(name, R_OK) == 0 ? dp_object_load(name, &unsaid) : NULL;

	if (object != NULL &&
	    (object->travelling != program->bytes || crc_of(object) != program->crc)) {
		dp_object_free(object); /* the file is damaged */
		object = NULL;
	}
	dp_messages_free(&unsaid);
	free(name);
	return object;
}

struct dp_object_file *dph_kept_with_crc(uint32_t crc)
{
	struct dp_program_answer program = {.crc = crc};
	struct dp_object_file *object = NULL;
	char *path = folder(), start[16], tail[16];
	DIR *dir = path != NULL ? opendir(path) : NULL;

	snprintf(start, sizeof start, "%08" PRIx32 "-", crc);
	for (const struct dirent *entry;
	     object == NULL && dir != NULL && (entry = readdir(dir)) != NULL;)
		if (strncmp(entry->d_name, start, strlen(start)) == 0 &&
		    sscanf(entry->d_name + strlen(start), "%" SCNu32 "%15s", &program.bytes,
			   tail) == 2 &&
		    strcmp(tail, OBJECT_TAIL) == 0)
			object = dph_kept_find(&program);
	if (dir != NULL)
		closedir(dir);
	free(path);
	return object;
}

void dph_kept_taken(const struct dph_cli *cli, const struct dp_object_file *object, unsigned boot,
		    const struct dp_formats *formats)
{
	char *name = taken_file(cli, object), *made;
	FILE *file;

	if (name == NULL)
		return;
	file = begin(name, &made);
	if (file != NULL) {
		fwrite(&boot, sizeof boot, 1, file);
		dp_formats_save(formats, file);
	}
	finish(file, name, made);
	free(name);
}

void dph_kept_restore(const struct dph_cli *cli, const struct dp_object_file *object, unsigned boot,
		      struct dp_formats *formats)
{
	char *name = taken_file(cli, object);
	FILE *file = name != NULL ? fopen(name, "rbe") : NULL;
	unsigned its;

	if (file != NULL && fread(&its, sizeof its, 1, file) == 1 && its == boot)
		dp_formats_restore(formats, file);
	if (file != NULL)
		fclose(file);
	free(name);
}

void dph_kept_forget(const struct dph_cli *cli, const struct dp_object_file *object)
{
	char *name = taken_file(cli, object);

	if (name != NULL)
		unlink(name);
	free(name);
}

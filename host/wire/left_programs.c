/* SPDX-License-Identifier: BSD-2-Clause */
/* The file of a list is text: the owner, the boot number, then index, bytes and CRC of a program a
 * line. A new file takes the place of the old one at once. */
#define _GNU_SOURCE
#include "left_programs.h"

#include "service_link.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
	TAIL_BYTES = 5,
	LINE_BYTES = 128,
	CRC_DIGITS = 8,
};

/* The socket's path with another tail of equal length. Returns false when no service can own the
 * line, or when other users can change the folder. */
static bool file_of(const char *url, const char *tail, char *path)
{
	char folder[DPH_SERVICE_PATH_BYTES];
	size_t bytes;

	if (!dph_service_path(url, path, DPH_SERVICE_PATH_BYTES) ||
	    !dph_service_folder(folder, sizeof folder) || !dph_service_is_private(folder))
		return false;
	bytes = strlen(path);
	memcpy(path + bytes - TAIL_BYTES, tail, TAIL_BYTES);
	return true;
}

static bool write_all(FILE *file, const struct dph_left_programs *left)
{
	bool good = fprintf(file, "%s\nboot %u\n", left->owner, left->boot) > 0;

	for (unsigned i = 0; i < left->count; i++)
		good = fprintf(file, "%u %" PRIu32 " %08" PRIx32 "\n", left->programs[i].index,
			       left->programs[i].bytes, left->programs[i].crc) > 0 &&
		       good;
	return good;
}

bool dph_left_write(const char *url, const struct dph_left_programs *left)
{
	char path[DPH_SERVICE_PATH_BYTES], made[DPH_SERVICE_PATH_BYTES];
	FILE *file;
	bool good;

	if (!file_of(url, ".left", path) || !file_of(url, ".lnew", made))
		return false;
	if (left->count == 0)
		return unlink(path) == 0;
	file = fopen(made, "we");
	if (file == NULL)
		return false;
	good = write_all(file, left);
	return fclose(file) == 0 && good && rename(made, path) == 0;
}

static bool read_program(const char *line, struct dph_left_programs *left)
{
	struct dph_left_program program;
	unsigned index;
	int begin = 0, end = 0;

	if (sscanf(line, "%u %" SCNu32 " %n%" SCNx32 "%n", &index, &program.bytes, &begin,
		   &program.crc, &end) != 3 ||
	    end - begin != CRC_DIGITS || strcmp(line + end, "\n") != 0 ||
	    index > DPH_LEFT_ANYWHERE || left->count == DPH_LEFT_PROGRAMS)
		return false;
	program.index = (uint8_t)index;
	left->programs[left->count++] = program;
	return true;
}

static bool read_all(FILE *file, struct dph_left_programs *left)
{
	char line[LINE_BYTES];

	if (fgets(left->owner, sizeof left->owner, file) == NULL ||
	    fgets(line, sizeof line, file) == NULL || sscanf(line, "boot %u", &left->boot) != 1)
		return false;
	left->owner[strcspn(left->owner, "\n")] = '\0';
	while (fgets(line, sizeof line, file) != NULL)
		if (!read_program(line, left))
			return false;
	return left->count > 0;
}

bool dph_left_read(const char *url, struct dph_left_programs *left)
{
	char path[DPH_SERVICE_PATH_BYTES];
	FILE *file;
	bool good;

	memset(left, 0, sizeof *left);
	if (!file_of(url, ".left", path))
		return false;
	file = fopen(path, "re");
	if (file == NULL)
		return false;
	good = read_all(file, left);
	fclose(file);
	return good;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Paths of source files, as compilers of any system write them: with '/' or '\', and with drive
 * letters. A person writes the last components of a path, as many as are needed. */
#ifndef DPH_SOURCE_PATH_H
#define DPH_SOURCE_PATH_H

#include <stdbool.h>
#include <stddef.h>

/* Does the path end with these components: "queue.c" or "kernel/queue.c"? "./queue.c" is the whole
 * path. '/' and '\' are the same, ".." takes the component before it away, and '?' in the tail
 * stands for any character. */
bool dph_path_ends(const char *path, const char *tail);

/* Are the paths those of one file: "src/../inc/a.h" and "inc/a.h"? */
bool dph_path_same(const char *path, const char *other);

/* May a path have the character where it is typed without quotes? A drive's colon is apart. */
bool dph_in_path(char c);

/* Return the bytes of the drive's name that a path begins with, "C:" of "C:\queue.c"; 0: none. */
size_t dph_drive_bytes(const char *text);

/* Return the path without its folders. */
const char *dph_path_base(const char *path);

/* Return the part of a path that tells the path from another one, with '/' alone: the last
 * components, or "./" and the whole path. The caller frees the text. */
char *dph_path_apart(const char *path, const char *other);

/* Return the last components of a path, with '/' alone, as many as tell the path from all others.
 * The path may be among the others. The caller frees the text. */
char *dph_path_alone(const char *path, const char *const *others, size_t count);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* The content of a file, read as a whole when the file is opened. A later change of the file
 * changes no answer that comes from the content. */
#ifndef DPH_CONTENT_H
#define DPH_CONTENT_H

#include <stddef.h>

enum {
	DPH_CONTENT_MAX = 0x7fffffff /* bytes: a pipe may never end */
};

struct dph_content {
	const char *path;
	char *data; /* a NUL follows */
	size_t bytes;
};

/* Read the whole file, which is no device. A regular file that changes while it is read is read
 * again.
 * Returns null with errno, for dph_content_why. */
struct dph_content *dph_content_open(const char *path);

/* The sentence of a failed dph_content_open, for the errno that it left. */
const char *dph_content_why(int error);

/* Use the content once more; each use ends with dph_content_close. */
struct dph_content *dph_content_share(struct dph_content *content);
void dph_content_close(struct dph_content *content);

/* From now on until the process ends each path has one content: the first. For a process that is
 * one command. */
void dph_contents_keep(void);

/* Tell the paths of kept contents whose file has other bytes now, or is gone, in the order of their
 * first use. */
void dph_contents_changed(void (*tell)(const char *path));

#endif

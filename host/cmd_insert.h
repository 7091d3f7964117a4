/* SPDX-License-Identifier: BSD-2-Clause */
/* Uploading and arming: what `insert` and `run` share. */
#ifndef DP_CMD_INSERT_H
#define DP_CMD_INSERT_H

#include "cmd_target.h"

struct dp_insertion {
	const char *path;
	char *data; /* the file, source or object */
	size_t bytes;
	struct dp_object_file *object;
	uint8_t selection[32];
	struct dp_choice choice;
	struct dp_inserted inserted;
	char left[320]; /* a line about what may be on the target, and how to remove it */
};

/* Compile or load, and work out the choice, before the line is touched. Prints what is wrong and
 * sets *status. Free with dp_insertion_free, whatever this returned. */
bool dp_insertion_prepare(const struct dp_cli *cli, struct dp_insertion *insertion, int *status);
void dp_insertion_free(struct dp_insertion *insertion);

/* Compare identities, upload, check, commit. Prints what is wrong and sets *status. */
bool dp_insertion_install(const struct dp_cli *cli, struct dp_session *session,
			  struct dp_insertion *insertion, int *status);

/* "inserted: NAME as program 0, 2 probe(s) armed" */
void dp_insertion_tell(const struct dp_insertion *insertion, FILE *out);

/* "upload: 120 of 196 bytes", on a terminal only. */
void dp_insertion_progress(const struct dp_cli *cli, uint32_t done, uint32_t total);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* An insertion uploads and arms a program for `insert` and `run`. */
#ifndef DPH_CMD_INSERT_H
#define DPH_CMD_INSERT_H

#include "cmd_target.h"

struct dph_insertion {
	struct dp_insertion *insertion;
	struct dp_insert_options options;
	struct dp_build_options build;
	struct dp_inserted inserted;
	char left[320]; /* a line about probes that may be on the target, and how to remove them */
};

/* Compile or load the program, and select the probes, before the line is touched. Prints errors
 * and sets *status. dph_insertion_free frees the insertion, also after a failure. */
bool dph_insertion_prepare(const struct dph_cli *cli, struct dph_insertion *insertion, int *status);
void dph_insertion_free(struct dph_insertion *insertion);

/* Read the items of --log. Returns false with *status set for an unknown item (said). */
bool dph_items_of(const struct dph_cli *cli, uint8_t *items, int *status);

/* Is the program on the command line a file, and not the name of an installed program? */
bool dph_insertion_is_file(const struct dph_cli *cli);

/* Compare identities, upload, check, commit. Prints errors and sets *status. */
bool dph_insertion_install(const struct dph_cli *cli, struct dp_session *session,
			   struct dph_insertion *insertion, int *status);

/* Find the installed program that was made from this one: compiled for the agent's limits and for
 * where the image runs.
 * program: receives the answer of the agent.
 * Returns false with *status set when the search failed. */
bool dph_insertion_find(const struct dph_cli *cli, struct dp_session *session,
			struct dph_insertion *insertion, struct dp_program_answer *program,
			bool *found, int *status);

/* Say that no installed program was made from the one on the command line. Returns the exit status.
 */
int dph_insertion_missing(const struct dph_cli *cli, struct dp_session *session);

/* cmd_trace.c: print the points and the code of a program that is armed, as -V and -S ask. */
void dph_trace_tell(const struct dph_cli *cli, const struct dp_object_file *object);

/* Print the inserted programs. */
void dph_insertion_tell(const struct dph_insertion *insertion, struct dp_sink *sink);

/* The line that shows the progress of an upload. All zero but cli is a good start. */
struct dph_progress {
	const struct dph_cli *cli;
	uint64_t began_ms; /* 0: nothing was shown yet */
	uint32_t first;    /* bytes that were there then */
};

/* "upload: 1200 of 1960 bytes, 3400 bytes/s, 1 s left", on a terminal only. */
void dph_insertion_progress(struct dph_progress *progress, uint32_t done, uint32_t total);

#endif

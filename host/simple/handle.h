/* SPDX-License-Identifier: BSD-2-Clause */
/* The handle of the simple interface, and what its files share. */
#ifndef DPH_SIMPLE_HANDLE_H
#define DPH_SIMPLE_HANDLE_H

#include <dprobes/simple.h>

#include "base/pool.h"
#include "console.h"
#include "queue.h"
#include "settings.h"
#include <dprobes/host.h>

/* A program that this handle has inserted. */
struct dph_simple_program {
	char *text;
	char *settings[DPH_SETTINGS]; /* at the insertion */
	uint8_t index;                /* on the agent; after a restart maybe another one */
};

struct dp_simple {
	char *settings[DPH_SETTINGS];
	struct dp_board_settings *board;
	struct dp_session *session;
	struct dph_queue queue;
	struct dph_names names;
	uint8_t log_target; /* before dp_simple_open */
	struct dph_simple_program
		*programs[DPH_PROGRAMS]; /* by the user's number; null: no program */
	struct dph_bytes console;
	char *shown;    /* console text that the user has */
	char *expected; /* console text up to the end of a match */
	char *state;    /* a reading that the user has */
	char *error;
	unsigned restarts; /* of the target, behind which the programs were inserted again */
};

/* Keep the finding of a failure. Each returns false. */
bool dph_simple_fail(struct dp_simple *simple, const char *sentence);
bool dph_simple_fail_session(struct dp_simple *simple);
/* Frees the sentence. */
bool dph_simple_fail_owned(struct dp_simple *simple, char *sentence);
/* Frees the messages. */
bool dph_simple_fail_messages(struct dp_simple *simple, struct dp_messages *messages);

/* Return whether a line is open. A target that was restarted gets its programs again if the user
 * has chosen that. Returns false with the finding kept. */
bool dph_simple_is_open(struct dp_simple *simple);
/* Return whether a request that has failed is to be made again: a restart of the target was the
 * cause, and the programs are there again. */
bool dph_simple_again(struct dp_simple *simple);
/* Receive for at most wait_ms. Returns false with the finding kept. */
bool dph_simple_receive(struct dp_simple *simple, int wait_ms);

/* Give names to all records of the target. Returns false with the finding kept. */
bool dph_simple_learn(struct dp_simple *simple);

/* --- programs --- */

/* Return a program of this handle; null with the finding kept: the number has none. */
struct dph_simple_program *dph_simple_program_of(struct dp_simple *simple, int program);
/* Insert the programs of the handle into a target that was restarted. Returns false with the
 * finding kept: one is refused, and forgotten with those behind it. */
bool dph_simple_insert_again(struct dp_simple *simple);
/* Remove the programs of the handle as far as the line permits, and forget them. */
void dph_simple_remove_all(struct dp_simple *simple);

#endif

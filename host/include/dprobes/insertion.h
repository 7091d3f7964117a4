/* SPDX-License-Identifier: BSD-2-Clause */
/* An insertion does the work of `dprobes insert`: compile a program for a target, compare the
 * program with the agent, upload and arm. */
#ifndef DPROBES_INSERTION_H
#define DPROBES_INSERTION_H

#include "session.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dp_build_options;
struct dp_insertion;
struct dp_messages;
struct dp_object_file;

/* Options of an insertion. Zero ({0}) means all probes, without items. The strings stay valid until
 * dp_insertion_free. */
struct dp_insert_options {
	const struct dp_build_options
		*build;            /* log_max and trace_max come from the agent; may be null */
	const char *const *groups; /* only probes of one of these groups */
	size_t group_count;        /* 0: of all groups */
	const char *const *types;  /* and of one of these types */
	size_t type_count;         /* 0: of all types */
	uint8_t options;           /* DP_INSERT_* */
	uint8_t items;             /* enum dp_item */
	/* Called right before the request that arms. From then on the program may be on the target,
	 * also when no answer arrives. May be null. */
	void (*committing)(void *context);
	/* Return whether a point that the agent refuses may be left out. Null: no point. */
	bool (*may_leave_out)(void *context, unsigned point);
	void *context;
};

/* Compile a program, or load an object, and select the probes.
 * path: `-` is standard input. name: the file name in messages.
 * messages: gets errors; warnings also on success.
 * Returns the insertion, which dp_insertion_free frees; null on errors. */
struct dp_insertion *dp_insertion_file(const char *path, const struct dp_insert_options *options,
				       struct dp_messages *messages);
struct dp_insertion *dp_insertion_text(const char *text, const char *name,
				       const struct dp_insert_options *options,
				       struct dp_messages *messages);
void dp_insertion_free(struct dp_insertion *insertion);

/* Return the object, which stays valid until dp_insertion_fit or dp_insertion_install. */
const struct dp_object_file *dp_insertion_object(const struct dp_insertion *insertion);

/* Compile again if the agent's limits for logmax and excpt_log are below the defaults, or if the
 * image runs elsewhere than linked. dp_insertion_object is then the object that
 * dp_insertion_install uploads. kind, messages, returns: as dp_insertion_install. */
bool dp_insertion_fit(struct dp_insertion *insertion, struct dp_session *session,
		      enum dp_failure_kind *kind, struct dp_messages *messages);

/* Return whether an installed program was made from this one. A D program of a text is installed
 * under a name with a number when another program has its name; dp_insertion_object then has that
 * name. */
bool dp_insertion_made(struct dp_insertion *insertion, const struct dp_program_answer *program);

/* Compare the program with the agent (CPU, limits, image, features), upload, verify and arm.
 * kind: receives the class of a failure; DP_FAILED_NOT: the program does not compile for this
 * agent.
 * messages: gets the finding, the place and the remedy; warnings also on success. When the session
 * fails, only dp_session_failure has the sentence.
 * Returns false on failure; the agent then has no new program, unless the line failed during the
 * last request. */
bool dp_insertion_install(struct dp_insertion *insertion, struct dp_session *session,
			  struct dp_inserted *inserted, enum dp_failure_kind *kind,
			  struct dp_messages *messages);

/* Do all that dp_insertion_install does, but arm nothing: the agent verifies the program and its
 * probe points, and keeps the program until the next upload.
 * kind, messages, returns: as dp_insertion_install. */
bool dp_insertion_check(struct dp_insertion *insertion, struct dp_session *session,
			enum dp_failure_kind *kind, struct dp_messages *messages);

#ifdef __cplusplus
}
#endif

#endif

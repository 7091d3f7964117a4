/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files of an insertion share. */
#ifndef DPH_INSERTION_PARTS_H
#define DPH_INSERTION_PARTS_H

#include <dprobes/insertion.h>

#include "source/source.h"

enum {
	DPH_SELECTION_BYTES = 32
};

struct dp_insertion {
	struct dp_insert_options options;
	struct dp_build_options build;
	char *name;
	bool is_text;
	bool name_used; /* the agent has refused its name */
	char *own_name; /* of a program in a text, before another name was chosen; null: none was */
	char *d_name;   /* of a D program in a text, when another one has its name; null: its own */
	char *data;     /* the file, source or object */
	size_t bytes;
	struct dph_cpp_output cpp; /* of the source, for each compilation of it */
	struct dp_object_file *object;
	uint8_t selection[DPH_SELECTION_BYTES];
	struct dp_choice choice;
};

/* Compile the program again, with changed options of the build. Returns false with `messages`. */
bool dph_insertion_build_again(struct dp_insertion *insertion, enum dp_failure_kind *kind,
			       struct dp_messages *messages);
/* Do not select a point of the object. */
void dph_insertion_leave_out(struct dp_insertion *insertion, unsigned point);

/* Give a D program of a text a name that no installed program has: users who run such programs at
 * the same time have not chosen their names. Returns false when a request or a compilation failed.
 */
bool dph_insertion_choose_name(struct dp_insertion *insertion, struct dp_session *session,
			       enum dp_failure_kind *kind, struct dp_messages *messages);

/* Compile the program for this agent, and compare its needs with what the agent has. HELLO's facts
 * are checked before the first request, the others before a byte of the object travels.
 * prepared: receives the facts, and the upload that is open.
 * Returns false with *kind and `messages`. */
bool dph_insertion_fits(struct dp_insertion *insertion, struct dp_session *session,
			struct dp_prepared *prepared, enum dp_failure_kind *kind,
			struct dp_messages *messages);

#endif

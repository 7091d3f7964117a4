/* SPDX-License-Identifier: BSD-2-Clause */
/* A session that opens a line removes what a killed service has left there. */
#include "session_state.h"
#include "owner.h"
#include "wire/left_programs.h"

#include <stdio.h>

/* Read the list of a process that has ended. A service that lives removes its programs itself. */
static bool find(const struct dp_session *session, struct dph_left_programs *left)
{
	return !dph_transport_is_service(session->line) &&
	       dph_left_read(session->options.url, left) && dph_owner_has_ended(left->owner);
}

bool dph_session_has_left(const struct dp_session *session)
{
	struct dph_left_programs left;

	return find(session, &left);
}

/* The search of a program whose index is not known. */
struct search {
	const struct dph_left_program *left;
	unsigned index;
};

static bool compare(void *context, const struct dp_program_answer *program)
{
	struct search *search = context;

	if (program->bytes != search->left->bytes || program->crc != search->left->crc)
		return true;
	search->index = program->index;
	return false;
}

static bool find_index(struct dp_session *session, const struct dph_left_program *left,
		       uint8_t *index)
{
	struct search search = {left, left->index};
	const struct dp_walk walk = {.context = &search, .program = compare};
	const bool good = left->index != DPH_LEFT_ANYWHERE || dp_session_walk(session, &walk);

	*index = (uint8_t)search.index;
	return good;
}

/* Returns false when the target may still have the program. */
static bool remove_one(struct dp_session *session, const struct dph_left_program *left,
		       unsigned *removed)
{
	struct dp_program_answer program;
	uint8_t index, count;
	bool used;

	if (!find_index(session, left, &index) ||
	    !dp_session_program(session, index, &program, &used))
		return false;
	if (!used || program.bytes != left->bytes || program.crc != left->crc)
		return true; /* another one has its place */
	if (!dp_session_remove(session, index, &count))
		return false;
	++*removed;
	return true;
}

static void tell(const struct dp_session *session, unsigned removed)
{
	char sentence[160];

	snprintf(sentence, sizeof sentence,
		 "%u program(s) of commands whose service was killed are removed", removed);
	if (removed > 0 && session->options.waiting != NULL)
		session->options.waiting(session->options.waiting_context, sentence);
}

/* What cannot be removed now stays on the list for the next session. */
void dph_session_remove_left(struct dp_session *session)
{
	struct dph_left_programs left, rest;
	unsigned removed = 0;

	if (!find(session, &left))
		return;
	rest = left;
	rest.count = 0;
	for (unsigned i = 0; left.boot == session->target.boot && i < left.count; i++)
		if (!remove_one(session, &left.programs[i], &removed))
			rest.programs[rest.count++] = left.programs[i];
	dph_left_write(session->options.url, &rest);
	dph_session_begin(session);
	tell(session, removed);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* An insertion compiles a program, checks its needs against the agent, uploads and arms. */
#define _GNU_SOURCE
#include "insertion_parts.h"

#include "base/diag.h"
#include "base/pool.h"
#include "compile/compile.h"
#include <dprobes/errors.h>
#include "refusal.h"
#include "refused_points.h"

#include "dp_messages.h"
#include "dp_object.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	NAMES_TRIED = 8
};

/* --- selection --- */

/* Is this name in the list? Yes also when there is none. */
static bool listed(const char *const *names, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (name != NULL && strcmp(names[i], name) == 0)
			return true;
	return count == 0;
}

/* group and type are ANDed, members of one list ORed. */
static bool select_points(struct dp_insertion *insertion, struct dp_messages *messages)
{
	const struct dp_insert_options *o = &insertion->options;
	struct dp_program_info program;
	unsigned selected = 0;

	dp_object_program(insertion->object, &program);
	for (unsigned i = 0; i < program.points; i++) {
		struct dp_point_info point;

		if (dp_object_point(insertion->object, i, &point) &&
		    listed(o->groups, o->group_count, point.group) &&
		    listed(o->types, o->type_count, point.type)) {
			insertion->selection[i / 8] |= (uint8_t)(0x80 >> (i % 8));
			selected++;
		}
	}
	if (selected == 0) {
		dph_refusal(messages, "%s: no probe point is in these groups and types",
			    insertion->name);
		return false;
	}
	insertion->choice.selection = insertion->selection;
	if (selected < program.points) /* none: all of them */
		insertion->choice.selection_bytes = (program.points + 7) / 8;
	return true;
}

static struct dp_insertion *prepare(struct dp_insertion *insertion, struct dp_messages *messages)
{
	const struct dp_insert_options *o = &insertion->options;

	if (o->build != NULL)
		insertion->build = *o->build;
	insertion->build.log_max = insertion->build.trace_max = UINT16_MAX; /* dp_insertion_fit */
	insertion->choice.options = o->options;
	insertion->choice.items = o->items;
	if (insertion->data != NULL)
		insertion->object =
			dph_open_bytes(insertion->data, insertion->bytes, insertion->name,
				       &insertion->build, &insertion->cpp, messages);
	if (insertion->object != NULL && select_points(insertion, messages))
		return insertion;
	dp_insertion_free(insertion);
	return NULL;
}

static struct dp_insertion *begin(const char *name, const struct dp_insert_options *options)
{
	struct dp_insertion *insertion = dph_malloc(sizeof *insertion);

	*insertion = (struct dp_insertion){.options = *options, .name = dph_strdup(name)};
	return insertion;
}

struct dp_insertion *dp_insertion_file(const char *path, const struct dp_insert_options *options,
				       struct dp_messages *messages)
{
	struct dp_insertion *insertion = begin(path, options);

	insertion->data = dph_read_file(path, &insertion->bytes, messages);
	return prepare(insertion, messages);
}

struct dp_insertion *dp_insertion_text(const char *text, const char *name,
				       const struct dp_insert_options *options,
				       struct dp_messages *messages)
{
	struct dp_insertion *insertion = begin(name, options);

	insertion->is_text = true;
	insertion->data = dph_strdup(text);
	insertion->bytes = strlen(text);
	return prepare(insertion, messages);
}

void dp_insertion_free(struct dp_insertion *insertion)
{
	if (insertion == NULL)
		return;
	dp_object_free(insertion->object);
	dph_cpp_output_free(&insertion->cpp);
	free(insertion->data);
	free(insertion->name);
	free(insertion->d_name);
	free(insertion->own_name);
	free(insertion);
}

bool dph_insertion_build_again(struct dp_insertion *insertion, enum dp_failure_kind *kind,
			       struct dp_messages *messages)
{
	struct dp_messages again = {0};
	struct dp_object_file *object =
		dph_open_bytes(insertion->data, insertion->bytes, insertion->name,
			       &insertion->build, &insertion->cpp, &again);

	dph_messages_drop_warnings(&again); /* they have been reported */
	if (object == NULL) {
		dph_messages_move(messages, &again);
		*kind = DP_FAILED_NOT;
		return false;
	}
	dp_messages_free(&again);
	dp_object_free(insertion->object);
	insertion->object = object;
	return true;
}

void dph_insertion_leave_out(struct dp_insertion *insertion, unsigned point)
{
	struct dp_program_info program;

	dp_object_program(insertion->object, &program);
	insertion->choice.selection_bytes = (program.points + 7) / 8;
	insertion->selection[point / 8] &= (uint8_t) ~(0x80 >> point % 8);
}

const struct dp_object_file *dp_insertion_object(const struct dp_insertion *insertion)
{
	return insertion->object;
}

/* --- upload --- */

static bool refused(const struct dp_insertion *insertion, struct dp_session *session,
		    uint16_t transaction, const struct dp_verdict *verdict,
		    enum dp_failure_kind *kind, struct dp_messages *messages)
{
	const struct dp_failure *failure = dp_session_failure(session);
	const struct dph_refused_upload upload = {
		.session = session,
		.object = insertion->object,
		.name = insertion->name,
		.transaction = transaction,
		.choice = &insertion->choice,
	};

	*kind = failure->kind;
	if (failure->error != DP_ERR_OK)
		dph_refused_points(&upload, verdict, messages);
	return false;
}

static bool commit(const struct dp_insertion *insertion, struct dp_session *session,
		   uint16_t transaction, struct dp_inserted *inserted)
{
	if (insertion->options.committing != NULL)
		insertion->options.committing(insertion->options.context);
	return dp_session_commit(session, transaction, &insertion->choice, inserted);
}

/* Commit without the points that may be left out and that the agent refuses. */
static bool commit_possible(struct dp_insertion *insertion, struct dp_session *session,
			    uint16_t transaction, struct dp_inserted *inserted,
			    struct dp_messages *messages)
{
	const struct dp_insert_options *options = &insertion->options;
	const char *first = NULL;
	unsigned left_out = 0;

	while (!commit(insertion, session, transaction, inserted)) {
		const struct dp_verdict *verdict = &inserted->verdict;

		if (options->may_leave_out == NULL || !dph_is_of_point(session, verdict) ||
		    !options->may_leave_out(options->context, verdict->probe))
			return false;
		first = left_out++ == 0 ? dp_error_sentence(verdict->error) : first;
		dph_insertion_leave_out(insertion, verdict->probe);
	}
	if (left_out > 0)
		dph_reservation(messages,
				"%s: %u probe point(s) are left out: the agent refuses "
				"them (%s)",
				insertion->name, left_out, first);
	return true;
}

/* Compare, and send the object. */
static bool upload(struct dp_insertion *insertion, struct dp_session *session,
		   struct dp_prepared *prepared, enum dp_failure_kind *kind,
		   struct dp_messages *messages)
{
	*kind = DP_FAILED_LINK;
	return dph_insertion_fits(insertion, session, prepared, kind, messages) &&
	       dp_session_send(session, insertion->object->data, insertion->object->travelling,
			       prepared);
}

static bool install(struct dp_insertion *insertion, struct dp_session *session,
		    struct dp_inserted *inserted, enum dp_failure_kind *kind,
		    struct dp_messages *messages)
{
	struct dp_prepared prepared;

	inserted->verdict.error = DP_ERR_OK;
	if (!upload(insertion, session, &prepared, kind, messages))
		return false;
	if (!commit_possible(insertion, session, prepared.transaction, inserted, messages))
		return refused(insertion, session, prepared.transaction, &inserted->verdict, kind,
			       messages);
	*kind = DP_FAILED_NOT;
	return true;
}

/* The error alone may be of an earlier request. */
static bool is_in_use(const struct dp_session *session)
{
	const struct dp_failure *failure = dp_session_failure(session);

	return failure->kind == DP_FAILED_AGENT && failure->error == DP_ERR_NAME_IN_USE;
}

/* Another user of the line may install a program of the same name between the choice of the name
 * and the upload. */
bool dp_insertion_install(struct dp_insertion *insertion, struct dp_session *session,
			  struct dp_inserted *inserted, enum dp_failure_kind *kind,
			  struct dp_messages *messages)
{
	struct dp_messages own = {0};
	bool good = install(insertion, session, inserted, kind, &own);

	for (unsigned i = 0; i < NAMES_TRIED && !good && insertion->is_text && is_in_use(session);
	     i++) {
		dp_messages_free(&own);
		insertion->name_used = true;
		good = install(insertion, session, inserted, kind, &own);
		insertion->name_used = false;
	}
	dph_messages_move(messages, &own);
	return good;
}

bool dp_insertion_check(struct dp_insertion *insertion, struct dp_session *session,
			enum dp_failure_kind *kind, struct dp_messages *messages)
{
	struct dp_prepared prepared;
	struct dp_verdict verdict = {.error = DP_ERR_OK};

	if (!upload(insertion, session, &prepared, kind, messages))
		return false;
	if (!dp_session_check(session, prepared.transaction, &insertion->choice, &verdict))
		return refused(insertion, session, prepared.transaction, &verdict, kind, messages);
	*kind = DP_FAILED_NOT;
	return true;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* CHECK and COMMIT of an upload, and the verdict, with which both answers begin. */
#include "session_request.h"

#include "session_state.h"

#include <dprobes/errors.h>

#include <string.h>

enum {
	SELECTION_MAX = 30, /* bytes */
};

static bool is_verifiers(unsigned error)
{
	return error >= DP_ERR_BAD_MAGIC && error <= DP_ERR_LIMIT && error != DP_ERR_WRONG_IMAGE;
}

bool dph_session_refused(struct dp_session *session, enum dp_err error, enum dp_refusal refusal)
{
	const char *reason = dp_error_sentence(error);

	if (error == DP_ERR_NOT_PROBEABLE)
		dph_session_fail(session, DP_FAILED_AGENT, "%s: %s", reason,
				 dp_refusal_sentence(refusal));
	else
		dph_session_fail(session,
				 is_verifiers(error) ? DP_FAILED_VERIFIER : DP_FAILED_AGENT, "%s",
				 reason);
	if (dp_session_failure(session)->kind != DP_FAILED_LINK)
		dph_session_set_error(session, error);
	return false;
}

/* The verdict is the beginning of both answers; its last field came later, behind the others. */
static void read_verdict(const struct dph_reply *reply, enum dp_cmd command,
			 struct dp_verdict *verdict)
{
	struct dp_commit_answer commit;
	struct dp_check_answer check;
	bool cut;

	dph_answer_part(reply, DPH_OF(check_answer, &check), &cut);
	verdict->error = (enum dp_err)reply->error;
	verdict->refusal = (enum dp_refusal)check.refusal;
	verdict->probe = check.probe;
	verdict->where = check.where;
	verdict->found = check.found;
	verdict->found_above = check.found_above;
	if (command != DP_CMD_COMMIT)
		return;
	dph_answer_part(reply, DPH_OF(commit_answer, &commit), &cut);
	verdict->found_above = commit.found_above;
}

/* Send CHECK or COMMIT and read the verdict. */
static bool decide(struct dp_session *session, enum dp_cmd command, uint16_t transaction,
		   const struct dp_choice *choice, struct dph_reply *reply,
		   struct dp_verdict *verdict)
{
	struct dp_commit_request request = {
		.transaction = transaction,
		.options = choice->options,
		.items = choice->items,
	};
	bool answered;

	if (dp_hello_parts(dp_session_target(session)) >> DP_PART_FAULTS & 1)
		request.options |= DP_INSERT_FAULTS;
	request.selection.count =
		(uint8_t)(choice->selection_bytes < SELECTION_MAX ? choice->selection_bytes
								  : SELECTION_MAX);
	if (request.selection.count > 0)
		memcpy(request.selection.bytes, choice->selection, request.selection.count);
	/* Without the answer to COMMIT it is unknown whether the probes are armed. */
	dph_session_hold_interrupt(session, command == DP_CMD_COMMIT);
	answered = dph_request(session, command, DPH_OF_CONST(commit_request, &request), reply);
	dph_session_hold_interrupt(session, false);
	if (!answered)
		return false;
	read_verdict(reply, command, verdict);
	return verdict->error == DP_ERR_OK ||
	       dph_session_refused(session, verdict->error, verdict->refusal);
}

bool dp_session_check(struct dp_session *session, uint16_t transaction,
		      const struct dp_choice *choice, struct dp_verdict *verdict)
{
	struct dph_reply reply;
	struct dp_check_answer answer;

	return decide(session, DP_CMD_CHECK, transaction, choice, &reply, verdict) &&
	       dph_answer(session, &reply, DPH_OF(check_answer, &answer));
}

bool dp_session_commit(struct dp_session *session, uint16_t transaction,
		       const struct dp_choice *choice, struct dp_inserted *inserted)
{
	struct dph_reply reply;
	struct dp_commit_answer answer;

	if (!decide(session, DP_CMD_COMMIT, transaction, choice, &reply, &inserted->verdict) ||
	    !dph_answer(session, &reply, DPH_OF(commit_answer, &answer)))
		return false;
	session->installed = session->uploaded;
	if (session->target.programs < UINT8_MAX)
		session->target.programs++;
	inserted->program = answer.program;
	inserted->armed = answer.armed;
	inserted->waiting = answer.waiting;
	return true;
}

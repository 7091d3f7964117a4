/* SPDX-License-Identifier: BSD-2-Clause */
/* The lines of a session with an agent, as a source. */
#include "session_lines.h"

static struct dp_session *session_of(const struct dph_lines *lines)
{
	return ((const struct dph_session_lines *)lines)->session;
}

static bool next(struct dph_lines *lines, int timeout_ms)
{
	return dp_session_listen(session_of(lines), timeout_ms);
}

/* Any request of the session may have failed. */
static enum dph_lines_state state(const struct dph_lines *lines)
{
	switch (dp_session_failure(session_of(lines))->kind) {
	case DP_FAILED_NOT:
		return DPH_LINES_OPEN;
	case DP_FAILED_INTERRUPTED:
		return DPH_LINES_INTERRUPTED;
	default:
		return DPH_LINES_FAILED;
	}
}

static bool learn(struct dph_lines *lines, struct dp_records *records)
{
	return dp_session_learn(session_of(lines), records);
}

static bool ask(struct dph_lines *lines, uint32_t *sent)
{
	struct dp_status_answer status;

	if (!dp_session_status(session_of(lines), &status))
		return false;
	*sent = status.sent;
	return true;
}

static void follow(struct dph_lines *lines, struct dp_records *records)
{
	dp_session_follow(session_of(lines), records);
}

void dph_session_lines(struct dph_session_lines *source, struct dp_session *session)
{
	const struct dp_hello_answer *target = dp_session_target(session);

	*source = (struct dph_session_lines){
		.lines = {.word_bytes = target->word_bytes,
			  .big_endian = target->big_endian != 0,
			  .hz = target->hz,
			  .began_ns = dp_session_began_ns(session),
			  .next = next,
			  .state = state,
			  .learn = learn,
			  .ask = ask,
			  .follow = follow},
		.session = session,
	};
}

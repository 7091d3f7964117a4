/* SPDX-License-Identifier: BSD-2-Clause */
/* This file reads the fields of a reply and fails for a short reply. */
#include "session_request.h"

void dph_answer_part(const struct dph_reply *reply, const struct dph_form *form, void *answer,
		     bool *cut)
{
	struct dph_reader reader = {.p = reply->payload, .left = reply->bytes};

	dph_read(&reader, form, answer);
	*cut = reader.cut;
}

bool dph_answer(struct dp_session *session, const struct dph_reply *reply,
		const struct dph_form *form, void *answer)
{
	bool cut;

	dph_answer_part(reply, form, answer, &cut);
	if (!cut)
		return true;
	return dph_session_fail(session, DP_FAILED_AGENT,
				"an answer of the agent is too short; use the dprobes that matches "
				"the agent");
}

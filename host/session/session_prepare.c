/* SPDX-License-Identifier: BSD-2-Clause */
/* The preparation requests, in one turn, the facts that an insertion needs, and opens the
 * upload. */
#include "pipeline.h"

#include "dp_crc.h"

struct preparation {
	struct dp_session *session;
	const uint8_t *object;
	uint32_t bytes;
	struct dp_prepared *prepared;
	unsigned next;
};

static const enum dp_cmd questions[] = {DP_CMD_MODULE, DP_CMD_LIMITS, DP_CMD_BEGIN};

static bool next_question(void *context, struct dph_request *request)
{
	struct preparation *p = context;
	const struct dp_module_request module = {0, 0};
	const struct dp_begin_request begin = {p->bytes, dp_crc32(0, p->object, p->bytes)};

	if (p->next == sizeof questions / sizeof questions[0])
		return false;
	switch (questions[p->next++]) {
	case DP_CMD_MODULE:
		dph_request_set(request, DP_CMD_MODULE, DPH_OF_CONST(module_request, &module));
		break;
	case DP_CMD_BEGIN:
		dph_request_set(request, DP_CMD_BEGIN, DPH_OF_CONST(begin_request, &begin));
		break;
	default:
		dph_request_set(request, DP_CMD_LIMITS, NULL, NULL);
		break;
	}
	return true;
}

static bool take_answer(void *context, const struct dph_request *request,
			const struct dph_reply *reply)
{
	struct preparation *p = context;
	struct dp_prepared *prepared = p->prepared;
	struct dp_begin_answer begin;

	if (reply->error != DP_ERR_OK && request->command != DP_CMD_BEGIN)
		return dph_session_fail_error(p->session, request->command, reply->error);
	if (request->command == DP_CMD_MODULE)
		return dph_answer(p->session, reply, DPH_OF(module_answer, &prepared->image));
	if (request->command == DP_CMD_LIMITS)
		return dph_session_take_limits(p->session, reply, &prepared->limits);
	prepared->begin = (enum dp_err)reply->error;
	if (reply->error != DP_ERR_OK)
		return true;
	if (!dph_answer(p->session, reply, DPH_OF(begin_answer, &begin)))
		return false;
	prepared->transaction = begin.transaction;
	return true;
}

bool dp_session_prepare(struct dp_session *session, const uint8_t *object, uint32_t bytes,
			struct dp_prepared *prepared)
{
	struct preparation preparation = {
		.session = session, .object = object, .bytes = bytes, .prepared = prepared};
	const struct dph_asker asker = {
		.context = &preparation, .next = next_question, .answer = take_answer};

	return dph_ask(session, &asker);
}

bool dp_session_send(struct dp_session *session, const uint8_t *object, uint32_t bytes,
		     const struct dp_prepared *prepared)
{
	if (prepared->begin != DP_ERR_OK)
		return dph_session_fail_error(session, DP_CMD_BEGIN, prepared->begin);
	return dph_session_send(session, object, bytes, prepared->transaction);
}

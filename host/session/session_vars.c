/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions read variables. The first piece of each range has the number of variables; the
 * other pieces are requested together. */
#include "pipeline.h"

#include <string.h>

enum {
	WORD_BYTES_MAX = 52, /* of one answer */
};

struct reading {
	struct dp_session *session;
	struct dp_vars *ranges;
	size_t count;
	size_t range, word; /* the next piece */
	bool first;         /* only the first piece of each range */
};

/* A stack word in the target's byte order. */
static uint64_t word(const struct dp_hello_answer *target, const uint8_t *bytes)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < target->word_bytes; i++)
		value = value << 8 | bytes[target->big_endian ? i : target->word_bytes - 1u - i];
	return value;
}

static size_t piece_words(const struct dp_session *session)
{
	return WORD_BYTES_MAX / dp_session_target(session)->word_bytes;
}

/* How many variables of the range can be had. */
static size_t wanted(const struct dp_vars *range)
{
	const size_t there = range->there > range->first ? range->there - range->first : 0;

	return there < range->room ? there : range->room;
}

static bool next_piece(void *context, struct dph_request *request)
{
	struct reading *r = context;
	const size_t piece = piece_words(r->session);
	struct dp_vars_request fields;
	struct dp_vars *range;

	while (r->range < r->count && r->word >= (r->first ? 1 : wanted(&r->ranges[r->range]))) {
		r->range++;
		r->word = r->first ? 0 : piece;
	}
	if (r->range == r->count)
		return false;
	range = &r->ranges[r->range];
	fields.program = range->program;
	fields.first = (uint16_t)(range->first + r->word);
	fields.count = (uint8_t)(range->room - r->word < piece ? range->room - r->word : piece);
	fields.reset = range->reset;
	dph_request_set(request, DP_CMD_VARS, DPH_OF_CONST(vars_request, &fields));
	request->alone = range->reset;
	request->tag = (uint32_t)(r->range << 16 | r->word);
	r->word += r->first ? 1 : piece;
	return true;
}

static bool take_piece(void *context, const struct dph_request *request,
		       const struct dph_reply *reply)
{
	struct reading *r = context;
	const struct dp_hello_answer *target = dp_session_target(r->session);
	struct dp_vars *range = &r->ranges[request->tag >> 16];
	size_t at = request->tag & 0xffff, got;
	struct dp_vars_answer answer;

	range->error = (enum dp_err)reply->error;
	if (reply->error != DP_ERR_OK)
		return true;
	if (!dph_answer(r->session, reply, DPH_OF(vars_answer, &answer)))
		return false;
	range->there = answer.there;
	got = answer.words.count / target->word_bytes;
	if (got > range->room - at)
		return dph_session_fail(r->session, DP_FAILED_AGENT,
					"the agent answered %zu variables in place of %zu", got,
					range->room - at);
	for (size_t i = 0; i < got; i++)
		range->words[at++] = word(target, answer.words.bytes + i * target->word_bytes);
	range->count += got;
	return true;
}

bool dp_session_vars_of(struct dp_session *session, struct dp_vars *ranges, size_t count)
{
	struct reading reading = {
		.session = session, .ranges = ranges, .count = count, .first = true};
	const struct dph_asker asker = {
		.context = &reading, .next = next_piece, .answer = take_piece};

	for (size_t i = 0; i < count; i++) {
		ranges[i].count = ranges[i].there = 0;
		ranges[i].error = DP_ERR_OK;
	}
	if (!dp_session_has_part(session, DP_PART_VARS) || !dph_ask(session, &asker))
		return false;
	reading.range = 0;
	reading.word = piece_words(session);
	reading.first = false;
	return dph_ask(session, &asker);
}

bool dp_session_vars(struct dp_session *session, uint8_t program, uint16_t first, bool reset,
		     uint64_t *words, size_t room, size_t *count, size_t *there)
{
	struct dp_vars range = {
		.program = program, .first = first, .reset = reset, .words = words, .room = room};

	*count = 0;
	if (!dp_session_vars_of(session, &range, 1))
		return false;
	if (range.error != DP_ERR_OK)
		return dph_session_fail_error(session, DP_CMD_VARS, range.error);
	*count = range.count;
	*there = range.there;
	return true;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The upload sends the object in pieces. Pieces and window are as large as the noise of the line
 * allows. */
#include "pipeline.h"

#include "dp_crc.h"

#include <string.h>

enum {
	STUCK_MS = 30000,          /* without progress, though the target speaks */
	NOISE_ONE = DPH_NOISE_ONE, /* every piece is lost */
	NOISE_SHIFT = 4,           /* the last sixteen pieces count most */
};

/* The longest piece that pays at this noise. A shorter piece is lost less often and carries more
 * characters that are no data. */
static const struct {
	unsigned shorter; /* of NOISE_ONE: above it shorter pieces pay, */
	unsigned longer;  /* below it longer ones */
	uint8_t bytes;
} sizes[] = {{80, 0, DP_DATA_MAX}, {160, 40, 24}, {NOISE_ONE, 104, 12}};

struct piece {
	uint32_t offset;
	uint8_t bytes;
};

struct upload {
	struct dp_session *session;
	const uint8_t *object;
	uint32_t bytes, have;
	uint32_t likely;   /* the agent has so many, if the damaged answers said what they should */
	uint64_t moved_ms; /* `have` grew */
	uint16_t transaction;
	unsigned size;                      /* of sizes */
	unsigned noise;                     /* share of the pieces that are lost, of NOISE_ONE */
	struct piece piece[DPH_WINDOW_MAX]; /* without answer */
	unsigned pieces;
};

static void forget_piece(struct upload *u, uint32_t offset)
{
	for (unsigned i = 0; i < u->pieces; i++)
		if (u->piece[i].offset == offset) {
			u->piece[i] = u->piece[--u->pieces];
			return;
		}
}

/* --- noise --- */

static void hear_noise(struct upload *u, bool lost)
{
	u->noise += ((lost ? NOISE_ONE : 0u) >> NOISE_SHIFT) - (u->noise >> NOISE_SHIFT);
	if (u->noise > sizes[u->size].shorter)
		u->size++;
	else if (u->noise < sizes[u->size].longer)
		u->size--;
}

/* What the session has seen of the line before the upload. */
static void expect_noise(struct upload *u)
{
	const unsigned noise = dph_session_pipeline(u->session)->noise;

	u->noise = noise < sizes[1].shorter ? noise : sizes[1].shorter;
	u->size = u->noise > sizes[0].shorter;
}

/* The agent takes pieces in order: the host repeats every piece behind a lost piece. */
static unsigned window(const struct upload *u)
{
	const unsigned worth = u->noise == 0 ? DPH_WINDOW_MAX : NOISE_ONE / 2 / u->noise;

	return worth > 0 ? worth : 1;
}

/* --- pieces --- */

/* The first byte that no piece on its way covers, and how many there are up to the next piece. */
static uint32_t uncovered(const struct upload *u, uint32_t *bytes)
{
	uint32_t at = u->likely, end = u->bytes;
	bool moved = true;

	while (moved) {
		moved = false;
		for (unsigned i = 0; i < u->pieces; i++)
			if (u->piece[i].offset <= at &&
			    at - u->piece[i].offset < u->piece[i].bytes) {
				at = u->piece[i].offset + u->piece[i].bytes;
				moved = true;
			}
	}
	for (unsigned i = 0; i < u->pieces; i++)
		if (u->piece[i].offset > at && u->piece[i].offset < end)
			end = u->piece[i].offset;
	*bytes = end - at;
	return at;
}

static bool next_piece(void *context, struct dph_request *request)
{
	struct upload *u = context;
	struct dp_data_request fields = {.transaction = u->transaction};
	uint32_t bytes;

	fields.offset = uncovered(u, &bytes);
	if (bytes == 0 || u->pieces >= window(u) || u->pieces == DPH_WINDOW_MAX)
		return false;
	bytes = bytes < sizes[u->size].bytes ? bytes : sizes[u->size].bytes;
	fields.bytes.count = (uint8_t)bytes;
	memcpy(fields.bytes.bytes, u->object + fields.offset, bytes);
	u->piece[u->pieces++] = (struct piece){fields.offset, (uint8_t)bytes};
	dph_request_set(request, DP_CMD_DATA, DPH_OF_CONST(data_request, &fields));
	request->tag = fields.offset;
	return true;
}

static uint32_t piece_end(const struct upload *u, uint32_t offset)
{
	for (unsigned i = 0; i < u->pieces; i++)
		if (u->piece[i].offset == offset)
			return offset + u->piece[i].bytes;
	return offset;
}

static bool settled_piece(void *context, const struct dph_request *request)
{
	struct upload *u = context;

	if (piece_end(u, request->tag) > u->have)
		return false;
	forget_piece(u, request->tag);
	return true;
}

static bool is_first(const struct upload *u, uint32_t offset)
{
	for (unsigned i = 0; i < u->pieces; i++)
		if (u->piece[i].offset < offset)
			return false;
	return true;
}

/* Shorter pieces take the place of one that is too long for the noise. */
static bool lost_piece(void *context, const struct dph_request *request)
{
	struct upload *u = context;

	if (is_first(u, request->tag)) /* after a time-out all are, for one that was lost */
		hear_noise(u, true);
	if (piece_end(u, request->tag) - request->tag <= sizes[u->size].bytes)
		return true;
	forget_piece(u, request->tag);
	return false;
}

/* The answer to a piece came damaged. The agent has the piece if it has those before. The answer to
 * the last piece is needed. */
static bool unheard_piece(void *context, const struct dph_request *request)
{
	struct upload *u = context;
	const uint32_t end = piece_end(u, request->tag);

	if (request->tag > u->likely || end == u->bytes)
		return false;
	u->likely = end > u->likely ? end : u->likely;
	forget_piece(u, request->tag);
	return true;
}

/* --- answers --- */

static void move(struct upload *u, uint32_t have)
{
	const struct dp_listener *listener = dph_session_listener(u->session);

	if (have <= u->have || have > u->bytes)
		return;
	u->have = have;
	u->likely = have > u->likely ? have : u->likely;
	u->moved_ms = dp_clock_ms();
	if (listener->progress != NULL)
		listener->progress(listener->context, u->have, u->bytes);
}

static bool take_answer(void *context, const struct dph_request *request,
			const struct dph_reply *reply)
{
	struct upload *u = context;
	struct dp_data_answer answer;
	bool cut;

	forget_piece(u, request->tag);
	dph_answer_part(reply, DPH_OF(data_answer, &answer), &cut);
	if (reply->error != DP_ERR_OK &&
	    (reply->error != DP_ERR_BAD_TXN || cut || answer.transaction != u->transaction))
		return dph_session_fail_error(u->session, DP_CMD_DATA, reply->error);
	if (!dph_answer(u->session, reply, DPH_OF(data_answer, &answer)))
		return false;
	if (answer.transaction == u->transaction) /* else: of an upload that ended */
		move(u, answer.have);
	if (reply->error != DP_ERR_OK) /* a piece before it is missing */
		u->likely = u->have;
	if (reply->error == DP_ERR_OK)
		hear_noise(u, false);
	if (dp_clock_ms() - u->moved_ms >= STUCK_MS)
		return dph_session_fail_silent(u->session);
	return true;
}

bool dph_session_send(struct dp_session *session, const uint8_t *object, uint32_t bytes,
		      uint16_t transaction)
{
	struct upload u = {
		.session = session,
		.object = object,
		.bytes = bytes,
		.moved_ms = dp_clock_ms(),
		.transaction = transaction,
	};
	const struct dph_asker asker = {
		.context = &u,
		.next = next_piece,
		.answer = take_answer,
		.settled = settled_piece,
		.lost = lost_piece,
		.damaged = unheard_piece,
	};

	expect_noise(&u);
	if (dph_ask(session, &asker))
		return true;
	if (dp_session_failure(session)->kind != DP_FAILED_INTERRUPTED)
		return false;
	/* The user's patience has ended: say how far the upload has come. */
	return dph_session_fail(session, DP_FAILED_INTERRUPTED,
				"%u of %u bytes of the program were uploaded", u.have, bytes);
}

bool dp_session_upload(struct dp_session *session, const uint8_t *object, uint32_t bytes,
		       uint16_t *transaction)
{
	const struct dp_begin_request request = {bytes, dp_crc32(0, object, bytes)};
	struct dp_begin_answer answer;
	struct dph_reply reply;

	if (!dph_request_ok(session, DP_CMD_BEGIN, DPH_OF_CONST(begin_request, &request), &reply) ||
	    !dph_answer(session, &reply, DPH_OF(begin_answer, &answer)))
		return false;
	*transaction = answer.transaction;
	return dph_session_send(session, object, bytes, answer.transaction);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The upload sends the object in pieces. Pieces and window are as large as the noise of the line
 * allows. */
#include "session_state.h"

#include "dp_bytes.h"
#include "dp_crc.h"

#include <stdlib.h>
#include <string.h>

enum {
	NOISE_ONE = DPH_NOISE_ONE, /* every piece is lost */
	NOISE_SHIFT = 4,           /* the last sixteen pieces count most */
	BITS_A_CHARACTER = 10,     /* on the line, with start and stop */
	BEHIND_BYTES = 8,          /* of a range in an answer */
};

/* The longest piece that pays at this noise. A shorter piece is lost less often and carries more
 * characters that are no data. */
static const struct {
	unsigned shorter; /* of NOISE_ONE: above it shorter pieces pay, */
	unsigned longer;  /* below it longer ones */
	uint8_t bytes;
} sizes[] = {{80, 0, DP_DATA_MAX}, {176, 40, 24}, {NOISE_ONE, 104, 12}};

enum {
	/* What the host knows of a byte of the object. */
	MISSING,
	LIKELY, /* in a piece whose answer came damaged */
	THERE,
};

struct piece {
	uint32_t offset;
	uint8_t bytes;
};

struct upload {
	struct dp_session *session;
	const uint8_t *object;
	uint32_t bytes, have;
	uint8_t *known;    /* of each byte: MISSING, LIKELY, THERE */
	bool keeps;        /* the agent keeps pieces behind a gap (part GAPS) */
	uint64_t moved_ms; /* more bytes were there */
	uint16_t transaction;
	bool far;                           /* the round trip limits the upload */
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
	if (u->far)
		return;
	if (u->noise > sizes[u->size].shorter)
		u->size++;
	else if (u->noise < sizes[u->size].longer)
		u->size--;
}

/* Is the round trip longer than the characters of a window? Then the window limits the upload, not
 * the characters, and the longest pieces pay. */
static bool is_far(struct dp_session *session)
{
	const uint64_t characters = (uint64_t)dp_session_target(session)->window * DP_LINE_MAX;

	return dph_patience_round_trip_ms(&dph_session_pipeline(session)->patience) >
	       characters * BITS_A_CHARACTER * 1000 / dph_session_baud(session);
}

/* What the session has seen of the line before the upload. */
static void expect_noise(struct upload *u)
{
	const unsigned noise = dph_session_pipeline(u->session)->noise;

	u->far = is_far(u->session);
	u->noise = noise < sizes[1].shorter ? noise : sizes[1].shorter;
	u->size = !u->far && u->noise > sizes[0].shorter;
}

/* An agent without GAPS takes pieces in order: the host repeats every piece behind a lost piece. */
static unsigned window(const struct upload *u)
{
	const unsigned worth =
		u->noise == 0 || u->keeps ? DPH_WINDOW_MAX : NOISE_ONE / 2 / u->noise;

	return worth > 0 ? worth : 1;
}

/* --- pieces --- */

static const struct piece *piece_at(const struct upload *u, uint32_t at)
{
	for (unsigned i = 0; i < u->pieces; i++)
		if (at - u->piece[i].offset < u->piece[i].bytes)
			return &u->piece[i];
	return NULL;
}

static bool is_wanted(const struct upload *u, uint32_t at)
{
	return at < u->bytes && u->known[at] == MISSING && piece_at(u, at) == NULL;
}

/* The first byte that is missing and in no piece on its way, and how many follow, `most` at most.
 */
static uint32_t wanted(const struct upload *u, uint32_t most, uint32_t *bytes)
{
	uint32_t at = u->have;

	while (at < u->bytes && !is_wanted(u, at))
		at++;
	for (*bytes = 0; *bytes < most && is_wanted(u, at + *bytes);)
		++*bytes;
	return at;
}

static bool next_piece(void *context, struct dph_request *request)
{
	struct upload *u = context;
	struct dp_data_request fields = {.transaction = u->transaction};
	uint32_t bytes;

	if (u->pieces >= window(u) || u->pieces == DPH_WINDOW_MAX)
		return false;
	fields.offset = wanted(u, sizes[u->size].bytes, &bytes);
	if (bytes == 0)
		return false;
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

/* Has the agent these bytes, if the damaged answers said what they should? */
static bool is_there(const struct upload *u, uint32_t from, uint32_t end)
{
	while (from < end && u->known[from] != MISSING)
		from++;
	return from >= end;
}

static bool settled_piece(void *context, const struct dph_request *request)
{
	struct upload *u = context;
	const uint32_t end = piece_end(u, request->tag);

	for (uint32_t at = request->tag; at < end; at++)
		if (u->known[at] != THERE)
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

	if (u->keeps || is_first(u, request->tag)) /* else all behind it are lost, too */
		hear_noise(u, true);
	if (piece_end(u, request->tag) - request->tag <= sizes[u->size].bytes)
		return true;
	forget_piece(u, request->tag);
	return false;
}

/* The answer to a piece came damaged. The agent has the piece if it keeps pieces behind a gap, or
 * has those before. The answer to the last piece is needed. */
static bool unheard_piece(void *context, const struct dph_request *request)
{
	struct upload *u = context;
	const uint32_t from = request->tag, end = piece_end(u, from);
	uint32_t more;

	wanted(u, 1, &more);
	if ((!u->keeps && !is_there(u, u->have, from)) || (more == 0 && u->pieces == 1))
		return false;
	for (uint32_t at = from; at < end; at++)
		u->known[at] = u->known[at] == MISSING ? LIKELY : u->known[at];
	forget_piece(u, from);
	return true;
}

/* --- answers --- */

/* The agent has these bytes. */
static void mark(struct upload *u, uint32_t first, uint32_t end)
{
	for (uint32_t at = first; at < end && at < u->bytes; at++) {
		if (u->known[at] != THERE)
			u->moved_ms = dp_clock_ms();
		u->known[at] = THERE;
	}
}

/* The answer tells all that the agent has: earlier answers were damaged, not later ones. */
static void take_known(struct upload *u, const struct dp_data_answer *answer)
{
	const struct dp_listener *listener = dph_session_listener(u->session);
	const uint8_t *behind = answer->behind.bytes;

	if (answer->have > u->bytes)
		return;
	mark(u, u->have, answer->have);
	for (unsigned i = 0; i + BEHIND_BYTES <= answer->behind.count; i += BEHIND_BYTES)
		mark(u, dp_get_u32(behind + i), dp_get_u32(behind + i + 4));
	for (uint32_t at = u->have; at < u->bytes; at++)
		u->known[at] = u->known[at] == LIKELY ? MISSING : u->known[at];
	if (answer->have <= u->have)
		return;
	u->have = answer->have;
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
		take_known(u, &answer);
	if (reply->error == DP_ERR_OK)
		hear_noise(u, false);
	if (dp_clock_ms() - u->moved_ms >= dph_pipeline_limit_ms(dph_session_pipeline(u->session)))
		return dph_session_fail_stuck(u->session, u->have, u->bytes);
	return true;
}

bool dph_session_send(struct dp_session *session, const uint8_t *object, uint32_t bytes,
		      uint16_t transaction)
{
	struct upload u = {
		.session = session,
		.object = object,
		.bytes = bytes,
		.known = calloc(bytes > 0 ? bytes : 1, 1),
		.keeps = dp_hello_parts(dp_session_target(session)) >> DP_PART_GAPS & 1,
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
	bool good;

	if (u.known == NULL)
		return dph_session_fail(session, DP_FAILED_LINK, "out of memory");
	expect_noise(&u);
	good = dph_ask(session, &asker);
	free(u.known);
	if (good)
		session->uploaded = (struct dph_uploaded){bytes, dp_crc32(0, object, bytes)};
	if (good || dp_session_failure(session)->kind != DP_FAILED_INTERRUPTED)
		return good;
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

/* SPDX-License-Identifier: BSD-2-Clause */
/* BEGIN, DATA in a window, CHECK, COMMIT. */
#include "session_request.h"

#include "dprobes_errors.h"

#include "dp_bytes.h"
#include "dp_crc.h"

#include <string.h>

enum {
	WINDOW_MAX = 16,
	PIECE_MIN = 12,   /* bytes: a noisy line takes short pieces better */
	STUCK_MS = 30000, /* without progress, though the target speaks */
	SELECTION_MAX = 30,
};

struct piece {
	uint32_t offset;
	uint8_t bytes, seq;
	bool gap; /* the agent had not yet what comes before */
	bool repeated;
	unsigned order; /* of sending */
	uint64_t sent_ms;
};

struct upload {
	struct dp_session *session;
	const uint8_t *object;
	uint32_t bytes, have, next; /* next: first byte never sent */
	uint64_t moved_ms;          /* `have` grew */
	uint16_t transaction;
	uint8_t piece_bytes;
	unsigned naks, failures; /* in a row */
	unsigned busy;           /* answers, in a row */
	unsigned sent;           /* pieces, repeats included */
	struct piece window[WINDOW_MAX];
	unsigned window_used, window_room;
};

static bool send_piece(struct upload *u, struct piece *piece)
{
	uint8_t arguments[6 + DP_DATA_MAX];

	dp_put_u16(arguments, u->transaction);
	dp_put_u32(arguments + 2, piece->offset);
	memcpy(arguments + 6, u->object + piece->offset, piece->bytes);
	piece->sent_ms = dp_clock_ms();
	piece->gap = false;
	piece->order = u->sent++;
	return dp_request_send(u->session, piece->seq, DP_CMD_DATA, arguments, 6u + piece->bytes);
}

static bool send_new(struct upload *u)
{
	while (u->next < u->bytes && u->window_used < u->window_room) {
		struct piece *piece = &u->window[u->window_used++];
		uint32_t left = u->bytes - u->next;

		piece->offset = u->next;
		piece->bytes = (uint8_t)(left < u->piece_bytes ? left : u->piece_bytes);
		piece->seq = dp_request_next_seq(u->session);
		piece->repeated = false;
		u->next += piece->bytes;
		if (!send_piece(u, piece))
			return false;
	}
	return true;
}

/* Several failures in a row: begin again behind what the agent has, with shorter pieces. */
static void shrink(struct upload *u)
{
	if (++u->failures < 4 || u->piece_bytes / 2 < PIECE_MIN)
		return;
	u->failures = 0;
	u->piece_bytes /= 2;
	u->window_used = 0;
	u->next = u->have;
}

static void forget_received(struct upload *u)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < u->window_used; i++)
		if (u->window[i].offset + u->window[i].bytes > u->have)
			u->window[kept++] = u->window[i];
	u->window_used = kept;
}

static struct piece *find_piece(struct upload *u, uint8_t seq)
{
	for (unsigned i = 0; i < u->window_used; i++)
		if (u->window[i].seq == seq)
			return &u->window[i];
	return NULL;
}

static bool send_piece_again(struct upload *u, struct piece *piece)
{
	piece->repeated = true;
	return send_piece(u, piece);
}

/* The agent got a piece and misses the one before it. When that was sent earlier, it is lost. */
static bool fill_gap(struct upload *u, struct piece *behind)
{
	behind->gap = true;
	for (unsigned i = 0; i < u->window_used; i++) {
		struct piece *piece = &u->window[i];

		if (piece->offset <= u->have && piece->order < behind->order) {
			bool sent = send_piece_again(u, piece);

			shrink(u);
			return sent;
		}
	}
	return true;
}

/* A storm of hits keeps the agent from changing anything. */
static bool wait_and_send_again(struct upload *u, struct piece *piece)
{
	if (piece == NULL) /* the answer to one that was sent twice */
		return true;
	return dp_request_pause(u->session, DP_CMD_DATA, u->busy++) && send_piece_again(u, piece);
}

static bool take_data_answer(struct upload *u, const struct dp_reply *reply)
{
	struct dp_fields f = dp_fields_of(reply);
	uint16_t transaction = dp_field_u16(&f);
	uint32_t have = dp_field_u32(&f);
	struct piece *piece = find_piece(u, reply->seq);

	if (piece != NULL && !piece->repeated)
		dp_request_round_trip(u->session, dp_clock_ms() - piece->sent_ms);
	if (reply->error == DP_ERR_BUSY)
		return wait_and_send_again(u, piece);
	if (reply->error != DP_ERR_OK &&
	    (reply->error != DP_ERR_BAD_TXN || f.cut || transaction != u->transaction))
		return dp_session_fail_error(u->session, DP_CMD_DATA, reply->error);
	if (!dp_fields_done(u->session, &f))
		return false;
	if (transaction != u->transaction || have > u->bytes)
		return true; /* of an upload that ended */
	if (have > u->have) {
		const struct dp_listener *listener = dp_session_listener(u->session);

		u->have = have;
		u->moved_ms = dp_clock_ms();
		u->naks = u->failures = u->busy = 0;
		if (listener->progress != NULL)
			listener->progress(listener->context, have, u->bytes);
	}
	if (u->next < u->have)
		u->next = u->have;
	forget_received(u);
	piece = find_piece(u, reply->seq);
	if (piece != NULL && reply->error == DP_ERR_BAD_TXN)
		return fill_gap(u, piece);
	return true;
}

static bool take_replies(struct upload *u)
{
	struct dp_reply reply;

	while (dp_request_take(u->session, &reply)) {
		struct piece *piece = find_piece(u, reply.seq);

		if (reply.nak && piece != NULL) {
			if (++u->naks >= DP_NAKS_MAX)
				return dp_session_fail_unknown(u->session);
			if (!send_piece_again(u, piece))
				return false;
			shrink(u);
		} else if (!reply.nak && reply.command == DP_CMD_DATA && !reply.hello) {
			if (!take_data_answer(u, &reply))
				return false;
		}
	}
	return true;
}

static bool send_again(struct upload *u)
{
	const uint64_t now = dp_clock_ms();
	const uint64_t patience_ms = (uint64_t)dp_request_patience_ms(u->session);

	for (unsigned i = 0; i < u->window_used; i++) {
		struct piece *piece = &u->window[i];
		bool late = now - piece->sent_ms >= patience_ms;

		if (!late && !(piece->gap && piece->offset <= u->have))
			continue;
		if (!send_piece_again(u, piece))
			return false;
		if (late) {
			shrink(u);
			break; /* the oldest; those behind it follow when it arrived */
		}
	}
	return true;
}

static bool send_object(struct upload *u)
{
	while (u->have < u->bytes) {
		if (!send_new(u) || !dp_request_receive(u->session, 20) || !take_replies(u) ||
		    !send_again(u))
			return false;
		if (dp_request_silence_ms(u->session) >= DP_SILENCE_MAX_MS ||
		    dp_clock_ms() - u->moved_ms >= STUCK_MS)
			return dp_session_fail_silent(u->session);
	}
	return true;
}

bool dp_session_upload(struct dp_session *session, const uint8_t *object, uint32_t bytes,
		       uint16_t *transaction)
{
	unsigned window = dp_session_target(session)->window;
	struct upload u = {
		.session = session,
		.object = object,
		.bytes = bytes,
		.moved_ms = dp_clock_ms(),
		.piece_bytes = DP_DATA_MAX,
		.window_room = window < 1            ? 1
			       : window < WINDOW_MAX ? window
						     : WINDOW_MAX,
	};
	uint8_t arguments[8];
	struct dp_reply reply;
	struct dp_fields f;

	dp_put_u32(arguments, bytes);
	dp_put_u32(arguments + 4, dp_crc32(0, object, bytes));
	if (!dp_request_ok(session, DP_CMD_BEGIN, arguments, sizeof arguments, &reply))
		return false;
	f = dp_fields_of(&reply);
	u.transaction = *transaction = dp_field_u16(&f);
	return dp_fields_done(session, &f) && send_object(&u);
}

static bool is_verifiers(unsigned error)
{
	return error >= DP_ERR_BAD_MAGIC && error <= DP_ERR_LIMIT && error != DP_ERR_WRONG_IMAGE;
}

static struct dp_fields take_verdict(const struct dp_reply *reply, struct dp_verdict *verdict)
{
	struct dp_fields f = dp_fields_of(reply);

	verdict->error = (enum dp_err)reply->error;
	verdict->refusal = (enum dp_refusal)dp_field_u8(&f);
	verdict->probe = dp_field_u16(&f);
	verdict->where = dp_field_u32(&f);
	verdict->found = dp_field_u32(&f);
	return f;
}

static bool fail_verdict(struct dp_session *session, const struct dp_verdict *verdict)
{
	const char *reason = dp_error_sentence(verdict->error);

	if (verdict->error == DP_ERR_NOT_PROBEABLE)
		dp_session_fail(session, DP_FAILED_AGENT, "%s: %s", reason,
				dp_refusal_sentence(verdict->refusal));
	else
		dp_session_fail(session,
				is_verifiers(verdict->error) ? DP_FAILED_VERIFIER : DP_FAILED_AGENT,
				"%s", reason);
	if (dp_session_failure(session)->kind != DP_FAILED_LINK)
		dp_session_set_error(session, verdict->error);
	return false;
}

static bool decide(struct dp_session *session, enum dp_cmd command, uint16_t transaction,
		   const struct dp_choice *choice, struct dp_reply *reply)
{
	uint8_t arguments[4 + SELECTION_MAX];
	size_t bytes =
		choice->selection_bytes < SELECTION_MAX ? choice->selection_bytes : SELECTION_MAX;

	dp_put_u16(arguments, transaction);
	arguments[2] = choice->options;
	arguments[3] = choice->items;
	if (bytes > 0)
		memcpy(arguments + 4, choice->selection, bytes);
	return dp_request(session, command, arguments, 4 + bytes, reply);
}

bool dp_session_check(struct dp_session *session, uint16_t transaction,
		      const struct dp_choice *choice, struct dp_verdict *verdict)
{
	struct dp_reply reply;
	struct dp_fields f;

	if (!decide(session, DP_CMD_CHECK, transaction, choice, &reply))
		return false;
	f = take_verdict(&reply, verdict);
	if (verdict->error != DP_ERR_OK)
		return fail_verdict(session, verdict);
	return dp_fields_done(session, &f);
}

bool dp_session_commit(struct dp_session *session, uint16_t transaction,
		       const struct dp_choice *choice, struct dp_inserted *inserted)
{
	struct dp_reply reply;
	struct dp_fields f;

	if (!decide(session, DP_CMD_COMMIT, transaction, choice, &reply))
		return false;
	f = take_verdict(&reply, &inserted->verdict);
	if (inserted->verdict.error != DP_ERR_OK)
		return fail_verdict(session, &inserted->verdict);
	inserted->program = dp_field_u8(&f);
	inserted->armed = dp_field_u8(&f);
	inserted->waiting = dp_field_u8(&f);
	return dp_fields_done(session, &f);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The upload sends BEGIN, DATA in a window, CHECK and COMMIT. */
#include "session_request.h"

#include <dprobes/errors.h>

#include "dp_crc.h"

#include <string.h>

enum {
	WINDOW_MAX = 16,
	PIECE_MIN = 12,     /* bytes: a noisy line takes short pieces better */
	STUCK_MS = 30000,   /* without progress, though the target speaks */
	SELECTION_MAX = 30, /* bytes */
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
	struct dp_data_request request = {
		.transaction = u->transaction,
		.offset = piece->offset,
		.bytes.count = piece->bytes,
	};

	memcpy(request.bytes.bytes, u->object + piece->offset, piece->bytes);
	piece->sent_ms = dp_clock_ms();
	piece->gap = false;
	piece->order = u->sent++;
	return dph_request_send(u->session, piece->seq, DP_CMD_DATA,
				DPH_OF_CONST(data_request, &request));
}

static bool send_new(struct upload *u)
{
	while (u->next < u->bytes && u->window_used < u->window_room) {
		struct piece *piece = &u->window[u->window_used++];
		uint32_t left = u->bytes - u->next;

		piece->offset = u->next;
		piece->bytes = (uint8_t)(left < u->piece_bytes ? left : u->piece_bytes);
		piece->seq = dph_request_next_seq(u->session);
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

/* The agent got a piece and lacks the piece before. When that piece was sent earlier, the piece
 * is lost. */
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
	return dph_request_pause(u->session, DP_CMD_DATA, u->busy++) && send_piece_again(u, piece);
}

static bool take_data_answer(struct upload *u, const struct dph_reply *reply)
{
	struct piece *piece = find_piece(u, reply->seq);
	struct dp_data_answer answer;
	bool cut;

	dph_answer_part(reply, DPH_OF(data_answer, &answer), &cut);
	if (piece != NULL && !piece->repeated)
		dph_request_round_trip(u->session, dp_clock_ms() - piece->sent_ms);
	if (reply->error == DP_ERR_BUSY)
		return wait_and_send_again(u, piece);
	if (reply->error != DP_ERR_OK &&
	    (reply->error != DP_ERR_BAD_TXN || cut || answer.transaction != u->transaction))
		return dph_session_fail_error(u->session, DP_CMD_DATA, reply->error);
	if (!dph_answer(u->session, reply, DPH_OF(data_answer, &answer)))
		return false;
	if (answer.transaction != u->transaction || answer.have > u->bytes)
		return true; /* of an upload that ended */
	if (answer.have > u->have) {
		const struct dp_listener *listener = dph_session_listener(u->session);

		u->have = answer.have;
		u->moved_ms = dp_clock_ms();
		u->naks = u->failures = u->busy = 0;
		if (listener->progress != NULL)
			listener->progress(listener->context, u->have, u->bytes);
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
	struct dph_reply reply;

	while (dph_request_take(u->session, &reply)) {
		struct piece *piece = find_piece(u, reply.seq);

		if (reply.nak && piece != NULL) {
			if (++u->naks >= DPH_NAKS_MAX)
				return dph_session_fail_unknown(u->session);
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
	const uint64_t patience_ms = (uint64_t)dph_request_patience_ms(u->session);

	for (unsigned i = 0; i < u->window_used; i++) {
		struct piece *piece = &u->window[i];
		bool late = now - piece->sent_ms >= patience_ms;

		if (!late && !(piece->gap && piece->offset <= u->have))
			continue;
		if (!send_piece_again(u, piece))
			return false;
		if (late) {
			shrink(u);
			break; /* the oldest piece; the later pieces follow when the oldest
				* arrived */
		}
	}
	return true;
}

/* Say how far the upload has come when the user's patience has ended. */
static bool fail_tried(const struct upload *u)
{
	if (dp_session_failure(u->session)->kind != DP_FAILED_INTERRUPTED)
		return false;
	return dph_session_fail(u->session, DP_FAILED_INTERRUPTED,
				"%u of %u bytes of the program were uploaded", u->have, u->bytes);
}

static bool send_object(struct upload *u)
{
	while (u->have < u->bytes) {
		if (!send_new(u) || !dph_request_receive(u->session, 20) || !take_replies(u) ||
		    !send_again(u))
			return fail_tried(u);
		if (dph_request_silence_ms(u->session) >= DPH_SILENCE_MAX_MS ||
		    dp_clock_ms() - u->moved_ms >= STUCK_MS)
			return dph_session_fail_silent(u->session);
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
	const struct dp_begin_request request = {bytes, dp_crc32(0, object, bytes)};
	struct dp_begin_answer answer;
	struct dph_reply reply;

	if (!dph_request_ok(session, DP_CMD_BEGIN, DPH_OF_CONST(begin_request, &request), &reply) ||
	    !dph_answer(session, &reply, DPH_OF(begin_answer, &answer)))
		return false;
	u.transaction = *transaction = answer.transaction;
	return send_object(&u);
}

static bool is_verifiers(unsigned error)
{
	return error >= DP_ERR_BAD_MAGIC && error <= DP_ERR_LIMIT && error != DP_ERR_WRONG_IMAGE;
}

static bool fail_verdict(struct dp_session *session, const struct dp_verdict *verdict)
{
	const char *reason = dp_error_sentence(verdict->error);

	if (verdict->error == DP_ERR_NOT_PROBEABLE)
		dph_session_fail(session, DP_FAILED_AGENT, "%s: %s", reason,
				 dp_refusal_sentence(verdict->refusal));
	else
		dph_session_fail(session,
				 is_verifiers(verdict->error) ? DP_FAILED_VERIFIER
							      : DP_FAILED_AGENT,
				 "%s", reason);
	if (dp_session_failure(session)->kind != DP_FAILED_LINK)
		dph_session_set_error(session, verdict->error);
	return false;
}

/* Send CHECK or COMMIT and read the verdict, with which both answers begin. */
static bool decide(struct dp_session *session, enum dp_cmd command, uint16_t transaction,
		   const struct dp_choice *choice, struct dph_reply *reply,
		   struct dp_verdict *verdict)
{
	struct dp_commit_request request = {
		.transaction = transaction,
		.options = choice->options,
		.items = choice->items,
	};
	struct dp_check_answer told;
	bool cut;

	request.selection.count =
		(uint8_t)(choice->selection_bytes < SELECTION_MAX ? choice->selection_bytes
								  : SELECTION_MAX);
	if (request.selection.count > 0)
		memcpy(request.selection.bytes, choice->selection, request.selection.count);
	if (!dph_request(session, command, DPH_OF_CONST(commit_request, &request), reply))
		return false;
	dph_answer_part(reply, DPH_OF(check_answer, &told), &cut);
	verdict->error = (enum dp_err)reply->error;
	verdict->refusal = (enum dp_refusal)told.refusal;
	verdict->probe = told.probe;
	verdict->where = told.where;
	verdict->found = told.found;
	return verdict->error == DP_ERR_OK || fail_verdict(session, verdict);
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
	inserted->program = answer.program;
	inserted->armed = answer.armed;
	inserted->waiting = answer.waiting;
	return true;
}

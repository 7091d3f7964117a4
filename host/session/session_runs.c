/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs of equal bytes, which the target counts. A long run has several pieces, and the pieces of
 * several runs share a request. All requests are asked together.  PROTOCOL.md 5.11 */
#include "pipeline.h"

#include "dp_bytes.h"

#include <stdlib.h>
#include <string.h>

enum {
	RUNS = 16,      /* in place of a width */
	UNIT = 64,      /* bytes */
	UNITS_MAX = 64, /* of a request */
	ANSWER_BYTES = 3,
	WORD_MAX = 8
};

struct piece {
	uint64_t address;
	unsigned units;
	uint8_t byte;
	unsigned count; /* 0: the first byte cannot be read */
};

struct counting {
	struct dp_session *session;
	struct piece *pieces;
	size_t count;
	size_t next; /* the first piece that was not asked for */
};

static unsigned place_bytes(const struct counting *c)
{
	return dp_session_target(c->session)->word_bytes + 1u;
}

static void add_pieces(struct counting *c, const struct dp_run *run)
{
	for (uint32_t at = 0; at < run->bytes; at += UNITS_MAX * UNIT) {
		const uint32_t left = (run->bytes - at + UNIT - 1) / UNIT;

		c->pieces[c->count++] = (struct piece){
			.address = run->address + at,
			.units = left < UNITS_MAX ? left : UNITS_MAX,
		};
	}
}

static bool next_request(void *context, struct dph_request *request)
{
	struct counting *c = context;
	const unsigned each = place_bytes(c);
	struct dp_memory_request fields = {.width = RUNS};
	const size_t first = c->next;
	unsigned units = 0;

	for (; c->next < c->count; c->next++) {
		const struct piece *piece = &c->pieces[c->next];
		struct dp_rest *to = &fields.places;
		uint8_t address[WORD_MAX];

		units += piece->units;
		if (units > UNITS_MAX || to->count + each > DP_PAYLOAD_MAX - 2)
			break;
		dp_put_u64(address, piece->address);
		memcpy(to->bytes + to->count, address + sizeof address - (each - 1), each - 1);
		to->bytes[to->count + each - 1] = (uint8_t)piece->units;
		to->count = (uint8_t)(to->count + each);
	}
	if (fields.places.count == 0)
		return false;
	dph_request_set(request, DP_CMD_MEMORY, DPH_OF_CONST(memory_request, &fields));
	request->tag = (uint32_t)first;
	return true;
}

static bool take_answer(void *context, const struct dph_request *request,
			const struct dph_reply *reply)
{
	struct counting *c = context;
	const unsigned count = (request->bytes - 2u) / place_bytes(c);
	struct dp_memory_answer answer;
	size_t used = 0;

	if (reply->error != DP_ERR_OK)
		return dph_session_fail_error(c->session, request->command, reply->error);
	if (!dph_answer(c->session, reply, DPH_OF(memory_answer, &answer)))
		return false;
	for (unsigned n = 0; n < count; n++) {
		struct piece *piece = &c->pieces[request->tag + n];

		if (answer.failed >> n & 1)
			continue;
		if (used + ANSWER_BYTES > answer.bytes.count)
			return dph_session_fail(c->session, DP_FAILED_AGENT,
						"the agent answered fewer runs of equal bytes than "
						"the host has asked for");
		piece->byte = answer.bytes.bytes[used];
		piece->count = dp_get_u16(answer.bytes.bytes + used + 1);
		used += ANSWER_BYTES;
	}
	return true;
}

/* Join the pieces of a run. Returns the first piece of the next one. */
static const struct piece *join(struct dp_run *run, const struct piece *piece)
{
	bool goes_on = true;

	run->byte = run->bytes > 0 ? piece->byte : 0;
	run->count = 0;
	for (uint32_t at = 0; at < run->bytes; at += UNITS_MAX * UNIT, piece++) {
		if (goes_on && piece->byte == run->byte)
			run->count += piece->count;
		goes_on =
			goes_on && piece->byte == run->byte && piece->count == piece->units * UNIT;
	}
	if (run->count > run->bytes)
		run->count = run->bytes;
	return piece;
}

bool dp_session_runs(struct dp_session *session, struct dp_run *runs, size_t count)
{
	struct counting counting = {.session = session};
	const struct dph_asker asker = {
		.context = &counting, .next = next_request, .answer = take_answer};
	const struct piece *piece;
	size_t most = 1;
	bool good;

	if (!dp_session_has_part(session, DP_PART_RUNS))
		return false;
	for (size_t i = 0; i < count; i++)
		most += runs[i].bytes / (UNITS_MAX * UNIT) + 1;
	counting.pieces = calloc(most, sizeof *counting.pieces);
	if (counting.pieces == NULL)
		return dph_session_fail(session, DP_FAILED_AGENT, "out of memory");
	for (size_t i = 0; i < count; i++)
		add_pieces(&counting, &runs[i]);
	good = dph_ask(session, &asker);
	piece = counting.pieces;
	for (size_t i = 0; i < count && good; i++)
		piece = join(&runs[i], piece);
	free(counting.pieces);
	return good;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions read and write memory. Places become pieces that an answer holds, and the pieces of
 * several places share a request. All requests are asked together. */
#include "pipeline.h"

#include "dp_bytes.h"

#include <stdlib.h>
#include <string.h>

enum {
	BYTES_MAX = 52,   /* of the pieces of a request */
	PIECES_MAX = 10,  /* of a request */
	WHOLE_BYTES = 8,  /* that the agent reads in one step */
	PIECE_LEAST = 45, /* bytes of a piece that another one of its place follows */
	WORD_MAX = 8
};

/* A byte of the places. */
struct position {
	size_t place, at;
};

struct reading {
	struct dp_session *session;
	struct dp_read_place *places;
	size_t count;
	unsigned width;
	struct dp_module_answer *image; /* null: not asked for */
	bool image_asked;
	struct position next;   /* the first byte that was not asked for */
	struct position *first; /* of each request */
	size_t requests;
};

static unsigned word_of(const struct reading *r)
{
	return dp_session_target(r->session)->word_bytes;
}

/* The bytes of the next piece: what the request has room for. A place that the agent reads in one
 * step is not divided, and other pieces end where steps end. */
static size_t piece_bytes(const struct reading *r, const struct position *next, size_t room)
{
	const struct dp_read_place *place = &r->places[next->place];
	const size_t left = place->bytes - next->at;
	const size_t step = r->width > 0 ? r->width : WHOLE_BYTES;
	const size_t beyond = (size_t)((place->address + next->at + room) % step);

	if (left <= room)
		return left;
	return place->bytes > WHOLE_BYTES && beyond < room ? room - beyond : 0;
}

/* Find the next piece of a request. Request and answer have the same pieces in the same order.
 * Returns its bytes; 0: there is none, or no room. */
static size_t find_piece(const struct reading *r, struct position *next, size_t room)
{
	while (next->place < r->count && next->at == r->places[next->place].bytes)
		*next = (struct position){next->place + 1, 0};
	return next->place < r->count ? piece_bytes(r, next, room) : 0;
}

/* --- requests -------------------------------------------------------------------------------- */

static void put_piece(const struct reading *r, struct dp_rest *to, uint64_t address, size_t bytes)
{
	uint8_t all[WORD_MAX];

	dp_put_u64(all, address);
	memcpy(to->bytes + to->count, all + sizeof all - word_of(r), word_of(r));
	to->count = (uint8_t)(to->count + word_of(r));
	to->bytes[to->count++] = (uint8_t)bytes;
}

static bool has_room(const struct reading *r, const struct dp_rest *places)
{
	const unsigned each = word_of(r) + 1;

	return places->count / each < PIECES_MAX && places->count + each <= DP_PAYLOAD_MAX - 2;
}

static bool next_request(void *context, struct dph_request *request)
{
	struct reading *r = context;
	struct position next = r->next;
	struct dp_memory_request fields = {.width = (uint8_t)r->width};
	const struct dp_module_request module = {0, 0};
	size_t room = BYTES_MAX, bytes;

	if (r->image != NULL && !r->image_asked) {
		r->image_asked = true;
		dph_request_set(request, DP_CMD_MODULE, DPH_OF_CONST(module_request, &module));
		return true;
	}
	while (has_room(r, &fields.places) && (bytes = find_piece(r, &next, room)) > 0) {
		put_piece(r, &fields.places, r->places[next.place].address + next.at, bytes);
		next.at += bytes;
		room -= bytes;
	}
	if (fields.places.count == 0)
		return false;
	dph_request_set(request, DP_CMD_MEMORY, DPH_OF_CONST(memory_request, &fields));
	request->alone = r->width > 0; /* the read of a register may change the register */
	request->tag = (uint32_t)r->requests;
	r->first[r->requests++] = r->next;
	r->next = next;
	return true;
}

/* --- answers --------------------------------------------------------------------------------- */

/* Answers may come in any order. */
static bool take_pieces(struct reading *r, const struct dph_request *request,
			const struct dp_memory_answer *answer)
{
	struct position next = r->first[request->tag];
	const unsigned pieces = (request->bytes - 2u) / (word_of(r) + 1);
	size_t used = 0, room = BYTES_MAX;

	for (unsigned n = 0; n < pieces; n++) {
		const size_t bytes = find_piece(r, &next, room);
		struct dp_read_place *place = &r->places[next.place];

		room -= bytes;
		if (answer->failed >> n & 1) {
			if (place->have > next.at)
				place->have = next.at;
		} else if (bytes <= answer->bytes.count - used) {
			memcpy(place->data + next.at, answer->bytes.bytes + used, bytes);
			used += bytes;
		} else {
			return dph_session_fail(r->session, DP_FAILED_AGENT,
						"the agent answered fewer bytes of memory than "
						"the host has asked for");
		}
		next.at += bytes;
	}
	return true;
}

static bool take_answer(void *context, const struct dph_request *request,
			const struct dph_reply *reply)
{
	struct reading *r = context;
	struct dp_memory_answer answer;

	if (reply->error != DP_ERR_OK)
		return dph_session_fail_error(r->session, request->command, reply->error);
	if (request->command == DP_CMD_MODULE)
		return dph_answer(r->session, reply, DPH_OF(module_answer, r->image));
	return dph_answer(r->session, reply, DPH_OF(memory_answer, &answer)) &&
	       take_pieces(r, request, &answer);
}

bool dp_session_read(struct dp_session *session, struct dp_read_place *places, size_t count,
		     unsigned width, struct dp_module_answer *image)
{
	struct reading reading = {
		.session = session,
		.places = places,
		.count = count,
		.width = width,
		.image = image,
	};
	const struct dph_asker asker = {
		.context = &reading, .next = next_request, .answer = take_answer};
	size_t most = 1;
	bool good;

	if (!dp_session_has_part(session, DP_PART_MEMORY))
		return false;
	for (size_t i = 0; i < count; i++) {
		places[i].have = places[i].bytes;
		most += places[i].bytes / PIECE_LEAST + 2;
	}
	reading.first = calloc(most, sizeof *reading.first);
	if (reading.first == NULL)
		return dph_session_fail(session, DP_FAILED_AGENT, "out of memory");
	good = dph_ask(session, &asker);
	free(reading.first);
	for (size_t i = 0; i < count && !good; i++)
		places[i].have = 0;
	return good;
}

/* --- store ----------------------------------------------------------------------------------- */

/* The bytes of the next step: an aligned number of at most so many. */
static size_t step_bytes(uint64_t address, size_t left)
{
	size_t bytes = WHOLE_BYTES;

	while ((address & (bytes - 1)) != 0 || bytes > left)
		bytes >>= 1;
	return bytes;
}

static bool store_step(struct dp_session *session, uint64_t address, const uint8_t *bytes,
		       size_t count, size_t *stored)
{
	struct dp_store_request request = {.address = address};
	struct dp_store_answer answer;
	struct dph_reply reply;

	request.bytes.count = (uint8_t)count;
	memcpy(request.bytes.bytes, bytes, count);
	if (!dph_request_ok(session, DP_CMD_STORE, DPH_OF_CONST(store_request, &request), &reply) ||
	    !dph_answer(session, &reply, DPH_OF(store_answer, &answer)))
		return false;
	*stored = answer.stored;
	return true;
}

bool dp_session_store(struct dp_session *session, uint64_t address, const uint8_t *bytes,
		      size_t count, size_t *stored)
{
	*stored = 0;
	if (!dp_session_has_part(session, DP_PART_MEMORY))
		return false;
	while (*stored < count) {
		const size_t step = step_bytes(address + *stored, count - *stored);
		size_t now;

		if (!store_step(session, address + *stored, bytes + *stored, step, &now))
			return false;
		*stored += now;
		if (now < step)
			break;
	}
	return true;
}

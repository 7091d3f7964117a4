/* SPDX-License-Identifier: BSD-2-Clause */
/* The function reads much memory. An agent with the part DUMP answers runs of words: several parts
 * of the memory are asked for at a time, and each of them is asked for again until it is whole. */
#include "pipeline.h"

#include <stdlib.h>
#include <string.h>

enum {
	CHUNK = 4096, /* bytes between two pieces of news, and of a part */
	UNIT = 4,     /* bytes of a word of CORE */
	RUN = 0x80,   /* the bit of a run in its first byte */
};

/* A part of a place. */
struct part {
	size_t place, first, end; /* bytes of the place */
	size_t at;                /* the first one that was not answered */
};

struct dumping {
	struct dp_session *session;
	struct dp_read_place *places;
	const struct dp_progress *progress;
	struct part *parts;
	size_t part_count, next; /* next: the first one that was not asked for */
	size_t *again;           /* parts that are asked for again */
	size_t again_count;
	uint64_t done;
};

static void tell(struct dumping *d, uint64_t bytes)
{
	d->done += bytes;
	if (d->progress != NULL)
		d->progress->tell(d->progress->context, d->done);
}

/* --- runs --- */

static bool next_request(void *context, struct dph_request *request)
{
	struct dumping *d = context;
	struct dp_core_request fields;
	const struct part *part;
	size_t index;

	if (d->again_count > 0)
		index = d->again[--d->again_count];
	else if (d->next < d->part_count)
		index = d->next++;
	else
		return false;
	part = &d->parts[index];
	fields = (struct dp_core_request){
		.address = d->places[part->place].address + part->at,
		.words = (uint16_t)((part->end - part->at) / UNIT),
	};
	dph_request_set(request, DP_CMD_CORE, DPH_OF_CONST(core_request, &fields));
	request->tag = (uint32_t)index;
	return true;
}

/* Write the words of an answer. Returns their bytes; SIZE_MAX: they are more than was asked for, or
 * are cut. */
static size_t take_runs(const struct dp_rest *runs, uint8_t *to, size_t room)
{
	size_t have = 0;

	for (unsigned at = 0; at < runs->count;) {
		const bool run = runs->bytes[at] & RUN;
		const unsigned head = run ? 2 : 1;
		unsigned count = runs->bytes[at] & (RUN - 1);

		if (head > runs->count - at)
			return SIZE_MAX;
		count = run ? count << 8 | runs->bytes[at + 1] : count;
		at += head;
		if ((run ? 1 : count) * UNIT > runs->count - at || count > (room - have) / UNIT)
			return SIZE_MAX;
		for (unsigned i = 0; i < count; i++, have += UNIT)
			memcpy(to + have, runs->bytes + at + (run ? 0 : i * UNIT), UNIT);
		at += (run ? 1 : count) * UNIT;
	}
	return have;
}

static bool take_answer(void *context, const struct dph_request *request,
			const struct dph_reply *reply)
{
	struct dumping *d = context;
	struct part *part = &d->parts[request->tag];
	const size_t left = part->end - part->at;
	struct dp_core_answer answer;
	size_t bytes;

	if (reply->error != DP_ERR_OK)
		return dph_session_fail_error(d->session, request->command, reply->error);
	if (!dph_answer(d->session, reply, DPH_OF(core_answer, &answer)))
		return false;
	bytes = take_runs(&answer.runs, d->places[part->place].data + part->at, left);
	if (bytes != (size_t)answer.covered * UNIT || (bytes == 0 && !answer.failed))
		return dph_session_fail(d->session, DP_FAILED_AGENT,
					"the agent answered other memory than the host has asked "
					"for");
	part->at += bytes;
	if (!answer.failed && part->at < part->end)
		d->again[d->again_count++] = request->tag;
	tell(d, answer.failed ? left : bytes);
	return true;
}

static bool read_runs(struct dumping *d)
{
	const struct dph_asker asker = {.context = d, .next = next_request, .answer = take_answer};

	return dph_ask(d->session, &asker);
}

/* --- bytes --- */

/* Read a part as MEMORY answers it. */
static bool read_bytes(struct dumping *d, struct part *part)
{
	const struct dp_read_place *place = &d->places[part->place];
	struct dp_read_place piece = {
		.address = place->address + part->at,
		.bytes = part->end - part->at,
		.data = place->data + part->at,
	};

	if (!dp_session_read(d->session, &piece, 1, 0, NULL))
		return false;
	part->at += piece.have;
	tell(d, piece.bytes);
	return true;
}

static bool read_all_bytes(struct dumping *d)
{
	for (size_t i = 0; i < d->part_count; i++)
		if (!read_bytes(d, &d->parts[i]))
			return false;
	return true;
}

/* --- parts --- */

static size_t parts_of(const struct dp_read_place *place)
{
	return (place->bytes + CHUNK - 1) / CHUNK;
}

static bool make_parts(struct dumping *d, size_t count)
{
	size_t all = 1;

	for (size_t i = 0; i < count; i++)
		all += parts_of(&d->places[i]);
	d->parts = calloc(all, sizeof *d->parts);
	d->again = calloc(all, sizeof *d->again);
	if (d->parts == NULL || d->again == NULL)
		return dph_session_fail(d->session, DP_FAILED_AGENT, "out of memory");
	for (size_t i = 0; i < count; i++) {
		const size_t bytes = d->places[i].bytes;

		for (size_t at = 0; at < bytes; at += CHUNK)
			d->parts[d->part_count++] = (struct part){
				.place = i,
				.first = at,
				.end = bytes - at < CHUNK ? bytes : at + CHUNK,
				.at = at,
			};
	}
	return true;
}

/* The bytes of each place up to the first one that was not read. */
static void count_bytes(struct dumping *d, size_t count)
{
	for (size_t i = 0; i < count; i++)
		d->places[i].have = 0;
	for (size_t i = 0; i < d->part_count; i++) {
		struct dp_read_place *place = &d->places[d->parts[i].place];

		if (place->have == d->parts[i].first)
			place->have = d->parts[i].at;
	}
}

/* CORE has whole words alone. */
static bool has_words(const struct dp_read_place *places, size_t count)
{
	bool whole = true;

	for (size_t i = 0; i < count; i++)
		whole = whole && (places[i].address | places[i].bytes) % UNIT == 0;
	return whole;
}

bool dp_session_dump(struct dp_session *session, struct dp_read_place *places, size_t count,
		     const struct dp_progress *progress)
{
	const uint64_t parts = dp_hello_parts(dp_session_target(session));
	struct dumping d = {.session = session, .places = places, .progress = progress};
	bool good = make_parts(&d, count);

	if (good && parts >> DP_PART_DUMP & 1 && has_words(places, count))
		good = read_runs(&d);
	else
		good = good && read_all_bytes(&d);
	count_bytes(&d, count);
	free(d.parts);
	free(d.again);
	return good;
}

bool dp_session_reset(struct dp_session *session)
{
	const struct dp_core_request request = {.how = 1};
	struct dph_reply reply;

	return dp_session_has_part(session, DP_PART_DUMP) &&
	       dph_request_ok(session, DP_CMD_CORE, DPH_OF_CONST(core_request, &request), &reply);
}

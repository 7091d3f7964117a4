/* SPDX-License-Identifier: BSD-2-Clause */
/* The function reads much memory, with news of its progress. */
#include "pipeline.h"

enum {
	CHUNK = 4096 /* bytes between two pieces of news */
};

/* Read the next bytes of a place. Returns false when the line or the agent fails. */
static bool read_on(struct dp_session *session, struct dp_read_place *place, size_t *at)
{
	const size_t left = place->bytes - *at, now = left < CHUNK ? left : CHUNK;
	struct dp_read_place piece = {
		.address = place->address + *at,
		.bytes = now,
		.data = place->data + *at,
	};

	if (!dp_session_read(session, &piece, 1, 0, NULL))
		return false;
	place->have += piece.have;
	*at = piece.have < now ? place->bytes : *at + now;
	return true;
}

bool dp_session_dump(struct dp_session *session, struct dp_read_place *places, size_t count,
		     const struct dp_progress *progress)
{
	uint64_t done = 0;

	for (size_t i = 0; i < count; i++)
		places[i].have = 0;
	for (size_t i = 0; i < count; i++) {
		for (size_t at = 0; at < places[i].bytes;) {
			const size_t before = at;

			if (!read_on(session, &places[i], &at))
				return false;
			done += at - before;
			if (progress != NULL)
				progress->tell(progress->context, done);
		}
	}
	return true;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions read the maps of a program. An answer has whole entries, packed. PROTOCOL.md 2.3 */
#include "pipeline.h"

#include <stdlib.h>

enum {
	NO_PLACE = 0xffff,
	LAST_PLACE = 0xfffe, /* more than a map has */
	GROUP = 4            /* numbers behind a byte of their lengths */
};

struct reading {
	struct dp_session *session;
	struct dp_map_request request;
	struct dp_map_entries *entries;
	size_t room;
	bool asked;
	enum dp_err error;
};

/* Numbers of 32 bits behind one another: a byte of four lengths, then their bytes, low first. */
struct unpacker {
	const uint8_t *at, *end;
	unsigned lengths, left; /* of the group */
	bool bad;
};

static unsigned take_byte(struct unpacker *u)
{
	if (u->at == u->end) {
		u->bad = true;
		return 0;
	}
	return *u->at++;
}

static uint32_t take_number(struct unpacker *u)
{
	static const unsigned bytes_of[] = {0, 1, 2, 4};
	uint32_t value = 0;

	if (u->left == 0) {
		u->lengths = take_byte(u);
		u->left = GROUP;
	}
	for (unsigned i = 0; i < bytes_of[u->lengths & 3]; i++)
		value |= (uint32_t)take_byte(u) << 8 * i;
	u->lengths >>= 2;
	u->left--;
	return value;
}

static uint64_t take_word(struct unpacker *u, unsigned word_bytes)
{
	const uint64_t low = take_number(u);

	return word_bytes == 8 ? low | (uint64_t)take_number(u) << 32 : low;
}

/* Make room for one more entry. */
static bool grow(struct reading *r)
{
	struct dp_map_entries *entries = r->entries;
	const size_t need = (entries->count + 1) * entries->each;
	uint64_t *grown;

	if (need <= r->room)
		return true;
	grown = realloc(entries->words, 2 * need * sizeof *grown);
	if (grown == NULL)
		return dph_session_fail(r->session, DP_FAILED_AGENT,
					"out of memory for the map of a program");
	entries->words = grown;
	r->room = 2 * need;
	return true;
}

/* An entry begins a group of lengths. */
static bool take_entry(struct reading *r, struct unpacker *u)
{
	struct dp_map_entries *entries = r->entries;
	const unsigned word_bytes = dp_session_target(r->session)->word_bytes;

	if (!grow(r))
		return false;
	u->left = 0;
	for (unsigned i = 0; i < entries->each; i++)
		entries->words[entries->count * entries->each + i] = take_word(u, word_bytes);
	entries->count += !u->bad;
	return true;
}

static bool next(void *context, struct dph_request *request)
{
	struct reading *r = context;

	if (r->asked || r->request.from == NO_PLACE)
		return false;
	r->asked = true;
	dph_request_set(request, DP_CMD_MAP, DPH_OF_CONST(map_request, &r->request));
	return true;
}

static bool take(void *context, const struct dph_request *request, const struct dph_reply *reply)
{
	struct reading *r = context;
	struct dp_map_answer answer;
	struct unpacker u = {0};

	(void)request;
	r->asked = false;
	r->error = (enum dp_err)reply->error;
	if (reply->error != DP_ERR_OK) {
		r->request.from = NO_PLACE;
		return true;
	}
	if (!dph_answer(r->session, reply, DPH_OF(map_answer, &answer)))
		return false;
	u.at = answer.entries.bytes;
	u.end = u.at + answer.entries.count;
	u.bad = r->entries->each == 0;
	while (u.at < u.end && !u.bad)
		if (!take_entry(r, &u))
			return false;
	if (u.bad || (answer.next <= r->request.from && answer.entries.count == 0))
		return dph_session_fail(
			r->session, DP_FAILED_AGENT,
			"the agent's answer does not fit the map in the object; insert "
			"the program again");
	r->entries->dropped = answer.dropped;
	r->request.from = answer.next;
	return true;
}

/* Read the entries from a place on. */
static bool read_from(struct dp_session *session, const struct dp_map_request *request,
		      struct dp_map_entries *entries)
{
	struct reading r = {.session = session, .request = *request, .entries = entries};
	const struct dph_asker asker = {.context = &r, .next = next, .answer = take};

	entries->words = NULL;
	entries->count = 0;
	entries->dropped = 0;
	if (!dp_session_has_part(session, DP_PART_MAPS) || !dph_ask(session, &asker))
		return false;
	return r.error == DP_ERR_OK || dph_session_fail_error(session, DP_CMD_MAP, r.error);
}

bool dp_session_map(struct dp_session *session, uint8_t program, uint8_t map, enum dp_map_how how,
		    struct dp_map_entries *entries)
{
	const struct dp_map_request request = {.program = program, .map = map, .how = (uint8_t)how};

	return read_from(session, &request, entries);
}

/* Behind the last place there are no entries. */
bool dp_session_map_dropped(struct dp_session *session, uint8_t program, uint8_t map,
			    uint32_t *dropped)
{
	const struct dp_map_request request = {.program = program, .map = map, .from = LAST_PLACE};
	struct dp_map_entries entries = {.each = 1};
	const bool good = read_from(session, &request, &entries);

	*dropped = entries.dropped;
	dp_map_entries_free(&entries);
	return good;
}

void dp_map_entries_free(struct dp_map_entries *entries)
{
	free(entries->words);
	*entries = (struct dp_map_entries){0};
}

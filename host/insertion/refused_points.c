/* SPDX-License-Identifier: BSD-2-Clause */
/* This file asks the agent for each refused probe point: CHECK without the points that it has
 * refused, then CHECK of each of them at the addresses behind it. The agent decides both. */
#include "refused_points.h"

#include "base/diag.h"
#include "base/pool.h"
#include "dp_bytes.h"
#include "dp_crc.h"
#include "dp_object.h"
#include "refusal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	POINTS_MAX = 240,
	SELECTION_BYTES = POINTS_MAX / 8,
	TRIALS_MAX =
		8, /* addresses that are tried behind a point: an upload each, for all points */
	STEP = 2,  /* bytes: the shortest instruction of the CPUs that have an agent */
	/* index in the section table */
	POINTS_SECTION = DP_SECTION_PROBES - DP_SECTION_MODULES
};

bool dph_is_of_point(const struct dp_session *session, const struct dp_verdict *verdict)
{
	const bool of_point =
		(verdict->error >= DP_ERR_NOT_TEXT && verdict->error <= DP_ERR_BAD_PHASE) ||
		verdict->error == DP_ERR_WRONG_ISA || verdict->error == DP_ERR_NO_COMPARATOR;

	return of_point && verdict->probe < POINTS_MAX &&
	       dp_session_target(session)->parts >> DP_PART_DETAILS & 1;
}

/* Does another address of the same code help? */
static bool has_next(enum dp_err error)
{
	return error == DP_ERR_NOT_BOUNDARY || error == DP_ERR_NOT_PROBEABLE ||
	       error == DP_ERR_BAD_DELAY_SLOT || error == DP_ERR_IN_ATOMIC;
}

/* The choice with an own bitmap, which starts as the selection of the choice. */
static void take_choice(const struct dph_refused_upload *upload, struct dp_choice *choice,
			uint8_t *selection)
{
	memset(selection, 0xff, SELECTION_BYTES);
	*choice = *upload->choice;
	if (choice->selection_bytes)
		memcpy(selection, choice->selection, choice->selection_bytes);
	choice->selection = selection;
	choice->selection_bytes = SELECTION_BYTES;
}

/* A refused point. */
struct refused_point {
	unsigned number;
	uint64_t address; /* of the object */
	uint64_t next;    /* the first address behind it that the agent takes; 0: none near */
	bool open;        /* the next address is not known yet */
	struct dp_messages said; /* its refusal */
};

struct refused_list {
	const struct dph_refused_upload *upload;
	struct refused_point points[POINTS_MAX];
	unsigned count;
};

/* --- the next addresses -------------------------------------------------------------------- */

static uint8_t *row_of(uint8_t *object, unsigned point)
{
	const uint8_t *entry =
		object + DP_OBJECT_HEADER_BYTES + POINTS_SECTION * DP_OBJECT_ENTRY_BYTES;

	return object + dp_get_u32(entry + 8) + point * DP_PROBE_BYTES;
}

/* Has the object a point of this minor code at the address? Two of them are no object. */
static bool is_taken(const struct dp_object_file *object, uint64_t address, uint64_t minor)
{
	struct dp_point_info point;

	for (unsigned i = 0; dp_object_point(object, i, &point); i++)
		if (point.address == address && point.minor == minor)
			return true;
	return false;
}

enum placing {
	PLACED,
	SKIPPED, /* the address is another point's */
	OUTSIDE
};

/* Move a point in a copy of the object to an address of the same upper half. An address outside of
 * the extent is not tried: an agent without a table of functions could not tell an instruction
 * there. */
static enum placing move_point(const struct refused_list *list, uint8_t *copy,
			       const struct refused_point *point, uint64_t address)
{
	uint8_t *row = row_of(copy, point->number);
	const uint32_t moved = (uint32_t)address - dp_get_u32(row + DP_PT_ADDRESS);
	const uint64_t before = (uint64_t)dp_get_u32(row + DP_PT_BEFORE) + moved;
	struct dp_point_info info;

	if (before >= dp_get_u32(row + DP_PT_EXTENT))
		return OUTSIDE;
	if (!dp_object_point(list->upload->object, point->number, &info) ||
	    is_taken(list->upload->object, address, info.minor))
		return SKIPPED;
	dp_put_u32(row + DP_PT_ADDRESS, (uint32_t)address);
	dp_put_u32(row + DP_PT_BEFORE, (uint32_t)before);
	return PLACED;
}

/* Ask for one point of the upload. Returns false when the answer is of no point: the search ends.
 */
static bool try_point(const struct refused_list *list, uint16_t transaction,
		      struct refused_point *point, uint64_t address)
{
	uint8_t selection[SELECTION_BYTES] = {0};
	struct dp_choice choice = *list->upload->choice;
	struct dp_verdict verdict = {.error = DP_ERR_OK};

	selection[point->number / 8] = (uint8_t)(0x80 >> point->number % 8);
	choice.selection = selection;
	choice.selection_bytes = SELECTION_BYTES;
	choice.options |= DP_INSERT_ANY_OPCODE; /* the point names the opcode of its old address */
	if (!dp_session_check(list->upload->session, transaction, &choice, &verdict))
		return dph_is_of_point(list->upload->session, &verdict);
	point->next = address;
	point->open = false;
	return true;
}

/* Try one address behind each open point: `ahead` bytes. copy: room for the object. Returns false
 * when the search ends. */
static bool try_addresses(struct refused_list *list, uint8_t *copy, uint64_t ahead)
{
	const struct dp_object_file *object = list->upload->object;
	const uint32_t bytes = object->travelling;
	enum placing places[POINTS_MAX];
	uint16_t transaction;
	unsigned placed = 0, open = 0;

	memcpy(copy, object->data, bytes);
	for (unsigned i = 0; i < list->count; i++) {
		struct refused_point *point = &list->points[i];

		places[i] = OUTSIDE;
		if (point->open)
			places[i] = move_point(list, copy, point, point->address + ahead);
		point->open = places[i] != OUTSIDE;
		placed += places[i] == PLACED;
		open += point->open;
	}
	if (placed == 0)
		return open > 0;
	dp_put_u32(copy + bytes - DP_OBJECT_CRC_BYTES,
		   dp_crc32(0, copy, bytes - DP_OBJECT_CRC_BYTES));
	if (!dp_session_upload(list->upload->session, copy, bytes, &transaction))
		return false;
	for (unsigned i = 0; i < list->count; i++)
		if (places[i] == PLACED && !try_point(list, transaction, &list->points[i],
						      list->points[i].address + ahead))
			return false;
	return true;
}

/* The uploads replace the one that was refused. */
static void find_next(struct refused_list *list)
{
	uint8_t *copy = dph_malloc(list->upload->object->travelling);

	for (unsigned i = 1; i <= TRIALS_MAX && try_addresses(list, copy, (uint64_t)i * STEP); i++)
		;
	free(copy);
}

/* --- all points ---------------------------------------------------------------------------- */

static void add_point(struct refused_list *list, const struct dp_verdict *verdict)
{
	const struct dph_refused_upload *upload = list->upload;
	struct refused_point *point = &list->points[list->count++];
	struct dp_point_info info;

	point->number = verdict->probe;
	if (has_next(verdict->error) && dp_object_point(upload->object, verdict->probe, &info)) {
		point->address = info.address;
		point->open = true;
	}
	dph_refuse_verdict(&point->said, upload->name, upload->object, upload->session, verdict);
}

/* Is the point selected? Without: the refusal is one of the object, whatever is selected. */
static bool deselect(uint8_t *selection, unsigned point)
{
	const uint8_t bit = (uint8_t)(0x80 >> point % 8);
	const bool was = selection[point / 8] & bit;

	selection[point / 8] &= (uint8_t)~bit;
	return was;
}

void dph_refused_points(const struct dph_refused_upload *upload, const struct dp_verdict *verdict,
			struct dp_messages *messages)
{
	struct refused_list *list = dph_malloc(sizeof *list);
	struct dp_verdict refused = *verdict;
	uint8_t selection[SELECTION_BYTES];
	struct dp_choice choice;

	memset(list, 0, sizeof *list);
	list->upload = upload;
	take_choice(upload, &choice, selection);
	if (!dph_is_of_point(upload->session, verdict))
		dph_refuse_verdict(messages, upload->name, upload->object, upload->session,
				   verdict);
	while (dph_is_of_point(upload->session, &refused)) {
		const bool selected = deselect(selection, refused.probe);

		if (selected || list->count == 0)
			add_point(list, &refused);
		refused.error = DP_ERR_OK;
		if (!selected ||
		    dp_session_check(upload->session, upload->transaction, &choice, &refused))
			break;
	}
	find_next(list);
	for (unsigned i = 0; i < list->count; i++) {
		const struct refused_point *point = &list->points[i];

		dph_messages_move(messages, &list->points[i].said);
		if (point->next)
			dph_refusal_note(messages,
					 "probe point %u: the next address that can be probed is "
					 "0x%08" PRIx64,
					 point->number, point->next);
	}
	free(list);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* This file asks the agent for each refused probe point: CHECK without the points that it has
 * refused, then CHECK of one point at the addresses behind it. The agent decides both. */
#include "refused_points.h"

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
	REPORTED_MAX = 8, /* points with a sentence of their own */
	TRIALS_MAX = 8,   /* addresses that are tried behind a point */
	STEP = 2,         /* bytes: the shortest instruction of the CPUs that have an agent */
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

/* --- the next address ---------------------------------------------------------------------- */

/* Move a point of the object to an address of the same upper half; seal the object again. Returns
 * false when the address is outside of the extent: an agent without a table of functions could not
 * tell an instruction there. */
static bool move_point(uint8_t *object, uint32_t bytes, unsigned point, uint64_t address)
{
	const uint8_t *entry =
		object + DP_OBJECT_HEADER_BYTES + POINTS_SECTION * DP_OBJECT_ENTRY_BYTES;
	uint8_t *row = object + dp_get_u32(entry + 8) + point * DP_PROBE_BYTES;
	const uint32_t extent = dp_get_u32(row + DP_PT_EXTENT);
	const uint32_t moved = (uint32_t)address - dp_get_u32(row + DP_PT_ADDRESS);
	const uint64_t before = (uint64_t)dp_get_u32(row + DP_PT_BEFORE) + moved;
	if (before >= extent)
		return false;
	dp_put_u32(row + DP_PT_ADDRESS, (uint32_t)address);
	dp_put_u32(row + DP_PT_BEFORE, (uint32_t)before);
	dp_put_u32(object + bytes - DP_OBJECT_CRC_BYTES,
		   dp_crc32(0, object, bytes - DP_OBJECT_CRC_BYTES));
	return true;
}

/* The first address behind the point's that the agent takes; 0: none of those near. */
static uint64_t next_address(const struct dph_refused_upload *upload, unsigned point,
			     uint64_t address)
{
	const uint32_t bytes = upload->object->travelling;
	uint8_t selection[SELECTION_BYTES] = {0}, *copy = dph_malloc(bytes);
	struct dp_choice choice = *upload->choice;
	struct dp_verdict verdict = {0};
	uint64_t found = 0;
	uint16_t transaction;
	memcpy(copy, upload->object->data, bytes);
	selection[point / 8] = (uint8_t)(0x80 >> point % 8);
	choice.selection = selection;
	choice.selection_bytes = SELECTION_BYTES;
	choice.options |= DP_INSERT_ANY_OPCODE; /* the point names the opcode of its old address */
	for (unsigned i = 1; i <= TRIALS_MAX && !found; i++) {
		verdict.error = DP_ERR_OK;
		if (!move_point(copy, bytes, point, address + (uint64_t)i * STEP) ||
		    !dp_session_upload(upload->session, copy, bytes, &transaction))
			break;
		if (dp_session_check(upload->session, transaction, &choice, &verdict))
			found = address + (uint64_t)i * STEP;
		else if (!dph_is_of_point(upload->session, &verdict))
			break;
	}
	free(copy);
	return found;
}

/* --- all points ---------------------------------------------------------------------------- */

static void report_next(const struct dph_refused_upload *upload, const struct dp_verdict *verdict,
			struct dp_messages *messages)
{
	struct dp_point_info point;
	uint64_t next;
	if (!has_next(verdict->error) || !dp_object_point(upload->object, verdict->probe, &point))
		return;
	next = next_address(upload, verdict->probe, point.address);
	if (next)
		dph_refusal_note(messages,
				 "probe point %u: the next address that can be probed is "
				 "0x%08" PRIx64,
				 verdict->probe, next);
}

void dph_refused_points(const struct dph_refused_upload *upload, const struct dp_verdict *verdict,
			struct dp_messages *messages)
{
	struct dp_verdict refused[REPORTED_MAX] = {*verdict};
	uint8_t selection[SELECTION_BYTES];
	struct dp_choice choice;
	unsigned count = 0;
	take_choice(upload, &choice, selection);
	dph_refuse_verdict(messages, upload->name, upload->object, upload->session, verdict);
	while (dph_is_of_point(upload->session, &refused[count])) {
		const unsigned point = refused[count].probe;
		if (!(selection[point / 8] >> (7 - point % 8) & 1))
			break; /* of the object, whatever is selected */
		count++;
		selection[point / 8] &= (uint8_t) ~(0x80 >> point % 8);
		if (count == REPORTED_MAX)
			break;
		refused[count].error = DP_ERR_OK;
		if (dp_session_check(upload->session, upload->transaction, &choice,
				     &refused[count]))
			break;
		if (dph_is_of_point(upload->session, &refused[count]))
			dph_refuse_verdict(messages, upload->name, upload->object, upload->session,
					   &refused[count]);
	}
	/* The trials replace the upload: only now. */
	for (unsigned i = 0; i < count; i++)
		report_next(upload, &refused[i], messages);
}

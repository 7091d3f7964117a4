/* SPDX-License-Identifier: BSD-2-Clause */
/* Taking the payload of an answer apart. */
#include "session_request.h"

#include "dp_bytes.h"

#include <string.h>

struct dp_fields dp_fields_of(const struct dp_reply *reply)
{
	return (struct dp_fields){reply->payload, reply->bytes, false};
}

/* Zeros where the answer is too short. */
static void take(struct dp_fields *fields, uint8_t *to, size_t bytes)
{
	memset(to, 0, bytes);
	if (fields->left < bytes) {
		fields->cut = true;
		fields->left = 0;
		return;
	}
	memcpy(to, fields->p, bytes);
	fields->p += bytes;
	fields->left -= bytes;
}

uint8_t dp_field_u8(struct dp_fields *fields)
{
	uint8_t byte;

	take(fields, &byte, 1);
	return byte;
}

uint16_t dp_field_u16(struct dp_fields *fields)
{
	uint8_t bytes[2];

	take(fields, bytes, sizeof bytes);
	return dp_get_u16(bytes);
}

uint32_t dp_field_u32(struct dp_fields *fields)
{
	uint8_t bytes[4];

	take(fields, bytes, sizeof bytes);
	return dp_get_u32(bytes);
}

uint64_t dp_field_u64(struct dp_fields *fields)
{
	uint8_t bytes[8];

	take(fields, bytes, sizeof bytes);
	return dp_get_u64(bytes);
}

size_t dp_field_rest(struct dp_fields *fields, void *to, size_t room)
{
	size_t bytes = fields->left < room ? fields->left : room;

	memcpy(to, fields->p, bytes);
	fields->p += bytes;
	fields->left -= bytes;
	return bytes;
}

bool dp_fields_done(struct dp_session *session, const struct dp_fields *fields)
{
	if (!fields->cut)
		return true;
	return dp_session_fail(session, DP_FAILED_AGENT,
			       "an answer of the agent is too short; use the dprobes that matches "
			       "the agent");
}

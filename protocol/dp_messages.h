/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages as structs: struct dp_NAME_KIND for each message of messages.def, a member for each
 * field.  For readers and writers on the host; the agent has no copies of its numbers. */
#ifndef DP_MESSAGES_H
#define DP_MESSAGES_H

#include <stdint.h>

enum {
	DP_COUNTED_MAX = 32, /* bytes of a `counted` field that are kept */
	DP_TEXT_MAX = 63,    /* characters of a `text` field */
	DP_REST_MAX = 56,    /* bytes of a `rest` field: no payload is longer */
};
struct dp_counted {
	uint8_t count; /* of bytes, at most DP_COUNTED_MAX */
	uint8_t bytes[DP_COUNTED_MAX];
};
struct dp_rest {
	uint8_t count;
	uint8_t bytes[DP_REST_MAX];
};

/* Bits of `access` in the answer to RANGES; the agent's enum dp_mem. */
enum dp_access {
	DP_ACCESS_READ = 0x01,
	DP_ACCESS_WRITE = 0x02,
	DP_ACCESS_TEXT = 0x04,
	DP_ACCESS_NO_PROBE = 0x08,
	DP_ACCESS_DEVICE = 0x10,
};

/* A member of each type. */
#define DP_MEMBER_u8(name)      uint8_t name
#define DP_MEMBER_u16(name)     uint16_t name
#define DP_MEMBER_u32(name)     uint32_t name
#define DP_MEMBER_u64(name)     uint64_t name
#define DP_MEMBER_address(name) uint64_t name
#define DP_MEMBER_word(name)    uint64_t name
#define DP_MEMBER_counted(name) struct dp_counted name
#define DP_MEMBER_text(name)    char name[DP_TEXT_MAX + 1] /* ends with a NUL */
#define DP_MEMBER_rest(name)    struct dp_rest name

#define DP_MESSAGE(message, kind)                    struct dp_##message##_##kind {
#define DP_FIELD(message, kind, name, type, meaning) DP_MEMBER_##type(name);
#define DP_END(message, kind)                                                                      \
	}                                                                                          \
	;
#include "messages.def"

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* The widths of the numbers of requests and notices, from messages.def, and the places of a
 * request's numbers in struct dp_exchange. */
#ifndef DP_FIELDS_H
#define DP_FIELDS_H

#include "dp_port.h"

/* A field's numbers of at most 32 bits, and the width of each as 2 bits: 1 << code bytes. The
 * rest of a request behind its numbers (rest, text) is no number. */
#define DP_NUMBERS_u8      1
#define DP_NUMBERS_u16     1
#define DP_NUMBERS_u32     1
#define DP_NUMBERS_u64     2
#define DP_NUMBERS_address 2
#define DP_NUMBERS_word    1
#define DP_NUMBERS_rest    0
#define DP_NUMBERS_text    0
#define DP_CODE_u8         0
#define DP_CODE_u16        1
#define DP_CODE_u32        2
#define DP_CODE_u64        (2 | 2 << 2)
#define DP_CODE_address    (2 | 2 << 2)
#define DP_CODE_word       (sizeof(dp_word) == 8 ? 3 : 2)
#define DP_CODE_rest       0
#define DP_CODE_text       0

/* Later fields of a request stand behind the numbers that every host sends: in its rest. */
#define DP_LATER(message, kind, name, type, absent, meaning)
/* DP_AT_MESSAGE_NAME: index of the field's first number, from 0 in each message. */
#define DP_NUMBER_AT(field, type)                                                                  \
	DP_AT_##field, DP_LAST_##field = DP_AT_##field + DP_NUMBERS_##type - 1,
#define DP_ONLY_request(...)      __VA_ARGS__
#define DP_ONLY_notice(...)       __VA_ARGS__
#define DP_MESSAGE(message, kind) DP_ONLY_##kind(DP_BEFORE_##message##_##kind = -1, )
#define DP_NOTHING(message, kind) DP_COUNT_##message##_##kind = 0,
#define DP_FIELD(message, kind, name, type, meaning)                                               \
	DP_ONLY_##kind(DP_NUMBER_AT(message##_##kind##_##name, type))
#define DP_END(message, kind) DP_ONLY_##kind(DP_COUNT_##message##_##kind, )
enum {
#include "messages.def"
};

/* DP_WIDTHS_MESSAGE: the codes of all numbers, the first lowest, and a 1 above the last. 16 bits,
 * which an instruction holds. */
#define DP_ONLY_request(...) __VA_ARGS__
#define DP_ONLY_notice(...)  __VA_ARGS__
#define DP_LATER(message, kind, name, type, absent, meaning)
#define DP_MESSAGE(message, kind) DP_ONLY_##kind(DP_WIDTHS_##message##_##kind = 0)
#define DP_NOTHING(message, kind) DP_WIDTHS_##message##_##kind = 1,
#define DP_FIELD(message, kind, name, type, meaning)                                               \
	DP_ONLY_##kind(| DP_CODE_##type << 2 * DP_AT_##message##_##kind##_##name)
#define DP_END(message, kind) DP_ONLY_##kind(| 1 << 2 * DP_COUNT_##message##_##kind, )
enum {
#include "messages.def"
};

#endif

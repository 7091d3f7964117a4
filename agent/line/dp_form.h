/* SPDX-License-Identifier: BSD-2-Clause */
/* A form lists the places of a message's fields, in wire order. One byte a field is shorter than
 * code that fetches the field. answer.c reads the forms.
 *   00oooooo, 01oooooo, 10oooooo  a member of 1, 2, 4 bytes: at o times its size in the struct
 *   1100ssss                      the next fields are in struct number s of dp_give's structs
 *   1101oooo                      the bytes of a struct dp_span, at o times the size of a pointer
 *   111nnnnn                      the n bytes that follow in the form; none: the end
 *
 * A form is made from messages.def and a source for each field: a macro
 * DP_MESSAGE_KIND_FIELD that is
 *   DP_FROM(STRUCT, member)   a member of the struct
 *   DP_ALSO(STRUCT, member)   the same, where the field before is from that struct: saves a byte
 *   DP_BUILD(value)           a constant of this build
 * STRUCT is the struct's number. The file with the sources also defines DP_OF_STRUCT(wire, member),
 * a member's codes: DP_FORM_##wire(struct dp_struct, member), or DP_FORM_BYTES_##wire(offset). */
#ifndef DP_FORM_H
#define DP_FORM_H

#include <stddef.h>
#include <stdint.h>

#include "dp_port.h"

/* --- codes --- */

enum {
	DP_FORM_END = 0xe0
};
#define DP_FORM_IN(number)   (0xc0 | (number))
#define DP_FORM_AS_IS(count) (0xe0 | (count))
/* 0, but does not compile unless that holds. */
#define DP_FORM_MUST(holds) (0 * sizeof(char[(holds) ? 1 : -1]))

/* Where the lowest `bytes` bytes of a member stand. */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define DP_FORM_SKIP(object, member, bytes) (sizeof(((object *)0)->member) - (bytes))
#define DP_FORM_HIGH                        0
#else
#define DP_FORM_SKIP(object, member, bytes) 0
#define DP_FORM_HIGH                        4
#endif
#define DP_FORM_AT(object, member, bytes)                                                          \
	(offsetof(object, member) + DP_FORM_SKIP(object, member, bytes) +                          \
	 DP_FORM_MUST(sizeof(((object *)0)->member) >= (bytes)))
#define DP_FORM_FIELD(code, at)                                                                    \
	(uint8_t)((code) << 6 |                                                                    \
		  ((at) / (1u << (code)) +                                                         \
		   DP_FORM_MUST((at) % (1u << (code)) == 0 && (at) / (1u << (code)) < 64)))

/* A member, by the type of the field. */
#define DP_FORM_u8(object, member)  DP_FORM_FIELD(0, DP_FORM_AT(object, member, 1))
#define DP_FORM_u16(object, member) DP_FORM_FIELD(1, DP_FORM_AT(object, member, 2))
#define DP_FORM_u32(object, member) DP_FORM_FIELD(2, DP_FORM_AT(object, member, 4))
#define DP_FORM_u64(object, member)                                                                \
	DP_FORM_FIELD(2, offsetof(object, member) + DP_FORM_HIGH),                                 \
		DP_FORM_FIELD(2, offsetof(object, member) + 4 - DP_FORM_HIGH)
#if DP_WORD_BITS == 64
#define DP_FORM_address(object, member) DP_FORM_u64(object, member)
#else
#define DP_FORM_address(object, member) DP_FORM_AS_IS(4), 0, 0, 0, 0, DP_FORM_u32(object, member)
#endif
#define DP_FORM_counted(object, member)                                                            \
	DP_FORM_u8(object, member.count), DP_FORM_rest(object, member)
#define DP_FORM_text(object, member) DP_FORM_rest(object, member)
#define DP_FORM_rest(object, member)                                                               \
	(0xd0 | (offsetof(object, member) / sizeof(void *) +                                       \
		 DP_FORM_MUST(offsetof(object, member) / sizeof(void *) < 16)))
struct dp_span {
	const uint8_t *bytes;
	uint8_t count;
};

/* Bytes in the order of the wire, as those of the program object. */
#define DP_FORM_BYTES_u8(at)  DP_FORM_FIELD(0, at)
#define DP_FORM_BYTES_u16(at) DP_FORM_BYTES_u8(at), DP_FORM_BYTES_u8((at) + 1)
#define DP_FORM_BYTES_u32(at) DP_FORM_BYTES_u16(at), DP_FORM_BYTES_u16((at) + 2)
#define DP_FORM_BYTES_u64(at) DP_FORM_BYTES_u32(at), DP_FORM_BYTES_u32((at) + 4)

/* A constant. */
#define DP_FORM_BUILD_u8(v)  DP_FORM_AS_IS(1), (uint8_t)(v)
#define DP_FORM_BUILD_u16(v) DP_FORM_AS_IS(2), (uint8_t)((v) >> 8), (uint8_t)(v)
#define DP_FORM_BUILD_u32(v)                                                                       \
	DP_FORM_AS_IS(4), (uint8_t)((uint32_t)(v) >> 24), (uint8_t)((uint32_t)(v) >> 16),          \
		(uint8_t)((uint32_t)(v) >> 8), (uint8_t)(v)

/* --- sources --- */

#define DP_FROM(of, member) FROM, of, member
#define DP_ALSO(of, member) ALSO, of, member
#define DP_BUILD(value)     BUILD, value, 0

/* The codes of a field with that source. */
#define DP_FORM_CODES(wire, ...)                 DP_FORM_CODES_(wire, __VA_ARGS__)
#define DP_FORM_CODES_(wire, source, of, member) DP_FORM_CODES_##source(wire, of, member)
#define DP_FORM_CODES_FROM(wire, of, member)     DP_FORM_IN(of), DP_OF_##of(wire, member)
#define DP_FORM_CODES_ALSO(wire, of, member)     DP_OF_##of(wire, member)
#define DP_FORM_CODES_BUILD(wire, value, unused) DP_FORM_BUILD_##wire(value)

/* The struct of this field, for the next field with ALSO; of a constant, `before`. Does not
 * compile when a field with ALSO is not in `before`. */
#define DP_FORM_STRUCT(before, ...)                 DP_FORM_STRUCT_(before, __VA_ARGS__)
#define DP_FORM_STRUCT_(before, source, of, member) DP_FORM_STRUCT_##source(before, of)
#define DP_FORM_STRUCT_FROM(before, of)             (of)
#define DP_FORM_STRUCT_ALSO(before, of)             ((of) + (int)DP_FORM_MUST((before) == (of)))
#define DP_FORM_STRUCT_BUILD(before, value)         (before)
enum {
	DP_FORM_NO_STRUCT = 16
};

/* --- forms --- */

/* Enumerators that check the sources of a message, a row each. */
#define DP_CHECK_MESSAGE(message, of_kind)                                                         \
	DP_STRUCT_BEFORE_##message##_##of_kind = DP_FORM_NO_STRUCT,
#define DP_CHECK_FIELD(message, of_kind, field)                                                    \
	DP_NEXT_##message##_##of_kind##_##field,                                                   \
		DP_STRUCT_##message##_##of_kind##_##field =                                        \
			DP_FORM_STRUCT(DP_NEXT_##message##_##of_kind##_##field - 1,                \
				       DP_##message##_##of_kind##_##field),

/* A row's codes, and how many they are. */
#define DP_FORM_ROW(message, of_kind, field, wire)                                                 \
	DP_FORM_CODES(wire, DP_##message##_##of_kind##_##field),
#define DP_FORM_ROW_BYTES(message, of_kind, field, wire)                                           \
	sizeof((const uint8_t[]){DP_FORM_CODES(wire, DP_##message##_##of_kind##_##field)})

#endif

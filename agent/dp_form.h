/* SPDX-License-Identifier: BSD-2-Clause */
/* Forms: which members of which structs an answer or a sync line is made of, in the order of the
 * wire. A byte each, which is less than code that fetches them one by one. answer.c fills them in.
 *   00oooooo, 01oooooo, 10oooooo  a member of 1, 2, 4 bytes: at o times its size in the struct
 *   110bbbbb                      what follows is in struct number b of those that dp_give is given
 *   111nnnnn                      the n bytes that follow here, as they are; none: the end */
#ifndef DP_FORM_H
#define DP_FORM_H

#include <stddef.h>
#include <stdint.h>

#include "dp_port.h"

enum {
	DP_FORM_END = 0xe0
};
#define DP_FORM_IN(base)     (0xc0 | (base))
#define DP_FORM_AS_IS(count) (0xe0 | (count))

/* Where the lowest `bytes` bytes of a member stand. */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define DP_FORM_SKIP(type, member, bytes) (sizeof(((type *)0)->member) - (bytes))
#define DP_FORM_HIGH                      0
#else
#define DP_FORM_SKIP(type, member, bytes) 0
#define DP_FORM_HIGH                      4
#endif
/* Does not compile where the member is shorter than that. */
#define DP_FORM_AT(type, member, bytes)                                                            \
	(offsetof(type, member) + DP_FORM_SKIP(type, member, bytes) +                              \
	 0 * sizeof(char[sizeof(((type *)0)->member) >= (bytes) ? 1 : -1]))
/* Does not compile where the member is out of reach, or not at a multiple of its size. */
#define DP_FORM_FIELD(code, at)                                                                    \
	(uint8_t)((code) << 6 |                                                                    \
		  (at) / (sizeof(char[(at) % (1u << (code)) == 0 && (at) >> (code) < 64 ? 1 : -1]) \
			  << (code)))

#define DP_FORM_U8(type, member)  DP_FORM_FIELD(0, DP_FORM_AT(type, member, 1))
#define DP_FORM_U16(type, member) DP_FORM_FIELD(1, DP_FORM_AT(type, member, 2))
#define DP_FORM_U32(type, member) DP_FORM_FIELD(2, DP_FORM_AT(type, member, 4))
#define DP_FORM_U64(type, member)                                                                  \
	DP_FORM_FIELD(2, offsetof(type, member) + DP_FORM_HIGH),                                   \
		DP_FORM_FIELD(2, offsetof(type, member) + 4 - DP_FORM_HIGH)
/* An address: always 8 bytes on the wire. */
#if DP_WORD_BITS == 64
#define DP_FORM_ADDRESS(type, member) DP_FORM_U64(type, member)
#else
#define DP_FORM_ADDRESS(type, member) DP_FORM_AS_IS(4), 0, 0, 0, 0, DP_FORM_U32(type, member)
#endif
/* Bytes of the program object, which has the order of the wire. */
#define DP_FORM_BYTE(at)    DP_FORM_FIELD(0, at)
#define DP_FORM_BYTES_2(at) DP_FORM_BYTE(at), DP_FORM_BYTE((at) + 1)
#define DP_FORM_BYTES_4(at) DP_FORM_BYTES_2(at), DP_FORM_BYTES_2((at) + 2)
/* Constants of the build. */
#define DP_FORM_CONST_2(v) (uint8_t)((v) >> 8), (uint8_t)(v)
#define DP_FORM_CONST_4(v)                                                                         \
	DP_FORM_CONST_2((uint32_t)(v) >> 16), DP_FORM_CONST_2((uint32_t)(v)&0xffff)

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* The types of a tree in the style of a large kernel's, which has no stdint.h: names of its own, no
 * limits, and macros that are words of attributes and names of small functions. */
#ifndef TREE_TYPES_H
#define TREE_TYPES_H

#define noinline      __attribute__((__noinline__))
#define always_inline inline __attribute__((__always_inline__))

typedef __UINT8_TYPE__ u8;
typedef __UINT16_TYPE__ u16;
typedef __UINT32_TYPE__ u32;
typedef __UINT64_TYPE__ u64;
typedef u8 uint8_t;
typedef u16 uint16_t;
typedef u32 uint32_t;
typedef u64 uint64_t;
typedef __INT8_TYPE__ int8_t;
typedef __INT16_TYPE__ int16_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;

#ifndef __cplusplus
typedef _Bool bool;
enum {
	false,
	true
};
#endif
#define NULL                   ((void *)0)
#define offsetof(type, member) __builtin_offsetof(type, member)

#define swap(a, b)          ?
#define min(a, b)           ?
#define max(a, b)           ?
#define clamp(a, low, high) ?
#define round_up(a, to)     ?
#define likely(a)           ?
#define barrier()           ?
#define current             ?

#endif

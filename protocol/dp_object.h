/* SPDX-License-Identifier: BSD-2-Clause */
/* The probe object (.ppdf): layout in words, and offsets as constants.  PROTOCOL.md section 2.
 * All numbers big-endian, except operands inside the code section (header byte 7). */
#ifndef DP_OBJECT_H
#define DP_OBJECT_H

#include <stdbool.h>
#include <stdint.h>

#define DP_CPU(number, name) DP_CPU_##name = (number),
enum dp_cpu {
#include "cpus.def"
};

#define DP_ISA(number, name) DP_ISA_##name = (number),
enum dp_isa {
#include "isas.def"
};

enum {
	DP_ISAS = 8 /* numbers an instruction set can have */
};

#define DP_SECTION(number, name, bytes, count) DP_SECTION_##name = (number),
enum dp_section {
#include "sections.def"
};

#define DP_POINT_KIND(number, name, text, sentence) DP_PROBE_##name = (number),
enum dp_point_kind {
#include "point_kinds.def"
};

/* The address of a point of kind EVENT. */
enum dp_event {
	DP_EVENT_BEGIN = 0,
	DP_EVENT_END = 1,
	DP_EVENTS
};

/* The point of kind TIMER: its address has the whole seconds of the period, and DP_TIMER_SAMPLED;
 * its extent has the nanoseconds. The period is 1 ns at least. */
#define DP_TIMER_SAMPLED 0x80000000u /* runs in dp_sample; otherwise in dp_poll */
#define DP_TIMER_SECONDS 0x7fffffffu
enum {
	DP_TIMER_NANOSECONDS = 1000000000 /* extent is smaller */
};

/* Bit n: kind n is a watchpoint; there is a kind n. The largest one. */
enum {
	DP_POINTS_WATCHED = 1 << DP_PROBE_WATCH_X | 1 << DP_PROBE_WATCH_W | 1 << DP_PROBE_WATCH_RW |
			    1 << DP_PROBE_WATCH_IO | 1 << DP_PROBE_WATCH_R,
	DP_POINTS_KNOWN =
		1 << DP_PROBE_BREAK | 1 << DP_PROBE_EVENT | 1 << DP_PROBE_TIMER | DP_POINTS_WATCHED,
	DP_POINTS_MAX = DP_PROBE_WATCH_R
};

#define DP_PHASE(number, name, text, sentence) DP_PHASE_##name = (number),
enum dp_phase {
#include "phases.def"
	DP_PHASES
};

#define DP_PROBE_STATE(number, name, words, sentence) DP_PROBE_##name = (number),
enum dp_probe_state {
#include "probe_states.def"
	DP_PROBE_STATES
};

enum {
	DP_ORDER_LITTLE = 0,
	DP_ORDER_BIG = 1
};

/* Header, 40 bytes, then the section table, then the sections, then a CRC-32 over all before it.
 *  0 "DPO1"        magic; the digit is part of it
 *  4 u8  version   of this layout
 *  5 u8  cpu       enum dp_cpu
 *  6 u8  word      stack word, 4 or 8 bytes
 *  7 u8  order     of operands in the code: 0 little, 1 big
 *  8 u32 bytes     of the travelling part, header and CRC included
 * 12 u32 id        of the program
 * 16 u16 major
 * 18 u16 jmpmax
 * 20 u16 logmax
 * 22 u16 excpt_log
 * 24 u16 vars
 * 26 u16 gvars
 * 28 u8  flags     DP_PROGRAM_*
 * 29 u8  groups    instruction groups the code uses, enum rpn_group; every one must be declared
 * 30 u16 name      offset of the program name in STRINGS (the seed's name=)
 * 32 u8  name_bytes
 * 33 u8  sections  entries in the section table
 * 34 u8[6]         zero
 * Section table entry, 12 bytes: u8 kind | u8[3] zero | u32 count of elements | u32 offset.
 * Offsets are multiples of 4; gaps are zero. */
#define DP_OBJECT_MAGIC "DPO1"
enum {
	DP_OBJECT_VERSION = 2,
	DP_OBJECT_VERSION_LONG = 3, /* the length of a watchpoint stands in PROBES.extent */
	DP_OBJECT_HEADER_BYTES = 40,
	DP_OBJECT_ENTRY_BYTES = 12,
	DP_OBJECT_CRC_BYTES = 4,
	DP_OBJ_VERSION = 4,
	DP_OBJ_CPU = 5,
	DP_OBJ_WORD = 6,
	DP_OBJ_ORDER = 7,
	DP_OBJ_BYTES = 8,
	DP_OBJ_ID = 12,
	DP_OBJ_MAJOR = 16,
	DP_OBJ_JMPMAX = 18,
	DP_OBJ_LOGMAX = 20,
	DP_OBJ_EXCPT_LOG = 22,
	DP_OBJ_VARS = 24,
	DP_OBJ_GVARS = 26,
	DP_OBJ_FLAGS = 28,
	DP_OBJ_GROUPS = 29,
	DP_OBJ_NAME = 30,
	DP_OBJ_NAME_BYTES = 32,
	DP_OBJ_SECTIONS = 33,
	DP_OBJ_RESERVED = 34,

	DP_PROGRAM_DESTRUCTIVE = 0x01, /* built with --write: may change or call the firmware */
	DP_PROGRAM_AUTOSTACKTRACE = 0x02,
	DP_PROGRAM_FLAGS = 0x03, /* all that are defined */
};

/* MODULES element, 32 bytes: what the probe points are in, and which build of it.
 *  0 u8  type       DP_MODULE_*
 *  1 u8  identity   DP_IDENTITY_*
 *  2 u16 name       offset in STRINGS
 *  4 u8  name_bytes
 *  5 u8[7]          zero
 * 12 u8[20] id      build-id (SHA-1, zero-padded), or u32 CRC-32 of text, then u32 text bytes
 * Kernel means the firmware image itself: its addresses are absolute. */
enum {
	DP_MODULE_BYTES = 32,
	DP_MODULE_KERNEL = 0,
	DP_MODULE_KMOD = 1,
	DP_MODULE_USER = 2,
	DP_IDENTITY_NONE = 0,
	DP_IDENTITY_BUILD_ID = 1,
	DP_IDENTITY_TEXT_CRC = 2,
	DP_IDENTITY_BYTES = 20,
	DP_MOD_TYPE = 0,
	DP_MOD_IDENTITY = 1,
	DP_MOD_NAME = 2,
	DP_MOD_NAME_BYTES = 4,
	DP_MOD_RESERVED = 5,
	DP_MOD_ID = 12,
};

/* TRAITS element, 24 bytes: what probe points share. Points with equal traits name one row.
 *  0 u8  kind       DP_PROBE_*
 *  1 u8  phase      DP_PHASE_*
 *  2 u8  isa        enum dp_isa
 *  3 u8  flags      DP_POINT_*
 *  4 u8  module     index in MODULES
 *  5 u8  length     bytes watched; 0 for breakpoints, and in version 3
 *  6 u16 excpt_mask
 *  8 u16 group      0 none, else index + 1
 * 10 u16 type       0 none, else index + 1
 * 12 u32 high       upper half of the addresses
 * 16 u32 ignore
 * 20 u32 maxhits    1..0x7fffffff */
enum {
	DP_TRAITS_BYTES = 24,
	DP_POINT_LOGONFAULT = 0x01,
	DP_POINT_OPCODE = 0x02, /* opcode and insn_bytes are given */
	DP_POINT_TAKEN = 0x04, /* fires only where a branch is taken; phase before, no watchpoint */
	DP_POINT_RETURNS = 0x08, /* the handler may execute `return`; at the start of the extent */
	DP_POINT_FLAGS = 0x0f,
	DP_TR_KIND = 0,
	DP_TR_PHASE = 1,
	DP_TR_ISA = 2,
	DP_TR_FLAGS = 3,
	DP_TR_MODULE = 4,
	DP_TR_LENGTH = 5,
	DP_TR_EXCPT_MASK = 6,
	DP_TR_GROUP = 8,
	DP_TR_TYPE = 10,
	DP_TR_HIGH = 12,
	DP_TR_IGNORE = 16,
	DP_TR_MAXHITS = 20,
};

/* PROBES element, 24 bytes.
 *  0 u8  traits     index in TRAITS
 *  1 u8  insn_bytes bytes of the instruction that opcode has, 1..15; 0 = not known
 *  2 u16 minor
 *  4 u32 address    lower half: absolute (kernel) or offset in the module
 *  8 u32 before     bytes from the start of the code around address to address; 0 and
 * 12 u32 extent     bytes of this code, from an instruction on, no data before address; 0 = not
 *                   known. Of a watchpoint in version 3: bytes watched; before is 0. Of a
 *                   timer: nanoseconds of its period; before is 0
 * 16 u32 opcode     the instruction expected there, as a number (DP_CODE of port/ports.def: opcode)
 * 20 u32 entry      code offset of a HANDLER marker; points may share one */
enum {
	DP_PROBE_BYTES = 24,
	DP_PT_TRAITS = 0,
	DP_PT_INSN_BYTES = 1,
	DP_PT_MINOR = 2,
	DP_PT_ADDRESS = 4,
	DP_PT_BEFORE = 8,
	DP_PT_EXTENT = 12,
	DP_PT_OPCODE = 16,
	DP_PT_ENTRY = 20,
};

/* MAPS element, 24 bytes: a table of the target that instructions fill and the host reads. An entry
 * has `keys` words of key and `values` words of value.
 *  0 u8  kind       DP_MAP_*
 *  1 u8  flags      DP_MAP_SIGNED, DP_MAP_WIDE
 *  2 u8  keys       words, 0..8
 *  3 u8  values     words; keys and values together at most 44 bytes
 *  4 u16 places     entries there is room for: a power of two, 1..4096; of a linear scale: levels
 *  6 u8  of         VIEW: index of its array, lower than the view's own
 *  7 u8  at         VIEW: first word of the array's values
 *  8 u32 a          SCALE: DP_SCALE_*; SPECULATION: bytes of a buffer, a power of two
 * 12 u32 b          linear: base, signed; log-linear: factor | low << 8 | high << 16;
 *                   SPECULATION: buffers | policy << 8 (DP_SPEC_*)
 * 16 u32 c          linear: step; log-linear: steps of a magnitude
 * 20 u32            zero */
#define DP_KIND_OF_MAP(number, name, values, part, sentence) DP_MAP_##name = (number),
enum dp_map_kind {
#include "map_kinds.def"
	DP_MAP_KINDS
};
/* Words that an entry of each kind holds behind its keys, DP_MAP_HOLDS_COUNT and so on. */
#define DP_KIND_OF_MAP(number, name, values, part, sentence)                                       \
	DP_MAP_HOLDS_##name = DP_MAP_WORDS_##values,
enum {
	DP_MAP_WORDS_0,
	DP_MAP_WORDS_1,
	DP_MAP_WORDS_2,
	DP_MAP_WORDS_3,
	DP_MAP_WORDS_7 = 7,
	DP_MAP_WORDS_V = 0xff, /* as many as the map's row says */
#include "map_kinds.def"
};
enum {
	DP_MAP_BYTES = 24,
	DP_MAP_SIGNED = 0x01, /* the argument of `add map` and `bucket` */
	DP_MAP_WIDE = 0x02,   /* the argument is a pair */
	DP_MAP_FLAGS = 0x03,
	DP_MAP_KEYS_MAX = 8,
	DP_MAP_ENTRY_BYTES = 44,
	DP_MAP_WORDS_MAX = DP_MAP_ENTRY_BYTES / 4,
	DP_MAP_PLACES_MAX = 4096,
	DP_SCALE_POWERS = 0, /* quantize */
	DP_SCALE_LINEAR = 1,
	DP_SCALE_MAGNITUDES = 2, /* llquantize */
	DP_SCALE_LEVELS_MAX = 32767,
	DP_SPEC_BYTES_MIN = 64,
	DP_SPEC_BYTES_MAX = 32768,
	DP_SPEC_BUFFERS_MAX = 16,
	DP_SPEC_FILL = 0,         /* a full buffer takes no record */
	DP_SPEC_RING = 1,         /* the oldest records of a full buffer give way */
	DP_SPEC_HEAD_BYTES = 12,  /* of a record in a buffer, before its data */
	DP_SPEC_BUFFER_BYTES = 8, /* of a buffer, before its records */
	DP_MAP_KIND = 0,
	DP_MAP_FLAG_BITS = 1,
	DP_MAP_KEYS = 2,
	DP_MAP_VALUES = 3,
	DP_MAP_PLACES = 4,
	DP_MAP_OF = 6,
	DP_MAP_AT = 7,
	DP_MAP_A = 8,
	DP_MAP_B = 12,
	DP_MAP_C = 16,
	DP_MAP_RESERVED = 20,
};

/* Host-only sections follow the travelling part: a second table at byte `bytes`, magic "DPH1",
 * u32 bytes of the host part, u8 sections, u8[3] zero, entries as above with offsets from the
 * start of the file, sections, CRC-32 over the host part. A file may end after the travelling
 * part. */
#define DP_HOST_MAGIC "DPH1"
enum {
	DP_HOST_HEADER_BYTES = 12
};

#endif

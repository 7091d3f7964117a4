/* SPDX-License-Identifier: BSD-2-Clause */
/* The constants give the layout of CTF version 3 by "The CTF File Format". Numbers have the
 * target's byte order. */
#ifndef DPH_CTF_FORMAT_H
#define DPH_CTF_FORMAT_H

#define CTF_ARCHIVE_MAGIC                                                                          \
	0x8b47f2a4d7623eebu         /* little-endian, as the rest of an archive's head             \
				     */
#define CTF_LONG_STRUCT 536870912u  /* members have 64-bit offsets from this size on */
#define CTF_CHILD       0x80000000u /* numbers of types that are not the parent's */
#define CTF_EXTERNAL    0x80000000u /* names that stand in the ELF file's string table */
#define CTF_LONG_SIZE   0xffffffffu /* the size follows in 64 bits */

enum {
	CTF_MAGIC = 0xdff2,
	CTF_VERSION = 4, /* the number of version 3 */
	CTF_COMPRESSED = 1,
	CTF_PREAMBLE_BYTES = 4,
	CTF_HEADER_BYTES = 52,
	CTF_ARCHIVE_HEADER_BYTES = 40,
	CTF_STRUCT_MEMBER_BYTES = 12,
	CTF_LONG_MEMBER_BYTES = 16,
	CTF_ENUMERATOR_BYTES = 8,
	CTF_SLICE_BYTES = 8,
	CTF_ARRAY_BYTES = 12
};

/* Words of the header behind the preamble. */
enum ctf_header_word {
	CTF_PARENT_LABEL,
	CTF_PARENT_NAME,
	CTF_UNIT_NAME,
	CTF_LABELS,
	CTF_OBJECTS,
	CTF_FUNCTIONS,
	CTF_OBJECT_NAMES,
	CTF_FUNCTION_NAMES,
	CTF_VARIABLES,
	CTF_TYPES,
	CTF_STRINGS,
	CTF_STRING_BYTES,
	CTF_HEADER_WORDS
};

enum ctf_kind {
	CTF_K_UNKNOWN,
	CTF_K_INTEGER,
	CTF_K_FLOAT,
	CTF_K_POINTER,
	CTF_K_ARRAY,
	CTF_K_FUNCTION,
	CTF_K_STRUCT,
	CTF_K_UNION,
	CTF_K_ENUM,
	CTF_K_FORWARD,
	CTF_K_TYPEDEF,
	CTF_K_VOLATILE,
	CTF_K_CONST,
	CTF_K_RESTRICT,
	CTF_K_SLICE,
	CTF_K_COUNT
};

/* Bits of an integer's encoding. */
enum {
	CTF_INT_SIGNED = 1,
	CTF_INT_CHAR = 2,
	CTF_INT_BOOL = 4
};

#endif

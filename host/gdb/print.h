/* SPDX-License-Identifier: BSD-2-Clause */
/* The commands of gdb's dprintf in the style of an agent: an expression for each argument, and the
 * instruction printf with the format. A command becomes instructions of RPN that log the arguments,
 * and its part of a record becomes the text. */
#ifndef DPH_GDB_PRINT_H
#define DPH_GDB_PRINT_H

#include "base/pool.h"
#include "expression.h"

/* A command, in the bytes of gdb. */
struct dph_gdb_print {
	const uint8_t *bytes;
	size_t before;      /* bytes of the instructions before printf */
	unsigned arguments; /* on the stack, below the number of a function and of a channel */
	const char *format; /* with gdb's escapes, such as two characters for a new line */
	size_t length;      /* of the format, without the NUL behind it */
};

/* Read a command of `count` bytes. Returns false: why has the reason. */
bool dph_gdb_read_print(const uint8_t *bytes, size_t count, struct dph_gdb_print *print,
			struct dph_gdb_why *why);
/* Write the instructions that log the arguments. code->collects: bytes of the record before; it
 * receives the sum. Returns false: code->why has the reason, and a part was written. */
bool dph_gdb_write_print(struct dph_gdb_code *code, const struct dph_gdb_print *print);
/* Write the text of a record's next part, and move *data, *count behind it. A part that a fault has
 * cut has the sign "<not read>" in place of the values behind the fault. */
void dph_gdb_format_print(const struct dph_gdb_target *target, const struct dph_gdb_print *print,
			  const uint8_t **data, size_t *count, struct dph_bytes *text);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets of gdb's remote protocol: `$text#sum`, acknowledged by '+' or '-'.
 * source: Debugging with GDB, appendix E.1 */
#ifndef DPH_GDB_PACKET_H
#define DPH_GDB_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	DPH_GDB_TEXT_MAX = 4096,  /* bytes of a packet between '$' and '#', of both directions */
	DPH_GDB_BREAK_BYTE = 0x03 /* ^C, between packets */
};

enum dph_gdb_event {
	DPH_GDB_NOTHING, /* more bytes are needed */
	DPH_GDB_PACKET,  /* reader->text is a packet */
	DPH_GDB_DAMAGED, /* a packet has a wrong sum */
	DPH_GDB_LONG,    /* a packet is intact, and longer than DPH_GDB_TEXT_MAX */
	DPH_GDB_BREAK,   /* ^C between packets */
	DPH_GDB_ACK,
	DPH_GDB_NAK
};

struct dph_gdb_reader {
	enum {
		DPH_GDB_BETWEEN,
		DPH_GDB_TEXT,
		DPH_GDB_ESCAPED,
		DPH_GDB_SUM_HIGH,
		DPH_GDB_SUM_LOW
	} state;
	uint8_t sum, told;                  /* computed, and that of the packet */
	bool is_sum;                        /* `told` has digits alone */
	uint8_t text[DPH_GDB_TEXT_MAX + 1]; /* escapes resolved, with a NUL behind */
	size_t bytes;                       /* more than DPH_GDB_TEXT_MAX: the packet is too long */
};

/* Take the next byte of the line. All zero is the state of a new line. */
enum dph_gdb_event dph_gdb_read(struct dph_gdb_reader *reader, uint8_t byte);

/* May a connection begin with the byte? Other clients than gdb, such as a browser, begin with
 * another one. */
bool dph_gdb_begins(uint8_t byte);

/* An answer that is built, and what it becomes on the line. */
struct dph_gdb_text {
	uint8_t line[DPH_GDB_TEXT_MAX + 4]; /* '$', text with escapes, '#', two digits */
	size_t bytes;                       /* of `line`, without the sum until it is ended */
	bool cut;                           /* there was no room for all */
};

void dph_gdb_begin(struct dph_gdb_text *text);
/* Add a character; '#', '$', '}' and '*' are escaped. Returns false, and adds nothing, where there
 * is no room. */
bool dph_gdb_add(struct dph_gdb_text *text, uint8_t byte);
void dph_gdb_add_text(struct dph_gdb_text *text, const char *added);
/* Add two digits for each byte. */
void dph_gdb_add_hex(struct dph_gdb_text *text, const void *bytes, size_t count);
__attribute__((format(printf, 2, 3))) void dph_gdb_print(struct dph_gdb_text *text,
							 const char *format, ...);
/* Add the sum. */
void dph_gdb_end(struct dph_gdb_text *text);

/* Read a hexadecimal number of at most 16 digits, and move *text behind it.
 * Returns false: there is none, or it is larger. */
bool dph_gdb_number(const char **text, uint64_t *value);
/* Read a number and the character behind it, which is not kept. */
bool dph_gdb_number_and(const char **text, uint64_t *value, char behind);
/* Read pairs of digits up to another character, and move *text behind them.
 * Returns the number of bytes; SIZE_MAX: there are more than `room`, or a digit is alone. */
size_t dph_gdb_bytes(const char **text, uint8_t *bytes, size_t room);

#endif

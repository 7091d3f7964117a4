/* SPDX-License-Identifier: BSD-2-Clause */
/* A reader is a place in the bytes of a file, which may be damaged. Each read is checked and ends
 * before the end. */
#ifndef DPH_READER_H
#define DPH_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dph_reader {
	const uint8_t *at, *end;
	bool big; /* byte order of the numbers */
	bool bad; /* a read went beyond the end; reads since then gave 0 */
};

struct dph_reader dph_reader(const void *bytes, size_t count, bool big);
/* The next `count` bytes as a reader of their own; the first goes on behind them. */
struct dph_reader dph_reader_part(struct dph_reader *reader, uint64_t count);

/* An unsigned number of 1, 2, 4 or 8 bytes. */
uint64_t dph_reader_number(struct dph_reader *reader, unsigned bytes);
int64_t dph_reader_signed(struct dph_reader *reader, unsigned bytes);
uint64_t dph_reader_uleb(struct dph_reader *reader);
int64_t dph_reader_sleb(struct dph_reader *reader);
/* A text that ends with NUL; empty where there is none. */
const char *dph_reader_text(struct dph_reader *reader);
void dph_reader_skip(struct dph_reader *reader, uint64_t count);
bool dph_reader_more(const struct dph_reader *reader);

#endif

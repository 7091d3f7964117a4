/* SPDX-License-Identifier: BSD-2-Clause */
/* Line tables translate source lines to addresses and addresses to lines. */
#ifndef DPH_LINE_H
#define DPH_LINE_H

#include "base/source_path.h"
#include "unit.h"

/* The line that an address belongs to. */
struct dph_line {
	const char *file; /* its path as the compiler wrote it, without "./" */
	unsigned line;
	bool begins; /* a statement begins at this very address */
};

bool dph_line_at(struct dp_debuginfo *debug, uint64_t address, struct dph_line *line);

/* Return the last components of a file's path, as many as tell it from the files of units. */
const char *dph_file_text(struct dp_debuginfo *debug, const char *path);

/* Has a row of the unit's line table the address? */
bool dph_rows_cover(struct dp_debuginfo *debug, struct dph_unit *unit, uint64_t address);

/* Return the largest address where more sequences of rows end than functions of the unit: the end
 * of code that the linker dropped. */
uint64_t dph_sequences_end(struct dp_debuginfo *debug, struct dph_unit *unit);

/* Call `visit` for each address where a statement begins, unit by unit. */
typedef void dph_statement(void *context, uint64_t address, const char *file, unsigned line);
void dph_statements(struct dp_debuginfo *debug, dph_statement *visit, void *context);

#endif

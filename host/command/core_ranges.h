/* SPDX-License-Identifier: BSD-2-Clause */
/* The memory that `dprobes core` reads: spans of addresses. */
#ifndef DPH_CORE_RANGES_H
#define DPH_CORE_RANGES_H

#include "cmd_names.h"

#include <stdint.h>

struct dph_rows;

/* The memory of a core, added. */
enum dph_core_ranges {
	DPH_CORE_STACK = 1, /* stacks of the tasks that are known, and sections named so */
	DPH_CORE_DATA = 2,  /* sections that the firmware writes, with bytes in its file */
	DPH_CORE_BSS = 4,   /* the other ones that it writes */
	DPH_CORE_ALL = 8,   /* all memory that the board's table lets be read and written */
	DPH_CORE_USUAL = DPH_CORE_STACK | DPH_CORE_DATA | DPH_CORE_BSS
};

/* From `first` to the byte before `end`, both a multiple of 8. */
struct dph_core_span {
	uint64_t first, end;
};

/* All zero but `last`: no span. The caller frees `list`. */
struct dph_core_spans {
	struct dph_core_span *list;
	size_t count, capacity;
	uint64_t last; /* address of the target */
};

/* Read the words of --ranges. Returns false with *status set for another word, which is said. */
bool dph_core_ranges_read(const struct dph_cli *cli, unsigned *ranges, int *status);

/* Add a span; nothing where the target has no such addresses. */
void dph_core_spans_add(struct dph_core_spans *spans, uint64_t first, uint64_t bytes);
/* Add the sections that `ranges` (enum dph_core_ranges) names. image: may be null. */
void dph_core_spans_add_sections(struct dph_core_spans *spans, const struct dp_image *image,
				 unsigned ranges);
/* Add the rows of the board that can be read and written, but for text and devices. */
void dph_core_spans_add_rows(struct dph_core_spans *spans, const struct dph_rows *rows);
/* Make each byte part of one span alone. */
void dph_core_spans_merge(struct dph_core_spans *spans);
/* Take bytes out of the spans. */
void dph_core_spans_leave_out(struct dph_core_spans *spans, uint64_t first, uint64_t bytes);
/* Move the bytes that no row lets be read to `holes`. An agent that does not tell all rows lets all
 * be read. */
void dph_core_spans_part(struct dph_core_spans *spans, struct dph_core_spans *holes,
			 const struct dph_rows *rows);

#endif

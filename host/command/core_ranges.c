/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include "core_ranges.h"

#include "base/pool.h"
#include "doctor_addresses.h"
#include "symbols/elf_image.h"

#include <stdlib.h>
#include <string.h>

enum {
	ALIGN = 8 /* of the ends of a span */
};

bool dph_core_ranges_read(const struct dph_cli *cli, unsigned *ranges, int *status)
{
	static const struct {
		const char *word;
		unsigned bit;
	} words[] = {{"stack", DPH_CORE_STACK},
		     {"data", DPH_CORE_DATA},
		     {"bss", DPH_CORE_BSS},
		     {"all", DPH_CORE_ALL}};
	const char *at = dph_cli_get(cli, DPH_OPT_RANGES);

	*ranges = at == NULL ? DPH_CORE_USUAL : 0;
	while (at != NULL && *at != '\0') {
		const size_t bytes = strcspn(at, ",");
		size_t i = 0;

		while (i < sizeof words / sizeof words[0] &&
		       (strlen(words[i].word) != bytes || memcmp(words[i].word, at, bytes) != 0))
			i++;
		if (i == sizeof words / sizeof words[0]) {
			*status = dph_cli_usage(cli,
						"--ranges has stack, data, bss and all, not '%.*s'",
						(int)bytes, at);
			return false;
		}
		*ranges |= words[i].bit;
		at += bytes + (at[bytes] == ',');
	}
	return true;
}

static void append(struct dph_core_spans *spans, uint64_t first, uint64_t end)
{
	spans->list = dph_grow(spans->list, &spans->capacity, spans->count, sizeof *spans->list);
	spans->list[spans->count++] = (struct dph_core_span){first, end};
}

void dph_core_spans_add(struct dph_core_spans *spans, uint64_t first, uint64_t bytes)
{
	const uint64_t aligned = ~(uint64_t)(ALIGN - 1);

	if (bytes == 0 || first > spans->last || bytes - 1 > spans->last - first)
		return;
	append(spans, first & aligned, (first + bytes + ALIGN - 1) & aligned);
}

void dph_core_spans_add_sections(struct dph_core_spans *spans, const struct dp_image *image,
				 unsigned ranges)
{
	struct dph_ram ram;

	for (size_t i = 0; image != NULL && dph_image_ram(image, i, &ram); i++) {
		const bool stack = ram.name != NULL && strstr(ram.name, "stack") != NULL;

		if (ranges & (ram.filled ? DPH_CORE_DATA : DPH_CORE_BSS) ||
		    (stack && ranges & DPH_CORE_STACK))
			dph_core_spans_add(spans, ram.address, ram.bytes);
	}
}

void dph_core_spans_add_rows(struct dph_core_spans *spans, const struct dph_rows *rows)
{
	const unsigned memory = DP_ACCESS_READ | DP_ACCESS_WRITE;

	for (unsigned i = 0; i < rows->count; i++)
		if ((rows->row[i].access & memory) == memory &&
		    !(rows->row[i].access & (DP_ACCESS_DEVICE | DP_ACCESS_TEXT)))
			dph_core_spans_add(spans, rows->row[i].start, rows->row[i].bytes);
}

static int by_first(const void *a, const void *b)
{
	const struct dph_core_span *x = a, *y = b;

	return (x->first > y->first) - (x->first < y->first);
}

void dph_core_spans_merge(struct dph_core_spans *spans)
{
	size_t kept = 0;

	if (spans->count > 0)
		qsort(spans->list, spans->count, sizeof *spans->list, by_first);
	for (size_t i = 0; i < spans->count; i++) {
		const struct dph_core_span span = spans->list[i];
		struct dph_core_span *last = kept > 0 ? &spans->list[kept - 1] : NULL;

		if (last == NULL || span.first > last->end)
			spans->list[kept++] = span;
		else if (span.end > last->end)
			last->end = span.end;
	}
	spans->count = kept;
}

void dph_core_spans_leave_out(struct dph_core_spans *spans, uint64_t first, uint64_t bytes)
{
	const uint64_t end = first + bytes;
	const size_t count = spans->count;

	for (size_t i = 0; i < count; i++) {
		const struct dph_core_span span = spans->list[i];

		if (bytes == 0 || span.first >= end || span.end <= first)
			continue;
		spans->list[i].end = first > span.first ? first : span.first;
		if (span.end > end)
			append(spans, end, span.end);
	}
}

/* The end of the part of the span from `at` on that rows let be read, or of that which they do not.
 */
static uint64_t part_end(const struct dph_rows *rows, uint64_t at, uint64_t end, bool *readable)
{
	*readable = false;
	for (unsigned i = 0; i < rows->count; i++) {
		const struct dp_ranges_answer *row = &rows->row[i];
		const uint64_t first = row->start & ~(uint64_t)(ALIGN - 1);
		const uint64_t last = (row->start + row->bytes - 1) | (ALIGN - 1);

		if (!(row->access & DP_ACCESS_READ) || row->bytes == 0 || at > last)
			continue;
		if (at >= first) {
			*readable = true;
			return last < end ? last + 1 : end;
		}
		end = first < end ? first : end;
	}
	return end;
}

void dph_core_spans_part(struct dph_core_spans *spans, struct dph_core_spans *holes,
			 const struct dph_rows *rows)
{
	const size_t count = spans->count;

	for (size_t i = 0; i < count && rows->count > 0 && !rows->cut; i++) {
		const struct dph_core_span span = spans->list[i];

		spans->list[i].end = span.first;
		for (uint64_t at = span.first, end; at < span.end; at = end) {
			bool readable;

			end = part_end(rows, at, span.end, &readable);
			append(readable ? spans : holes, at, end);
		}
	}
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The export folded: a line for each call stack, "main;work;sort 12", the outermost function first.
 * Tools that draw flame graphs read it. */
#include "exports.h"
#include "stacks.h"

#include <inttypes.h>

/* A semicolon ends a function, and a newline a stack. */
static void put_name(FILE *out, const char *name)
{
	for (; *name != '\0'; name++)
		putc(*name == ';' ? ',' : *name == '\n' || *name == '\r' ? ' ' : *name, out);
}

static void put_path(FILE *out, const struct dph_stacks *stacks, size_t node)
{
	if (stacks->nodes[node].caller != DPH_STACK_NONE) {
		put_path(out, stacks, stacks->nodes[node].caller);
		putc(';', out);
	}
	put_name(out, stacks->names.names[node]);
}

static bool end(struct dp_sink *sink)
{
	struct dph_stacks *stacks = sink->state;
	FILE *out = sink->options.out;

	for (size_t i = 0; i < stacks->names.count; i++) {
		if (stacks->nodes[i].own == 0)
			continue;
		put_path(out, stacks, i);
		fprintf(out, " %" PRIu64 "\n", stacks->nodes[i].own);
	}
	dph_stacks_free(stacks);
	return fflush(out) == 0;
}

extern const struct dp_sink_kind dph_export_folded;
const struct dp_sink_kind dph_export_folded = {
	.name = "folded",
	.tables = 1u << DP_TABLE_RECORDS,
	.state_bytes = sizeof(struct dph_stacks),
	.begin = dph_stacks_begin,
	.record = dph_stacks_record,
	.gap = dph_stacks_gap,
	.end = end,
};

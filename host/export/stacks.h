/* SPDX-License-Identifier: BSD-2-Clause */
/* Counted call stacks: a tree, in which each function stands below its caller. */
#ifndef DPH_STACKS_H
#define DPH_STACKS_H

#include "interned.h"

#include <dprobes/record_sink.h>

#include <stdint.h>

#define DPH_STACK_NONE SIZE_MAX

/* A function as it was called by the functions above it. */
struct dph_stack_node {
	size_t caller; /* DPH_STACK_NONE: the outermost one */
	unsigned depth;
	uint64_t count, own; /* stacks with it; those that end with it */
};

/* Start with all zero; dph_stacks_free frees the rest. */
struct dph_stacks {
	struct dph_interned names; /* the number of a name below its caller is that of the node */
	struct dph_stack_node *nodes; /* a caller stands before its functions */
	size_t room;
	uint64_t count;   /* stacks */
	uint64_t cut;     /* ... whose outermost function is not the first one of the program */
	char *why;        /* of the first cut one */
	uint64_t without; /* records that have none */
	uint64_t lost;    /* records that did not come */
};

/* The functions of a sink whose state is a struct dph_stacks: each record adds its call stacks, and
 * a gap the number of its records. Texts of a record, such as the name of a task, stand above the
 * outermost function. The sink's own end prints the tree and calls dph_stacks_free. Each returns
 * true. */
bool dph_stacks_begin(struct dp_sink *sink);
bool dph_stacks_record(struct dp_sink *sink, const struct dp_record_view *record);
bool dph_stacks_gap(struct dp_sink *sink, const struct dp_gap *gap);
void dph_stacks_free(struct dph_stacks *stacks);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* The tree of call stacks. Equal stacks are one branch, so the memory does not grow with the
 * number of records. */
#define _GNU_SOURCE
#include "stacks.h"

#include "base/pool.h"

#include <dprobes/formats.h>

#include <stdlib.h>
#include <string.h>

/* The functions of one stack, the innermost first. */
struct branch {
	char **names;
	size_t count, room;
};

static void push(struct branch *branch, char *name)
{
	branch->names =
		dph_grow(branch->names, &branch->room, branch->count, sizeof *branch->names);
	branch->names[branch->count++] = name;
}

static void take_function(void *context, const struct dp_stack_function *function)
{
	push(context, function->name != NULL
			      ? dph_strdup(function->name)
			      : dph_print("0x%llx", (unsigned long long)function->address));
}

static bool is_text(const struct dp_value *value)
{
	return value->form == DP_VALUE_STRING && value->text != NULL;
}

/* Texts of the record stand above the outermost function, in their order. */
static void take_texts(struct branch *branch, const struct dp_record_view *record)
{
	for (size_t i = record->value_count; i-- > 0;)
		if (is_text(record->values[i]))
			push(branch, dph_strdup(record->values[i]->text));
}

/* Add the branch. The innermost name comes last. */
static void add_branch(struct dph_stacks *stacks, const struct branch *branch, uint64_t times)
{
	size_t at = DPH_STACK_NONE;

	for (size_t i = branch->count; i-- > 0;) {
		const size_t before = stacks->names.count;
		const size_t node = dph_intern_in(&stacks->names, at + 1, branch->names[i]);

		if (node == before) {
			stacks->nodes =
				dph_grow(stacks->nodes, &stacks->room, node, sizeof *stacks->nodes);
			stacks->nodes[node] = (struct dph_stack_node){
				.caller = at,
				.depth = at == DPH_STACK_NONE ? 0 : stacks->nodes[at].depth + 1,
			};
		}
		stacks->nodes[node].count += times;
		at = node;
	}
	if (at != DPH_STACK_NONE)
		stacks->nodes[at].own += times;
	stacks->count += times;
}

static void add_stack(struct dph_stacks *stacks, const struct dp_record_view *record,
		      const struct dp_value *stack, uint64_t times)
{
	struct branch branch = {.names = NULL};
	char *why = dp_formats_stack(record->formats, stack, take_function, &branch);

	if (why != NULL) { /* the callers behind it are not known */
		push(&branch, dph_strdup("[no caller found]"));
		stacks->cut += times;
	}
	if (why != NULL && stacks->why == NULL)
		stacks->why = dph_strdup(why);
	free(why);
	take_texts(&branch, record);
	add_branch(stacks, &branch, times);
	for (size_t i = 0; i < branch.count; i++)
		free(branch.names[i]);
	free(branch.names);
}

bool dph_stacks_begin(struct dp_sink *sink)
{
	(void)sink;
	return true;
}

bool dph_stacks_record(struct dp_sink *sink, const struct dp_record_view *record)
{
	struct dph_stacks *stacks = sink->state;
	const uint64_t times = record->times > 0 ? record->times : 1;
	bool any = false;

	for (size_t i = 0; record->formats != NULL && i < record->value_count; i++)
		if (record->values[i]->form == DP_VALUE_STACK) {
			add_stack(stacks, record, record->values[i], times);
			any = true;
		}
	stacks->without += any ? 0 : times;
	return true;
}

bool dph_stacks_gap(struct dp_sink *sink, const struct dp_gap *gap)
{
	struct dph_stacks *stacks = sink->state;

	if (gap->kind == DP_GAP_RECORDS || gap->kind == DP_GAP_DROPPED ||
	    gap->kind == DP_GAP_MISSED)
		stacks->lost += gap->count;
	return true;
}

void dph_stacks_free(struct dph_stacks *stacks)
{
	dph_interned_free(&stacks->names);
	free(stacks->nodes);
	free(stacks->why);
}

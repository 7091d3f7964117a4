/* SPDX-License-Identifier: BSD-2-Clause */
/* Descriptors of segments, and the stack of ring 0. Intel SDM 3A, chapters 3 and 8 */
#include "dp_access_cpu.h"

enum {
	DP_SELECTOR_RING = 3,
	DP_SELECTOR_LOCAL = 4,
	DP_DESCRIPTOR_PRESENT = 0x8000,
	DP_DESCRIPTOR_SEGMENT = 0x1000, /* of code or data */
	DP_TASK_ESP0 = 4,
	DP_OUTER_STACK = 4096, /* what ring 0 may use of its stack */
	DP_OUTER_BYTES = 20,
	DP_FLAGS_ALWAYS = 2
};

struct descriptor {
	uint32_t word[2];
};

static bool load_descriptor(uint32_t base, uint32_t limit, uint32_t selector, struct descriptor *to)
{
	const uint32_t offset = selector & ~(uint32_t)7;

	return offset + 7 <= limit && dp_access_load(base + offset, 4, &to->word[0]) &&
	       dp_access_load(base + offset + 4, 4, &to->word[1]) &&
	       (to->word[1] & DP_DESCRIPTOR_PRESENT);
}

static bool load_global(uint32_t selector, struct descriptor *to)
{
	struct {
		uint16_t pad, limit;
		uint32_t base;
	} gdt;

	__asm__ volatile("sgdt %0" : "=m"(gdt.limit), "=m"(gdt.base));
	return (selector & ~(uint32_t)DP_SELECTOR_RING) != 0 &&
	       load_descriptor(gdt.base, gdt.limit, selector, to);
}

static uint32_t base_of(const struct descriptor *of)
{
	return of->word[0] >> 16 | (of->word[1] & 0xff) << 16 | (of->word[1] & 0xff000000);
}

/* Without the granularity of pages: a table of descriptors has 64 KB at most. */
static uint32_t limit_of(const struct descriptor *of)
{
	return (of->word[0] & 0xffff) | (of->word[1] & 0xf0000);
}

static bool load_segment(uint32_t selector, struct descriptor *to)
{
	struct descriptor table;
	uint16_t local;

	if (!(selector & DP_SELECTOR_LOCAL)) {
		if (!load_global(selector, to))
			return false;
	} else {
		__asm__ volatile("sldt %0" : "=r"(local));
		if (!load_global(local, &table) ||
		    !load_descriptor(base_of(&table), limit_of(&table), selector, to))
			return false;
	}
	return (to->word[1] & DP_DESCRIPTOR_SEGMENT) != 0;
}

/* A selector has 16 bits. */
bool dp_port_seg2lin(dp_word selector, dp_word offset, dp_addr *flat)
{
	struct descriptor segment;
	struct dp_fault_status status;
	bool found;

	dp_fault_status_get(&status);
	found = load_segment(selector & 0xffff, &segment);
	dp_fault_status_put(&status);
	if (found)
		*flat = base_of(&segment) + offset;
	return found;
}

bool dp_ia32_is_flat(uint32_t selector)
{
	dp_addr base;

	return dp_port_seg2lin(selector, 0, &base) && base == 0;
}

/* The words lie at the begin of the stack in the task state segment, where the context's stack is
 * below: the firmware may use another one, and may have left the words there. */
bool dp_ia32_outer(const struct dp_frame *frame, struct dp_ia32_outer *outer)
{
	struct dp_fault_status status;
	struct descriptor task;
	uint32_t top = 0;
	uint16_t selector;
	bool found;

	if (frame->cs & DP_SELECTOR_RING)
		return false;
	dp_fault_status_get(&status);
	__asm__ volatile("str %0" : "=r"(selector));
	found = load_global(selector, &task) &&
		dp_access_load(base_of(&task) + DP_TASK_ESP0, 4, &top) &&
		top - frame->esp >= DP_OUTER_BYTES && top - frame->esp < DP_OUTER_STACK;
	for (unsigned i = 0; found && i < DP_OUTER_BYTES / 4; i++)
		found = dp_access_load(top - DP_OUTER_BYTES + 4 * i, 4, &(&outer->eip)[i]);
	dp_fault_status_put(&status);
	return found && (outer->cs & DP_SELECTOR_RING) != 0 &&
	       (outer->cs & DP_SELECTOR_RING) == (outer->ss & DP_SELECTOR_RING) &&
	       (outer->eflags & (DP_FLAG_VM | DP_FLAGS_ALWAYS)) == DP_FLAGS_ALWAYS;
}

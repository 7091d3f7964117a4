/* SPDX-License-Identifier: BSD-2-Clause */
/* Checked expressions of D are evaluated on the host, with memory of the target. */
#ifndef DPH_LOOK_EVALUATE_H
#define DPH_LOOK_EVALUATE_H

#include "memory.h"

#include "lang/d/check/check.h"

struct dph_look_run {
	struct d_front *d;
	struct dph_look_memory *memory;
	struct dph_pool *pool; /* of `why` */
	bool wanted;           /* the memory lacks bytes that were not read yet */
	const char *why;       /* why there is no value; null: nothing is wrong */
};

/* Does the expression, before it is checked, change nothing? Complains about one that does. */
bool dph_look_keeps(struct d_front *d, const struct d_node *node);
/* Can the host evaluate the checked expression? Complains about a part that has a value only at a
 * hit. */
bool dph_look_allowed(struct d_front *d, const struct d_node *node);

/* Is the checked expression an object in memory, and no computed value? */
bool dph_look_in_memory(const struct d_node *node);
/* Compute the address of an object. Returns false: run->wanted, or run->why. */
bool dph_look_address(struct dph_look_run *run, const struct d_node *node, uint64_t *address);
/* Compute a number or pointer, narrowed to its type. Returns false as above. */
bool dph_look_value(struct dph_look_run *run, const struct d_node *node, uint64_t *value);
/* The bytes of memory at an address. Returns null: run->wanted, or run->why. */
const uint8_t *dph_look_range(struct dph_look_run *run, uint64_t address, size_t bytes);
/* The bytes of an object, in the order of the target. Returns null as above. */
const uint8_t *dph_look_object(struct dph_look_run *run, const struct d_node *node, size_t bytes);

#endif

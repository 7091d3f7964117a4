/* SPDX-License-Identifier: BSD-2-Clause */
/* The plans that an agent makes of an object's handlers, and why it makes none. */
#ifndef DPH_PLANS_H
#define DPH_PLANS_H

#include <dprobes/host.h>
#include <dprobes/readings.h>

struct dph_plans {
	struct dp_no_plan *rows; /* one for the points that have one reason at one line */
	size_t row_count, row_room;
	const char **kinds; /* of each point, by name */
	size_t kind_count, kind_room;
};

/* Find the plan of each probe point of a verified object, and the reasons for those without one.
 * dph_plans_free frees what *plans, zeroed before, gets. */
void dph_plans_find(const struct dp_object_file *object, struct dph_plans *plans);
void dph_plans_free(struct dph_plans *plans);

#endif

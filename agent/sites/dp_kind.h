/* SPDX-License-Identifier: BSD-2-Clause */
/* Kinds of probe points. A kind is a row of point.c: what checks, arms and disarms its probes. A
 * new kind is a new row. */
#ifndef DP_KIND_H
#define DP_KIND_H

#include "dp_build.h"
#include "dp_errors.h"
#include "dp_store.h"

/* A probe point on its way to its place in the target. */
struct dp_spot {
	const struct dp_program *program;
	struct dp_verdict *verdict;
	/* Prepared by a check without error; null: the kind has none, or the point waits. */
	struct dp_site *site;
	struct dp_point point;
	dp_addr address; /* of the point; the check adds the base of its module */
};

struct dp_kind {
	uint8_t numbers; /* bit n: enum dp_point_kind */
	bool early;      /* armed before the program's other points */
	/* Check everything that the target must agree to; prepare the site, if the kind has one.
	 * returns: DP_ERR_OK, or an error; verdict.found has its value. */
	enum dp_err (*check)(struct dp_agent *agent, struct dp_spot *spot);
	/* Arm the waiting probe, which was checked. On failure it waits on. */
	enum dp_err (*arm)(struct dp_agent *agent, struct dp_probe *probe, struct dp_spot *spot);
	/* End what `arm` began. context: ANY. */
	void (*disarm)(struct dp_agent *agent, struct dp_probe *probe);
};

/* The checks of breakpoints and of watchpoints. A breakpoint: the place and the instruction are
 * right. A watchpoint: a comparator can watch the range. Each prepares the site.
 * context: the request at work, or a thread at work on a module. */
enum dp_err dp_break_check(struct dp_agent *agent, struct dp_spot *spot);
enum dp_err dp_watch_check(struct dp_agent *agent, struct dp_spot *spot);

#endif

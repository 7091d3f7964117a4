/* SPDX-License-Identifier: BSD-2-Clause */
/* From a probe point of a program to an armed site, and back. Interrupts are masked for the steps
 * that hits must see whole. One context at a time: the request at work, or another one with
 * interrupts masked while no request is at work. */
#ifndef DP_POINT_H
#define DP_POINT_H

#include "dp_errors.h"
#include "dp_kind.h"
#include "dp_object.h"
#include "dp_state.h"

/* Check everything the target must agree to before the point can be armed, and prepare its site.
 * spot: program and verdict are set; receives the point and its site.
 * returns: DP_ERR_OK, also when the point must wait for its module, or an error with its details in
 * the verdict. */
enum dp_err dp_point_check(struct dp_agent *agent, struct dp_spot *spot, unsigned point);
/* Is the point armed before the other points of its program? */
#if DP_WITH_D
bool dp_point_is_early(const struct dp_program *program, unsigned point);
#else
static inline bool dp_point_is_early(const struct dp_program *program, unsigned point)
{
	(void)program, (void)point;
	return false;
}
#endif

/* Arm a waiting probe, if its module is there. On failure it waits on.
 * returns: also BUSY, when the text or what the request has checked changed meanwhile. */
enum dp_err dp_probe_arm(struct dp_agent *agent, struct dp_probe *probe,
			 struct dp_verdict *verdict);
/* End what arming began. The site of a probe is checked, and goes with its last probe. */
void dp_probe_disarm(struct dp_agent *agent, struct dp_probe *probe);

#endif

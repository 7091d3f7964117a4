/* SPDX-License-Identifier: BSD-2-Clause */
/* Can the target run the timers of a program? */
#ifndef DPH_TIMED_H
#define DPH_TIMED_H

#include <dprobes/insertion.h>

/* Ask the agent for its timers, if the program has points of kind TIMER. Warns of a timer that the
 * board samples less often than it says.
 * replaces: another program gives back its timers.
 * Returns false: the agent does not answer, or with *kind DP_FAILED_AGENT and the reason in
 * messages it cannot run them. */
bool dph_timers_fit(struct dp_session *session, const struct dp_object_file *object,
		    const char *name, bool replaces, enum dp_failure_kind *kind,
		    struct dp_messages *messages);

#endif

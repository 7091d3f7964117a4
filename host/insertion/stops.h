/* SPDX-License-Identifier: BSD-2-Clause */
/* Can the target stop where a program says so? */
#ifndef DPH_STOPS_H
#define DPH_STOPS_H

#include <dprobes/insertion.h>

/* Warn of each `exit 2` that stops nothing, and of `exit 1` at a watchpoint of an agent that does
 * not stop there. */
void dph_warn_of_stops(const struct dp_session *session, const struct dp_object_file *object,
		       const char *name, struct dp_messages *messages);

#endif

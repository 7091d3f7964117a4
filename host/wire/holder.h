/* SPDX-License-Identifier: BSD-2-Clause */
/* The search of holders finds the processes that have a device open, for the message of a refused
 * line and for `dprobes ports`. */
#ifndef DPH_HOLDER_H
#define DPH_HOLDER_H

#include <stddef.h>

/* List the other processes that have the device open.
 * path: the device, or a link to the device.
 * text: receives "picocom (pid 812), getty (pid 90)"; at most three processes, then "...".
 * room: bytes of text.
 * Returns the number of processes; 0 leaves text empty. A user finds processes of other users by
 * their lock (flock) alone, root finds each. */
unsigned dph_holders(const char *path, char *text, size_t room);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* The search of holders finds the processes that have a device open, for the message of a refused
 * line and for `dprobes ports`. */
#ifndef DPH_HOLDER_H
#define DPH_HOLDER_H

#include <stddef.h>

/* List the other processes that have the device open.
 * path:    the device, or a link to it
 * text:    receives "picocom (pid 812), getty (pid 90)"; three processes at most, then "..."
 * room:    bytes of text
 * returns: how many processes were found; 0 leaves text empty. Processes of other users are found
 * by root only. */
unsigned dph_holders(const char *path, char *text, size_t room);

#endif

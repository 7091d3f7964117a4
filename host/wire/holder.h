/* SPDX-License-Identifier: BSD-2-Clause */
/* The search of holders finds the processes that have a device open, for the message of a refused
 * line and for `dprobes ports`. */
#ifndef DPH_HOLDER_H
#define DPH_HOLDER_H

#include <stdbool.h>
#include <stddef.h>

enum {
	DPH_COMMAND_BYTES = 64, /* the kernel keeps 15 characters */
};

/* Write the name of the command that a process runs; of a service "dprobes serve".
 * command: room for DPH_COMMAND_BYTES.
 * Returns false, and "?", when the process has ended. */
bool dph_process_command(long pid, char *command);

/* Has a process ended? A process that ended and waits for its parent (a zombie) has, too. */
bool dph_process_has_ended(long pid);

/* List the other processes that have the device open.
 * path: the device, or a link to the device.
 * text: receives "picocom (pid 812), getty (pid 90)"; at most three processes, then "...".
 * room: bytes of text.
 * Returns the number of processes; 0 leaves text empty. A user finds processes of other users by
 * their lock (flock) alone, root finds each. */
unsigned dph_holders(const char *path, char *text, size_t room);

#endif

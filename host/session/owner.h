/* SPDX-License-Identifier: BSD-2-Clause */
/* The owner of a session, as a host of this machine names itself: `pid 1234.x7f3 on lab7`. */
#ifndef DPH_OWNER_H
#define DPH_OWNER_H

#include <stdbool.h>
#include <stddef.h>

/* Write a process as owner.
 * owner: room for DP_OWNER_MAX characters and a NUL. The text is unique: machines with equal names
 * have different digits behind the process number. */
void dph_owner_of_process(long pid, char *owner);

/* Is the owner a process of this machine that has ended? A process that was killed sends no CLOSE.
 */
bool dph_owner_has_ended(const char *owner);

/* Write an owner for a message: "dprobes (pid 812)" for a process of this machine, "pid 812 on
 * lab7" for another one's, the owner's own words else. Bytes that are no text become '?'. */
void dph_owner_shown(const char *owner, char *text, size_t room);

#endif

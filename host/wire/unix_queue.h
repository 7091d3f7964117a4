/* SPDX-License-Identifier: BSD-2-Clause */
/* The check of a unix socket: whether the server has accepted a connection. */
#ifndef DPH_UNIX_QUEUE_H
#define DPH_UNIX_QUEUE_H

#include <stdbool.h>

/* Ask the kernel for the other end of a connected unix stream socket.
 * fd:      the socket
 * returns: true when the connection waits in the queue of its server; false when it is accepted,
 * and when the kernel does not answer (no unix_diag). */
bool dph_unix_queued(int fd);

#endif

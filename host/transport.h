/* SPDX-License-Identifier: BSD-2-Clause */
/* A byte line to a target, named by a URL:
 *   /dev/ttyUSB0          a serial device, 8N1
 *   unix:PATH             a stream socket (QEMU: -serial unix:PATH,server=on)
 *   tcp:HOST:PORT
 *   pty:PATH              a pseudo terminal (QEMU: -serial pty), which is no serial device
 *   exec:COMMAND          standard input and output of a shell command
 * Whoever writes much and reads nothing can block a target that answers (its transmitter, or QEMU,
 * waits for the reader), so writing receives at the same time; what came in waits for the next
 * read. */
#ifndef DP_TRANSPORT_H
#define DP_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>

struct dp_transport;

enum {
	DP_BAUD_DEFAULT = 115200
};

/* Null on failure; then `why` says what was found and what would do. */
struct dp_transport *dp_transport_open(const char *url, unsigned baud, char *why, size_t why_bytes);
void dp_transport_close(struct dp_transport *line);

/* Wait at most timeout_ms (0: not at all) for bytes. Returns how many, 0 when none came, -1 when
 * the line is dead. A signal ends the wait early. */
long dp_transport_read(struct dp_transport *line, void *bytes, size_t room, int timeout_ms);

/* Send all. False when the line is dead or took nothing for five seconds. */
bool dp_transport_write(struct dp_transport *line, const void *bytes, size_t count);

/* For poll(): readable when the line is, unless bytes wait already. */
int dp_transport_fd(const struct dp_transport *line);

/* Why the line is dead. */
const char *dp_transport_why(const struct dp_transport *line);

#endif

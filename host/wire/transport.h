/* SPDX-License-Identifier: BSD-2-Clause */
/* A transport is a byte line to a target, named by a URL:
 *   /dev/ttyUSB0          a serial device, 8N1; also a link to one (/dev/serial/by-id/...), and
 *                         /dev/pts/N, which is opened as pty:/dev/pts/N
 *   unix:PATH             a stream socket (QEMU: -serial unix:PATH,server=on)
 *   tcp:HOST:PORT
 *   pty:PATH              a pseudo terminal (QEMU: -serial pty), which is no serial device
 *   exec:COMMAND          standard input and output of a shell command
 * A line that a service owns (service_link.h) is opened through the service.
 * Whoever writes much and reads nothing can block a target that answers (its transmitter, or QEMU,
 * waits for the reader), so writing receives at the same time; what came in waits for the next
 * read. */
#ifndef DPH_TRANSPORT_H
#define DPH_TRANSPORT_H

#include <dprobes/session.h>

#include <stdbool.h>
#include <stddef.h>

struct dph_transport;

enum {
	DPH_BAUD_DEFAULT = 115200
};

struct dph_line_settings {
	unsigned baud; /* of a device; 0: DPH_BAUD_DEFAULT */
	enum dp_modem_line dtr, rts;
	bool direct; /* open the line itself, also past a service that owns it */
	/* A service is told: */
	bool temporary;      /* remove the programs of this process when it ends without CLOSE */
	const char *purpose; /* what the process does; null: nothing is told */
};

/* settings: null: the usual ones. Null on failure; then `why` says what was found and what would
 * do.
 */
struct dph_transport *dph_transport_open(const char *url, const struct dph_line_settings *settings,
					 char *why, size_t why_bytes);
void dph_transport_close(struct dph_transport *line);

/* Wait at most timeout_ms (0: not at all) for bytes. Returns how many, 0 when none came, -1 when
 * the line is dead. A signal ends the wait early. */
long dph_transport_read(struct dph_transport *line, void *bytes, size_t room, int timeout_ms);

/* Send all. False when the line is dead or took nothing for five seconds. */
bool dph_transport_write(struct dph_transport *line, const void *bytes, size_t count);

/* For poll(): readable when the line is, unless bytes wait already. */
int dph_transport_fd(const struct dph_transport *line);

/* From now on a descriptor that is readable ends the wait of dph_transport_read, which calls ready
 * first. ready may write to the line. fd: negative: none. */
void dph_transport_watch(struct dph_transport *line, int fd, void (*ready)(void *context),
			 void *context);

/* Does a service own the line, so that the bytes go through the service? */
bool dph_transport_is_service(const struct dph_transport *line);

/* Do characters take time on the line? They do on a serial device, and may behind a service. */
bool dph_transport_has_rate(const struct dph_transport *line);

/* Fetch a sentence for the user that the service of the line has sent. Returns false: none. */
bool dph_transport_told(struct dph_transport *line, char *sentence, size_t room);

/* Fetch why the service of the line answers with an error. Returns false: it did not say. */
bool dph_transport_reason(struct dph_transport *line, char *sentence, size_t room);

/* Has the service said that the target was restarted? Returns true once. */
bool dph_transport_restarted(struct dph_transport *line);

/* Has another client of the service removed a program of this process? Returns true once. */
bool dph_transport_removed(struct dph_transport *line);

/* Does a request of this process wait in the service of the line? Returns true once for each time
 * that the service said so. */
bool dph_transport_kept(struct dph_transport *line);

/* Does the connection wait because its server has not accepted it? A server such as QEMU's serves
 * one program and leaves the next one in its queue, where the connection looks open. */
bool dph_transport_queued(const struct dph_transport *line);

/* List the other programs that have the device open, as dph_holders does. Each of them may take
 * bytes of the target. Returns their number; 0 for a line that is no device. */
unsigned dph_transport_sharers(const struct dph_transport *line, char *text, size_t room);

/* Why the line is dead. */
const char *dph_transport_why(const struct dph_transport *line);

#endif

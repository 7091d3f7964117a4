/* SPDX-License-Identifier: BSD-2-Clause */
/* What each kind of line supplies to transport.c. */
#ifndef DP_TRANSPORT_KIND_H
#define DP_TRANSPORT_KIND_H

#include "transport.h"

#include <stdint.h>
#include <sys/types.h>

struct sp_port;

struct dp_transport {
	const struct dp_transport_kind *kind;
	int fd;
	pid_t child;          /* exec: */
	struct sp_port *port; /* a device */
	uint8_t *received;    /* while writing, not yet read */
	size_t received_bytes, received_room;
	bool dead;
	char url[512];
	char why[512];
};

struct dp_transport_kind {
	const char *scheme; /* "unix:", ...; "" for device paths */
	/* address: the URL without scheme. Sets fd, which is not blocking. On failure: false, and a
	 * sentence by dp_transport_fail. */
	bool (*open)(struct dp_transport *line, const char *address, unsigned baud);
	/* Neither blocks. Return bytes moved, 0 for none now, -1 with errno when dead (errno 0: the
	 * other end closed). */
	long (*read)(struct dp_transport *line, void *bytes, size_t room);
	long (*write)(struct dp_transport *line, const void *bytes, size_t count);
	void (*close)(struct dp_transport *line);
};

extern const struct dp_transport_kind dp_transport_unix, dp_transport_tcp, dp_transport_pty,
	dp_transport_exec, dp_transport_serial;

/* What --port may be, as the end of a sentence. */
#define DP_TRANSPORT_FORMS                                                                         \
	"a line is a device path such as /dev/ttyUSB0, unix:PATH, tcp:HOST:PORT, pty:PATH or "     \
	"exec:COMMAND"

/* Note the sentence; returns false. */
__attribute__((format(printf, 2, 3))) bool dp_transport_fail(struct dp_transport *line,
							     const char *format, ...);

/* read and write of file descriptors and of sockets */
long dp_transport_fd_read(struct dp_transport *line, void *bytes, size_t room);
long dp_transport_fd_write(struct dp_transport *line, const void *bytes, size_t count);
long dp_transport_socket_write(struct dp_transport *line, const void *bytes, size_t count);
void dp_transport_fd_close(struct dp_transport *line);

/* Refuse a terminal that another program holds. */
bool dp_transport_lock(struct dp_transport *line);

/* The sentence for a device path that could not be opened. */
bool dp_transport_no_device(struct dp_transport *line, const char *path, int error);

#endif

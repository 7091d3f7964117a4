/* SPDX-License-Identifier: BSD-2-Clause */
/* Each kind of line supplies these functions to transport.c. */
#ifndef DPH_TRANSPORT_KIND_H
#define DPH_TRANSPORT_KIND_H

#include "transport.h"

#include <stdint.h>
#include <sys/types.h>

struct sp_port;

enum {
	DPH_TOLD_BYTES = 768,
};

struct dph_transport {
	const struct dph_transport_kind *kind;
	int fd;
	pid_t child;          /* exec: */
	struct sp_port *port; /* a device */
	uint8_t *received;    /* while writing, not yet read */
	size_t received_bytes, received_room;
	bool dead;
	int watched_fd; /* dph_transport_watch */
	void (*ready)(void *context);
	void *ready_context;
	/* of a service: dph_transport_removed, and so on */
	bool removed, kept, restarted;
	char url[512];
	char why[512];
	char told[DPH_TOLD_BYTES],
		reason[DPH_TOLD_BYTES]; /* of a service: dph_transport_told, dph_transport_reason */
};

struct dph_transport_kind {
	const char *scheme; /* "unix:", ...; "" for device paths */
	/* address: the URL without scheme. Sets fd, which is not blocking. On failure: false, and a
	 * sentence by dph_transport_fail. */
	bool (*open)(struct dph_transport *line, const char *address,
		     const struct dph_line_settings *settings);
	/* Neither blocks. Return bytes moved, 0 for none now, -1 with errno when dead (errno 0: the
	 * other end closed). */
	long (*read)(struct dph_transport *line, void *bytes, size_t room);
	long (*write)(struct dph_transport *line, const void *bytes, size_t count);
	void (*close)(struct dph_transport *line);
	bool (*queued)(const struct dph_transport *line); /* dph_transport_queued; may be null */
};

extern const struct dph_transport_kind dph_transport_unix, dph_transport_tcp, dph_transport_pty,
	dph_transport_exec, dph_transport_serial;

/* Connect the line to the service that owns it. Returns false when there is none; then line->why
 * has a sentence when a service was found and refused the connection, else nothing. */
bool dph_transport_find_service(struct dph_transport *line,
				const struct dph_line_settings *settings);

/* What --port may be, as the end of a sentence. */
#define DPH_TRANSPORT_FORMS                                                                        \
	"a line is a device path such as /dev/ttyUSB0, unix:PATH, tcp:HOST:PORT, pty:PATH or "     \
	"exec:COMMAND"

/* Note the sentence; returns false. */
__attribute__((format(printf, 2, 3))) bool dph_transport_fail(struct dph_transport *line,
							      const char *format, ...);

/* read and write of file descriptors and of sockets */
long dph_transport_fd_read(struct dph_transport *line, void *bytes, size_t room);
long dph_transport_fd_write(struct dph_transport *line, const void *bytes, size_t count);
long dph_transport_socket_write(struct dph_transport *line, const void *bytes, size_t count);
void dph_transport_fd_close(struct dph_transport *line);

/* Refuse a terminal that another program holds. path: the device that is open. */
bool dph_transport_lock(struct dph_transport *line, const char *path);

/* The sentence for a device path that could not be opened. */
bool dph_transport_no_device(struct dph_transport *line, const char *path, int error);

#endif

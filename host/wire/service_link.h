/* SPDX-License-Identifier: BSD-2-Clause */
/* The socket between a command and the service of a line (dprobes serve).
 *
 * The socket keeps packets whole. The first byte of a packet is its kind. Packets of kind LINE
 * carry the bytes of the line, as the device would: whole lines of the protocol, console text, and
 * typed bytes. The other kinds are the service's own. */
#ifndef DPH_SERVICE_LINK_H
#define DPH_SERVICE_LINK_H

#include <stdbool.h>
#include <stddef.h>

enum {
	DPH_SERVICE_LINE = 'L',
	DPH_SERVICE_WHO = 'W',     /* to the service: 't' or '-' (temporary), then the purpose */
	DPH_SERVICE_ASK = 'S',     /* to the service: what it does */
	DPH_SERVICE_STATE = 'A',   /* the answer: the URL of the line, then a line a client */
	DPH_SERVICE_TOLD = 'T',    /* to a client: a sentence for its user */
	DPH_SERVICE_REASON = 'F',  /* to a client: why the next answer is an error */
	DPH_SERVICE_END = 'E',     /* to a client: why the service ends the connection */
	DPH_SERVICE_REMOVED = 'R', /* to a client: who has removed a program of the client */
	DPH_SERVICE_KEEP = 'K',    /* to a client: its request waits in the service */
	DPH_SERVICE_RESTARTED =
		'B', /* to a client: the target was restarted, its programs are lost */

	DPH_SERVICE_BYTES = 2048, /* of a packet behind its kind */
	DPH_SERVICE_PATH_BYTES = 108,
};

/* Write the folder of the sockets: $XDG_RUNTIME_DIR/dprobes, or /tmp/dprobes-UID.
 * Returns false when the name is too long. */
bool dph_service_folder(char *folder, size_t room);

/* Write the path of the socket of a line. Names of one device (links, for example) have one path.
 * url: as for dph_transport_open.
 * Returns false for a line that no service can own (exec:), and for a path that is too long. */
bool dph_service_path(const char *url, char *path, size_t room);

/* Return whether a folder is one that only this user can change. */
bool dph_service_is_private(const char *folder);

/* Return whether the other end of a socket is a process of this user, or of root.
 * pid: receives its process number; may be null. */
bool dph_service_is_own(int fd, long *pid);

/* The rule of dph_service_is_own. */
static inline bool dph_service_admits(unsigned peer, unsigned own)
{
	return peer == own || peer == 0;
}

/* Connect to the service behind a path. A socket behind which no process listens is removed.
 * why: receives the sentence of a refusal; empty: there is no service.
 * Returns the socket, which does not block; -1: none. */
int dph_service_connect(const char *path, char *why, size_t room);

/* Ask the service behind a path for its state.
 * text: receives lines; empty: no service answered within a second.
 * Returns the process number of the service; 0: no service. */
long dph_service_ask(const char *path, char *text, size_t room);

/* Name the service of a device and who uses the service, for the list of ports.
 * Returns a text that the caller frees; null: no service owns the device. */
char *dph_service_holder(const char *device);

#endif

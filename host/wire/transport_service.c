/* SPDX-License-Identifier: BSD-2-Clause */
/* The line of another process: a service owns the device and passes the bytes of the line on.
 * Only transport.c opens this kind, for the URL of any other kind. */
#define _GNU_SOURCE
#include "transport_kind.h"

#include "service_link.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static bool introduce(const struct dph_transport *line, const struct dph_line_settings *settings)
{
	char packet[DPH_SERVICE_BYTES];
	const int count = snprintf(packet, sizeof packet, "%c%c%s", DPH_SERVICE_WHO,
				   settings->temporary ? 't' : '-',
				   settings->purpose != NULL ? settings->purpose : "");
	const size_t bytes = (size_t)count < sizeof packet ? (size_t)count : sizeof packet - 1;

	return send(line->fd, packet, bytes, MSG_NOSIGNAL) == (ssize_t)bytes;
}

static long end(struct dph_transport *line, const char *why)
{
	dph_transport_fail(line, "%s", why);
	line->dead = true;
	return -1;
}

/* The service's sentences are shorter than their room. */
static void copy(char *to, const char *from)
{
	snprintf(to, DPH_TOLD_BYTES, "%.*s", DPH_TOLD_BYTES - 1, from);
}

/* Take a packet. Returns the bytes of the line in it, 0 for none, -1 for the end. */
static long take(struct dph_transport *line, char *packet, size_t count, void *bytes, size_t room)
{
	const size_t rest = count - 1;

	packet[count] = '\0';
	switch (packet[0]) {
	case DPH_SERVICE_LINE:
		memcpy(bytes, packet + 1, rest < room ? rest : room);
		return (long)(rest < room ? rest : room);
	case DPH_SERVICE_TOLD:
		copy(line->told, packet + 1);
		return 0;
	case DPH_SERVICE_REMOVED:
		copy(line->told, packet + 1);
		line->removed = true;
		return 0;
	case DPH_SERVICE_RESTARTED:
		line->restarted = true;
		return 0;
	case DPH_SERVICE_KEEP:
		line->kept = true;
		return 0;
	case DPH_SERVICE_REASON:
		copy(line->reason, packet + 1);
		return 0;
	case DPH_SERVICE_END:
		return end(line, packet + 1);
	default:
		return 0;
	}
}

static long read_service(struct dph_transport *line, void *bytes, size_t room)
{
	char packet[DPH_SERVICE_BYTES + 2];
	ssize_t count;
	long taken;

	do {
		count = recv(line->fd, packet, sizeof packet - 1, 0);
		if (count < 0 && (errno == EAGAIN || errno == EINTR))
			return 0;
		if (count <= 0) {
			dph_transport_fail(line,
					   "the service of %s (dprobes serve) has ended: the "
					   "programs of 'insert' stay, the next command "
					   "removes those of 'run' and 'trace'",
					   line->url);
			line->dead = true;
			return -1;
		}
		taken = take(line, packet, (size_t)count, bytes, room);
	} while (taken == 0 && line->told[0] == '\0');
	return taken;
}

static long write_service(struct dph_transport *line, const void *bytes, size_t count)
{
	char packet[DPH_SERVICE_BYTES + 1] = {DPH_SERVICE_LINE};
	const size_t taken = count < DPH_SERVICE_BYTES ? count : DPH_SERVICE_BYTES;
	ssize_t sent;

	memcpy(packet + 1, bytes, taken);
	sent = send(line->fd, packet, taken + 1, MSG_NOSIGNAL);
	if (sent > 0)
		return (long)sent - 1;
	return errno == EAGAIN || errno == EINTR ? 0 : -1;
}

static const struct dph_transport_kind service = {
	"service:", NULL, read_service, write_service, dph_transport_fd_close, NULL,
};

bool dph_transport_is_service(const struct dph_transport *line)
{
	return line->kind == &service;
}

bool dph_transport_find_service(struct dph_transport *line,
				const struct dph_line_settings *settings)
{
	char path[DPH_SERVICE_PATH_BYTES];

	if (!dph_service_path(line->url, path, sizeof path))
		return false;
	line->fd = dph_service_connect(path, line->why, sizeof line->why);
	if (line->fd < 0)
		return false;
	line->kind = &service;
	if (introduce(line, settings))
		return true;
	close(line->fd); /* it has ended just now */
	line->fd = -1;
	return false;
}

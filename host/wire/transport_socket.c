/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
/* The socket transports open unix:PATH and tcp:HOST:PORT. */
#include "transport_kind.h"

#include "tcp_port.h"
#include "unix_queue.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum {
	CONNECT_TIMEOUT_MS = 5000
};

/* 0, or an errno. */
static int connect_within(int fd, const struct sockaddr *address, socklen_t bytes)
{
	struct pollfd poller = {.fd = fd, .events = POLLOUT};
	int error = 0;
	socklen_t size = sizeof error;

	if (connect(fd, address, bytes) == 0)
		return 0;
	if (errno != EINPROGRESS)
		return errno;
	if (poll(&poller, 1, CONNECT_TIMEOUT_MS) != 1)
		return ETIMEDOUT;
	if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0)
		return errno;
	return error;
}

static bool unix_failed(struct dph_transport *line, const char *path, int error)
{
	switch (error) {
	case ENOENT:
		return dph_transport_fail(line, "no such socket: %s; is the board (QEMU) running?",
					  path);
	case ECONNREFUSED:
		return dph_transport_fail(line,
					  "no process listens on %s: the one that created it has "
					  "exited; start the board again",
					  path);
	case EACCES:
	case EPERM:
		return dph_transport_fail(line, "permission denied: %s belongs to another user",
					  path);
	case EAGAIN:
		return dph_transport_fail(
			line, "another program has %s open; end that program first", path);
	default:
		return dph_transport_fail(line, "no connection to %s: %s", path, strerror(error));
	}
}

static bool open_unix(struct dph_transport *line, const char *path,
		      const struct dph_line_settings *settings)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int error;

	(void)settings;
	if (*path == '\0' || strlen(path) >= sizeof address.sun_path)
		return dph_transport_fail(line, "unix: needs a path of 1 to %zu bytes",
					  sizeof address.sun_path - 1);
	memcpy(address.sun_path, path, strlen(path));
	line->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (line->fd < 0)
		return unix_failed(line, path, errno);
	error = connect_within(line->fd, (struct sockaddr *)&address, sizeof address);
	if (error == 0)
		return true;
	close(line->fd);
	return unix_failed(line, path, error);
}

static bool unix_queued(const struct dph_transport *line)
{
	return dph_unix_queued(line->fd);
}

/* The first address that takes the connection. Returns 0 or the last errno. */
static int connect_any(struct dph_transport *line, const struct addrinfo *list)
{
	int error = ENOENT, one = 1;

	for (; list != NULL; list = list->ai_next) {
		line->fd = socket(list->ai_family, list->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC,
				  0);
		if (line->fd < 0)
			return errno;
		error = connect_within(line->fd, list->ai_addr, list->ai_addrlen);
		if (error == 0) {
			setsockopt(line->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
			return 0;
		}
		close(line->fd);
	}
	return error;
}

static bool open_tcp(struct dph_transport *line, const char *address,
		     const struct dph_line_settings *settings)
{
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *list;
	const char *colon = strrchr(address, ':');
	char host[256];
	int error;

	(void)settings;
	if (colon == NULL || colon == address || colon[1] == '\0' ||
	    (size_t)(colon - address) >= sizeof host)
		return dph_transport_fail(line, "tcp: needs HOST:PORT, found '%s'", address);
	if (!dph_tcp_port_good(colon + 1))
		return dph_transport_fail(line, "no such host or port: %s: %s", address,
					  DPH_TCP_PORT_BAD);
	snprintf(host, sizeof host, "%.*s", (int)(colon - address), address);
	error = getaddrinfo(host, colon + 1, &hints, &list);
	if (error != 0)
		return dph_transport_fail(line, "no such host or port: %s: %s", address,
					  gai_strerror(error));
	error = connect_any(line, list);
	freeaddrinfo(list);
	if (error == 0)
		return true;
	if (error == ECONNREFUSED)
		return dph_transport_fail(
			line, "no process listens on %s; is the board (QEMU) running?", address);
	return dph_transport_fail(line, "no connection to %s: %s", address, strerror(error));
}

const struct dph_transport_kind dph_transport_unix = {
	"unix:",
	open_unix,
	dph_transport_fd_read,
	dph_transport_socket_write,
	dph_transport_fd_close,
	unix_queued,
};
const struct dph_transport_kind dph_transport_tcp = {
	"tcp:", open_tcp, dph_transport_fd_read, dph_transport_socket_write, dph_transport_fd_close,
	NULL,
};

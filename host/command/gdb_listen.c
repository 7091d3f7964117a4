/* SPDX-License-Identifier: BSD-2-Clause */
/* A socket that gdb connects to. */
#define _GNU_SOURCE
#include "gdb_listen.h"

#include "wire/tcp_port.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum {
	BACKLOG = 4,
	ALIVE_IDLE_S = 30, /* of silence; then gdb's host is asked whether it is there, */
	ALIVE_INTERVAL_S = 10,
	ALIVE_COUNT = 3, /* times without an answer */
	HOST_ROOM = 256,
	PORT_ROOM = 16
};

#define UNIX "unix:"
#define TCP  "tcp:"

static bool fail(char *why, size_t room, const char *where, const char *what)
{
	snprintf(why, room, "cannot listen at %s: %s", where, what);
	return false;
}

/* A socket that no process listens on is left from one that was killed. */
static void remove_left(const struct sockaddr_un *address)
{
	const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct stat there;

	if (stat(address->sun_path, &there) == 0 && S_ISSOCK(there.st_mode) &&
	    connect(fd, (const struct sockaddr *)address, sizeof *address) != 0 &&
	    errno == ECONNREFUSED)
		unlink(address->sun_path);
	close(fd);
}

static bool listen_unix(const char *path, struct dph_gdb_socket *found)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};

	if (path[0] == '\0') { /* the system would choose a name that no gdb finds */
		errno = ENOENT;
		return false;
	}
	if (strlen(path) >= sizeof address.sun_path) {
		errno = ENAMETOOLONG;
		return false;
	}
	snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
	remove_left(&address);
	found->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (found->fd < 0 || bind(found->fd, (struct sockaddr *)&address, sizeof address) != 0)
		return false;
	found->path = path;
	snprintf(found->name, sizeof found->name, "%s", path);
	return listen(found->fd, BACKLOG) == 0;
}

/* Returns false: errno has the reason. */
static bool listen_on(const struct addrinfo *a, struct dph_gdb_socket *found)
{
	struct sockaddr_storage bound;
	socklen_t bytes = sizeof bound;
	char host[HOST_ROOM], port[PORT_ROOM];
	const int yes = 1;
	int error;

	found->fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, a->ai_protocol);
	if (found->fd < 0)
		return false;
	setsockopt(found->fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
	if (bind(found->fd, a->ai_addr, a->ai_addrlen) == 0 && listen(found->fd, BACKLOG) == 0 &&
	    getsockname(found->fd, (struct sockaddr *)&bound, &bytes) == 0 &&
	    getnameinfo((struct sockaddr *)&bound, bytes, host, sizeof host, port, sizeof port,
			NI_NUMERICHOST | NI_NUMERICSERV) == 0) {
		snprintf(found->name, sizeof found->name,
			 strchr(host, ':') != NULL ? "[%.90s]:%s" : "%.90s:%s", host, port);
		return true;
	}
	error = errno;
	close(found->fd);
	found->fd = -1;
	errno = error;
	return false;
}

static bool listen_tcp(const char *at, const char *where, struct dph_gdb_socket *found, char *why,
		       size_t room)
{
	const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
	const char *colon = strrchr(at, ':');
	size_t bytes = colon != NULL ? (size_t)(colon - at) : 0;
	const bool brackets = bytes > 1 && at[0] == '[' && at[bytes - 1] == ']';
	struct addrinfo *list;
	char host[HOST_ROOM];
	int error = 0;

	if (colon == NULL || colon[1] == '\0' || bytes >= sizeof host ||
	    (at[0] == '[' && !brackets))
		return fail(why, room, where, "write HOST:PORT or unix:PATH");
	if (!dph_tcp_port_good(colon + 1))
		return fail(why, room, where, DPH_TCP_PORT_BAD);
	if (brackets) { /* of an address with colons */
		at++;
		bytes -= 2;
	}
	snprintf(host, sizeof host, "%.*s", (int)bytes, at);
	error = getaddrinfo(host[0] != '\0' ? host : "localhost", colon + 1, &hints, &list);
	if (error != 0)
		return fail(why, room, where, gai_strerror(error));
	/* The first address is the one that the user means. */
	for (const struct addrinfo *a = list; found->fd < 0 && a != NULL; a = a->ai_next)
		if (!listen_on(a, found) && error == 0)
			error = errno;
	freeaddrinfo(list);
	return found->fd >= 0 || fail(why, room, where, strerror(error));
}

bool dph_gdb_listen(const char *where, struct dph_gdb_socket *found, char *why, size_t room)
{
	*found = (struct dph_gdb_socket){.fd = -1};
	if (strncmp(where, UNIX, strlen(UNIX)) == 0)
		return listen_unix(where + strlen(UNIX), found) ||
		       fail(why, room, where,
			    where[strlen(UNIX)] != '\0' ? strerror(errno)
							: "write a path behind unix:");
	return listen_tcp(where + (strncmp(where, TCP, strlen(TCP)) == 0 ? strlen(TCP) : 0), where,
			  found, why, room);
}

int dph_gdb_accept(const struct dph_gdb_socket *there)
{
	const int yes = 1, idle = ALIVE_IDLE_S, interval = ALIVE_INTERVAL_S, count = ALIVE_COUNT;
	const int fd = accept4(there->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd >= 0 && there->path == NULL) {
		setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
		setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
		setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
		setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count);
	}
	return fd;
}

void dph_gdb_listen_close(struct dph_gdb_socket *found)
{
	if (found->fd >= 0)
		close(found->fd);
	if (found->path != NULL)
		unlink(found->path);
}

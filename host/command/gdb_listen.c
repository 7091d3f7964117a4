/* SPDX-License-Identifier: BSD-2-Clause */
/* A socket that gdb connects to. */
#define _GNU_SOURCE
#include "gdb_listen.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum {
	BACKLOG = 4,
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

static bool listen_on(const struct addrinfo *a, struct dph_gdb_socket *found)
{
	struct sockaddr_storage bound;
	socklen_t bytes = sizeof bound;
	char host[HOST_ROOM], port[PORT_ROOM];
	const int yes = 1;

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
	close(found->fd);
	found->fd = -1;
	return false;
}

static bool listen_tcp(const char *at, const char *where, struct dph_gdb_socket *found, char *why,
		       size_t room)
{
	const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
	const char *colon = strrchr(at, ':');
	struct addrinfo *list;
	char host[HOST_ROOM];
	int error;

	if (colon == NULL || colon[1] == '\0' || (size_t)(colon - at) >= sizeof host)
		return fail(why, room, where, "write HOST:PORT or unix:PATH");
	snprintf(host, sizeof host, "%.*s", (int)(colon - at), at);
	error = getaddrinfo(host[0] != '\0' ? host : "localhost", colon + 1, &hints, &list);
	if (error != 0)
		return fail(why, room, where, gai_strerror(error));
	for (const struct addrinfo *a = list; found->fd < 0 && a != NULL; a = a->ai_next)
		listen_on(a, found);
	error = errno;
	freeaddrinfo(list);
	return found->fd >= 0 || fail(why, room, where, strerror(error));
}

bool dph_gdb_listen(const char *where, struct dph_gdb_socket *found, char *why, size_t room)
{
	*found = (struct dph_gdb_socket){.fd = -1};
	if (strncmp(where, UNIX, strlen(UNIX)) == 0)
		return listen_unix(where + strlen(UNIX), found) ||
		       fail(why, room, where, strerror(errno));
	return listen_tcp(where + (strncmp(where, TCP, strlen(TCP)) == 0 ? strlen(TCP) : 0), where,
			  found, why, room);
}

void dph_gdb_listen_close(struct dph_gdb_socket *found)
{
	if (found->fd >= 0)
		close(found->fd);
	if (found->path != NULL)
		unlink(found->path);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of the sockets of services, and connections to them. */
#define _GNU_SOURCE
#include "service_link.h"

#include "dp_crc.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum {
	FULL_LOOK_MS = 20, /* a full queue of the service empties at once */
	FULL_MAX = 50,
	ANSWER_MS = 1000,
	NAME_BYTES = 40,
};

bool dph_service_folder(char *folder, size_t room)
{
	const char *runtime = getenv("XDG_RUNTIME_DIR");
	int count;

	if (runtime != NULL && runtime[0] == '/')
		count = snprintf(folder, room, "%s/dprobes", runtime);
	else
		count = snprintf(folder, room, "/tmp/dprobes-%lu", (unsigned long)geteuid());
	return count > 0 && (size_t)count < room;
}

/* Behind links, and without the scheme of a file. A path that is not there stays as it is. */
static void canonical(const char *url, char *name, size_t room)
{
	static const char *const files[] = {"unix:", "pty:"};
	char real[PATH_MAX];
	size_t scheme = 0;
	bool file = strncmp(url, "tcp:", 4) != 0;

	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
		if (strncmp(url, files[i], strlen(files[i])) == 0)
			scheme = strlen(files[i]);
	if (file && realpath(url + scheme, real) != NULL)
		snprintf(name, room, "%s", real);
	else
		snprintf(name, room, "%s", url + scheme);
}

static bool is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '.' || c == '-' || c == '_';
}

bool dph_service_path(const char *url, char *path, size_t room)
{
	char folder[DPH_SERVICE_PATH_BYTES], whole[PATH_MAX + 8], name[NAME_BYTES];
	const char *last;
	int count;

	if (strncmp(url, "exec:", 5) == 0 || !dph_service_folder(folder, sizeof folder))
		return false;
	canonical(url, whole, sizeof whole);
	last = strrchr(whole, '/');
	snprintf(name, sizeof name, "%.*s", NAME_BYTES - 1, last != NULL ? last + 1 : whole);
	for (char *p = name; *p != '\0'; p++)
		*p = is_plain(*p) ? *p : '_';
	/* A device below /dev has its own name; other names of equal files differ in the check. */
	if (strncmp(whole, "/dev/", 5) == 0 && last == whole + 4)
		count = snprintf(path, room, "%s/%s.sock", folder, name);
	else
		count = snprintf(path, room, "%s/%s-%08x.sock", folder, name,
				 dp_crc32(0, (const uint8_t *)whole, strlen(whole)));
	return count > 0 && (size_t)count < room && count < DPH_SERVICE_PATH_BYTES;
}

bool dph_service_is_private(const char *folder)
{
	struct stat status;

	return lstat(folder, &status) == 0 && S_ISDIR(status.st_mode) &&
	       status.st_uid == geteuid() && (status.st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

bool dph_service_is_own(int fd, long *pid)
{
	struct ucred peer;
	socklen_t bytes = sizeof peer;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) != 0)
		return false;
	if (pid != NULL)
		*pid = peer.pid;
	return dph_service_admits(peer.uid, geteuid());
}

/* 0, or an errno. */
static int connect_to(int fd, const char *path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};

	snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
	for (unsigned tries = 0;; tries++) {
		if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0)
			return 0;
		if (errno != EAGAIN || tries == FULL_MAX)
			return errno;
		poll(NULL, 0, FULL_LOOK_MS);
	}
}

static bool is_socket(const char *path)
{
	char folder[DPH_SERVICE_PATH_BYTES];
	struct stat status;

	return dph_service_folder(folder, sizeof folder) && dph_service_is_private(folder) &&
	       lstat(path, &status) == 0 && S_ISSOCK(status.st_mode);
}

int dph_service_connect(const char *path, char *why, size_t room)
{
	int fd, error;

	why[0] = '\0';
	if (!is_socket(path))
		return -1;
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	error = connect_to(fd, path);
	if (error == 0 && dph_service_is_own(fd, NULL))
		return fd;
	close(fd);
	if (error == 0)
		snprintf(why, room, "the service behind %s belongs to another user", path);
	else if (error == ECONNREFUSED)
		unlink(path); /* its process has ended */
	else if (error != ENOENT)
		snprintf(why, room,
			 "the service behind %s takes no connection: %s; end it, or remove this "
			 "file",
			 path, strerror(error));
	return -1;
}

long dph_service_ask(const char *path, char *text, size_t room)
{
	char why[256], packet[DPH_SERVICE_BYTES + 2];
	const char ask = DPH_SERVICE_ASK;
	const int fd = dph_service_connect(path, why, sizeof why);
	struct pollfd poller = {.fd = fd, .events = POLLIN};
	size_t used = 0;
	long pid = 0;

	text[0] = '\0';
	if (fd < 0)
		return 0;
	dph_service_is_own(fd, &pid);
	if (send(fd, &ask, 1, MSG_NOSIGNAL) == 1)
		while (poll(&poller, 1, ANSWER_MS) == 1) {
			const ssize_t count = recv(fd, packet, sizeof packet - 1, 0);

			if (count <= 0 || packet[0] == DPH_SERVICE_END)
				break;
			packet[count] = '\0';
			if (packet[0] == DPH_SERVICE_STATE && used < room)
				used += (size_t)snprintf(text + used, room - used, "%s",
							 packet + 1);
		}
	close(fd);
	return pid;
}

/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include "transport_kind.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	WRITE_TIMEOUT_MS = 5000,
	RECEIVE_CHUNK = 4096
};

static const struct dp_transport_kind *const kinds[] = {
	&dp_transport_unix, &dp_transport_tcp,    &dp_transport_pty,
	&dp_transport_exec, &dp_transport_serial,
};

bool dp_transport_fail(struct dp_transport *line, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(line->why, sizeof line->why, format, arguments);
	va_end(arguments);
	return false;
}

long dp_transport_fd_read(struct dp_transport *line, void *bytes, size_t room)
{
	ssize_t n = read(line->fd, bytes, room);

	if (n > 0)
		return (long)n;
	if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
		return 0;
	if (n == 0)
		errno = 0;
	return -1;
}

static long written(ssize_t n)
{
	if (n >= 0)
		return (long)n;
	return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? 0 : -1;
}

long dp_transport_fd_write(struct dp_transport *line, const void *bytes, size_t count)
{
	return written(write(line->fd, bytes, count));
}

long dp_transport_socket_write(struct dp_transport *line, const void *bytes, size_t count)
{
	return written(send(line->fd, bytes, count, MSG_NOSIGNAL));
}

void dp_transport_fd_close(struct dp_transport *line)
{
	close(line->fd);
}

bool dp_transport_lock(struct dp_transport *line)
{
	if (flock(line->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
		return dp_transport_fail(line, "another program holds %s; end it first", line->url);
	ioctl(line->fd, TIOCEXCL); /* keeps out programs that do not know flock */
	return true;
}

bool dp_transport_no_device(struct dp_transport *line, const char *path, int error)
{
	switch (error) {
	case ENOENT:
	case ENODEV:
	case ENXIO:
		if (strchr(path, '/') == NULL)
			return dp_transport_fail(line, "no such device: %s; " DP_TRANSPORT_FORMS,
						 path);
		return dp_transport_fail(line, "no such device: %s; is the adapter plugged in?",
					 path);
	case EACCES:
	case EPERM:
		return dp_transport_fail(line,
					 "permission denied: %s; join the group that owns it "
					 "(often dialout), then log in again",
					 path);
	case EBUSY:
		return dp_transport_fail(line, "another program holds %s; end it first", path);
	default:
		return dp_transport_fail(line, "%s cannot be opened: %s", path, strerror(error));
	}
}

static const struct dp_transport_kind *find_kind(const char *url, const char **address)
{
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		size_t n = strlen(kinds[i]->scheme);

		*address = url + n;
		if (strncmp(url, kinds[i]->scheme, n) == 0)
			return kinds[i];
	}
	return NULL;
}

struct dp_transport *dp_transport_open(const char *url, unsigned baud, char *why, size_t why_bytes)
{
	struct dp_transport *line = calloc(1, sizeof *line);
	const char *address;

	if (line == NULL) {
		snprintf(why, why_bytes, "out of memory");
		return NULL;
	}
	line->fd = -1;
	snprintf(line->url, sizeof line->url, "%s", url);
	line->kind = find_kind(url, &address);
	if (!line->kind->open(line, address, baud != 0 ? baud : DP_BAUD_DEFAULT)) {
		snprintf(why, why_bytes, "%s", line->why);
		free(line);
		return NULL;
	}
	return line;
}

void dp_transport_close(struct dp_transport *line)
{
	if (line == NULL)
		return;
	line->kind->close(line);
	free(line->received);
	free(line);
}

static long dead(struct dp_transport *line, const char *doing)
{
	if (!line->dead && (errno == 0 || errno == ECONNRESET || errno == EPIPE || errno == EIO))
		dp_transport_fail(line,
				  "the line %s was closed at the other end (QEMU ended, or the "
				  "adapter was unplugged)",
				  line->url);
	else if (!line->dead)
		dp_transport_fail(line, "%s %s failed: %s", doing, line->url, strerror(errno));
	line->dead = true;
	return -1;
}

static long receive(struct dp_transport *line, void *bytes, size_t room)
{
	long n = line->kind->read(line, bytes, room);

	return n < 0 ? dead(line, "reading from") : n;
}

static long take_received(struct dp_transport *line, void *bytes, size_t room)
{
	size_t n = line->received_bytes < room ? line->received_bytes : room;

	memcpy(bytes, line->received, n);
	line->received_bytes -= n;
	memmove(line->received, line->received + n, line->received_bytes);
	return (long)n;
}

long dp_transport_read(struct dp_transport *line, void *bytes, size_t room, int timeout_ms)
{
	struct pollfd poller = {.fd = line->fd, .events = POLLIN};
	long n;

	if (line->received_bytes > 0)
		return take_received(line, bytes, room);
	if (line->dead)
		return -1;
	if (poll(&poller, 1, timeout_ms) <= 0)
		return 0;
	n = receive(line, bytes, room);
	if (n == 0 && (poller.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0) {
		errno = 0;
		return dead(line, "reading from");
	}
	return n;
}

/* Keep what comes in while we send. Ignores a dead line: reading will say it. */
static void receive_aside(struct dp_transport *line)
{
	long n;

	if (line->received_room - line->received_bytes < RECEIVE_CHUNK) {
		size_t room = line->received_room * 2 + RECEIVE_CHUNK;
		uint8_t *grown = realloc(line->received, room);

		if (grown == NULL)
			return;
		line->received = grown;
		line->received_room = room;
	}
	n = line->kind->read(line, line->received + line->received_bytes,
			     line->received_room - line->received_bytes);
	if (n > 0)
		line->received_bytes += (size_t)n;
	else if (n < 0)
		dead(line, "reading from");
}

bool dp_transport_write(struct dp_transport *line, const void *bytes, size_t count)
{
	const uint8_t *p = bytes;

	while (count > 0 && !line->dead) {
		struct pollfd poller = {.fd = line->fd, .events = POLLIN | POLLOUT};
		long n;
		int ready = poll(&poller, 1, WRITE_TIMEOUT_MS);

		if (ready == 0) {
			line->dead = true;
			return dp_transport_fail(line,
						 "%s takes no bytes: the target is stopped, or "
						 "flow control holds the line",
						 line->url);
		}
		if (ready < 0 && errno != EINTR) {
			dead(line, "waiting for");
			return false;
		}
		if (ready > 0 && (poller.revents & (POLLIN | POLLHUP | POLLERR)) != 0)
			receive_aside(line);
		if (line->dead)
			return false;
		n = line->kind->write(line, p, count);
		if (n < 0) {
			dead(line, "writing to");
			return false;
		}
		p += n;
		count -= (size_t)n;
	}
	return !line->dead;
}

int dp_transport_fd(const struct dp_transport *line)
{
	return line->fd;
}

const char *dp_transport_why(const struct dp_transport *line)
{
	return line->why;
}

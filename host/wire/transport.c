/* SPDX-License-Identifier: BSD-2-Clause */
/* The transport opens a line by its URL and reads and writes bytes for every kind of line. */
#define _GNU_SOURCE
#include "transport_kind.h"

#include "holder.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	WRITE_TIMEOUT_MS = 5000,
	RECEIVE_CHUNK = 4096
};

static const struct dph_transport_kind *const kinds[] = {
	&dph_transport_unix, &dph_transport_tcp,    &dph_transport_pty,
	&dph_transport_exec, &dph_transport_serial,
};

bool dph_transport_fail(struct dph_transport *line, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(line->why, sizeof line->why, format, arguments);
	va_end(arguments);
	return false;
}

long dph_transport_fd_read(struct dph_transport *line, void *bytes, size_t room)
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

long dph_transport_fd_write(struct dph_transport *line, const void *bytes, size_t count)
{
	return written(write(line->fd, bytes, count));
}

long dph_transport_socket_write(struct dph_transport *line, const void *bytes, size_t count)
{
	return written(send(line->fd, bytes, count, MSG_NOSIGNAL));
}

void dph_transport_fd_close(struct dph_transport *line)
{
	close(line->fd);
}

static bool held(struct dph_transport *line, const char *path)
{
	char holders[192];

	if (dph_holders(path, holders, sizeof holders) == 0)
		return dph_transport_fail(
			line,
			"another program has %s open, and only root can see its name: "
			"run 'sudo fuser -v %s', then end that program",
			path, path);
	if (strstr(holders, "dprobes (pid ") != NULL)
		return dph_transport_fail(line,
					  "another command has %s open: %s; end it first, or start "
					  "'dprobes serve', which lets several commands use a line",
					  path, holders);
	return dph_transport_fail(line, "another program has %s open: %s; end that program first",
				  path, holders);
}

bool dph_transport_lock(struct dph_transport *line, const char *path)
{
	if (flock(line->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
		return held(line, path);
	ioctl(line->fd, TIOCEXCL); /* keeps out programs that do not use flock */
	return true;
}

bool dph_transport_no_device(struct dph_transport *line, const char *path, int error)
{
	switch (error) {
	case ENOENT:
	case ENODEV:
	case ENXIO:
		if (strchr(path, '/') == NULL)
			return dph_transport_fail(line, "no such device: %s; " DPH_TRANSPORT_FORMS,
						  path);
		return dph_transport_fail(line, "no such device: %s; is the adapter plugged in?",
					  path);
	case EACCES:
	case EPERM:
		return dph_transport_fail(
			line,
			"permission denied: %s; join the group of the device (often "
			"dialout), then log in again",
			path);
	case EBUSY:
		return held(line, path);
	default:
		return dph_transport_fail(line, "%s cannot be opened: %s", path, strerror(error));
	}
}

static const struct dph_transport_kind *find_kind(const char *url, const char **address)
{
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		size_t n = strlen(kinds[i]->scheme);

		*address = url + n;
		if (strncmp(url, kinds[i]->scheme, n) == 0)
			return kinds[i];
	}
	return NULL;
}

/* Is this the terminal of the command? Bytes sent there would appear on the screen. */
static bool is_own_terminal(const char *path)
{
	struct stat asked, ours;

	if (stat(path, &asked) != 0 || !S_ISCHR(asked.st_mode))
		return false;
	if (stat("/dev/tty", &ours) == 0 && asked.st_rdev == ours.st_rdev)
		return true;
	return isatty(STDIN_FILENO) && fstat(STDIN_FILENO, &ours) == 0 &&
	       asked.st_rdev == ours.st_rdev;
}

static bool open_line(struct dph_transport *line, const char *address,
		      const struct dph_line_settings *settings)
{
	if (!settings->direct) {
		if (dph_transport_find_service(line, settings))
			return true;
		if (line->why[0] != '\0')
			return false;
	}
	if ((settings->dtr != DP_MODEM_LEAVE || settings->rts != DP_MODEM_LEAVE) &&
	    line->kind != &dph_transport_serial)
		return dph_transport_fail(line,
					  "%s has no modem lines, which serial devices have; leave "
					  "dtr and rts out",
					  line->url);
	if (is_own_terminal(address))
		return dph_transport_fail(line,
					  "%s is the terminal of this command, not a line to a "
					  "target; " DPH_TRANSPORT_FORMS,
					  address);
	return line->kind->open(line, address, settings);
}

struct dph_transport *dph_transport_open(const char *url, const struct dph_line_settings *settings,
					 char *why, size_t why_bytes)
{
	struct dph_transport *line = calloc(1, sizeof *line);
	struct dph_line_settings known = {0};
	const char *address;

	if (settings != NULL)
		known = *settings;
	if (known.baud == 0)
		known.baud = DPH_BAUD_DEFAULT;

	if (line == NULL) {
		snprintf(why, why_bytes, "out of memory");
		return NULL;
	}
	line->fd = line->watched_fd = -1;
	snprintf(line->url, sizeof line->url, "%s", url);
	line->kind = find_kind(url, &address);
	if (!open_line(line, address, &known)) {
		snprintf(why, why_bytes, "%s", line->why);
		free(line);
		return NULL;
	}
	return line;
}

bool dph_transport_has_rate(const struct dph_transport *line)
{
	return line->kind == &dph_transport_serial || dph_transport_is_service(line);
}

void dph_transport_close(struct dph_transport *line)
{
	if (line == NULL)
		return;
	line->kind->close(line);
	free(line->received);
	free(line);
}

static long dead(struct dph_transport *line, const char *doing)
{
	if (!line->dead && (errno == 0 || errno == ECONNRESET || errno == EPIPE || errno == EIO))
		dph_transport_fail(line,
				   "the line %s was closed at the other end (QEMU ended, or the "
				   "adapter was unplugged)",
				   line->url);
	else if (!line->dead)
		dph_transport_fail(line, "%s %s failed: %s", doing, line->url, strerror(errno));
	line->dead = true;
	return -1;
}

static long receive(struct dph_transport *line, void *bytes, size_t room)
{
	long n = line->kind->read(line, bytes, room);

	return n < 0 ? dead(line, "reading from") : n;
}

static long take_received(struct dph_transport *line, void *bytes, size_t room)
{
	size_t n = line->received_bytes < room ? line->received_bytes : room;

	memcpy(bytes, line->received, n);
	line->received_bytes -= n;
	memmove(line->received, line->received + n, line->received_bytes);
	return (long)n;
}

long dph_transport_read(struct dph_transport *line, void *bytes, size_t room, int timeout_ms)
{
	struct pollfd pollers[] = {{.fd = line->fd, .events = POLLIN},
				   {.fd = line->watched_fd, .events = POLLIN}};
	long n;

	if (line->received_bytes > 0)
		return take_received(line, bytes, room);
	if (line->dead)
		return -1;
	if (poll(pollers, line->watched_fd >= 0 ? 2 : 1, timeout_ms) <= 0)
		return 0;
	if (pollers[1].revents != 0)
		line->ready(line->ready_context);
	if (line->received_bytes > 0)
		return take_received(line, bytes, room);
	if (line->dead)
		return -1;
	if (pollers[0].revents == 0)
		return 0;
	n = receive(line, bytes, room);
	if (n == 0 && line->told[0] == '\0' &&
	    (pollers[0].revents & (POLLHUP | POLLERR | POLLNVAL)) != 0) {
		errno = 0;
		return dead(line, "reading from");
	}
	return n;
}

/* Keep the bytes that arrive during a send. Ignores a dead line: the next read reports it. */
static void receive_aside(struct dph_transport *line)
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

bool dph_transport_write(struct dph_transport *line, const void *bytes, size_t count)
{
	const uint8_t *p = bytes;

	while (count > 0 && !line->dead) {
		struct pollfd poller = {.fd = line->fd, .events = POLLIN | POLLOUT};
		long n;
		int ready = poll(&poller, 1, WRITE_TIMEOUT_MS);

		if (ready == 0) {
			line->dead = true;
			return dph_transport_fail(
				line,
				"%s accepts no bytes: the target is stopped, or flow control "
				"blocks the line",
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

int dph_transport_fd(const struct dph_transport *line)
{
	return line->fd;
}

unsigned dph_transport_sharers(const struct dph_transport *line, char *text, size_t room)
{
	char path[32];

	snprintf(path, sizeof path, "/dev/fd/%d", line->fd);
	return dph_holders(path, text, room);
}

void dph_transport_watch(struct dph_transport *line, int fd, void (*ready)(void *context),
			 void *context)
{
	line->watched_fd = fd;
	line->ready = ready;
	line->ready_context = context;
}

static bool fetch(char *from, char *sentence, size_t room)
{
	if (from[0] == '\0')
		return false;
	snprintf(sentence, room, "%s", from);
	from[0] = '\0';
	return true;
}

bool dph_transport_told(struct dph_transport *line, char *sentence, size_t room)
{
	return fetch(line->told, sentence, room);
}

bool dph_transport_reason(struct dph_transport *line, char *sentence, size_t room)
{
	return fetch(line->reason, sentence, room);
}

static bool take_flag(bool *flag)
{
	const bool set = *flag;

	*flag = false;
	return set;
}

bool dph_transport_restarted(struct dph_transport *line)
{
	return take_flag(&line->restarted);
}

bool dph_transport_removed(struct dph_transport *line)
{
	return take_flag(&line->removed);
}

bool dph_transport_kept(struct dph_transport *line)
{
	return take_flag(&line->kept);
}

bool dph_transport_queued(const struct dph_transport *line)
{
	return line->kind->queued != NULL && line->kind->queued(line);
}

const char *dph_transport_why(const struct dph_transport *line)
{
	return line->why;
}

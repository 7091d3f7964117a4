/* SPDX-License-Identifier: BSD-2-Clause */
/* LD_PRELOAD for tests: the test has the clock of the command and its line
 * (lib/harness/own_time.py). A wait takes no time: the clock goes to the end of the wait, or to
 * what ends the wait. A busy machine therefore changes nothing.
 *
 * The first unix socket that the command connects is the line, and so is a later one with its
 * number, which the command has closed before. These questions go over the socket,
 * with numbers in the order of this machine:
 *   W u32 count, bytes     the command sends these bytes
 *   T u32 count, bytes     the command prints these bytes on stderr
 *   P u32 milliseconds     the command waits for bytes
 * The answer to P is u64 microseconds of the clock, u32 count, bytes. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#define SHOWN __attribute__((visibility("default")))

enum {
	START_S = 1000,
	ROOM = 1 << 20
};

static int line = -1;
static uint64_t clock_us = START_S * UINT64_C(1000000);
static uint8_t came[ROOM];
static size_t came_bytes;
static int ended;

static ssize_t real_read(int fd, void *bytes, size_t room)
{
	ssize_t (*next)(int, void *, size_t) =
		(ssize_t(*)(int, void *, size_t))dlsym(RTLD_NEXT, "read");

	return next(fd, bytes, room);
}

static void take(void *bytes, size_t count)
{
	uint8_t *p = bytes;

	while (count > 0 && !ended) {
		ssize_t n = real_read(line, p, count);

		if (n <= 0 && !(n < 0 && errno == EINTR))
			ended = 1;
		if (n > 0) {
			p += n;
			count -= (size_t)n;
		}
	}
}

static void ask(char what, uint32_t number, const void *bytes, size_t count)
{
	ssize_t (*next)(int, const void *, size_t, int) =
		(ssize_t(*)(int, const void *, size_t, int))dlsym(RTLD_NEXT, "send");
	uint8_t head[5] = {(uint8_t)what};

	memcpy(head + 1, &number, sizeof number);
	next(line, head, sizeof head, MSG_NOSIGNAL);
	if (count > 0)
		next(line, bytes, count, MSG_NOSIGNAL);
}

static void wait_for_bytes(int timeout_ms)
{
	uint32_t count = 0;

	ask('P', (uint32_t)timeout_ms, NULL, 0);
	take(&clock_us, sizeof clock_us);
	take(&count, sizeof count);
	if (ended || count > ROOM)
		return;
	take(came, count);
	came_bytes = count;
}

static ssize_t said(void *cookie, const char *text, size_t count)
{
	ssize_t (*next)(int, const void *, size_t) =
		(ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");

	(void)cookie;
	if (line >= 0)
		ask('T', (uint32_t)count, text, count);
	return next(STDERR_FILENO, text, count);
}

__attribute__((constructor)) static void begin(void)
{
	stderr = fopencookie(NULL, "w", (cookie_io_functions_t){.write = said});
	setvbuf(stderr, NULL, _IOLBF, 0);
}

SHOWN int connect(int fd, const struct sockaddr *address, socklen_t bytes)
{
	int (*next)(int, const struct sockaddr *, socklen_t) =
		(int (*)(int, const struct sockaddr *, socklen_t))dlsym(RTLD_NEXT, "connect");
	const int result = next(fd, address, bytes);

	if (result == 0 && (line < 0 || line == fd) && address->sa_family == AF_UNIX) {
		line = fd;
		came_bytes = 0;
		ended = 0;
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
	}
	return result;
}

SHOWN int clock_gettime(clockid_t clock, struct timespec *now)
{
	int (*next)(clockid_t, struct timespec *) =
		(int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");

	if (clock != CLOCK_MONOTONIC)
		return next(clock, now);
	now->tv_sec = (time_t)(clock_us / 1000000);
	now->tv_nsec = (long)(clock_us % 1000000) * 1000;
	return 0;
}

SHOWN int poll(struct pollfd *fds, nfds_t count, int timeout_ms)
{
	int (*next)(struct pollfd *, nfds_t, int) =
		(int (*)(struct pollfd *, nfds_t, int))dlsym(RTLD_NEXT, "poll");

	if (count != 1 || line < 0 || fds->fd != line)
		return next(fds, count, timeout_ms);
	if (came_bytes == 0 && !ended && !(fds->events & POLLOUT))
		wait_for_bytes(timeout_ms);
	fds->revents = (short)((fds->events & POLLOUT) | (came_bytes > 0 || ended ? POLLIN : 0));
	return fds->revents != 0;
}

SHOWN ssize_t read(int fd, void *bytes, size_t room)
{
	const size_t count = came_bytes < room ? came_bytes : room;

	if (fd != line || line < 0)
		return real_read(fd, bytes, room);
	if (came_bytes == 0 && !ended) {
		errno = EAGAIN;
		return -1;
	}
	memcpy(bytes, came, count);
	came_bytes -= count;
	memmove(came, came + count, came_bytes);
	return (ssize_t)count;
}

SHOWN ssize_t send(int fd, const void *bytes, size_t count, int flags)
{
	ssize_t (*next)(int, const void *, size_t, int) =
		(ssize_t(*)(int, const void *, size_t, int))dlsym(RTLD_NEXT, "send");

	if (fd != line || line < 0)
		return next(fd, bytes, count, flags);
	ask('W', (uint32_t)count, bytes, count);
	return (ssize_t)count;
}

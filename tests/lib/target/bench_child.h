/* SPDX-License-Identifier: BSD-2-Clause */
/* The bench's target in a child, with a unix socket to this process: for the host's session. */
#ifndef BENCH_CHILD_H
#define BENCH_CHILD_H

#include "bench.h"
#include "check.h"

#include <dprobes/session.h>

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static inline uint64_t bench_microseconds(void)
{
	return dp_clock_ms() * 1000;
}

/* Send what the agent sent; false when the host is gone. */
static inline bool bench_flush_out(int fd)
{
	struct bench_line *line = &bench.line[DP_COM1];
	uint32_t done = 0;

	while (done < line->out_bytes) {
		ssize_t n = send(fd, line->out + done, line->out_bytes - done, MSG_NOSIGNAL);

		if (n < 0)
			return false;
		done += (uint32_t)n;
	}
	line->out_bytes = 0;
	line->text_bytes = 0;
	bench.records = 0;
	return true;
}

static inline void bench_serve_one(int fd, uint64_t loop)
{
	for (;;) {
		struct pollfd poller = {.fd = fd, .events = POLLIN};
		uint8_t bytes[4096];

		if (poll(&poller, 1, 1) > 0) {
			ssize_t n = read(fd, bytes, sizeof bytes);

			if (n <= 0)
				return;
			bench_type(DP_COM1, bytes, (size_t)n);
			bench.line[DP_COM1].console_bytes = 0;
		}
		dp_sim.ticks = bench_microseconds();
		firmware_run(loop, 4);
		bench_poll();
		if (!bench_flush_out(fd))
			return;
	}
}

static inline void bench_serve(int listener, uint64_t loop)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	bench_cold();
	for (;;) {
		int fd = accept(listener, NULL, NULL);

		bench_serve_one(fd, loop);
		close(fd);
	}
}

/* Start a target in a child.
 * path: of a unix socket, which the target listens on; relative and short.
 * loop: address of the firmware's loop, which runs while a host is connected. */
static inline pid_t bench_child(const char *path, uint64_t loop)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int listener = socket(AF_UNIX, SOCK_STREAM, 0);
	pid_t child;

	strncpy(address.sun_path, path, sizeof address.sun_path - 1);
	unlink(path);
	CHECK(bind(listener, (struct sockaddr *)&address, sizeof address) == 0);
	CHECK(listen(listener, 2) == 0);
	child = fork();
	if (child == 0)
		bench_serve(listener, loop);
	close(listener);
	return child;
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
/* The transport exec:COMMAND uses standard input and output of a shell command as the line (ssh,
 * socat, ...). */
#include "transport_kind.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	END_WAIT_MS = 500
};

static bool open_exec(struct dph_transport *line, const char *command,
		      const struct dph_line_settings *settings)
{
	int pair[2];

	(void)settings;
	if (*command == '\0')
		return dph_transport_fail(line, "exec: needs a command");
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
		return dph_transport_fail(line, "no socket pair: %s", strerror(errno));
	line->child = fork();
	if (line->child < 0) {
		dph_transport_fail(line, "'%s' cannot be started: %s", command, strerror(errno));
		close(pair[0]);
		close(pair[1]);
		return false;
	}
	if (line->child == 0) {
		/* A group of its own: ^C ends us, and we end it after the last request. */
		setpgid(0, 0);
		dup2(pair[1], STDIN_FILENO);
		dup2(pair[1], STDOUT_FILENO);
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	close(pair[1]);
	line->fd = pair[0];
	fcntl(line->fd, F_SETFL, O_NONBLOCK);
	return true;
}

static void close_exec(struct dph_transport *line)
{
	struct timespec pause = {.tv_nsec = 10 * 1000 * 1000};

	close(line->fd); /* most commands end at end of file */
	for (int ms = 0; ms < END_WAIT_MS; ms += 10) {
		if (waitpid(line->child, NULL, WNOHANG) != 0)
			return;
		nanosleep(&pause, NULL);
	}
	kill(-line->child, SIGTERM);
	waitpid(line->child, NULL, 0);
}

const struct dph_transport_kind dph_transport_exec = {
	"exec:", open_exec, dph_transport_fd_read, dph_transport_socket_write, close_exec, NULL,
};

/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
/* pty:PATH. libserialport cannot open one: it looks for a device of that name in /sys. */
#include "transport_kind.h"

#include <errno.h>
#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

static bool open_pty(struct dp_transport *line, const char *path, unsigned baud)
{
	struct termios mode;

	(void)baud; /* a pty has no speed */
	line->fd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (line->fd < 0)
		return dp_transport_no_device(line, path, errno);
	if (tcgetattr(line->fd, &mode) != 0) {
		close(line->fd);
		return dp_transport_fail(line, "%s is not a terminal", path);
	}
	if (!dp_transport_lock(line)) {
		close(line->fd);
		return false;
	}
	cfmakeraw(&mode);
	mode.c_cflag |= CLOCAL | CREAD;
	tcsetattr(line->fd, TCSANOW, &mode);
	return true;
}

const struct dp_transport_kind dp_transport_pty = {
	"pty:", open_pty, dp_transport_fd_read, dp_transport_fd_write, dp_transport_fd_close,
};

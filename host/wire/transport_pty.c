/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
/* The transport pty:PATH opens a pseudo terminal. libserialport cannot: the library searches /sys
 * for a device of that name. */
#include "transport_kind.h"

#include <errno.h>
#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

static bool open_pty(struct dph_transport *line, const char *path,
		     const struct dph_line_settings *settings)
{
	struct termios mode;

	(void)settings; /* a pty has no speed */
	line->fd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (line->fd < 0)
		return dph_transport_no_device(line, path, errno);
	if (tcgetattr(line->fd, &mode) != 0) {
		close(line->fd);
		return dph_transport_fail(line, "%s is not a terminal", path);
	}
	if (!dph_transport_lock(line, path)) {
		close(line->fd);
		return false;
	}
	cfmakeraw(&mode);
	mode.c_cflag |= CLOCAL | CREAD;
	tcsetattr(line->fd, TCSANOW, &mode);
	return true;
}

const struct dph_transport_kind dph_transport_pty = {
	"pty:", open_pty, dph_transport_fd_read, dph_transport_fd_write, dph_transport_fd_close,
	NULL,
};

/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
/* The serial transport opens devices through libserialport: 8N1, no flow control. */
#include "transport_kind.h"

#include <errno.h>
#include <libserialport.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* libserialport reports most failures as SP_ERR_FAIL with errno behind it. */
static bool open_failed(struct dph_transport *line, const char *path, enum sp_return result)
{
	struct stat status;

	if (result == SP_ERR_FAIL)
		return dph_transport_no_device(line, path, sp_last_error_code());
	if (stat(path, &status) != 0)
		return dph_transport_no_device(line, path, errno);
	if (S_ISSOCK(status.st_mode))
		return dph_transport_fail(line, "%s is a socket, not a serial device; give unix:%s",
					  path, path);
	return dph_transport_fail(line, "%s is no serial device; " DPH_TRANSPORT_FORMS, path);
}

static bool configure(struct dph_transport *line, const char *path, unsigned baud)
{
	struct sp_port *port = line->port;

	if (sp_set_bits(port, 8) != SP_OK || sp_set_parity(port, SP_PARITY_NONE) != SP_OK ||
	    sp_set_stopbits(port, 1) != SP_OK ||
	    sp_set_flowcontrol(port, SP_FLOWCONTROL_NONE) != SP_OK)
		return dph_transport_fail(line, "%s does not support 8 bits, no parity, 1 stop bit",
					  path);
	if (sp_set_baudrate(port, (int)baud) != SP_OK)
		return dph_transport_fail(line, "%s does not support %u baud; try another --baud",
					  path, baud);
	return true;
}

static bool is_pty(const char *path)
{
	return strncmp(path, "/dev/pts/", 9) == 0;
}

/* libserialport looks for the last part of the path in /sys, so it gets the path behind all links.
 * Messages show the path that the user wrote. */
static bool open_serial(struct dph_transport *line, const char *path, unsigned baud)
{
	char device[PATH_MAX];
	enum sp_return result;

	if (realpath(path, device) == NULL)
		return dph_transport_no_device(line, path, errno);
	result = sp_get_port_by_name(device, &line->port);
	if (result != SP_OK && is_pty(device)) {
		line->kind = &dph_transport_pty;
		return line->kind->open(line, device, baud);
	}
	if (result != SP_OK)
		return open_failed(line, path, result);
	result = sp_open(line->port, SP_MODE_READ_WRITE);
	if (result != SP_OK) {
		open_failed(line, path, result);
		sp_free_port(line->port);
		return false;
	}
	if (sp_get_port_handle(line->port, &line->fd) == SP_OK && dph_transport_lock(line, path) &&
	    configure(line, path, baud))
		return true;
	sp_close(line->port);
	sp_free_port(line->port);
	return false;
}

static long moved(enum sp_return result)
{
	if (result >= 0)
		return result;
	errno = result == SP_ERR_FAIL ? sp_last_error_code() : EIO;
	/* 0.1.1 fails with EAGAIN where 0.1.2 returns 0. */
	return errno == EAGAIN || errno == EINTR ? 0 : -1;
}

static long read_serial(struct dph_transport *line, void *bytes, size_t room)
{
	return moved(sp_nonblocking_read(line->port, bytes, room));
}

static long write_serial(struct dph_transport *line, const void *bytes, size_t count)
{
	return moved(sp_nonblocking_write(line->port, bytes, count));
}

static void close_serial(struct dph_transport *line)
{
	sp_close(line->port);
	sp_free_port(line->port);
}

const struct dph_transport_kind dph_transport_serial = {
	"", open_serial, read_serial, write_serial, close_serial, NULL,
};

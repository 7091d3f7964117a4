/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
/* Serial devices through libserialport: 8N1, no flow control. */
#include "transport_kind.h"

#include <errno.h>
#include <libserialport.h>
#include <string.h>
#include <sys/stat.h>

/* libserialport reports most failures as SP_ERR_FAIL with errno behind it. */
static bool open_failed(struct dp_transport *line, const char *path, enum sp_return result)
{
	struct stat status;

	if (result == SP_ERR_FAIL)
		return dp_transport_no_device(line, path, sp_last_error_code());
	if (stat(path, &status) != 0)
		return dp_transport_no_device(line, path, errno);
	if (strncmp(path, "/dev/pts/", 9) == 0)
		return dp_transport_fail(line, "%s is a pseudo terminal: write pty:%s", path, path);
	return dp_transport_fail(line, "%s is no serial device; " DP_TRANSPORT_FORMS, path);
}

static bool configure(struct dp_transport *line, const char *path, unsigned baud)
{
	struct sp_port *port = line->port;

	if (sp_set_bits(port, 8) != SP_OK || sp_set_parity(port, SP_PARITY_NONE) != SP_OK ||
	    sp_set_stopbits(port, 1) != SP_OK ||
	    sp_set_flowcontrol(port, SP_FLOWCONTROL_NONE) != SP_OK)
		return dp_transport_fail(line, "%s does not do 8 bits, no parity, 1 stop bit",
					 path);
	if (sp_set_baudrate(port, (int)baud) != SP_OK)
		return dp_transport_fail(line, "%s does not do %u baud; try another --baud", path,
					 baud);
	return true;
}

static bool open_serial(struct dp_transport *line, const char *path, unsigned baud)
{
	enum sp_return result = sp_get_port_by_name(path, &line->port);

	if (result != SP_OK)
		return open_failed(line, path, result);
	result = sp_open(line->port, SP_MODE_READ_WRITE);
	if (result != SP_OK) {
		open_failed(line, path, result);
		sp_free_port(line->port);
		return false;
	}
	if (sp_get_port_handle(line->port, &line->fd) == SP_OK && dp_transport_lock(line) &&
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

static long read_serial(struct dp_transport *line, void *bytes, size_t room)
{
	return moved(sp_nonblocking_read(line->port, bytes, room));
}

static long write_serial(struct dp_transport *line, const void *bytes, size_t count)
{
	return moved(sp_nonblocking_write(line->port, bytes, count));
}

static void close_serial(struct dp_transport *line)
{
	sp_close(line->port);
	sp_free_port(line->port);
}

const struct dp_transport_kind dp_transport_serial = {
	"", open_serial, read_serial, write_serial, close_serial,
};

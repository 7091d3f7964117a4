/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
/* The serial transport opens devices through libserialport: 8N1, no flow control. */
#include "transport_kind.h"

#include <errno.h>
#include <libserialport.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>

enum {
	RATE_PART = 33 /* 3 %: a receiver needs less than 5 % */
};

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

/* --- settings: each is read back, because another program may have left its own ------------ */

static bool ask_for(struct dph_transport *line, const char *path, unsigned baud)
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

/* A setting that stays decides whether bytes pass as they are. */
static const struct {
	bool input; /* of c_iflag, not c_cflag */
	tcflag_t mask, wanted;
	const char *kept;
} facts[] = {
	{false, CSIZE, CS8, "another size of characters than 8 bits"},
	{false, PARENB, 0, "a parity bit"},
	{false, CSTOPB, 0, "a second stop bit"},
	{false, CRTSCTS, 0, "flow control by RTS and CTS (CRTSCTS)"},
	{true, IXON | IXOFF | IXANY, 0, "flow control by XON and XOFF"},
};

static const char *kept_setting(const struct termios *mode)
{
	for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
		if (((facts[i].input ? mode->c_iflag : mode->c_cflag) & facts[i].mask) !=
		    facts[i].wanted)
			return facts[i].kept;
	return NULL;
}

/* libserialport 0.1.1 leaves CRTSCTS set. Without HUPCL the modem lines stay as they are when the
 * line is closed: DTR going off resets many boards. */
static bool take_back(struct dph_transport *line, const char *path)
{
	struct termios mode;
	const char *kept;

	if (tcgetattr(line->fd, &mode) != 0)
		return dph_transport_fail(line, "%s is not a terminal", path);
	for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
		tcflag_t *flags = facts[i].input ? &mode.c_iflag : &mode.c_cflag;

		*flags = (*flags & ~facts[i].mask) | facts[i].wanted;
	}
	mode.c_cflag = (mode.c_cflag | CLOCAL | CREAD) & ~(tcflag_t)HUPCL;
	tcsetattr(line->fd, TCSANOW, &mode);
	kept = tcgetattr(line->fd, &mode) == 0 ? kept_setting(&mode) : NULL;
	return kept == NULL ||
	       dph_transport_fail(line,
				  "%s keeps %s, which its driver or another program has set: end "
				  "that program, or use another adapter",
				  path, kept);
}

/* Does the device run at the rate, as far as a receiver notices? */
static bool has_rate(struct dph_transport *line, const char *path, unsigned baud)
{
	struct sp_port_config *config;
	int found = 0;
	bool known;

	if (sp_new_config(&config) != SP_OK)
		return true;
	known = sp_get_config(line->port, config) == SP_OK &&
		sp_get_config_baudrate(config, &found) == SP_OK && found > 0;
	sp_free_config(config);
	if (!known || labs((long)found - (long)baud) <= (long)(baud / RATE_PART))
		return true;
	return dph_transport_fail(line, "%s runs at %d baud, not at %u; try another --baud", path,
				  found, baud);
}

static bool switch_line(struct dph_transport *line, const char *path, int bit, const char *name,
			enum dp_modem_line wanted)
{
	if (wanted == DP_MODEM_LEAVE ||
	    ioctl(line->fd, wanted == DP_MODEM_ON ? TIOCMBIS : TIOCMBIC, &bit) == 0)
		return true;
	return dph_transport_fail(line, "%s: %s cannot be switched: %s; leave %s out", path, name,
				  strerror(errno), name);
}

static bool switch_lines(struct dph_transport *line, const char *path,
			 const struct dph_line_settings *settings)
{
	return switch_line(line, path, TIOCM_DTR, "dtr", settings->dtr) &&
	       switch_line(line, path, TIOCM_RTS, "rts", settings->rts);
}

/* The lines first: opening has switched them on. libserialport may switch them, too. */
static bool configure(struct dph_transport *line, const char *path,
		      const struct dph_line_settings *settings)
{
	return switch_lines(line, path, settings) && ask_for(line, path, settings->baud) &&
	       take_back(line, path) && has_rate(line, path, settings->baud) &&
	       switch_lines(line, path, settings);
}

static bool is_pty(const char *path)
{
	return strncmp(path, "/dev/pts/", 9) == 0;
}

/* libserialport looks for the last part of the path in /sys, so it gets the path behind all links.
 * Messages show the path that the user wrote. */
static bool open_serial(struct dph_transport *line, const char *path,
			const struct dph_line_settings *settings)
{
	char device[PATH_MAX];
	enum sp_return result;

	if (realpath(path, device) == NULL)
		return dph_transport_no_device(line, path, errno);
	result = sp_get_port_by_name(device, &line->port);
	if (result != SP_OK && is_pty(device)) {
		line->kind = &dph_transport_pty;
		if (settings->dtr != DP_MODEM_LEAVE || settings->rts != DP_MODEM_LEAVE)
			return dph_transport_fail(line,
						  "%s is a pseudo terminal, which has no modem "
						  "lines; leave dtr and rts out",
						  path);
		return line->kind->open(line, device, settings);
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
	    configure(line, path, settings))
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

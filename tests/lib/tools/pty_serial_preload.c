/* SPDX-License-Identifier: BSD-2-Clause */
/* LD_PRELOAD for tests: lets libserialport open a pseudo terminal, so that the code for real serial
 * devices runs where there is none. libserialport wants a sysfs entry of the name and modem lines;
 * a pty has neither. The file that MODEM_LOG names gets a line for each change of a modem line. The
 * kernel switches both on when a device is opened. With KEEPS_CRTSCTS set, the driver does not give
 * up that flag. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#define SYSFS "/sys/class/tty/pts/"
#define SHOWN __attribute__((visibility("default")))

static int is_pty(const char *path)
{
	return strncmp(path, SYSFS, strlen(SYSFS)) == 0;
}

SHOWN int lstat(const char *path, struct stat *status)
{
	int (*next)(const char *, struct stat *) =
		(int (*)(const char *, struct stat *))dlsym(RTLD_NEXT, "lstat");

	if (!is_pty(path))
		return next(path, status);
	memset(status, 0, sizeof *status);
	status->st_mode = S_IFLNK | 0777;
	return 0;
}

SHOWN int __lxstat(int version, const char *path, struct stat *status)
{
	(void)version;
	return lstat(path, status);
}

SHOWN ssize_t readlink(const char *path, char *target, size_t room)
{
	static const char device[] = "../../devices/virtual/tty/pts";
	ssize_t (*next)(const char *, char *, size_t) =
		(ssize_t(*)(const char *, char *, size_t))dlsym(RTLD_NEXT, "readlink");

	if (!is_pty(path))
		return next(path, target, room);
	if (room < sizeof device)
		return -1;
	memcpy(target, device, sizeof device - 1);
	return sizeof device - 1;
}

static int modem = TIOCM_DTR | TIOCM_RTS;

static void change(const char *what, int bits, int now)
{
	const char *path = getenv("MODEM_LOG");
	FILE *log = path != NULL ? fopen(path, "a") : NULL;

	modem = now;
	if (log == NULL)
		return;
	fprintf(log, "%s%s%s\n", what, bits & TIOCM_DTR ? " dtr" : "",
		bits & TIOCM_RTS ? " rts" : "");
	fclose(log);
}

SHOWN int tcgetattr(int fd, struct termios *mode)
{
	int (*next)(int, struct termios *) =
		(int (*)(int, struct termios *))dlsym(RTLD_NEXT, "tcgetattr");
	const int result = next(fd, mode);

	if (result == 0 && getenv("KEEPS_CRTSCTS") != NULL)
		mode->c_cflag |= CRTSCTS;
	return result;
}

SHOWN int ioctl(int fd, unsigned long request, ...)
{
	int (*next)(int, unsigned long, ...) =
		(int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
	va_list arguments;
	void *argument;
	int result;

	va_start(arguments, request);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	result = next(fd, request, argument);
	if (result == 0 || (errno != ENOTTY && errno != EINVAL))
		return result;
	switch (request) {
	case TIOCMGET:
		*(int *)argument = modem;
		return 0;
	case TIOCMSET:
		change("set", *(int *)argument, *(int *)argument);
		return 0;
	case TIOCMBIS:
		change("on", *(int *)argument, modem | *(int *)argument);
		return 0;
	case TIOCMBIC:
		change("off", *(int *)argument, modem & ~*(int *)argument);
		return 0;
	default:
		return result;
	}
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The system calls of newlib. Output goes to com1; input and files do not exist. */
#include <errno.h>
#include <stddef.h>
#include <sys/stat.h>

#include "console.h"
#include "kernel.h"

int _write(int file, const char *text, int n);
int _read(int file, char *text, int n);
int _close(int file);
int _lseek(int file, int offset, int whence);
int _fstat(int file, struct stat *st);
int _isatty(int file);
int _getpid(void);
int _kill(int pid, int sig);
void *_sbrk(ptrdiff_t bytes);
_Noreturn void _exit(int status);

extern char __heap_start[], __heap_end[];

int _write(int file, const char *text, int n)
{
	(void)file;
	console_write(0, text, (size_t)n);
	return n;
}

int _read(int file, char *text, int n)
{
	(void)file;
	(void)text;
	(void)n;
	return 0;
}

int _close(int file)
{
	(void)file;
	return -1;
}

int _lseek(int file, int offset, int whence)
{
	(void)file;
	(void)offset;
	(void)whence;
	return 0;
}

int _fstat(int file, struct stat *st)
{
	(void)file;
	st->st_mode = S_IFCHR;
	return 0;
}

int _isatty(int file)
{
	(void)file;
	return 1;
}

int _getpid(void)
{
	return 1;
}

int _kill(int pid, int sig)
{
	(void)pid;
	(void)sig;
	errno = EINVAL;
	return -1;
}

void *_sbrk(ptrdiff_t bytes)
{
	static char *brk = __heap_start;
	char *old = brk;

	if (bytes > __heap_end - brk) {
		errno = ENOMEM;
		return (void *)-1;
	}
	brk += bytes;
	return old;
}

_Noreturn void _exit(int status)
{
	(void)status;
	kernel_panic("exit called");
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* This file finds the processes in /proc that have a device open, or locked.
 * The files of a process are shown to its owner and to root. /proc/locks (proc_locks(5)) is shown
 * to every user. */
#define _GNU_SOURCE
#include "holder.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum {
	HOLDERS_MAX = 3,
	LOCKERS_MAX = 16,
};

/* fds: the open folder /proc/PID/fd. */
static bool has_open(DIR *fds, dev_t device)
{
	const struct dirent *entry;
	struct stat file;

	while ((entry = readdir(fds)) != NULL)
		if (isdigit((unsigned char)entry->d_name[0]) &&
		    fstatat(dirfd(fds), entry->d_name, &file, 0) == 0 && S_ISCHR(file.st_mode) &&
		    file.st_rdev == device)
			return true;
	return false;
}

static bool process_has_open(const char *pid, dev_t device)
{
	char path[64];
	DIR *fds;
	bool found;

	snprintf(path, sizeof path, "/proc/%.20s/fd", pid);
	fds = opendir(path);
	if (fds == NULL)
		return false; /* of another user, or ended */
	found = has_open(fds, device);
	closedir(fds);
	return found;
}

/* A line is "1: FLOCK  ADVISORY  WRITE 812 00:19:3 0 EOF": process, then device and inode of the
 * file. */
static bool lock_of(const char *line, const struct stat *file, long *pid)
{
	unsigned major_number, minor_number;
	unsigned long inode;

	return sscanf(line, "%*d: %*s %*s %*s %ld %x:%x:%lu", pid, &major_number, &minor_number,
		      &inode) == 4 &&
	       major_number == major(file->st_dev) && minor_number == minor(file->st_dev) &&
	       inode == file->st_ino;
}

/* Return the number of processes that have locked the file. */
static unsigned find_lockers(const struct stat *file, long *pids)
{
	FILE *locks = fopen("/proc/locks", "re");
	char line[256];
	unsigned count = 0;

	while (locks != NULL && count < LOCKERS_MAX && fgets(line, sizeof line, locks) != NULL)
		if (lock_of(line, file, &pids[count]))
			count++;
	if (locks != NULL)
		fclose(locks);
	return count;
}

static bool is_listed(const long *pids, unsigned count, long pid)
{
	while (count > 0)
		if (pids[--count] == pid)
			return true;
	return false;
}

/* The name alone would not tell which dprobes to end. */
static bool is_service(long pid, const char *command)
{
	char path[64], words[128] = "";
	const char *word;
	FILE *file;
	size_t count;

	if (strcmp(command, "dprobes") != 0)
		return false;
	snprintf(path, sizeof path, "/proc/%ld/cmdline", pid);
	file = fopen(path, "re");
	if (file == NULL)
		return false;
	count = fread(words, 1, sizeof words - 1, file);
	fclose(file);
	word = words + strlen(words) + 1;
	return word < words + count && strcmp(word, "serve") == 0;
}

bool dph_process_command(long pid, char *command)
{
	char path[64];
	FILE *file;
	bool found;

	snprintf(command, DPH_COMMAND_BYTES, "?");
	snprintf(path, sizeof path, "/proc/%ld/comm", pid);
	file = fopen(path, "re");
	if (file == NULL)
		return false;
	found = fgets(command, DPH_COMMAND_BYTES, file) != NULL;
	command[strcspn(command, "\n")] = '\0';
	fclose(file);
	if (is_service(pid, command))
		snprintf(command, DPH_COMMAND_BYTES, "dprobes serve");
	return found;
}

bool dph_process_has_ended(long pid)
{
	char path[64], words[512] = "";
	const char *behind;
	FILE *file;

	if (kill((pid_t)pid, 0) != 0)
		return errno == ESRCH;
	snprintf(path, sizeof path, "/proc/%ld/stat", pid);
	file = fopen(path, "re");
	if (file == NULL)
		return false;
	words[fread(words, 1, sizeof words - 1, file)] = '\0';
	fclose(file);
	behind = strrchr(words, ')'); /* proc_pid_stat(5): the state follows the name */
	return behind != NULL && (strncmp(behind, ") Z", 3) == 0 || strncmp(behind, ") X", 3) == 0);
}

static void add(char *text, size_t room, unsigned count, const char *pid)
{
	char command[DPH_COMMAND_BYTES];
	const size_t used = strlen(text);

	if (count < HOLDERS_MAX) {
		dph_process_command(atol(pid), command);
		snprintf(text + used, room - used, "%s%s (pid %s)", count > 0 ? ", " : "", command,
			 pid);
	} else if (count == HOLDERS_MAX) {
		snprintf(text + used, room - used, ", ...");
	}
}

unsigned dph_holders(const char *path, char *text, size_t room)
{
	const struct dirent *entry;
	struct stat device;
	long lockers[LOCKERS_MAX];
	unsigned count = 0, locker_count;
	DIR *proc;

	text[0] = '\0';
	if (stat(path, &device) != 0 || !S_ISCHR(device.st_mode))
		return 0;
	proc = opendir("/proc");
	if (proc == NULL)
		return 0;
	locker_count = find_lockers(&device, lockers);
	while ((entry = readdir(proc)) != NULL)
		if (isdigit((unsigned char)entry->d_name[0]) && atol(entry->d_name) != getpid() &&
		    (is_listed(lockers, locker_count, atol(entry->d_name)) ||
		     process_has_open(entry->d_name, device.st_rdev)))
			add(text, room, count++, entry->d_name);
	closedir(proc);
	return count;
}

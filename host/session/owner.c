/* SPDX-License-Identifier: BSD-2-Clause */
/* The text of an owner names a process, its machine and the machine's name. */
#define _GNU_SOURCE
#include "owner.h"

#include "dp_crc.h"
#include "dp_frame.h"
#include "wire/holder.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

enum {
	TAG_DIGITS = 4
};

/* Digits that differ between machines, starts of a machine and containers, also where names and
 * process numbers are equal. Where the system does not say: random digits, which fit no other
 * process. */
static uint32_t machine_tag(const char *host)
{
	char text[128] = "", space[64] = "";
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
	const bool known = file != NULL && fgets(text, sizeof text, file) != NULL &&
			   readlink("/proc/self/ns/pid", space, sizeof space - 1) > 0;
	uint32_t tag = 0;

	if (file != NULL)
		fclose(file);
	if (!known)
		return getrandom(&tag, sizeof tag, 0) == sizeof tag ? tag : 0;
	tag = dp_crc32(0, (const uint8_t *)text, strlen(text));
	tag = dp_crc32(tag, (const uint8_t *)space, strlen(space));
	return dp_crc32(tag, (const uint8_t *)host, strlen(host));
}

void dph_owner_of_process(long pid, char *owner)
{
	static const char digits[] = "0123456789abcdefghijklmnopqrstuv";
	char host[256] = "?", text[320], tag[TAG_DIGITS + 1] = "";
	uint32_t left;

	gethostname(host, sizeof host - 1);
	left = machine_tag(host);
	for (unsigned i = 0; i < TAG_DIGITS; i++, left /= 32)
		tag[i] = digits[left % 32];
	snprintf(text, sizeof text, "pid %ld.%s on %s", pid, tag, host);
	snprintf(owner, DP_OWNER_MAX + 1, "%.*s", DP_OWNER_MAX, text);
}

bool dph_owner_has_ended(const char *owner)
{
	char mine[DP_OWNER_MAX + 1];
	long pid;

	if (sscanf(owner, "pid %ld.", &pid) != 1 || pid <= 0)
		return false;
	dph_owner_of_process(pid, mine);
	return strcmp(owner, mine) == 0 && dph_process_has_ended(pid);
}

void dph_owner_shown(const char *owner, char *text, size_t room)
{
	char command[DPH_COMMAND_BYTES], mine[DP_OWNER_MAX + 1];
	long pid;
	int host = 0;

	snprintf(text, room, "%s", *owner != '\0' ? owner : "another host");
	if (sscanf(owner, "pid %ld.%*4[0-9a-v] on %n", &pid, &host) == 1 && host > 0 && pid > 0) {
		dph_owner_of_process(pid, mine);
		if (strcmp(owner, mine) == 0 && dph_process_command(pid, command))
			snprintf(text, room, "%s (pid %ld)", command, pid);
		else
			snprintf(text, room, "pid %ld on %s", pid, owner + host);
	}
	for (char *p = text; *p != '\0'; p++)
		if (*p < 0x20 || *p > 0x7e)
			*p = '?';
}

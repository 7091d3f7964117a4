/* SPDX-License-Identifier: BSD-2-Clause */
/* The owner that a host names: who may be taken for dead, and when.  host/session/owner.h */
#include "check.h"
#include "dp_frame.h"
#include "session/owner.h"
#include "wire/holder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The number of a process that has ended. */
static long ended_process(void)
{
	pid_t child = fork();

	if (child == 0)
		_exit(0);
	waitpid(child, NULL, 0);
	return child;
}

int main(void)
{
	char owner[DP_OWNER_MAX + 1], other[DP_OWNER_MAX + 1], *tag;
	const long dead = ended_process();
	long pid = 0;
	char host[8] = "";

	dph_owner_of_process(getpid(), owner);
	CHECK(strlen(owner) <= DP_OWNER_MAX);
	CHECK(sscanf(owner, "pid %ld.%*4[0-9a-v] on %7s", &pid, host) == 2 && pid == getpid());
	CHECK(!dph_owner_has_ended(owner)); /* it runs */
	dph_owner_of_process(1, other);
	CHECK(!dph_owner_has_ended(other)); /* so does another one's */
	dph_owner_of_process(dead, owner);
	CHECK(dph_owner_has_ended(owner));

	/* A machine with the same name, on which that process runs. */
	tag = strchr(owner, '.') + 1;
	tag[0] = tag[0] == 'a' ? 'b' : 'a';
	CHECK(!dph_owner_has_ended(owner));
	/* What other hosts call themselves. */
	CHECK(!dph_owner_has_ended("lab rack 7") && !dph_owner_has_ended("") &&
	      !dph_owner_has_ended("pid 0.abcd on x") && !dph_owner_has_ended("pid -1.abcd on x"));

	/* For a message: no digits that only machines compare. */
	char text[128], command[DPH_COMMAND_BYTES], wanted[128];

	CHECK(dph_process_command(getpid(), command) && !dph_process_command(dead, text));
	dph_owner_of_process(getpid(), owner);
	dph_owner_shown(owner, text, sizeof text);
	snprintf(wanted, sizeof wanted, "%s (pid %d)", command, getpid());
	CHECK(strcmp(text, wanted) == 0);
	dph_owner_shown("pid 7.abcd on lab", text, sizeof text);
	CHECK(strcmp(text, "pid 7 on lab") == 0);
	dph_owner_shown("rack\033 7", text, sizeof text);
	CHECK(strcmp(text, "rack? 7") == 0);
	dph_owner_shown("", text, sizeof text);
	CHECK(strcmp(text, "another host") == 0);
	return check_status();
}

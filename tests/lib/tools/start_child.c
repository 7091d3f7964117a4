// SPDX-License-Identifier: BSD-2-Clause
// start_child CPU_SECONDS FILES COMMAND [ARG ...]: becomes a command that ends with the process
// that started it.
//
// The tests start thousands of processes (lib/harness/process.py). Python forks for a function of
// its own in the child, and the fork of a large process costs ten times what this program costs.
//
// CPU_SECONDS: limit of CPU time. FILES: limit of open descriptors, 0 for none. Status 127: the
// command cannot be run. Source: prctl(2), PR_SET_PDEATHSIG: the signal stays set over execve(2).
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

// Both limits of a resource. A failure ends the program.
static void limit(int resource, const char *name, const char *text)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);
	if (end == text || *end != '\0' ||
	    setrlimit(resource, &(struct rlimit){value, value}) != 0) {
		fprintf(stderr, "start_child: the limit of %s cannot be %s\n", name, text);
		exit(127);
	}
}

int main(int argc, char **argv)
{
	if (argc < 4) {
		fprintf(stderr, "start_child: needs CPU_SECONDS FILES COMMAND [ARG ...]\n");
		return 127;
	}
	// Even when the test run itself is killed, no QEMU is left spinning.
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) {
		perror("start_child: prctl");
		return 127;
	}
	// nohup ignores the signal, and so would the command.
	signal(SIGHUP, SIG_DFL);
	limit(RLIMIT_CPU, "CPU seconds", argv[1]);
	if (strcmp(argv[2], "0") != 0) {
		limit(RLIMIT_NOFILE, "descriptors", argv[2]);
	}
	execvp(argv[3], argv + 3);
	fprintf(stderr, "start_child: %s cannot be run: %s\n", argv[3], strerror(errno));
	return 127;
}

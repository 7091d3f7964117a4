// SPDX-License-Identifier: BSD-2-Clause
// dprobes DESCRIPTOR: runs the dprobes command for the tests, each run in a fork of this process.
//
// The start of the process takes most of a short run under sanitizers: a fork begins behind it. The
// command's own main() runs in the fork. The build compiles host/command/main.c with another name
// for it. No code of the project runs before it.
//
// DESCRIPTOR: a stream socket to lib/harness/tool_server.py, which sends one request at a time: u32
// bytes, with stdin, stdout and stderr of the run beside it (SCM_RIGHTS); then that many bytes of
// strings, each with its NUL: limit of CPU seconds or 0, limit of open descriptors or 0, 1 for a
// search for leaks or 0, folder, number of arguments, arguments, environment. The answers are i32
// pid, and i32 wait status when the run has ended. Integers are the machine's own. End of the
// stream ends the server and its run.
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

enum {
	FILES = 3
};

int tool_main(int argc, char **argv);

static char *text; // the strings of the request
static char **words;
static bool searches_leaks = true;

#ifdef __SANITIZE_ADDRESS__
// The sanitizer asks at the end of a run. sanitizer/lsan_interface.h
int __lsan_is_turned_off(void)
{
	return !searches_leaks;
}
#endif

_Noreturn static void fail(const char *what)
{
	fprintf(stderr, "tool_server: %s: %s\n", what, strerror(errno));
	_exit(127);
}

// The head of a request and its descriptors; false at the end of the stream.
static bool receive_head(int line, uint32_t *bytes, int files[FILES])
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(FILES * sizeof(int))];
	} control;
	struct iovec into = {bytes, sizeof *bytes};
	struct msghdr message = {.msg_iov = &into,
				 .msg_iovlen = 1,
				 .msg_control = &control,
				 .msg_controllen = sizeof control};
	ssize_t got = recvmsg(line, &message, MSG_CMSG_CLOEXEC);
	if (got == 0) {
		return false;
	}
	struct cmsghdr *head = CMSG_FIRSTHDR(&message);
	if (got != sizeof *bytes || head == NULL || head->cmsg_type != SCM_RIGHTS ||
	    head->cmsg_len != CMSG_LEN(FILES * sizeof(int))) {
		errno = EPROTO;
		fail("a request");
	}
	memcpy(files, CMSG_DATA(head), FILES * sizeof(int));
	return true;
}

static void receive_text(int line, uint32_t bytes)
{
	free(text);
	free(words);
	text = malloc(bytes + 1);
	words = malloc((bytes + 1) * sizeof *words);
	if (text == NULL || words == NULL) {
		fail("memory of a request");
	}
	for (uint32_t have = 0; have < bytes;) {
		ssize_t got = recv(line, text + have, bytes - have, 0);
		if (got <= 0) {
			fail("the text of a request");
		}
		have += (uint32_t)got;
	}
	text[bytes] = '\0';
	size_t number = 0;
	for (char *at = text; at < text + bytes; at += strlen(at) + 1) {
		words[number++] = at;
	}
	words[number] = NULL;
}

// Both limits of a resource; "0" leaves the limits alone.
static void limit(int resource, const char *number)
{
	rlim_t most = strtoul(number, NULL, 10);
	if (most != 0 && setrlimit(resource, &(struct rlimit){most, most}) != 0) {
		fail("a limit");
	}
}

// In the fork: what process.start() does for a process of its own, then the command.
_Noreturn static void run(int line, const int files[FILES])
{
	close(line);
	setsid();
	signal(SIGHUP, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (int i = 0; i < FILES; i++) {
		if (dup2(files[i], i) < 0) {
			fail("a standard file");
		}
		close(files[i]);
	}
	if (!words[0] || !words[1] || !words[2] || !words[3] || !words[4]) {
		fail("a request");
	}
	limit(RLIMIT_CPU, words[0]);
	limit(RLIMIT_NOFILE, words[1]);
	searches_leaks = strcmp(words[2], "0") != 0;
	if (chdir(words[3]) != 0) {
		fail(words[3]);
	}
	// The NULL behind the arguments takes the place of their number, in front of them.
	int argc = atoi(words[4]);
	char **argv = words + 4;
	memmove(argv, argv + 1, (size_t)argc * sizeof *argv);
	environ = words + 5 + argc;
	argv[argc] = NULL;
	int status = tool_main(argc, argv);
	fflush(NULL);
#ifdef __SANITIZE_ADDRESS__
	if (searches_leaks) {
		__lsan_do_leak_check();
	}
#endif
	// Not exit(), in which the sanitizer goes over all static memory.
	_exit(status);
}

static void answer(int line, int32_t value)
{
	if (send(line, &value, sizeof value, MSG_NOSIGNAL) != sizeof value) {
		fail("an answer");
	}
}

// The wait status of the run. When the stream ends before the run, nobody waits for the run: its
// processes are killed.
static int32_t status_of(pid_t child, int line)
{
	int end = pidfd_open(child, 0);
	if (end < 0) {
		fail("pidfd_open");
	}
	struct pollfd of[] = {{.fd = end, .events = POLLIN}, {.fd = line, .events = POLLRDHUP}};
	while (poll(of, 2, -1) < 0) {
		if (errno != EINTR) {
			fail("poll");
		}
	}
	if (of[0].revents == 0) {
		kill(-child, SIGKILL);
		kill(child, SIGKILL); // its setsid() may not have run
		_exit(0);
	}
	close(end);
	int status;
	if (waitpid(child, &status, 0) != child) {
		fail("waitpid");
	}
	return status;
}

int main(int argc, char **argv)
{
	int line = argc == 2 ? atoi(argv[1]) : -1;
	uint32_t bytes;
	int files[FILES];
#ifdef __SANITIZE_ADDRESS__
	// A search for leaks reads all static memory. The forks inherit the pages that this one has
	// mapped.
	__lsan_do_recoverable_leak_check();
#endif
	while (receive_head(line, &bytes, files)) {
		receive_text(line, bytes);
		pid_t child = fork();
		if (child < 0) {
			fail("fork");
		}
		if (child == 0) {
			run(line, files);
		}
		for (int i = 0; i < FILES; i++) {
			close(files[i]);
		}
		answer(line, child);
		answer(line, status_of(child, line));
	}
	return 0;
}

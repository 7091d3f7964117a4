/* SPDX-License-Identifier: BSD-2-Clause */
/* A candidate is given up after 50 ms without a byte, not after 50 ms in which the program did not
 * look: PROTOCOL.md 3.1. A host that compiles meanwhile, or was stopped, must lose nothing. */
#define _GNU_SOURCE
#include "check.h"
#include "dprobes_session.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define PATH  "hold.sock"
#define HALF  "~Y02A00000001DCD65000000F424000030"
#define OTHER "000012C000000050000000000000001981B\n"

struct heard {
	unsigned lines;
	size_t console;
};

static void on_console(void *context, const uint8_t *bytes, size_t count)
{
	(void)bytes;
	((struct heard *)context)->console += count;
}

static void on_stream(void *context, const struct dp_frame_in *frame, const char *text,
		      size_t count)
{
	(void)frame;
	(void)text;
	(void)count;
	((struct heard *)context)->lines++;
}

static void say(int fd, const char *text)
{
	CHECK(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
}

static void listen_ms(struct dp_session *session, unsigned ms)
{
	uint64_t start = dp_clock_ms();

	while (dp_clock_ms() - start < ms)
		CHECK(dp_session_listen(session, 10));
}

int main(void)
{
	struct heard heard = {0};
	struct dp_session_options options = {
		.url = "unix:" PATH,
		.mute = true,
		.listener = {&heard, on_console, on_stream, NULL},
	};
	struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = PATH};
	struct dp_failure failure;
	struct dp_session *session;
	int listener = socket(AF_UNIX, SOCK_STREAM, 0), fd;

	unlink(PATH);
	CHECK(bind(listener, (struct sockaddr *)&address, sizeof address) == 0);
	CHECK(listen(listener, 1) == 0);
	session = dp_session_open(&options, &failure);
	fd = accept(listener, NULL, NULL);
	if (session == NULL || fd < 0)
		return 1;

	say(fd, HALF);
	CHECK(dp_session_listen(session, 10));
	say(fd, OTHER);
	usleep(120000);
	CHECK(dp_session_listen(session, 10));
	CHECK(heard.lines == 1 && heard.console == 0);

	say(fd, HALF);
	listen_ms(session, 700); /* more than the 500 ms that so much of a line is held */
	CHECK(heard.lines == 1 && heard.console == strlen(HALF));

	dp_session_close(session);
	close(fd);
	close(listener);
	unlink(PATH);
	return check_status();
}

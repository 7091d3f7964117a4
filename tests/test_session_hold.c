/* SPDX-License-Identifier: BSD-2-Clause */
/* A candidate is shown as text after 50 ms in which the host looked for its rest in vain:
 * PROTOCOL.md 3.1. Time in which it did not look does not count: a host that compiles meanwhile, or
 * was stopped, shows no half line. And what was shown still becomes a frame when its rest comes, so
 * that a target (an emulator on a busy machine) that paused in the middle of a line loses nothing
 * either. */
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

/* Each look waits 10 ms, the most it counts as: the clock of the machine has no say. */
static void look(struct dp_session *session, unsigned times)
{
	for (unsigned i = 0; i < times; i++)
		CHECK(dp_session_listen(session, 10));
}

static void our_own_pauses_do_not_count(struct dp_session *session, struct heard *heard, int fd)
{
	*heard = (struct heard){0};
	say(fd, HALF);
	look(session, 1);
	for (unsigned pause = 0; pause < 3; pause++) {
		usleep(60000);
		look(session, 1); /* in vain */
	}
	say(fd, OTHER);
	usleep(60000);
	look(session, 1);
	CHECK(heard->lines == 1 && heard->console == 0);
}

static void fifty_ms(struct dp_session *session, struct heard *heard, int fd, const char *half)
{
	*heard = (struct heard){0};
	say(fd, half);
	look(session, 1 + 4);
	CHECK(heard->lines == 0 && heard->console == 0);
	look(session, 1);
	CHECK(heard->lines == 0 && heard->console == strlen(half));
	look(session, 7);
	CHECK(heard->console == strlen(half));
}

static void shown_and_then_a_frame(struct dp_session *session, struct heard *heard, int fd)
{
	fifty_ms(session, heard, fd, HALF);
	say(fd, OTHER);
	look(session, 1);
	CHECK(heard->lines == 1 && heard->console == strlen(HALF));
}

/* What turns out to be text comes once, whatever showed that. */
static void shown_and_then_text(struct dp_session *session, struct heard *heard, int fd)
{
	static const char *const rest[] = {"x", "0~", "0000\n", "000012C\n"};

	for (size_t i = 0; i < sizeof rest / sizeof rest[0]; i++) {
		fifty_ms(session, heard, fd, HALF);
		say(fd, rest[i]);
		say(fd, " ");
		look(session, 1);
		CHECK(heard->lines == 0 && heard->console == strlen(HALF) + strlen(rest[i]) + 1);
	}
	fifty_ms(session, heard, fd, "~");
	say(fd, "Y12");
	look(session, 1);
	CHECK(heard->console == 1);
	say(fd, HALF OTHER);
	look(session, 1);
	CHECK(heard->lines == 1 && heard->console == 4);
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

	our_own_pauses_do_not_count(session, &heard, fd);
	shown_and_then_a_frame(session, &heard, fd);
	shown_and_then_text(session, &heard, fd);

	dp_session_close(session);
	close(fd);
	close(listener);
	unlink(PATH);
	return check_status();
}

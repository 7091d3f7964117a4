/* SPDX-License-Identifier: BSD-2-Clause */
/* The session's clock for what may become a frame (test_frame_hold.c has the rules): only time in
 * which the host looked for bytes counts. A host that compiles meanwhile, or was stopped, shows no
 * half line. */
#define _GNU_SOURCE
#include "check.h"
#include <dprobes/session.h>

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define PATH  "hold.sock"
#define HALF  "~Y02A00000001DCD65000000F424000030"
#define OTHER "000012C000000050000000000000001981B\n"

enum {
	LOOK_MS = 10,  /* the most that one look counts as */
	HOLD_MS = 1000 /* a frame that has begun is held so long */
};

struct heard {
	unsigned lines;
	size_t console, settled;
};

static void on_console(void *context, const uint8_t *bytes, size_t count)
{
	(void)bytes;
	((struct heard *)context)->console += count;
}

static void on_settled(void *context, const uint8_t *bytes, size_t count)
{
	(void)bytes;
	((struct heard *)context)->settled += count;
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
		CHECK(dp_session_listen(session, LOOK_MS));
}

/* proves: R3.26 */
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

/* proves: R3.24 */
static void a_second(struct dp_session *session, struct heard *heard, int fd)
{
	*heard = (struct heard){0};
	say(fd, HALF);
	look(session, 1 + HOLD_MS / LOOK_MS - 1);
	CHECK(heard->lines == 0 && heard->console == 0);
	look(session, 1);
	CHECK(heard->lines == 0 && heard->console == strlen(HALF));
	look(session, 7);
	CHECK(heard->console == strlen(HALF));
}

/* proves: R3.10 */
static void shown_and_then_a_frame(struct dp_session *session, struct heard *heard, int fd)
{
	a_second(session, heard, fd);
	say(fd, OTHER);
	look(session, 1);
	CHECK(heard->lines == 1 && heard->console == strlen(HALF) && heard->settled == 0);
}

/* What turns out to be text comes once. */
/* proves: R3.7 */
static void shown_and_then_text(struct dp_session *session, struct heard *heard, int fd)
{
	a_second(session, heard, fd);
	say(fd, "000012C\n ");
	look(session, 1);
	CHECK(heard->lines == 0 && heard->console == strlen(HALF) + 9);
	CHECK(heard->settled == heard->console);
}

int main(void)
{
	struct heard heard = {0};
	struct dp_session_options options = {
		.url = "unix:" PATH,
		.mute = true,
		.listener = {.context = &heard,
			     .console = on_console,
			     .stream = on_stream,
			     .settled = on_settled},
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

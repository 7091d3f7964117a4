/* SPDX-License-Identifier: BSD-2-Clause */
/* The last counts of a sealed session: the host's session against the real agent in a child, with
 * counts that begin near the end.  PROTOCOL.md 5.2, "The seal" */
#define _GNU_SOURCE
#include "bench_child.h"
#include "check.h"

#include "session/session_state.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATH "sealed_end.sock"

enum {
	LOOP = FIRMWARE_TEXT + 0x100,
	LEFT = 300, /* requests: their low 8 bits come again before the end */
	WAIT_US = 1000,
};
static const uint32_t last = 0xfffffeff; /* of a host */

static const uint8_t key[DP_KEY_BYTES] = {0x5a, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
static volatile sig_atomic_t *signals; /* that the child has taken */

/* In the child: give the board its key, then let the agent's count be near the end. */
static void on_signal(int number)
{
	(void)number;
	if (firmware.board.key)
		firmware.agent.link.count = last - LEFT;
	firmware.board.key = key;
	++*signals;
}

static void signal_child(pid_t child)
{
	const sig_atomic_t before = *signals;

	kill(child, SIGUSR1);
	while (*signals == before)
		usleep(WAIT_US);
}

static struct dp_session *open_session(struct dp_failure *failure)
{
	const struct dp_session_options options = {
		.url = "unix:" PATH,
		.owner = "me",
		.rights = DP_RIGHT_LOOK | DP_RIGHT_LOG | DP_RIGHT_INSERT,
		.key = key,
	};

	return dp_session_open(&options, failure);
}

/* Each count up to the last one is good; then the host closes the session, and says that another
 * one is needed. */
static void to_the_end(struct dp_session *session, pid_t child)
{
	struct dp_status_answer status;
	unsigned answered = 0;

	CHECK(session->sealed.on && dp_session_status(session, &status));
	CHECK(session->sealed.answered == session->sealed.count && session->sealed.count < 50);
	signal_child(child);
	session->sealed.count = session->sealed.answered = last - LEFT;
	while (answered < 2 * LEFT && dp_session_status(session, &status))
		answered++;
	CHECK(answered == LEFT && session->sealed.answered == last + 2); /* CLOSE's, too */
	CHECK(strcmp(dp_session_failure(session)->text,
		     "the session has used all its numbers; open another one") == 0);
	CHECK(session->over);
}

int main(void)
{
	struct dp_failure failure;
	struct dp_session *session;
	pid_t child;

	signals = mmap(NULL, sizeof(*signals), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		       -1, 0);
	signal(SIGUSR1, on_signal);
	child = bench_child(PATH, LOOP);
	session = open_session(&failure); /* the agent runs: it takes no signal before */
	CHECK(session != NULL);
	dp_session_close(session);
	signal_child(child);
	/* another session begins at 0; it takes over none */
	for (unsigned i = 0; i < 2; i++) {
		session = open_session(&failure);
		CHECK(session != NULL);
		if (!session)
			break;
		to_the_end(session, child);
		dp_session_close(session);
	}
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	unlink(PATH);
	return check_status();
}

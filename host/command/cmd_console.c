/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes console shows the firmware's console without the agent's lines, on standard input and
 * output or (--pty) on a pseudo terminal for another program. The command sends no hello and
 * disturbs no session. */
#define _GNU_SOURCE
#include "cmd.h"

#include "cmd_plain.h"
#include "cmd_target.h"
#include "cmd_until.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

enum {
	POLL_MS = 20,
	ANSWERED_MS = 1000, /* of silence behind the end of the input */
	LEAVE_KEY = 0x1d
}; /* ^] */

struct terminal {
	int in, out;
	bool pty; /* readers come and go */
	bool raw; /* ^] leaves */
	struct termios before;
	bool quiet;
	bool typed, ended;      /* input that is no terminal: bytes came; its end */
	uint64_t busy_ms;       /* the last text came, or the end of the input */
	unsigned long left_out; /* lines of records */
	struct dph_until until;
	struct dph_console_text text;
};

static void put(void *context, const uint8_t *bytes, size_t count)
{
	const struct terminal *terminal = context;

	while (count > 0) {
		ssize_t n = write(terminal->out, bytes, count);

		if (n < 0 && errno != EINTR)
			return; /* no process has the pty open */
		if (n > 0) {
			bytes += n;
			count -= (size_t)n;
		}
	}
}

static void on_console(void *context, const uint8_t *bytes, size_t count)
{
	struct terminal *terminal = context;

	terminal->busy_ms = dp_clock_ms();
	dph_console_text_write(&terminal->text, bytes, count, put, terminal);
}

static void on_settled(void *context, const uint8_t *bytes, size_t count)
{
	struct terminal *terminal = context;

	dph_until_console(&terminal->until, bytes, count);
}

/* The console is for text. Records that arrive meanwhile are lost: the agent sends each record
 * once. */
static void on_stream(void *context, const struct dp_frame_in *frame, const char *text,
		      size_t count)
{
	struct terminal *terminal = context;

	(void)text;
	(void)count;
	if (frame->type != DP_FRAME_RECORDS && frame->type != DP_FRAME_TIMED &&
	    frame->type != DP_FRAME_PIECE)
		return;
	if (terminal->left_out++ == 0 && !terminal->quiet)
		fprintf(stderr,
			"dprobes: probes log on this line too; the console discards their records: "
			"use 'dprobes log', which prints the records, and the console's text on "
			"standard error%s\n",
			terminal->raw ? "\r" : "");
}

static bool open_pty(const struct dph_cli *cli, struct terminal *terminal)
{
	struct termios mode;
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC), slave;

	if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) {
		dph_cli_error(cli, "no pseudo terminal: %s", strerror(errno));
		return false;
	}
	/* Held open, so that readers may come and go. */
	slave = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (slave >= 0 && tcgetattr(slave, &mode) == 0) {
		cfmakeraw(&mode);
		tcsetattr(slave, TCSANOW, &mode);
	}
	terminal->in = terminal->out = master;
	terminal->pty = true;
	printf("%s\n", ptsname(master));
	fflush(stdout);
	return true;
}

static void open_stdio(struct terminal *terminal)
{
	struct termios mode;

	terminal->in = STDIN_FILENO;
	terminal->out = STDOUT_FILENO;
	if (!isatty(STDIN_FILENO) || tcgetattr(STDIN_FILENO, &mode) != 0)
		return;
	terminal->before = mode;
	terminal->raw = true;
	cfmakeraw(&mode);
	mode.c_oflag |= OPOST;
	tcsetattr(STDIN_FILENO, TCSANOW, &mode);
	fprintf(stderr, "dprobes: the firmware's console; ^] leaves\r\n");
}

/* Send the typed bytes to the firmware. Bytes for a line that its server has not accepted wait;
 * those of a terminal are dropped, because the leave key must work. False at the end of input. */
static bool type(struct dp_session *session, struct terminal *terminal)
{
	char bytes[256];
	struct pollfd poller = {.fd = terminal->in, .events = POLLIN};
	ssize_t n;

	const bool queued = dp_session_queued(session);

	if (terminal->in < 0 || (queued && !terminal->raw) || poll(&poller, 1, 0) <= 0)
		return true;
	n = read(terminal->in, bytes, sizeof bytes);
	if (terminal->raw && (n == 0 || (n < 0 && errno == EIO)))
		return false; /* the terminal is gone */
	if (n < 0)
		return errno == EAGAIN || errno == EINTR || errno == EIO;
	if (n == 0) {
		terminal->in = -1;
		terminal->ended = terminal->typed;
		terminal->busy_ms = dp_clock_ms();
		return true;
	}
	terminal->typed = true;
	if (terminal->raw && memchr(bytes, LEAVE_KEY, (size_t)n) != NULL)
		return false;
	return queued || dp_session_type(session, bytes, (size_t)n);
}

/* Has the firmware answered what was typed from a pipe or a file? --until and --timeout decide
 * otherwise. Input without a byte (/dev/null) types nothing: the console listens on. */
static bool is_answered(const struct dph_cli *cli, const struct terminal *terminal)
{
	return terminal->ended && !terminal->until.wanted && cli->timeout_s <= 0 &&
	       dp_clock_ms() - terminal->busy_ms >= ANSWERED_MS;
}

static int relay(const struct dph_cli *cli, struct dp_session *session, struct terminal *terminal)
{
	const uint64_t start = dp_clock_ms();
	const uint64_t limit_ms = (uint64_t)(cli->timeout_s * 1000);

	while (type(session, terminal) && (terminal->pty || !dph_output_unread(stdout))) {
		if (!dp_session_listen(session, POLL_MS))
			return dph_target_failed(cli, session);
		dph_until_pause(&terminal->until);
		if (terminal->until.seen || is_answered(cli, terminal))
			return DPH_EXIT_DONE;
		if (limit_ms == 0 || dp_clock_ms() - start < limit_ms)
			continue;
		if (!terminal->until.wanted)
			return DPH_EXIT_DONE;
		dph_cli_error(cli,
			      "timed out after %g s: no line of the console matched --until '%s'",
			      cli->timeout_s, cli->until);
		return DPH_EXIT_TIMEOUT;
	}
	return dp_session_failure(session)->kind == DP_FAILED_NOT ? DPH_EXIT_DONE
								  : dph_target_failed(cli, session);
}

int dph_cmd_console(const struct dph_cli *cli)
{
	struct terminal terminal = {.in = -1, .quiet = cli->quiet};
	const struct dp_listener listener = {
		.context = &terminal,
		.console = on_console,
		.stream = on_stream,
		.settled = on_settled,
	};
	struct dp_session *session;
	int status;

	if (!dph_until_init(&terminal.until, cli, &status))
		return status;
	session = dph_target_attach(cli, &listener, &status);
	if (session == NULL) {
		dph_until_free(&terminal.until);
		return status;
	}
	if (!dph_cli_has(cli, DPH_OPT_PTY))
		open_stdio(&terminal);
	if (!dph_cli_has(cli, DPH_OPT_PTY)) /* a pseudo terminal is a line for another program */
		dph_console_text_init(&terminal.text, cli, STDOUT_FILENO);
	status = DPH_EXIT_USAGE;
	if (!dph_cli_has(cli, DPH_OPT_PTY) || open_pty(cli, &terminal))
		status = relay(cli, session, &terminal);
	dph_console_text_end(&terminal.text, put, &terminal);
	if (terminal.raw)
		tcsetattr(STDIN_FILENO, TCSANOW, &terminal.before);
	if (terminal.left_out > 0 && !terminal.quiet)
		fprintf(stderr, "dprobes: %lu line(s) of records were discarded\n",
			terminal.left_out);
	dp_session_close(session);
	dph_until_free(&terminal.until);
	return status;
}

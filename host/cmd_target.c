/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include "cmd_target.h"

#include "dp_record.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/time.h>
#include <unistd.h>

volatile sig_atomic_t dp_interrupted;
static volatile sig_atomic_t timed_out; /* the interrupt was --timeout */

enum {
	SAME_WISH_MS = 1000,
	SAME_KEY_MS = 200, /* ^C twice is one wish only when no finger can do it */
};

static volatile sig_atomic_t wishes, clearing_up;
static uint64_t wish_ms; /* the handler's own: it is not interrupted by itself */
static const char *volatile left_behind;

static void on_signal(int number)
{
	const uint64_t now = dp_clock_ms();

	if (wishes > 0 && now - wish_ms < (number == SIGINT ? SAME_KEY_MS : SAME_WISH_MS))
		return;
	wish_ms = now;
	wishes = wishes > 0 ? 2 : 1;
	if (clearing_up && wishes == 1)
		return;
	if (dp_interrupted) {
		if (left_behind != NULL &&
		    write(STDERR_FILENO, left_behind, strlen(left_behind)) < 0)
			_exit(DP_EXIT_USAGE); /* there is no other place to say it */
		_exit(128 + number);
	}
	dp_interrupted = 1;
}

void dp_target_clear_up(void)
{
	clearing_up = 1;
	if (wishes < 2)
		dp_interrupted = 0;
}

void dp_target_leaves(const char *line)
{
	left_behind = line;
}

static void catch_signals(void)
{
	struct sigaction action = {.sa_handler = on_signal}, before;

	sigaddset(&action.sa_mask, SIGINT);
	sigaddset(&action.sa_mask, SIGTERM);
	sigaddset(&action.sa_mask, SIGHUP);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, NULL, &before);
	if (before.sa_handler != SIG_IGN) /* nohup */
		sigaction(SIGHUP, &action, NULL);
	signal(SIGPIPE, SIG_IGN); /* a closed reader is an error of fwrite */
}

static void on_alarm(int number)
{
	(void)number;
	timed_out = dp_interrupted = 1;
}

/* For commands that only ask: whoever listens looks at the clock himself. */
static void limit_time(double seconds)
{
	const struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
	struct itimerval timer = {.it_value.tv_sec = (time_t)seconds};

	/* Never 0, which would be no limit. */
	timer.it_value.tv_usec = 1 + (suseconds_t)((seconds - (double)(time_t)seconds) * 999998);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
}

int dp_failure_status(const struct dp_failure *failure)
{
	switch (failure->kind) {
	case DP_FAILED_NOT:
		return DP_EXIT_DONE;
	case DP_FAILED_LINK:
		return DP_EXIT_LINK;
	case DP_FAILED_AGENT:
		return DP_EXIT_AGENT;
	case DP_FAILED_VERIFIER:
		return DP_EXIT_REFUSED;
	case DP_FAILED_INTERRUPTED:
		return timed_out ? DP_EXIT_TIMEOUT : DP_EXIT_INTERRUPT;
	}
	return DP_EXIT_LINK;
}

static int say_failure(const struct dp_cli *cli, const struct dp_failure *failure)
{
	if (failure->kind != DP_FAILED_INTERRUPTED)
		dp_cli_error(cli, "%s", failure->text);
	else if (timed_out)
		dp_cli_error(cli, "gave up after %g s", cli->timeout_s);
	return dp_failure_status(failure);
}

static struct dp_session *open_line(const struct dp_cli *cli, const struct dp_listener *listener,
				    bool mute, int *status)
{
	struct dp_session_options options = {
		.url = cli->port,
		.baud = cli->baud,
		.rights = cli->write ? 1 : 0,
		.interrupt = &dp_interrupted,
		.mute = mute,
	};
	struct dp_failure failure;
	struct dp_session *session;

	if (cli->port == NULL) {
		*status = dp_cli_usage(cli, "no line to the target: give --port URL, or set "
					    "DPROBES_PORT");
		return NULL;
	}
	if (listener != NULL)
		options.listener = *listener;
	catch_signals();
	if (cli->timeout_s > 0 && !mute && options.listener.stream == NULL)
		limit_time(cli->timeout_s);
	session = dp_session_open(&options, &failure);
	if (session == NULL)
		*status = say_failure(cli, &failure);
	return session;
}

struct dp_session *dp_target_open(const struct dp_cli *cli, const struct dp_listener *listener,
				  int *status)
{
	return open_line(cli, listener, false, status);
}

struct dp_session *dp_target_attach(const struct dp_cli *cli, const struct dp_listener *listener,
				    int *status)
{
	return open_line(cli, listener, true, status);
}

int dp_target_failed(const struct dp_cli *cli, const struct dp_session *session)
{
	return say_failure(cli, dp_session_failure(session));
}

const char *dp_log_line_name(uint8_t target)
{
	switch (target) {
	case DP_LOG_COM1:
		return "com1";
	case DP_LOG_COM2:
		return "com2";
	default:
		return "nowhere";
	}
}

const char *dp_items_text(uint8_t items, char *text)
{
	char *p = text;

	*p = '\0';
#define ITEM(bit, name, word, bytes)                                                               \
	if (items & (bit))                                                                         \
		p += sprintf(p, "%s%s", p == text ? "" : ",", word);
#include "items.def"
	return text;
}

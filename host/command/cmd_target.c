/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions open a session and report its failures for the commands that use a target. */
#define _GNU_SOURCE
#include "cmd_target.h"
#include "own_service.h"

#include <dprobes/boards.h>

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/time.h>
#include <unistd.h>

volatile sig_atomic_t dph_interrupted;
static volatile sig_atomic_t timed_out; /* the interrupt was --timeout */

enum {
	SAME_WISH_MS = 1000,
	SAME_KEY_MS = 200, /* ^C twice is one wish only when no finger can do it */
};

static volatile sig_atomic_t wishes, clearing_up;
static uint64_t wish_ms; /* the handler's own: no signal interrupts the handler */
static const char *volatile left_behind;

static void on_signal(int number)
{
	const uint64_t now = dp_clock_ms();
	const bool typed = number == SIGINT || number == SIGQUIT;

	if (wishes > 0 && now - wish_ms < (typed ? SAME_KEY_MS : SAME_WISH_MS))
		return;
	wish_ms = now;
	wishes = wishes > 0 ? 2 : 1;
	if (clearing_up && wishes == 1)
		return;
	if (dph_interrupted) {
		if (left_behind != NULL &&
		    write(STDERR_FILENO, left_behind, strlen(left_behind)) < 0)
			_exit(DPH_EXIT_USAGE); /* there is no other place to say it */
		_exit(128 + number);
	}
	dph_interrupted = 1;
}

void dph_target_clear_up(void)
{
	clearing_up = 1;
	if (wishes < 2)
		dph_interrupted = 0;
}

void dph_target_leaves(const char *line)
{
	left_behind = line;
}

/* All signals that end a process and that somebody may send. SIGKILL cannot be caught; signals of
 * faults end the process as they must. */
static const int wishes_to_end[] = {SIGINT,  SIGTERM, SIGHUP,    SIGQUIT, SIGUSR1, SIGUSR2,
				    SIGALRM, SIGPROF, SIGVTALRM, SIGXCPU, SIGXFSZ, SIGPWR};

void dph_target_catch_signals(void)
{
	struct sigaction action = {.sa_handler = on_signal}, before;
	const size_t count = sizeof wishes_to_end / sizeof wishes_to_end[0];

	for (size_t i = 0; i < count; i++)
		sigaddset(&action.sa_mask, wishes_to_end[i]);
	for (size_t i = 0; i < count; i++) {
		const int number = wishes_to_end[i];
		const bool always = number == SIGINT || number == SIGQUIT || number == SIGTERM;

		sigaction(number, NULL, &before);
		/* nohup ignores SIGHUP; a shell ignores SIGINT and SIGQUIT for its jobs in the
		 * background. */
		if (before.sa_handler == SIG_DFL || (before.sa_handler == SIG_IGN && always))
			sigaction(number, &action, NULL);
	}
	signal(SIGPIPE, SIG_IGN); /* a closed reader is an error of fwrite */
}

static void on_alarm(int number)
{
	(void)number;
	timed_out = dph_interrupted = 1;
}

/* For commands that only send requests: commands that listen have a clock of their own. */
static void limit_time(double seconds)
{
	const struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
	struct itimerval timer = {.it_value.tv_sec = (time_t)seconds};

	/* Never 0, which would be no limit. */
	timer.it_value.tv_usec = 1 + (suseconds_t)((seconds - (double)(time_t)seconds) * 999998);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
}

int dph_failure_status(const struct dp_failure *failure)
{
	switch (failure->kind) {
	case DP_FAILED_NOT:
		return DPH_EXIT_DONE;
	case DP_FAILED_LINK:
		return DPH_EXIT_LINK;
	case DP_FAILED_AGENT:
		return DPH_EXIT_AGENT;
	case DP_FAILED_VERIFIER:
		return DPH_EXIT_REFUSED;
	case DP_FAILED_INTERRUPTED:
		return timed_out ? DPH_EXIT_TIMEOUT : DPH_EXIT_INTERRUPT;
	}
	return DPH_EXIT_LINK;
}

int dph_target_say(const struct dph_cli *cli, const struct dp_failure *failure)
{
	if (failure->kind != DP_FAILED_INTERRUPTED)
		dph_cli_error(cli, "%s", failure->text);
	else if (timed_out)
		dph_cli_error(cli, "timed out after %g s: %s", cli->timeout_s, failure->text);
	return dph_failure_status(failure);
}

static void on_waiting(void *context, const char *sentence)
{
	const struct dph_cli *cli = context;

	if (!cli->quiet)
		fprintf(stderr, "dprobes: %s\n", sentence);
}

enum use {
	USE_PLAIN,
	USE_TEMPORARY, /* what the command installs goes with the command */
	USE_MUTE,
};

static struct dp_session *open_line(const struct dph_cli *cli, unsigned rights,
				    const struct dp_listener *listener, enum use use, int *status,
				    struct dp_failure *failure)
{
	struct dp_session_options options = {
		.url = cli->port,
		.baud = cli->baud,
		.dtr = cli->dtr,
		.rts = cli->rts,
		.rights = (uint8_t)(rights | (cli->write ? DP_RIGHT_WRITE : 0) |
				    (dph_cli_has(cli, DPH_OPT_TAKE) ? DP_RIGHT_TAKE : 0)),
		.interrupt = &dph_interrupted,
		.mute = use == USE_MUTE,
		.temporary = use == USE_TEMPORARY,
		.purpose = cli->command,
		.waiting = on_waiting,
		.waiting_context = (void *)cli,
	};
	uint8_t key[DP_KEY_FILE_BYTES];
	struct dp_session *session;

	*failure = (struct dp_failure){.kind = DP_FAILED_NOT};
	if (cli->port == NULL && cli->port_refused != NULL) {
		*status = dph_cli_usage(cli, "%s", cli->port_refused);
		return NULL;
	}
	if (cli->port == NULL) {
		*status = dph_cli_usage(cli, "no line to the target: give --port URL, or set "
					     "DPROBES_PORT");
		return NULL;
	}
	if (listener != NULL)
		options.listener = *listener;
	if (cli->key != NULL && !options.mute) {
		struct dp_messages messages = {0};

		options.key = dp_key_file_read(cli->key, key, &messages) ? key : NULL;
		dph_cli_report(cli, &messages);
		if (options.key == NULL) {
			*status = DPH_EXIT_USAGE;
			return NULL;
		}
	}
	dph_target_catch_signals();
	if (cli->timeout_s > 0 && !options.mute && options.listener.stream == NULL)
		limit_time(cli->timeout_s);
	if (cli->serve)
		dph_own_service_start(cli);
	session = dp_session_open(&options, failure);
	explicit_bzero(key, sizeof key);
	if (session == NULL)
		*status = dph_failure_status(failure);
	return session;
}

/* Open the line, or say why not. */
static struct dp_session *open_or_say(const struct dph_cli *cli, unsigned rights,
				      const struct dp_listener *listener, enum use use, int *status)
{
	struct dp_failure failure;
	struct dp_session *session = open_line(cli, rights, listener, use, status, &failure);

	if (session == NULL && failure.kind != DP_FAILED_NOT)
		dph_target_say(cli, &failure);
	if (session == NULL && failure.kind == DP_FAILED_LINK)
		dph_cli_tell_source(cli, cli->port);
	return session;
}

struct dp_session *dph_target_open(const struct dph_cli *cli, unsigned rights,
				   const struct dp_listener *listener, int *status)
{
	return open_or_say(cli, rights, listener, USE_PLAIN, status);
}

struct dp_session *dph_target_open_temporary(const struct dph_cli *cli, unsigned rights,
					     const struct dp_listener *listener, int *status)
{
	return open_or_say(cli, rights, listener, USE_TEMPORARY, status);
}

struct dp_session *dph_target_try(const struct dph_cli *cli, unsigned rights,
				  const struct dp_listener *listener, int *status,
				  struct dp_failure *failure)
{
	return open_line(cli, rights, listener, USE_TEMPORARY, status, failure);
}

struct dp_session *dph_target_attach(const struct dph_cli *cli, const struct dp_listener *listener,
				     int *status)
{
	return open_or_say(cli, 0, listener, USE_MUTE, status);
}

int dph_target_failed(const struct dph_cli *cli, const struct dp_session *session)
{
	return dph_target_say(cli, dp_session_failure(session));
}

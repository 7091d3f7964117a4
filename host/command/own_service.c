/* SPDX-License-Identifier: BSD-2-Clause */
/* A service that a command starts is a fork of the command with a command line of its own. */
#define _GNU_SOURCE
#include "own_service.h"

#include "cli_parse.h"
#include "cmd_target.h"
#include "wire/service_link.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	WORDS_MAX = 32,
	READY_FD = 3, /* open until clients may come */
	BOARDS_MAX = 64,
	LOOK_MS = 100,
};

#define LOCK_TAIL ".lock" /* in place of the socket's */

static bool is_started; /* this process is a service that a command has started */

struct words {
	char *list[WORDS_MAX];
	int count;
};

static void add(struct words *words, const char *word)
{
	if (words->count + 1 < WORDS_MAX)
		words->list[words->count++] = (char *)word;
}

static void add_value(struct words *words, const char *option, const char *value)
{
	if (value == NULL)
		return;
	add(words, option);
	add(words, value);
}

static const char *word_of(enum dp_modem_line line)
{
	return line == DP_MODEM_LEAVE ? NULL : line == DP_MODEM_ON ? "on" : "off";
}

/* --- serve = yes --- */

/* The rights of the service bound those of its clients, who ask for --write one by one: the first
 * command decides for none of the later ones. */
static int serve_line(const struct dph_cli *cli)
{
	struct words words = {.list = {(char *)"dprobes", (char *)"serve"}, .count = 2};
	char baud[16];

	snprintf(baud, sizeof baud, "%u", cli->baud);
	add_value(&words, "--board", dph_cli_get(cli, DPH_OPT_BOARD));
	add_value(&words, "--port", cli->port);
	add_value(&words, "--baud", cli->baud > 0 ? baud : NULL);
	add_value(&words, "--key", cli->key);
	add_value(&words, "--dtr", word_of(cli->dtr));
	add_value(&words, "--rts", word_of(cli->rts));
	add(&words, "--write");
	if (dph_cli_has(cli, DPH_OPT_TAKE))
		add(&words, "--take");
	add(&words, "--quiet");
	is_started = true;
	prctl(PR_SET_NAME, "dprobes serve"); /* its command line is that of the command */
	return dph_cli_main(words.count, words.list);
}

/* Leave the terminal and the files of the command. */
static void leave(int ready)
{
	const int nothing = open("/dev/null", O_RDWR);

	setsid();
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		dup2(nothing, fd);
	dup2(ready, READY_FD);
	close_range(READY_FD + 1, ~0U, 0);
}

static bool has_service(const struct dph_cli *cli)
{
	char path[DPH_SERVICE_PATH_BYTES], why[256];
	int fd;

	if (!dph_service_path(cli->port, path, sizeof path))
		return true; /* no service can own such a line */
	fd = dph_service_connect(path, why, sizeof why);
	if (fd >= 0)
		close(fd);
	return fd >= 0 || why[0] != '\0';
}

/* Wait until no other command starts the service of this line. Returns the lock; -1: none. */
static int lock_start(const struct dph_cli *cli)
{
	char path[DPH_SERVICE_PATH_BYTES], folder[DPH_SERVICE_PATH_BYTES];
	int fd;

	if (!dph_service_path(cli->port, path, sizeof path) ||
	    !dph_service_folder(folder, sizeof folder))
		return -1;
	mkdir(folder, S_IRWXU);
	if (!dph_service_is_private(folder))
		return -1; /* the service says so */
	memcpy(path + strlen(path) - (sizeof LOCK_TAIL - 1), LOCK_TAIL, sizeof LOCK_TAIL);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
	while (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0 && !dph_interrupted)
		poll(NULL, 0, LOOK_MS);
	return fd;
}

/* Wait until the service is ready or has ended, or the command's time is over. */
static void wait_for_service(int ready)
{
	struct pollfd poller = {.fd = ready, .events = POLLIN};

	while (poll(&poller, 1, LOOK_MS) <= 0 && !dph_interrupted)
		;
}

static void start(const struct dph_cli *cli)
{
	int ready[2];
	pid_t child;

	if (pipe2(ready, O_CLOEXEC) != 0)
		return;
	fflush(NULL); /* the child has no use for what waits */
	child = fork();
	if (child == 0) {
		if (fork() != 0)
			_exit(0); /* the service is nobody's child */
		leave(ready[1]);
		_exit(serve_line(cli));
	}
	close(ready[1]);
	while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	if (child > 0)
		wait_for_service(ready[0]);
	close(ready[0]);
}

void dph_own_service_start(const struct dph_cli *cli)
{
	int lock;

	if (has_service(cli))
		return;
	lock = lock_start(cli);
	if (!dph_interrupted && !has_service(cli)) /* another command has started it meanwhile */
		start(cli);
	if (lock >= 0)
		close(lock);
}

void dph_own_service_ready(void)
{
	if (is_started)
		close(READY_FD);
}

/* --- several boards --- */

size_t dph_own_service_count(const struct dph_cli *cli)
{
	size_t count = 0;

	for (size_t i = 0; i < cli->value_count; i++)
		count += cli->values[i].option == DPH_OPT_BOARD;
	return count;
}

static int serve_board(const struct dph_cli *cli, const char *board)
{
	static const struct {
		enum dph_cli_option option;
		const char *word;
	} plain[] = {{DPH_OPT_KEEP, "--keep"},   {DPH_OPT_WRITE, "--write"},
		     {DPH_OPT_TAKE, "--take"},   {DPH_OPT_STOP, "--stop"},
		     {DPH_OPT_QUIET, "--quiet"}, {DPH_OPT_VERBOSE, "--verbose"}};
	struct words words = {.list = {(char *)"dprobes", (char *)"serve"}, .count = 2};

	add_value(&words, "--board", board);
	add_value(&words, "--timeout", dph_cli_get(cli, DPH_OPT_TIMEOUT));
	for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
		if (dph_cli_has(cli, plain[i].option))
			add(&words, plain[i].word);
	return dph_cli_main(words.count, words.list);
}

static pid_t start_board(const struct dph_cli *cli, const char *board)
{
	const pid_t parent = getpid(), child = fork();

	if (child != 0)
		return child;
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(DPH_EXIT_INTERRUPT);
	_exit(serve_board(cli, board));
}

static void end_all(const pid_t *children, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (children[i] > 0)
			kill(children[i], SIGTERM);
}

/* Note the end of a child. Returns the status of all: the first that is no success. */
static int note_end(pid_t *children, size_t count, pid_t ended, int how, int status)
{
	for (size_t i = 0; i < count; i++)
		if (children[i] == ended)
			children[i] = 0;
	if (status != DPH_EXIT_DONE)
		return status;
	return WIFEXITED(how) ? WEXITSTATUS(how) : DPH_EXIT_LINK;
}

/* Wait for all. The user's wish to end goes to each of them, and may come between two looks. */
static int wait_for_all(pid_t *children, size_t count, int status)
{
	bool told = false;
	int how;

	for (pid_t ended; (ended = waitpid(-1, &how, WNOHANG)) >= 0;) {
		if (ended > 0)
			status = note_end(children, count, ended, how, status);
		if (dph_interrupted && !told)
			end_all(children, count);
		told = dph_interrupted;
		if (ended == 0)
			poll(NULL, 0, LOOK_MS);
	}
	return status;
}

int dph_own_service_boards(const struct dph_cli *cli)
{
	pid_t children[BOARDS_MAX];
	size_t count = 0;
	int status = DPH_EXIT_DONE;

	if (dph_own_service_count(cli) > BOARDS_MAX)
		return dph_cli_usage(cli, "a command serves at most %d boards", BOARDS_MAX);
	if (dph_cli_has(cli, DPH_OPT_PORT) || dph_cli_has(cli, DPH_OPT_KEY) ||
	    dph_cli_has(cli, DPH_OPT_BAUD) || dph_cli_has(cli, DPH_OPT_DTR) ||
	    dph_cli_has(cli, DPH_OPT_RTS) || dph_cli_has(cli, DPH_OPT_LISTEN))
		return dph_cli_usage(cli,
				     "with several boards, port, speed, modem lines and key "
				     "are those of dprobes.conf, and --listen serves one board");
	dph_target_catch_signals();
	fflush(NULL);
	for (size_t i = 0; i < cli->value_count; i++) {
		if (cli->values[i].option != DPH_OPT_BOARD)
			continue;
		children[count] = start_board(cli, cli->values[i].value);
		if (children[count++] < 0) {
			dph_cli_error(cli, "cannot serve %s: %s", cli->values[i].value,
				      strerror(errno));
			status = DPH_EXIT_USAGE;
		}
	}
	return wait_for_all(children, count, status);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* gdb's command `monitor` runs a command of `dprobes` for the same line and ELF file, as a process.
 */
#define _GNU_SOURCE
#include "gdb_target.h"

#include "base/pool.h"
#include "cli_parse.h"
#include "wire/service_link.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	WORDS_MAX = 64,
	PIECE = 1024
};

struct words {
	char *list[WORDS_MAX + 1];
	int count;
};

static void say(const struct dph_gdb_console *console, const char *sentence)
{
	console->print(console->context, sentence, strlen(sentence));
	console->print(console->context, "\n", 1);
}

/* Part a command at spaces; quotes keep them. Returns false: there are too many words, or a quote
 * is not closed. */
static bool part(char *text, struct words *words)
{
	while (*text != '\0') {
		char *to = text, quote = '\0';

		if (*text == ' ') {
			text++;
			continue;
		}
		if (words->count == WORDS_MAX)
			return false;
		words->list[words->count++] = to;
		for (; *text != '\0' && (quote != '\0' || *text != ' '); text++) {
			if (quote == '\0' && (*text == '"' || *text == '\''))
				quote = *text;
			else if (*text == quote)
				quote = '\0';
			else
				*to++ = *text;
		}
		if (quote != '\0')
			return false;
		text += *text != '\0';
		*to = '\0';
	}
	return true;
}

static void set(const char *name, const char *value)
{
	if (value != NULL)
		setenv(name, value, 1);
}

/* The line and the files of this command are those of the other one, too. */
static void hand_on(const struct dph_cli *cli)
{
	char baud[16];

	snprintf(baud, sizeof baud, "%u", cli->baud);
	set("DPROBES_BOARD", dph_cli_get(cli, DPH_OPT_BOARD));
	set("DPROBES_PORT", cli->port);
	set("DPROBES_ELF", cli->elf);
	set("DPROBES_KEY", cli->key);
	set("DPROBES_BAUD", cli->baud > 0 ? baud : NULL);
}

static void run(const struct dph_cli *cli, struct words *words, int out)
{
	const int nothing = open("/dev/null", O_RDWR);
	int status;

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	setpgid(0, 0);
	signal(SIGINT, SIG_DFL);
	dph_interrupted = 0;
	dup2(nothing, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(out, STDERR_FILENO);
	close_range(STDERR_FILENO + 1, ~0U, 0);
	hand_on(cli);
	status = dph_cli_main(words->count, words->list);
	fflush(NULL);
	_exit(status);
}

/* Copy what the command prints. A byte of gdb beside acknowledgements ends the command: ^C, or the
 * next request of a user who has left this one. */
static void copy(struct dph_gdb_firmware *firmware, int out, pid_t child,
		 const struct dph_gdb_console *console)
{
	char text[PIECE];
	bool ended = false;

	for (;;) {
		struct pollfd pollers[] = {
			{.fd = out, .events = POLLIN},
			{.fd = ended ? -1 : firmware->gdb.fd, .events = POLLIN},
			/* A line whose target is gone is ready for ever. */
			{.fd = firmware->ended ? -1 : dp_session_fd(firmware->session),
			 .events = POLLIN},
		};
		const bool any = poll(pollers, sizeof pollers / sizeof pollers[0], -1) > 0;
		const ssize_t count =
			any && pollers[0].revents != 0 ? read(out, text, sizeof text) : -1;

		if (count == 0)
			return;
		if (count > 0)
			console->print(console->context, text, (size_t)count);
		if (any && pollers[2].revents != 0)
			dph_gdb_firmware_listen(firmware);
		if (!ended && (dph_interrupted || firmware->gdb.asks(firmware->gdb.context))) {
			kill(child, SIGINT);
			ended = true;
		}
	}
}

static bool start(struct dph_gdb_firmware *firmware, struct words *words,
		  const struct dph_gdb_console *console)
{
	int out[2], how = 0;
	pid_t child;

	if (pipe2(out, O_CLOEXEC) != 0) {
		say(console, strerror(errno));
		return false;
	}
	fflush(NULL); /* the child has no use for what waits */
	child = fork();
	if (child == 0)
		run(firmware->cli, words, out[1]);
	close(out[1]);
	if (child > 0)
		copy(firmware, out[0], child, console);
	else
		say(console, strerror(errno));
	close(out[0]);
	while (child > 0 && waitpid(child, &how, 0) < 0 && errno == EINTR)
		;
	return child > 0 && WIFEXITED(how) && WEXITSTATUS(how) == 0;
}

bool dph_gdb_run_command(void *context, const char *command, const struct dph_gdb_console *console)
{
	struct dph_gdb_firmware *firmware = context;
	struct words words = {.list = {(char *)"dprobes"}, .count = 1};
	char path[DPH_SERVICE_PATH_BYTES], *text = dph_strdup(command);
	bool good = false;

	if (!part(text, &words))
		say(console, "the command has an open quote, or too many words");
	else if (words.count == 1)
		say(console, "'monitor help' lists the commands");
	else if (strcmp(words.list[1], "gdb") == 0)
		say(console, "gdb is connected already");
	else if (!dph_service_path(firmware->cli->port, path, sizeof path))
		say(console, "no other command can use such a line at a time");
	else
		good = start(firmware, &words, console);
	free(text);
	return good;
}

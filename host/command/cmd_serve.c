/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes serve owns the line of a board, so that several commands use the board at a time. */
#define _GNU_SOURCE
#include "cmd.h"

#include "cmd_direct.h"
#include "own_service.h"
#include "service/service.h"
#include "wire/holder.h"
#include "wire/service_link.h"

#include <dprobes/boards.h>
#include <dprobes/ports.h>

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>

enum {
	LINGER_MS = 60000,
	STOP_MS = 15000,
	LOOK_MS = 20,
	LISTEN_MAX = 8,
};

static void say(void *context, const char *sentence)
{
	const struct dph_cli *cli = context;

	if (!cli->quiet)
		fprintf(stderr, "dprobes: %s\n", sentence);
}

static void ready(void *context, const char *path)
{
	const struct dph_cli *cli = context;

	dph_own_service_ready();
	if (!cli->quiet)
		fprintf(stderr, "dprobes: serving %s; commands with this port use it at a time\n",
			cli->port);
	if (cli->verbose)
		fprintf(stderr, "dprobes: the socket is %s\n", path);
}

/* Print each service of this user, and its clients. */
static int show(const struct dph_cli *cli)
{
	size_t count;
	struct dp_service *services = dp_services_list(&count);

	for (size_t i = 0; i < count; i++) {
		const char *url = strtok(services[i].state, "\n"), *line;

		printf("%s: dprobes serve (pid %ld)\n", url != NULL ? url : services[i].path,
		       services[i].pid);
		while ((line = strtok(NULL, "\n")) != NULL)
			printf("  %s\n", line);
	}
	if (count == 0 && !cli->quiet)
		fprintf(stderr, "dprobes: no service runs\n");
	dp_services_free(services, count);
	return DPH_EXIT_DONE;
}

/* End the service of the line, as SIGTERM ends it, and wait until the line is free. */
static int stop(const struct dph_cli *cli)
{
	char path[DPH_SERVICE_PATH_BYTES], state[DPH_SERVICE_BYTES];
	const long pid = dph_service_path(cli->port, path, sizeof path)
				 ? dph_service_ask(path, state, sizeof state)
				 : 0;

	if (pid == 0) {
		dph_cli_error(cli,
			      "no service owns %s; 'dprobes serve --status' prints the "
			      "services",
			      cli->port);
		return DPH_EXIT_LINK;
	}
	if (kill((pid_t)pid, SIGTERM) != 0) {
		dph_cli_error(cli, "the service of %s (pid %ld) cannot be ended: %s", cli->port,
			      pid, strerror(errno));
		return DPH_EXIT_LINK;
	}
	for (unsigned ms = 0; !dph_process_has_ended(pid); ms += LOOK_MS) {
		if (ms >= STOP_MS) {
			dph_cli_error(cli,
				      "the service of %s (pid %ld) has not ended after %u s: its "
				      "target does not answer",
				      cli->port, pid, STOP_MS / 1000);
			return DPH_EXIT_LINK;
		}
		poll(NULL, 0, LOOK_MS);
	}
	if (!cli->quiet)
		fprintf(stderr, "dprobes: the service of %s (pid %ld) has ended\n", cli->port, pid);
	return DPH_EXIT_DONE;
}

/* Collect the values of --listen. Returns their number, of which there may be more than places. */
static size_t listens(const struct dph_cli *cli, const char *listen[LISTEN_MAX])
{
	size_t count = 0;

	for (size_t i = 0; i < cli->value_count; i++) {
		if (cli->values[i].option != DPH_OPT_LISTEN)
			continue;
		if (count < LISTEN_MAX)
			listen[count] = cli->values[i].value;
		count++;
	}
	return count;
}

static int serve(const struct dph_cli *cli, const uint8_t *key)
{
	const char *listen[LISTEN_MAX];
	const size_t listen_count = listens(cli, listen);
	struct dph_service_options options = {
		.line = {.url = cli->port,
			 .baud = cli->baud,
			 .dtr = cli->dtr,
			 .rts = cli->rts,
			 .rights = (uint8_t)(DP_RIGHT_LOOK | DP_RIGHT_LOG | DP_RIGHT_INSERT |
					     (cli->write ? DP_RIGHT_WRITE : 0) |
					     (dph_cli_has(cli, DPH_OPT_TAKE) ? DP_RIGHT_TAKE : 0)),
			 .key = key,
			 .interrupt = &dph_interrupted},
		.keep = dph_cli_has(cli, DPH_OPT_KEEP) || listen_count > 0,
		.listen = listen,
		.listen_count = listen_count,
		.linger_ms = cli->timeout_s > 0 ? (unsigned)(cli->timeout_s * 1000) : LINGER_MS,
		.say = say,
		.ready = ready,
		.context = (void *)cli,
	};
	struct dp_failure failure;
	int status;

	if (!dph_direction_form(cli, &options.compact, &status))
		return status;
	if (listen_count > LISTEN_MAX)
		return dph_cli_usage(cli, "a service listens at most at %d addresses", LISTEN_MAX);
	dph_target_catch_signals();
	if (dph_service_run(&options, &failure) && failure.kind == DP_FAILED_NOT)
		return DPH_EXIT_DONE;
	dph_target_say(cli, &failure);
	return dph_failure_status(&failure);
}

int dph_cmd_serve(const struct dph_cli *cli)
{
	uint8_t key[DP_KEY_FILE_BYTES];
	struct dp_messages messages = {0};
	bool good = true;
	int status;

	if (dph_cli_has(cli, DPH_OPT_STATUS))
		return show(cli);
	if (dph_own_service_count(cli) > 1)
		return dph_own_service_boards(cli);
	if (cli->port == NULL)
		return dph_cli_usage(cli, "%s",
				     cli->port_refused != NULL
					     ? cli->port_refused
					     : "no line to the target: give --port URL, or set "
					       "DPROBES_PORT");
	if (dph_cli_has(cli, DPH_OPT_STOP))
		return stop(cli);
	if (cli->key != NULL) {
		good = dp_key_file_read(cli->key, key, &messages);
		dph_cli_report(cli, &messages);
	}
	status = good ? serve(cli, cli->key != NULL ? key : NULL) : DPH_EXIT_USAGE;
	explicit_bzero(key, sizeof key);
	return status;
}

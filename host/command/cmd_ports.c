/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes ports lists the serial ports, the processes that hold them, and with --ask the agent
 * on each. */
#define _GNU_SOURCE
#include "cmd.h"

#include "cmd_target.h"

#include <dprobes/ports.h>

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	ASK_MS = 1000,
	ASK_MAX_MS = 3600000
};

static unsigned silence_ms(const struct dph_cli *cli)
{
	const double ms = cli->timeout_s * 1000;

	return ms <= 0 ? ASK_MS : ms < 1 ? 1 : ms > ASK_MAX_MS ? ASK_MAX_MS : (unsigned)ms;
}

/* Send HELLO on a port that no process holds. Returns false after ^C. */
static bool ask(const struct dph_cli *cli, struct dp_sink *sink, const struct dp_port *port)
{
	const struct dp_session_options options = {
		.url = port->device,
		.baud = cli->baud,
		.dtr = cli->dtr,
		.rts = cli->rts,
		.interrupt = &dph_interrupted,
		.silence_ms = silence_ms(cli),
	};
	struct dp_failure failure;
	struct dp_session *session = dp_session_open(&options, &failure);

	const struct dp_port_view view = {
		.port = port,
		.asked = true,
		.hello = session != NULL ? dp_session_target(session) : NULL,
		.failure = session == NULL ? failure.text : NULL,
	};

	if (failure.kind != DP_FAILED_INTERRUPTED)
		dp_sink_reading(sink, DP_READING_PORT, &view);
	dp_session_close(session);
	return failure.kind != DP_FAILED_INTERRUPTED;
}

static int show(const struct dph_cli *cli, struct dp_sink *sink, const struct dp_port *ports,
		size_t count)
{
	const bool asking = dph_cli_has(cli, DPH_OPT_ASK);

	for (size_t i = 0; i < count; i++) {
		const struct dp_port_view view = {.port = &ports[i]};

		if (!asking || ports[i].held_by != NULL)
			dp_sink_reading(sink, DP_READING_PORT, &view);
		else if (!ask(cli, sink, &ports[i]))
			return DPH_EXIT_INTERRUPT;
	}
	return DPH_EXIT_DONE;
}

/* False when the folder that the user named is none, or may not be read. */
static bool is_folder(const struct dph_cli *cli, const char *names)
{
	struct stat status;

	if (names == NULL || (stat(names, &status) == 0 && S_ISDIR(status.st_mode) &&
			      access(names, R_OK | X_OK) == 0))
		return true;
	dph_cli_error(cli, "%s is no folder with names of ports: %s", names,
		      strerror(errno != 0 ? errno : ENOTDIR));
	return false;
}

int dph_cmd_ports(const struct dph_cli *cli)
{
	const char *names = cli->arg_count > 0 ? cli->args[0] : NULL;
	struct dp_port *ports;
	struct dp_sink *sink;
	size_t count;
	int status = DPH_EXIT_USAGE;
	FILE *out;

	if (!dph_cli_has(cli, DPH_OPT_ASK) &&
	    (dph_cli_has(cli, DPH_OPT_TIMEOUT) || dph_cli_has(cli, DPH_OPT_BAUD)))
		return dph_cli_usage(cli, "ports does nothing with --timeout and --baud without "
					  "--ask");
	errno = 0;
	if (!is_folder(cli, names))
		return DPH_EXIT_USAGE;
	out = dph_output_open(cli);
	if (out == NULL)
		return status;
	dph_target_catch_signals();
	sink = dph_output_sink(cli, out);
	ports = dp_ports_list(names, &count);
	if (count == 0 && !cli->quiet)
		fprintf(stderr, "dprobes: no serial port is in %s; is the adapter plugged in?\n",
			names != NULL ? names : "this machine");
	if (sink != NULL)
		status = show(cli, sink, ports, count);
	dp_ports_free(ports, count);
	dp_sink_close(sink);
	return dph_output_close(cli, out) || status != DPH_EXIT_DONE ? status : DPH_EXIT_USAGE;
}

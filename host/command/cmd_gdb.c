/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes gdb lets gdb look at a firmware that runs: a server of gdb's remote protocol. */
#define _GNU_SOURCE
#include "cmd.h"

#include "gdb/server.h"
#include "gdb_listen.h"
#include "gdb_target.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	PIECE = 4096,
	WAITING_MAX = 16384, /* bytes of gdb that come while a command runs */
	LOOK_MS = 100,       /* between two looks at the line */
	SEND_MS = 5000       /* that gdb may take nothing */
};

#define LISTEN_USUAL "localhost:3333"

struct connection {
	int in, out;
	bool dead;
	uint8_t waiting[WAITING_MAX];
	size_t waiting_bytes;
};

/* --- bytes ----------------------------------------------------------------------------------- */

/* Is it no end of the connection? */
static bool is_passing(int error)
{
	return error == EINTR || error == EAGAIN;
}

static void send_bytes(void *context, const uint8_t *bytes, size_t count)
{
	struct connection *c = context;

	while (count > 0 && !c->dead) {
		struct pollfd poller = {.fd = c->out, .events = POLLOUT};
		const size_t now = count < PIPE_BUF ? count : PIPE_BUF; /* a pipe takes it whole */
		const ssize_t sent = poll(&poller, 1, SEND_MS) == 0 ? 0 : write(c->out, bytes, now);

		if (sent > 0) {
			bytes += sent;
			count -= (size_t)sent;
		} else if (sent == 0 || !is_passing(errno)) {
			c->dead = true;
		}
	}
}

static bool is_readable(const struct connection *c)
{
	struct pollfd poller = {.fd = c->in, .events = POLLIN};

	return poll(&poller, 1, 0) > 0;
}

/* gdb has sent something while a command runs, or takes no more of what the command prints. */
static bool asks(void *context)
{
	struct connection *c = context;
	bool asked = c->dead;

	for (size_t i = 0; i < c->waiting_bytes; i++)
		asked = asked || c->waiting[i] != '+';
	while (!asked && is_readable(c)) {
		const size_t room = sizeof c->waiting - c->waiting_bytes;
		uint8_t *to = c->waiting + c->waiting_bytes;
		const ssize_t count = room > 0 ? read(c->in, to, room) : 0;

		if (count <= 0)
			return true;
		for (ssize_t i = 0; i < count; i++)
			asked = asked || to[i] != '+';
		c->waiting_bytes += (size_t)count;
	}
	return asked;
}

/* Returns false: gdb has ended the connection. */
static bool receive(struct connection *c, struct dph_gdb_server *server)
{
	uint8_t bytes[WAITING_MAX];
	ssize_t count = read(c->in, bytes, PIECE);

	if (count <= 0)
		return count < 0 && is_passing(errno);
	while (count > 0) {
		if (!dph_gdb_server_feed(server, bytes, (size_t)count))
			return false;
		count = (ssize_t)c->waiting_bytes;
		memcpy(bytes, c->waiting, c->waiting_bytes);
		c->waiting_bytes = 0;
	}
	return !c->dead;
}

static bool comes(const struct connection *c)
{
	struct pollfd poller = {.fd = c->in, .events = POLLIN};

	return !dph_interrupted && poll(&poller, 1, SEND_MS) > 0;
}

/* gdb's first packet is there, or comes soon: its answer tells why there is no connection. gdb
 * shows the answer when it has acknowledged it. */
static void refuse(struct connection *c, struct dph_gdb_server *server)
{
	uint8_t byte;

	while (comes(c) && receive(c, server))
		;
	if (comes(c) && read(c->in, &byte, sizeof byte) < 0)
		c->dead = true;
}

/* --- connections ----------------------------------------------------------------------------- */

/* Serve one gdb. Returns false: the user has ended the command. */
static bool serve(struct dph_gdb_firmware *firmware, int in, int out)
{
	struct connection c = {.in = in, .out = out};
	const struct dph_gdb_line line = {send_bytes, &c};
	struct dph_gdb_server *server = dph_gdb_server_open(&firmware->target, &line);
	bool open = true, interrupted;

	firmware->gdb.fd = in;
	firmware->gdb.asks = asks;
	firmware->gdb.context = &c;
	if (dph_gdb_server_refuses(server))
		refuse(&c, server);
	while (open && !dph_interrupted && dph_gdb_firmware_listen(firmware)) {
		struct pollfd pollers[] = {
			{.fd = in, .events = POLLIN},
			{.fd = dp_session_fd(firmware->session), .events = POLLIN},
		};

		if (poll(pollers, sizeof pollers / sizeof pollers[0], LOOK_MS) > 0 &&
		    pollers[0].revents != 0)
			open = receive(&c, server);
		dph_gdb_server_idle(server);
	}
	/* A program of tracepoints is removed in any case. */
	interrupted = dph_interrupted != 0;
	if (interrupted)
		dph_target_clear_up();
	dph_gdb_server_close(server);
	firmware->gdb.fd = -1;
	return !interrupted;
}

static void serve_each(struct dph_gdb_firmware *firmware, const struct dph_gdb_socket *there)
{
	while (!dph_interrupted && dph_gdb_firmware_listen(firmware)) {
		struct pollfd pollers[] = {
			{.fd = there->fd, .events = POLLIN},
			{.fd = dp_session_fd(firmware->session), .events = POLLIN},
		};
		bool more;
		int fd;

		if (poll(pollers, sizeof pollers / sizeof pollers[0], LOOK_MS) <= 0 ||
		    pollers[0].revents == 0)
			continue;
		fd = dph_gdb_accept(there);
		if (fd < 0)
			continue;
		more = serve(firmware, fd, fd);
		close(fd);
		if (!more)
			return;
	}
}

static int serve_socket(struct dph_gdb_firmware *firmware)
{
	const struct dph_cli *cli = firmware->cli;
	const char *where = dph_cli_get(cli, DPH_OPT_LISTEN);
	struct dph_gdb_socket there;
	char why[512];
	const bool good =
		dph_gdb_listen(where != NULL ? where : LISTEN_USUAL, &there, why, sizeof why);

	if (good) {
		if (!cli->quiet)
			fprintf(stderr, "dprobes: gdb connects with: target remote %s\n",
				there.name);
		serve_each(firmware, &there);
	} else {
		dph_cli_error(cli, "%s", why);
	}
	dph_gdb_listen_close(&there);
	return good ? DPH_EXIT_DONE : DPH_EXIT_USAGE;
}

/* gdb, the parent, gets the user's ^C, and this process ends with its input. */
static int serve_stdio(struct dph_gdb_firmware *firmware)
{
	signal(SIGINT, SIG_IGN);
	serve(firmware, STDIN_FILENO, STDOUT_FILENO);
	return DPH_EXIT_DONE;
}

int dph_cmd_gdb(const struct dph_cli *cli)
{
	const bool stdio = dph_cli_has(cli, DPH_OPT_STDIO);
	struct dph_gdb_firmware firmware;
	int status;

	if (stdio && dph_cli_has(cli, DPH_OPT_LISTEN))
		return dph_cli_usage(cli, "--stdio and --listen are two places of gdb: leave one "
					  "of them out");
	if (dph_gdb_firmware_open(&firmware, cli, &status)) {
		status = stdio ? serve_stdio(&firmware) : serve_socket(&firmware);
		if (firmware.ended)
			status = DPH_EXIT_LINK;
	}
	dph_gdb_firmware_close(&firmware);
	return status;
}

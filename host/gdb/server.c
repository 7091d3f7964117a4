/* SPDX-License-Identifier: BSD-2-Clause */
/* A connection of gdb: packets in, answers out. */
#define _GNU_SOURCE
#include "server_parts.h"

#include "base/pool.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- answers --------------------------------------------------------------------------------- */

static void send(const struct dph_gdb_server *server, const void *bytes, size_t count)
{
	server->line->send(server->line->context, bytes, count);
}

/* The line is kept for a repetition. */
static void finish(struct dph_gdb_server *server)
{
	dph_gdb_end(&server->answer);
	send(server, server->answer.line, server->answer.bytes);
}

/* gdb prints what follows "E.". */
void dph_gdb_refuse(struct dph_gdb_server *server, const char *format, ...)
{
	char sentence[DPH_GDB_WHY_ROOM];
	va_list args;

	va_start(args, format);
	vsnprintf(sentence, sizeof sentence, format, args);
	va_end(args);
	dph_gdb_begin(&server->answer);
	dph_gdb_add_text(&server->answer, "E.");
	dph_gdb_add_text(&server->answer, sentence);
}

void dph_gdb_malformed(struct dph_gdb_server *server)
{
	dph_gdb_refuse(server, "the packet is not as the protocol has it");
}

uint64_t dph_gdb_place(const struct dph_gdb_server *server, uint64_t address)
{
	return server->target->word_bytes == sizeof(uint32_t) ? (uint32_t)address : address;
}

/* --- the connection -------------------------------------------------------------------------- */

struct dph_gdb_server *dph_gdb_server_open(const struct dph_gdb_target *target,
					   const struct dph_gdb_line *line)
{
	struct dph_gdb_server *server = dph_malloc(sizeof *server);

	*server = (struct dph_gdb_server){.target = target, .line = line, .acks = true};
	dph_gdb_trace_open(server);
	dph_gdb_prints_open(server);
	dph_gdb_run_open(server);
	return server;
}

void dph_gdb_server_close(struct dph_gdb_server *server)
{
	if (server == NULL)
		return;
	dph_gdb_trace_close(server);
	dph_gdb_run_close(server);
	dph_gdb_prints_close(server);
	free(server->refusal);
	free(server->document.text);
	free(server);
}

bool dph_gdb_server_refuses(const struct dph_gdb_server *server)
{
	return server->refusal != NULL;
}

static void acknowledge(const struct dph_gdb_server *server, char how)
{
	if (server->acks)
		send(server, &how, 1);
}

static void take(struct dph_gdb_server *server, enum dph_gdb_event event)
{
	switch (event) {
	case DPH_GDB_PACKET:
		acknowledge(server, '+');
		dph_gdb_begin(&server->answer);
		server->ended = server->refusal != NULL;
		if (server->refusal != NULL)
			dph_gdb_refuse(server, "%s", server->refusal);
		else
			dph_gdb_answer(server);
		if (!server->silent)
			finish(server);
		server->silent = false;
		break;
	case DPH_GDB_LONG:
		acknowledge(server, '+');
		dph_gdb_refuse(server, "a packet has at most %d bytes", DPH_GDB_TEXT_MAX);
		finish(server);
		break;
	case DPH_GDB_DAMAGED:
		acknowledge(server, '-');
		break;
	case DPH_GDB_NAK:
		if (server->acks && server->answer.bytes > 0)
			send(server, server->answer.line, server->answer.bytes);
		break;
	case DPH_GDB_BREAK:
		dph_gdb_run_break(server);
		break;
	case DPH_GDB_NOTHING:
	case DPH_GDB_ACK:
		break;
	}
}

/* Does the packet that was read come again? gdb sends none behind one without an acknowledgement,
 * but the same one when this process has not read for some seconds. Then the last one counts: gdb
 * takes two answers for those of two packets. */
static bool is_sent_again(const struct dph_gdb_server *server, const uint8_t *rest, size_t bytes)
{
	return server->acks && memchr(rest, '$', bytes) != NULL;
}

bool dph_gdb_server_feed(struct dph_gdb_server *server, const uint8_t *bytes, size_t count)
{
	if (!server->begun && count > 0) {
		server->begun = true;
		server->ended = !dph_gdb_begins(bytes[0]);
		if (server->ended)
			server->target->ops->tell(server->target->context,
						  "a connection was closed: its first byte is not "
						  "one of gdb's protocol");
	}
	for (size_t i = 0; i < count && !server->ended; i++) {
		const uint8_t *rest = bytes + i + 1;
		const size_t left = count - i - 1;
		const enum dph_gdb_event event = dph_gdb_read(&server->reader, bytes[i]);

		server->broken = memchr(rest, DPH_GDB_BREAK_BYTE, left) != NULL;
		if (event != DPH_GDB_PACKET || !is_sent_again(server, rest, left))
			take(server, event);
	}
	return !server->ended;
}

void dph_gdb_do_tell_supported(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	(void)args;
	(void)bytes;
	dph_gdb_print(&server->answer,
		      "PacketSize=%x;QStartNoAckMode+;qXfer:features:read+;qXfer:threads:read+;"
		      "vContSupported+;binary-upload+;error-message+%s%s%s%s",
		      DPH_GDB_TEXT_MAX,
		      server->target->ops->ranges != NULL ? ";qXfer:memory-map:read+" : "",
		      server->target->ops->trace_start != NULL
			      ? ";qXfer:traceframe-info:read+;ConditionalTracepoints+;tracenz+"
			      : "",
		      server->target->ops->no_stop != NULL ? ";ConditionalBreakpoints+" : "",
		      server->target->ops->print != NULL ? ";BreakpointCommands+" : "");
}

void dph_gdb_do_start_no_acks(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	(void)args;
	(void)bytes;
	server->acks = false;
	dph_gdb_add_text(&server->answer, "OK");
}

/* The firmware was there before gdb, and stays behind it. */
void dph_gdb_do_tell_attached(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	(void)args;
	(void)bytes;
	dph_gdb_add_text(&server->answer, "1");
}

/* gdb has the addresses of the ELF file. */
void dph_gdb_do_tell_offsets(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	const unsigned long long moved = server->target->moved;

	(void)args;
	(void)bytes;
	if (moved != 0)
		dph_gdb_print(&server->answer, "Text=%llx;Data=%llx;Bss=%llx", moved, moved, moved);
}

void dph_gdb_do_detach(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	(void)args;
	(void)bytes;
	server->ended = true;
	dph_gdb_add_text(&server->answer, "OK");
}

void dph_gdb_do_accept(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	(void)args;
	(void)bytes;
	dph_gdb_add_text(&server->answer, "OK");
}

void dph_gdb_do_refuse_run(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	(void)args;
	(void)bytes;
	dph_gdb_refuse(server, "the firmware runs, and cannot be started again from here");
}

/* --- commands -------------------------------------------------------------------------------- */

void dph_gdb_send_answer(struct dph_gdb_server *server)
{
	finish(server);
	dph_gdb_begin(&server->answer);
}

void dph_gdb_say(struct dph_gdb_server *server, const char *text, size_t bytes)
{
	enum {
		PIECE = DPH_GDB_TEXT_MAX / 2 - 1 /* two digits a byte, behind an 'O' */
	};

	for (size_t now; bytes > 0; text += now, bytes -= now) {
		now = bytes < PIECE ? bytes : PIECE;
		dph_gdb_add(&server->answer, 'O');
		dph_gdb_add_hex(&server->answer, text, now);
		dph_gdb_send_answer(server);
	}
}

static void print(void *context, const char *text, size_t bytes)
{
	dph_gdb_say(context, text, bytes);
}

void dph_gdb_do_run_command(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	const struct dph_gdb_console console = {print, server};
	char command[DPH_GDB_TEXT_MAX / 2 + 1];
	const size_t count = dph_gdb_bytes(&args, (uint8_t *)command, sizeof command - 1);

	(void)bytes;
	if (count == SIZE_MAX || *args != '\0') {
		dph_gdb_malformed(server);
		return;
	}
	command[count] = '\0';
	server->target->ops->monitor(server->target->context, command, &console);
	dph_gdb_add_text(&server->answer, "OK");
}

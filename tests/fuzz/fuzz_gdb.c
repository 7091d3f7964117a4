/* SPDX-License-Identifier: BSD-2-Clause */
/* The server of gdb's protocol: whatever comes in, what goes out are acknowledgements and packets
 * with a right sum that are not too long. An intact packet is acknowledged and answered, a damaged
 * one is asked for again. Input: u8 mode; then the bytes of a line, or texts of packets, a line
 * each. A line that begins with '!' is a record of a trace: the minor code, and data; '!' alone is
 * the end of the target. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gdb/features.h"
#include "gdb/packet.h"
#include "gdb/server.h"
#include "target/gdb_fake.h"

enum {
	BYTES_MAX = 20000,
	MODE_TEXTS = 0x01,
	MODE_BIG = 0x02,
	MODE_NO_ACKS = 0x04,
	MODE_CPU_SHIFT = 3
};

#define REQUIRE(what) ((what) ? (void)0 : abort())

struct out {
	struct dph_gdb_reader reader;
	unsigned packets, acks, naks;
};

static void receive(void *context, const uint8_t *bytes, size_t count)
{
	struct out *out = context;

	for (size_t i = 0; i < count; i++) {
		REQUIRE(out->reader.state != DPH_GDB_BETWEEN || strchr("$+-", bytes[i]) != NULL);
		switch (dph_gdb_read(&out->reader, bytes[i])) {
		case DPH_GDB_PACKET:
			out->packets++;
			break;
		case DPH_GDB_ACK:
			out->acks++;
			break;
		case DPH_GDB_NAK:
			out->naks++;
			break;
		case DPH_GDB_NOTHING:
			break;
		default:
			abort();
		}
	}
}

/* --- a trace --- */

static const struct dph_gdb_tracer *tracer; /* null: no trace runs */

static bool trace_start(void *context, const char *program, const struct dph_gdb_tracer *started,
			struct dph_gdb_why *why)
{
	(void)context;
	(void)why;
	/* The first values of variables are macros before the name. */
	while (strncmp(program, "#define ", strlen("#define ")) == 0) {
		program = strchr(program, '\n');
		REQUIRE(program != NULL);
		program++;
	}
	REQUIRE(tracer == NULL && strncmp(program, "modtype = kernel\n", 17) == 0);
	tracer = started;
	return true;
}

static size_t trace_variables(void *context, uint64_t *words, size_t room)
{
	(void)context;
	REQUIRE(tracer != NULL);
	for (size_t i = 0; i < room; i++)
		words[i] = UINT64_MAX - i;
	return room > 1 ? room - 1 : room; /* the last one is not told */
}

static void trace_stop(void *context)
{
	(void)context;
	REQUIRE(tracer != NULL);
	tracer = NULL;
}

/* --- packets --- */

/* A text as an intact packet. Returns false: the connection has ended. */
static bool ask(struct dph_gdb_server *server, struct out *out, const uint8_t *text, size_t bytes,
		bool acks)
{
	static uint8_t packet[2 * BYTES_MAX + 4];
	const struct out before = *out;
	uint8_t sum = 0;
	size_t at = 0;
	bool open;

	packet[at++] = '$';
	for (size_t i = 0; i < bytes; i++) {
		const bool special = text[i] == '$' || text[i] == '#' || text[i] == '}';

		if (special)
			packet[at++] = '}';
		packet[at++] = special ? text[i] ^ 0x20 : text[i];
	}
	for (size_t i = 1; i < at; i++)
		sum = (uint8_t)(sum + packet[i]);
	at += (size_t)sprintf((char *)packet + at, "#%02x", sum);
	open = dph_gdb_server_feed(server, packet, at);
	REQUIRE(out->acks == before.acks + acks && out->naks == before.naks);
	REQUIRE(out->packets > before.packets && out->reader.state == DPH_GDB_BETWEEN);
	return open;
}

static void ask_each(struct dph_gdb_server *server, struct out *out, const uint8_t *data,
		     size_t bytes, bool acks)
{
	static const char no_acks[] = "QStartNoAckMode";
	bool open = true;

	while (bytes > 0 && open) {
		const uint8_t *end = memchr(data, '\n', bytes);
		const size_t count = end != NULL ? (size_t)(end - data) : bytes;

		if (*data == '!' && count > 1 && tracer != NULL) {
			tracer->record(tracer->context, data[1], data + 2, count - 2);
		} else if (*data == '!' && count == 1 && tracer != NULL) {
			tracer->ended(tracer->context, "the target is gone");
			tracer = NULL;
		}
		dph_gdb_server_idle(server);
		open = ask(server, out, data, count, acks);
		acks = acks && strncmp((const char *)data, no_acks,
				       count < strlen(no_acks) ? count + 1 : strlen(no_acks)) != 0;
		data += count + (end != NULL);
		bytes -= count + (end != NULL);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct out out = {.packets = 0};
	struct fake fake;
	const struct dph_gdb_line line = {receive, &out};
	struct dph_gdb_target target;
	struct dph_gdb_ops ops;
	struct dph_gdb_server *server;
	const struct dph_cpu *cpu;
	uint8_t *text;

	if (bytes < 1 || bytes > BYTES_MAX)
		return 0;
	cpu = dph_cpu_at(data[0] >> MODE_CPU_SHIFT);
	if (!dph_gdb_describes(cpu, 4))
		return 0;
	target = fake_target(&fake, cpu, data[0] & MODE_BIG);
	ops = fake_ops;
	ops.trace_start = trace_start;
	ops.trace_variables = trace_variables;
	ops.trace_stop = trace_stop;
	target.ops = &ops;
	server = dph_gdb_server_open(&target, &line);
	text = malloc(bytes); /* with a byte behind, that strings end */
	memcpy(text, data + 1, bytes - 1);
	text[bytes - 1] = '\0';
	if (data[0] & MODE_NO_ACKS)
		ask(server, &out, (const uint8_t *)"QStartNoAckMode", 15, true);
	if (data[0] & MODE_TEXTS)
		ask_each(server, &out, text, bytes - 1, !(data[0] & MODE_NO_ACKS));
	else
		dph_gdb_server_feed(server, text, bytes - 1);
	dph_gdb_server_close(server);
	REQUIRE(tracer == NULL);
	free(text);
	return 0;
}

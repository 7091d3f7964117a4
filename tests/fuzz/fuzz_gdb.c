/* SPDX-License-Identifier: BSD-2-Clause */
/* The server of gdb's protocol: whatever comes in, what goes out are acknowledgements and packets
 * with a right sum that are not too long. An intact packet is acknowledged and answered, a damaged
 * one is asked for again. Each program that is installed is removed with the connection.
 * Input: u8 mode; then the bytes of a line, or texts of packets, a line each. A line that begins
 * with '!' is a record of a trace: the minor code, and data; '!' alone is the end of the target.
 * '%' begins such a line of dprintf. A line '^' is gdb's ^C. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dp_object.h"
#include "gdb/features.h"
#include "gdb/packet.h"
#include "gdb/server.h"
#include "target/gdb_fake.h"

enum {
	BYTES_MAX = 20000,
	MODE_TEXTS = 0x01,
	MODE_BIG = 0x02,
	MODE_NO_ACKS = 0x04,
	MODE_CPU_SHIFT = 3,
	MODE_CPUS = 0x0f,
	MODE_STOPS = 0x80, /* the target can be stopped */
	LOOKS = 2          /* at a target that runs, until it stops */
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

/* --- dprintf --- */

static const struct dph_gdb_tracer *printer; /* null: no program of dprintf is installed */

static bool print(void *context, const char *program, const struct dph_gdb_tracer *installed,
		  struct dph_gdb_why *why)
{
	(void)context;
	(void)why;
	if (program == NULL) {
		REQUIRE(printer != NULL);
	} else {
		REQUIRE(strncmp(program, "modtype = kernel\n", 17) == 0);
		REQUIRE(strstr(program, "address = ") != NULL && strstr(program, "exit") != NULL);
	}
	printer = program != NULL ? installed : NULL;
	return true;
}

static void settle(void *context)
{
	(void)context;
	REQUIRE(printer != NULL);
}

/* --- a target that can be stopped --- */

static struct {
	bool stands, installed;
	unsigned looks;
} stops;

static const char *no_stop(void *context)
{
	(void)context;
	return NULL;
}

static bool begin_stops(void *context, bool *stopped, struct dph_gdb_why *why)
{
	(void)context;
	(void)why;
	*stopped = stops.stands;
	return true;
}

static bool stop(void *context, struct dph_gdb_why *why)
{
	(void)context;
	(void)why;
	stops.stands = true;
	return true;
}

static bool resume(void *context, struct dph_gdb_why *why)
{
	(void)context;
	(void)why;
	REQUIRE(stops.stands);
	stops.stands = false;
	stops.looks = LOOKS;
	return true;
}

static bool step(void *context, uint64_t first, uint64_t bytes, struct dph_gdb_why *why)
{
	(void)context;
	(void)first;
	(void)bytes;
	(void)why;
	REQUIRE(stops.stands);
	return true;
}

static bool is_stopped(void *context, bool was)
{
	(void)context;
	(void)was;
	if (!stops.stands && stops.looks-- == 0)
		stops.stands = true;
	return stops.stands;
}

static bool install(void *context, const char *program, struct dph_gdb_why *why)
{
	(void)context;
	(void)why;
	REQUIRE(program != NULL || stops.installed);
	REQUIRE(program == NULL || strstr(program, "exit 1") != NULL);
	stops.installed = program != NULL;
	return true;
}

static size_t stop_variables(void *context, uint64_t *words, size_t room)
{
	(void)context;
	REQUIRE(stops.installed && room == 2);
	words[0] = FAKE_START;
	words[1] = DP_PROBE_WATCH_W;
	return room;
}

static unsigned comparators(void *context, unsigned kind)
{
	(void)context;
	(void)kind;
	return 2;
}

static bool write_register(void *context, unsigned index, uint64_t value, struct dph_gdb_why *why)
{
	(void)context;
	(void)value;
	(void)why;
	REQUIRE(stops.stands && index < DPH_GDB_REGISTERS_MAX);
	return true;
}

static void add_stops(struct dph_gdb_ops *ops)
{
	ops->no_stop = no_stop;
	ops->begin_stops = begin_stops;
	ops->stop = stop;
	ops->resume = resume;
	ops->step = step;
	ops->is_stopped = is_stopped;
	ops->install = install;
	ops->stop_variables = stop_variables;
	ops->comparators = comparators;
	ops->write_register = write_register;
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
	/* A resumption has its answer at the stop. */
	REQUIRE(out->packets > before.packets || (bytes > 0 && strchr("cCsSv", text[0]) != NULL));
	REQUIRE(out->reader.state == DPH_GDB_BETWEEN);
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
		} else if (*data == '^' && count == 1) {
			dph_gdb_server_feed(server, (const uint8_t *)"\x03", 1);
		} else if (*data == '%' && count > 1 && printer != NULL) {
			printer->record(printer->context, data[1], data + 2, count - 2);
		} else if (*data == '%' && count == 1 && printer != NULL) {
			printer->ended(printer->context, "the target is gone");
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
	cpu = dph_cpu_at(data[0] >> MODE_CPU_SHIFT & MODE_CPUS);
	if (!dph_gdb_describes(cpu, 4))
		return 0;
	target = fake_target(&fake, cpu, data[0] & MODE_BIG);
	ops = fake_ops;
	ops.trace_start = trace_start;
	ops.trace_variables = trace_variables;
	ops.trace_stop = trace_stop;
	ops.print = print;
	ops.settle = settle;
	stops.stands = true;
	if (data[0] & MODE_STOPS)
		add_stops(&ops);
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
	REQUIRE(tracer == NULL && printer == NULL && !stops.installed);
	free(text);
	return 0;
}

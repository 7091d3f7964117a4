/* SPDX-License-Identifier: BSD-2-Clause */
/* The server of gdb's remote protocol: packets and their answers, damaged packets, the sentence of
 * each refusal. Stock gdb as the client: tests/board/test_gdb.py. */
#define _GNU_SOURCE
#include "check.h"
#include "gdb/features.h"
#include "gdb/packet.h"
#include "gdb/server.h"
#include "gdb_fake.h"

#include "dp_object.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	OUT_ROOM = 65536
};

struct connection {
	struct fake fake;
	struct dph_gdb_target target;
	struct dph_gdb_line line;
	struct dph_gdb_server *server;
	char out[OUT_ROOM];
	size_t bytes;
	bool open;
};

static void receive(void *context, const uint8_t *bytes, size_t count)
{
	struct connection *c = context;

	if (c->bytes + count >= sizeof c->out)
		abort();
	memcpy(c->out + c->bytes, bytes, count);
	c->bytes += count;
	c->out[c->bytes] = '\0';
}

static struct connection *connect_to(const struct dph_cpu *cpu, bool big)
{
	struct connection *c = calloc(1, sizeof *c);

	c->target = fake_target(&c->fake, cpu, big);
	c->line = (struct dph_gdb_line){receive, c};
	c->server = dph_gdb_server_open(&c->target, &c->line);
	c->open = true;
	return c;
}

/* The CPU of packets whose registers are written out below. */
static struct connection *connect(void)
{
	return connect_to(dph_cpu_named("arm"), false);
}

static void leave(struct connection *c)
{
	dph_gdb_server_close(c->server);
	free(c);
}

static const char *feed(struct connection *c, const void *bytes, size_t count)
{
	c->bytes = 0;
	c->out[0] = '\0';
	c->open = dph_gdb_server_feed(c->server, bytes, count);
	return c->out;
}

/* Send a packet. Returns the line of the answers, behind the acknowledgement. */
static const char *ask(struct connection *c, const char *text, size_t bytes)
{
	char packet[2 * DPH_GDB_TEXT_MAX];
	uint8_t sum = 0;
	const char *out;

	packet[0] = '$';
	memcpy(packet + 1, text, bytes);
	for (size_t i = 0; i < bytes; i++)
		sum = (uint8_t)(sum + (uint8_t)text[i]);
	sprintf(packet + 1 + bytes, "#%02x", sum);
	out = feed(c, packet, bytes + 4);
	CHECK(out[0] == '+');
	return out + 1;
}

/* The text of the answer, without '$' and sum. */
static bool answers(struct connection *c, const char *text, const char *wanted)
{
	const char *out = ask(c, text, strlen(text));
	const size_t bytes = strlen(wanted);
	const bool same = out[0] == '$' && strncmp(out + 1, wanted, bytes) == 0 &&
			  out[1 + bytes] == '#' && strlen(out) == bytes + 4;

	if (!same)
		printf("%s: %s, and not %s\n", text, out, wanted);
	return same;
}

/* --- a target that can be stopped */

static struct {
	bool stands, gdb_asks, runs_on, gone, released, no_watch, no_reads;
	unsigned stops, resumes;
	char program[512];
	uint64_t bytes; /* of the last step */
	uint64_t words[2];
	unsigned steps, comparators, here;
} stops;

static const char *stops_no_stop(void *context)
{
	(void)context;
	return NULL;
}

static bool stops_begin(void *context, bool *stopped, struct dph_gdb_why *why)
{
	(void)context;
	*stopped = stops.stands;
	snprintf(why->text, sizeof why->text, "the target is gone");
	return !stops.gone;
}

static bool stops_stop(void *context, struct dph_gdb_why *why)
{
	(void)context, (void)why;
	stops.stops++;
	stops.stands = true;
	return true;
}

static bool stops_resume(void *context, struct dph_gdb_why *why)
{
	(void)context, (void)why;
	stops.resumes++;
	stops.stands = false;
	return true;
}

static bool stops_step(void *context, uint64_t first, uint64_t bytes, struct dph_gdb_why *why)
{
	(void)context, (void)first, (void)why;
	stops.bytes = bytes;
	stops.steps++;
	stops.stands = !stops.runs_on;
	return true;
}

static bool stops_is_left(void *context)
{
	(void)context;
	return stops.gdb_asks;
}

static bool stops_is_stopped(void *context, bool was)
{
	(void)context, (void)was;
	return stops.stands;
}

static unsigned stops_here(void *context)
{
	(void)context;
	return stops.here;
}

static const char *stops_released(void *context)
{
	(void)context;
	return stops.released ? "another command has resumed it" : NULL;
}

static bool stops_install(void *context, const char *program, struct dph_gdb_why *why)
{
	(void)context, (void)why;
	snprintf(stops.program, sizeof stops.program, "%s", program != NULL ? program : "");
	return true;
}

static size_t stops_variables(void *context, uint64_t *words, size_t room)
{
	(void)context;
	CHECK(room == 2);
	memcpy(words, stops.words, sizeof stops.words);
	memset(stops.words, 0, sizeof stops.words);
	return 2;
}

static const char *stops_no_watch(void *context)
{
	(void)context;
	return stops.no_watch ? "it does not stop at watchpoints" : NULL;
}

static unsigned stops_comparators(void *context, unsigned kind)
{
	(void)context;
	CHECK(kind != 0);
	return stops.no_reads && kind == DP_PROBE_WATCH_R ? 0 : stops.comparators;
}

/* The server's functions see the target's, of which the fake has memory and threads. */
static struct connection *connect_stopped_at(const struct dph_cpu *cpu)
{
	static struct dph_gdb_ops ops;
	struct connection *c = calloc(1, sizeof *c);

	memset(&stops, 0, sizeof stops);
	stops.stands = true;
	c->target = fake_target(&c->fake, cpu, false);
	ops = *c->target.ops;
	ops.no_stop = stops_no_stop;
	ops.begin_stops = stops_begin;
	ops.stop = stops_stop;
	ops.resume = stops_resume;
	ops.step = stops_step;
	ops.is_left = stops_is_left;
	ops.here = stops_here;
	ops.released = stops_released;
	ops.is_stopped = stops_is_stopped;
	ops.install = stops_install;
	ops.stop_variables = stops_variables;
	ops.no_watch = stops_no_watch;
	ops.comparators = stops_comparators;
	c->target.ops = &ops;
	c->line = (struct dph_gdb_line){receive, c};
	c->server = dph_gdb_server_open(&c->target, &c->line);
	c->open = true;
	return c;
}

static struct connection *connect_stopped(void)
{
	return connect_stopped_at(dph_cpu_named("arm"));
}

/* The target neither answers nor stops: gdb reads why, and the connection is over. */
static void test_refusal(void)
{
	struct connection *c = connect_stopped();

	CHECK(!dph_gdb_server_refuses(c->server));
	dph_gdb_server_close(c->server);
	stops.gone = true;
	c->server = dph_gdb_server_open(&c->target, &c->line);
	CHECK(dph_gdb_server_refuses(c->server));
	CHECK(answers(c, "qSupported:x", "E.the target is gone") && !c->open);
	leave(c);
}

#define UNKNOWN "xxxxxxxx"

static void test_exchanges(void)
{
	struct connection *c = connect();

	CHECK(answers(c, "?", "T00thread:2;"));
	CHECK(answers(c, "qC", "QC2"));
	CHECK(answers(c, "qAttached", "1"));
	CHECK(answers(c, "vMustReplyEmpty", ""));
	CHECK(answers(c, "qfThreadInfo", "m1,2"));
	CHECK(answers(c, "qsThreadInfo", "l"));
	CHECK(answers(c, "qThreadExtraInfo,1", "6167656e743a2072756e73"));
	CHECK(answers(c, "T2", "OK"));
	CHECK(answers(c, "T3", "E.there is no such thread"));
	CHECK(answers(c, "Hg3", "E.there is no such thread"));
	CHECK(answers(c, "Hgx", "E.the packet is not as the protocol has it"));
	CHECK(answers(c, "Hg2", "OK"));
	CHECK(answers(c, "Hg0", "OK")); /* any thread: still 2 */
	CHECK(answers(c, "g",
		      UNKNOWN UNKNOWN UNKNOWN UNKNOWN "04100000"
						      "05100000"
						      "06100000"
						      "07100000"
						      "08100000"
						      "09100000"
						      "0a100000"
						      "0b100000"
						      "0c100000"
						      "0d100000"
						      "0e100000"
						      "0f100000" UNKNOWN));
	CHECK(answers(c, "pf", "0f100000"));
	CHECK(answers(c, "p10", UNKNOWN));
	CHECK(answers(c, "p11", "E.the packet is not as the protocol has it"));
	CHECK(answers(c, "Hg1", "OK"));
	CHECK(answers(c, "pf", UNKNOWN));
	CHECK(answers(c, "m1000,4", "00010203"));
	CHECK(answers(c, "m10fe,10", "feff")); /* as far as there is memory */
	CHECK(answers(c, "m2000,4", "E0e"));
	CHECK(answers(c, "m1000,0", ""));
	CHECK(answers(c, "m1000", "E.the packet is not as the protocol has it"));
	CHECK(answers(c, "m10000000000000000,4", "E.the packet is not as the protocol has it"));
	CHECK(answers(c, "x1000,0", "b"));
	CHECK(answers(c, "x1041,3", "bABC"));
	CHECK(answers(c, "M1080,2:abcd", "OK"));
	CHECK(answers(c, "m1080,2", "abcd"));
	CHECK(answers(c, "M1080,2:abc", "E.the packet is not as the protocol has it"));
	CHECK(c->fake.told[0] == '\0');
	CHECK(answers(c, "M1000,1:00", "E.this is only read"));
	CHECK(strcmp(c->fake.told, "this is only read") == 0);
	CHECK(answers(c, "X1080,0:", "OK")); /* gdb asks so whether the packet is known */
	CHECK(answers(c, "qCRC:1000,0", "Cffffffff"));
	CHECK(answers(c, "qCRC:1030,9", "C82ff3a5d"));
	CHECK(answers(c, "qCRC:1000,101", "E.this memory cannot be read"));
	CHECK(answers(c, "vFlashErase:1000,80", "E.the agent does not write flash memory"));
	CHECK(answers(c, "G00",
		      "E.the registers of a thread that runs, or waits, cannot be changed"));
	leave(c);
}

/* Bytes that are escaped, in both directions. */
static void test_binary(void)
{
	static const char write[] = "X1080,4:}\x03}\x04}]}\x0a";
	struct connection *c = connect();

	CHECK(strncmp(ask(c, write, sizeof write - 1), "$OK#", 4) == 0);
	CHECK(answers(c, "m1080,4", "23247d2a"));
	CHECK(answers(c, "x1080,4", "b}\x03}\x04}]}\x0a"));
	leave(c);
}

/* The sum of "123456789" that gdb computes is not that of CRC-32 elsewhere. */
static void test_sum(void)
{
	CHECK(dph_gdb_sum(DPH_GDB_SUM_BEGIN, (const uint8_t *)"123456789", 9) == 0x0376e6e7);
	CHECK(dph_gdb_sum(dph_gdb_sum(DPH_GDB_SUM_BEGIN, (const uint8_t *)"1234", 4),
			  (const uint8_t *)"56789", 5) == 0x0376e6e7);
}

static void test_what_needs_a_stop(void)
{
	static const char no[] = "E.the firmware runs, and this agent has no HALT to stop it";
	static const char nor[] = "E.the firmware runs, and this agent has no HALT to stop it; "
				  "nothing stops at breakpoints and watchpoints";
	struct connection *c = connect();

	CHECK(answers(c, "vCont?", "vCont;c;C;s;S;r"));
	CHECK(answers(c, "vCont;c", no));
	CHECK(answers(c, "c", no));
	CHECK(answers(c, "s1000", no));
	CHECK(answers(c, "Z0,1000,4", "OK"));
	CHECK(answers(c, "vCont;s:2;c", nor));
	CHECK(answers(c, "z0,1000,4", "OK"));
	CHECK(answers(c, "C05", no));
	CHECK(answers(c, "vRun;", "E.the firmware runs, and cannot be started again from here"));
	CHECK(answers(c, "m1000,1", "00"));
	CHECK(*feed(c, "\x03", 1) == '\0');
	leave(c);
}

/* ^C that comes during steps, in the bytes of the packet or behind them, is the stop's reason. */
static void test_break_in_steps(void)
{
	struct connection *c = connect_stopped();

	CHECK(answers(c, "vCont;r0,ffffffff:1", "T05thread:2;"));
	CHECK(stops.bytes == 0xffffffff);
	stops.gdb_asks = true;
	CHECK(*ask(c, "vCont;r0,ffffffff:1", strlen("vCont;r0,ffffffff:1")) == '\0');
	stops.gdb_asks = false;
	CHECK(strncmp(feed(c, "\x03", 1), "$T02thread:2;#", 14) == 0 && stops.stops == 1);
	CHECK(strncmp(feed(c, "$s#73\x03", 6), "+$T02thread:2;#", 15) == 0 && stops.stops == 2);
	CHECK(*feed(c, "\x03", 1) == '\0'); /* gdb takes the target for stopped */
	CHECK(answers(c, "s", "T05thread:2;"));
	leave(c);
}

static unsigned count_of(const char *text, const char *part)
{
	unsigned count = 0;

	for (; (text = strstr(text, part)) != NULL; text++)
		count++;
	return count;
}

/* gdb inserts its own breakpoints beside those of the user: all of one address have one handler. */
static void test_breakpoints_at_one_address(void)
{
	struct connection *c = connect_stopped();

	CHECK(answers(c, "Z1,1000,4;X3,220027", "OK"));
	CHECK(*ask(c, "c", 1) == '\0');
	CHECK(count_of(stops.program, "abort") == 1);
	stops.stands = true;
	CHECK(answers(c, "Z0,1000,4;X3,220127", "OK"));
	CHECK(answers(c, "Z0,1010,4", "OK"));
	CHECK(*ask(c, "c", 1) == '\0');
	CHECK(count_of(stops.program, "address = ") == 2 && count_of(stops.program, "exit 1") == 2);
	CHECK(count_of(stops.program, "jnz all") == 2 && count_of(stops.program, "abort") == 1);
	stops.stands = true;
	CHECK(answers(c, "Z0,1000,4", "OK"));
	CHECK(*ask(c, "c", 1) == '\0');
	CHECK(count_of(stops.program, "address = ") == 2 && count_of(stops.program, "exit 1") == 2);
	CHECK(strstr(stops.program, "jnz") == NULL && strstr(stops.program, "abort") == NULL);
	leave(c);
}

/* Breakpoints are there when a step ends in a fault, and the firmware runs on. */
static void test_steps_with_breakpoints(void)
{
	struct connection *c = connect_stopped();

	stops.runs_on = true;
	CHECK(answers(c, "Z0,1000,4", "OK"));
	CHECK(strstr(ask(c, "s", 1), "$O") != NULL && strstr(c->out, "$T") == NULL);
	CHECK(count_of(stops.program, "exit 1") == 1);
	stops.stands = true;
	c->out[c->bytes = 0] = '\0';
	dph_gdb_server_idle(c->server);
	CHECK(strncmp(c->out, "$T05thread:2;#", 14) == 0);
	leave(c);
}

static void stop_at_watchpoint(struct connection *c, uint64_t address, unsigned kind)
{
	CHECK(*ask(c, "c", 1) == '\0');
	stops.words[0] = address;
	stops.words[1] = kind;
	stops.stands = true;
	c->out[c->bytes = 0] = '\0';
	dph_gdb_server_idle(c->server);
}

/* Send a packet. Does its answer tell a watchpoint? */
static bool is_watched(struct connection *c, const char *text)
{
	const char *out = ask(c, text, strlen(text));

	CHECK(strncmp(out, "$T05", 4) == 0 && strstr(out, "thread:2;#") != NULL);
	return strstr(out, "watch:") != NULL;
}

/* The stop tells the watchpoint. Where gdb steps over the access, one step is none where the access
 * is done: of writes, and of accesses. *steps_there: receives whether gdb steps. */
static void test_watchpoints_at(const struct dph_cpu *cpu, bool *steps_there)
{
	struct connection *c = connect_stopped_at(cpu);
	const bool steps = dph_gdb_steps_at_watchpoint(&c->target);

	*steps_there = steps;
	stops.comparators = 2;
	CHECK(answers(c, "Z2,1000,4", "OK"));
	CHECK(answers(c, "Z4,1008,1", "OK"));
	CHECK(answers(c, "Z4,1008,1", "OK")); /* the same one */
	CHECK(answers(c, "Z3,1010,4", "E.the CPU has 2 comparators"));
	CHECK(answers(c, "Z0,1000,4", "OK"));
	stop_at_watchpoint(c, 0x1000, 2);
	CHECK(strstr(c->out, "watch:1000;thread:2;#") != NULL);
	CHECK(strstr(stops.program, "vars = 2\naddress = 0x1000\nexit 1\naddress = 0x1000 : "
				    "0x1003\nwatchpoint = w\n") != NULL);
	CHECK(strstr(stops.program, "address = 0x1008 : 0x1008\nwatchpoint = rw\n") != NULL);
	CHECK(!is_watched(c, "s") && stops.steps == (steps ? 0 : 1));
	CHECK(!is_watched(c, "s") && stops.steps == (steps ? 1 : 2));
	stop_at_watchpoint(c, 0x1008, 4);
	CHECK(strstr(c->out, "awatch:1008;thread:2;#") != NULL);
	CHECK(answers(c, "z4,1008,1", "OK"));
	CHECK(answers(c, "Z3,1010,4", "OK"));
	stop_at_watchpoint(c, 0x1010, 3);
	CHECK(strstr(c->out, "rwatch:1010;thread:2;#") != NULL);
	stops.steps = 0;
	CHECK(!is_watched(c, "s") && stops.steps == 1);
	stops.words[1] = 2; /* a step writes */
	CHECK(is_watched(c, "s"));
	CHECK(answers(c, "z2,1000,4", "OK") && answers(c, "z3,1010,4", "OK"));
	CHECK(*ask(c, "c", 1) == '\0' && strstr(stops.program, "watchpoint") == NULL);
	leave(c);
}

static void test_watchpoints(void)
{
	const struct dph_cpu *cpu;
	unsigned of[2] = {0};
	bool steps;

	for (size_t i = 0; (cpu = dph_cpu_at(i)) != NULL; i++) {
		if (!dph_gdb_describes(cpu, 4))
			continue;
		test_watchpoints_at(cpu, &steps);
		of[steps]++;
	}
	CHECK(of[0] > 0 && of[1] > 0);
}

static void test_without_comparators(void)
{
	struct connection *c = connect_stopped();

	CHECK(answers(c, "Z2,1000,4", "OK"));
	CHECK(answers(c, "c",
		      "E.at 0x1000: the CPU has no comparator for the watchpoint: 'delete' it, or "
		      "'set can-use-hw-watchpoints 0'"));
	/* An agent of before. */
	stops.no_watch = true;
	stops.comparators = 4;
	CHECK(answers(c, "z2,1000,4", "OK") && answers(c, "Z2,1000,4", "OK"));
	CHECK(answers(c, "c", "E.at 0x1000: it does not stop at watchpoints"));
	leave(c);
}

/* gdb then takes a watchpoint for all accesses. */
static void test_without_comparators_for_reads(void)
{
	struct connection *c = connect_stopped();

	stops.comparators = 1;
	stops.no_reads = true;
	CHECK(answers(c, "Z3,1000,4", ""));
	CHECK(answers(c, "Z4,1000,4", "OK"));
	stops.comparators = 0;
	CHECK(answers(c, "Z3,1000,4", "OK")); /* the resumption is refused */
	leave(c);
}

/* Somebody else lets the target go on: gdb reads why at a resumption. */
static void test_released(void)
{
	static const char why[] = "E.another command has resumed it";
	static const char said[] =
		"+$O616e6f7468657220636f6d6d616e642068617320726573756d6564206974#";
	struct connection *c = connect_stopped();
	char text[128];

	stops.stands = false;
	stops.released = true;
	dph_gdb_server_idle(c->server);
	CHECK(answers(c, "P0=05000000", why) && answers(c, "m1000,1", "00"));
	CHECK(strncmp(feed(c, "$vCont;c#a8", 11), said, strlen(said)) == 0);
	CHECK(strncmp(feed(c, "\003", 1), "$T02", 4) == 0); /* ^C */
	/* A step of a target that ran: another thread than the one that gdb steps is not told of.
	 */
	for (stops.here = 1; stops.here <= 2; stops.here++) {
		stops.stands = false;
		dph_gdb_server_idle(c->server);
		if (stops.here == 1) {
			snprintf(text, sizeof text, "%s; it is stopped now, in thread 1", why);
			CHECK(answers(c, "vCont;s:2;c", text));
		} else {
			CHECK(strncmp(ask(c, "vCont;s:2;c", 11), said + 1, strlen(said) - 1) == 0);
			CHECK(strstr(c->out, "$T05") != NULL);
		}
		CHECK(stops.stands);
	}
	leave(c);
}

/* gdb goes while a stop was not yet seen: the target goes on. */
static void test_end_at_a_stop(void)
{
	struct connection *c = connect_stopped();

	CHECK(answers(c, "Z0,1000,4", "OK"));
	CHECK(*ask(c, "c", 1) == '\0' && stops.resumes == 1);
	stops.stands = true;
	leave(c);
	CHECK(stops.resumes == 2 && stops.program[0] == '\0');
}

/* A text in pieces: the same text as in one piece. */
static void test_pieces(void)
{
	static const char threads[] =
		"<?xml version=\"1.0\"?>\n<threads>\n"
		"<thread id=\"1\" name=\"agent\">runs</thread>\n"
		"<thread id=\"2\" name=\"&#60;log&#62;\">waits in queue_get</thread>\n"
		"</threads>\n";
	static const char map[] =
		"l<?xml version=\"1.0\"?>\n<memory-map>\n"
		"<memory type=\"rom\" start=\"0x1000\" length=\"0x80\"/>\n"
		"<memory type=\"ram\" start=\"0x1080\" length=\"0x80\"/>\n</memory-map>\n";
	struct connection *c = connect();
	char text[sizeof threads + 1] = "", packet[64];

	for (size_t at = 0; at < sizeof threads - 1; at += 7) {
		const char *out;

		snprintf(packet, sizeof packet, "qXfer:threads:read::%zx,7", at);
		out = ask(c, packet, strlen(packet));
		CHECK(out[1] == (at + 7 >= sizeof threads - 1 ? 'l' : 'm'));
		for (out += 2; *out != '#'; out++) /* '#' is escaped in the text */
			strncat(text,
				*out == '}' ? (char[]){(char)(*++out ^ 0x20), 0}
					    : (char[]){*out, 0},
				1);
	}
	CHECK(strcmp(text, threads) == 0);
	CHECK(answers(c, "qXfer:threads:read::1000,7", "E.the text ends before this piece"));
	CHECK(answers(c, "qXfer:threads:read::7", "E.the packet is not as the protocol has it"));
	CHECK(answers(c, "qXfer:memory-map:read::0,ffb", map));
	leave(c);
}

static void test_acks(void)
{
	struct connection *c = connect();

	CHECK(strcmp(feed(c, "$qC#b4", 6), "+$QC2#c6") == 0);
	CHECK(strcmp(feed(c, "+", 1), "") == 0);
	CHECK(strcmp(feed(c, "-", 1), "$QC2#c6") == 0); /* once more */
	CHECK(strcmp(feed(c, "$qC#b5", 6), "-") == 0);
	CHECK(strcmp(feed(c, "$qC#bg", 6), "-") == 0);
	CHECK(strcmp(feed(c, "noise$m10$qC#b4", 15), "+$QC2#c6") == 0);    /* a cut packet */
	CHECK(strcmp(feed(c, "$qC#b4$qC#b4$qC#b4", 18), "+$QC2#c6") == 0); /* sent again */
	CHECK(answers(c, "QStartNoAckMode", "OK"));
	CHECK(strcmp(feed(c, "$qC#b4", 6), "$QC2#c6") == 0);
	CHECK(strcmp(feed(c, "$qC#b4$qC#b4", 12), "$QC2#c6$QC2#c6") == 0);
	CHECK(strcmp(feed(c, "-$qC#00", 7), "") == 0);
	leave(c);
}

static void test_long_packets(void)
{
	struct connection *c = connect();
	char text[DPH_GDB_TEXT_MAX + 2];

	memset(text, 'y', sizeof text);
	CHECK(strcmp(ask(c, text, DPH_GDB_TEXT_MAX), "$#00") == 0);
	CHECK(strncmp(ask(c, text, DPH_GDB_TEXT_MAX + 1), "$E.a packet has at most 4096 bytes#",
		      35) == 0);
	CHECK(answers(c, "m1000,1", "00"));
	leave(c);
}

static void test_command(void)
{
	struct connection *c = connect();

	CHECK(strcmp(ask(c, "qRcmd,6869", 10), "$O796f7520736169642\x30#67$O6869#1e$OK#9a") == 0 ||
	      strstr(c->out, "$O6869#") != NULL);
	CHECK(strstr(c->out, "$OK#9a") != NULL);
	CHECK(answers(c, "qRcmd,686", "E.the packet is not as the protocol has it"));
	leave(c);
}

static void test_ends(void)
{
	static const char *const ends[] = {"$D#44", "$k#6b", "$vKill;1#6e"};

	for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
		struct connection *c = connect();

		CHECK(strcmp(feed(c, ends[i], strlen(ends[i])), "+$OK#9a") == 0);
		CHECK(!c->open);
		CHECK(strcmp(feed(c, "$qC#b4", 6), "") == 0);
		leave(c);
	}
}

/* A page in a browser can send text to a local port, and a packet in the text is none of gdb's. */
static void test_other_clients(void)
{
	static const char *const others[] = {"POST / HTTP/1.1\r\n\r\n$qRcmd,6869#ab",
					     "SSH-2.0-x\r\n$qC#b4", "\x16\x03\x01$qC#b4",
					     " $qC#b4"};
	static const char *const begins[] = {"+$qC#b4", "-$qC#b4", "$qC#b4", "\x03$qC#b4"};

	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
		struct connection *c = connect();

		CHECK(strcmp(feed(c, others[i], strlen(others[i])), "") == 0 && !c->open);
		CHECK(strstr(c->fake.told, "its first byte is not one of gdb's protocol") != NULL);
		CHECK(strcmp(feed(c, "$qC#b4", 6), "") == 0);
		leave(c);
	}
	for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++) {
		struct connection *c = connect();

		CHECK(strcmp(feed(c, begins[i], strlen(begins[i])), "+$QC2#c6") == 0 && c->open);
		CHECK(c->fake.told[0] == '\0');
		leave(c);
	}
}

/* Each CPU of gdb: the description has as many registers as the packet of all, and the target's
 * stack pointer and program counter. Bytes are in the order of the target. */
static void test_description(const struct dph_cpu *cpu)
{
	struct connection *c = connect_to(cpu, true);
	const unsigned count = dph_gdb_register_count(&c->target);
	const char *out = ask(c, "g", 1);
	unsigned known = 0;
	char *text = NULL;
	size_t bytes, regs = 0;
	FILE *file = open_memstream(&text, &bytes);

	CHECK(strlen(out) == count * 8 + 4);
	for (unsigned i = 4; i < 16; i++) { /* what thread 2 of the fake has */
		const unsigned number = dph_gdb_number_of(&c->target, i);
		char value[16];

		snprintf(value, sizeof value, "%08x", 0x1000 + i);
		if (number < count) {
			CHECK(dph_gdb_register(&c->target, number)->index == i);
			CHECK(strncmp(out + 1 + number * 8, value, 8) == 0);
			known++;
		}
	}
	CHECK(known > 0 || dph_reg_numbered(cpu, 15) == NULL);
	dph_gdb_describe(&c->target, file);
	fclose(file);
	for (const char *at = text; (at = strstr(at, "<reg ")) != NULL; at++)
		regs++;
	CHECK(regs == count);
	CHECK(dph_gdb_number_of(&c->target, dph_reg_named(cpu, "sp", 2)->index) < count);
	CHECK(dph_gdb_number_of(&c->target, dph_reg_named(cpu, "pc", 2)->index) < count);
	free(text);
	leave(c);
}

static void test_descriptions(void)
{
	const struct dph_cpu *cpu;
	unsigned described = 0;

	for (size_t i = 0; (cpu = dph_cpu_at(i)) != NULL; i++) {
		if (!dph_gdb_describes(cpu, 4))
			continue;
		test_description(cpu);
		described++;
	}
	CHECK(described == 6);
	CHECK(!dph_gdb_describes(dph_cpu_named("sim"), 4));
	CHECK(!dph_gdb_describes(dph_cpu_named("arm"), 8));
	CHECK(!dph_gdb_describes(NULL, 4));
}

int main(void)
{
	test_exchanges();
	test_binary();
	test_sum();
	test_what_needs_a_stop();
	test_refusal();
	test_break_in_steps();
	test_breakpoints_at_one_address();
	test_steps_with_breakpoints();
	test_watchpoints();
	test_without_comparators();
	test_without_comparators_for_reads();
	test_released();
	test_end_at_a_stop();
	test_pieces();
	test_acks();
	test_long_packets();
	test_command();
	test_ends();
	test_other_clients();
	test_descriptions();
	return check_status();
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* gdb's agent expressions as RPN, run by the simulator; tracepoints from packet to frame, with a
 * simulated hit in place of a board. Stock gdb as the client: tests/board/test_gdb.py. */
#define _GNU_SOURCE
#include "base/pool.h"
#include "check.h"
#include "gdb/expression.h"
#include "gdb/server.h"
#include "gdb_fake.h"

#include <dprobes/host.h>
#include <dprobes/simulate.h>

#include <stdlib.h>

enum {
	BYTES_MAX = 64,
	TEXT_ROOM = 8192,
	OUT_ROOM = 1 << 18,
	PLACE = 0x2000, /* of the probes */
	REGISTER = 0x1010
};

/* A target of the simulator. */
struct machine {
	const char *cpu;
	unsigned word_bytes;
	bool big;
};

static const struct machine machines[] = {
	{"arm", 4, false}, {"arm", 4, true}, {"sim", 8, false}, {"sim", 8, true}};

static struct dp_simulation *simulate(const struct machine *machine, const char *text,
				      const struct fake *fake)
{
	const struct dp_build_options options = {
		.cpu = machine->cpu,
		.word_bits = machine->word_bytes * 8,
		.endian = machine->big ? "big" : "little",
		.opcode_optional = true,
	};
	const uint64_t value = REGISTER;
	struct dp_messages messages = {0};
	struct dp_object_file *object = dp_compile_text(text, "t", &options, &messages);
	struct dp_simulation *simulation =
		object != NULL ? dp_simulation_open(object, false, &messages) : NULL;

	if (simulation == NULL) {
		dp_messages_print(&messages, stdout, false);
		printf("%s\n", text);
		abort();
	}
	dp_messages_free(&messages);
	dp_object_free(object);
	if (!dp_simulation_memory(simulation, FAKE_START, fake->memory, FAKE_BYTES, false) ||
	    !dp_simulation_register(simulation, "r4", &value, 1))
		abort();
	return simulation;
}

static size_t bytes_of(const char *hex, uint8_t *bytes)
{
	size_t count = 0;

	for (; *hex != '\0'; hex++)
		if (*hex != ' ') {
			const char digits[] = {hex[0], hex[1], '\0'};

			bytes[count++] = (uint8_t)strtoul(digits, NULL, 16);
			hex++;
		}
	return count;
}

static uint64_t word_at(const struct machine *machine, const uint8_t *bytes)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < machine->word_bytes; i++)
		value = value << 8 | bytes[machine->big ? i : machine->word_bytes - 1 - i];
	return value;
}

/* --- expressions ----------------------------------------------------------------------------- */

static const struct {
	const char *hex;
	uint64_t value;
} values[] = {
	{"2205 2203 02 27", 8},
	{"2205 2203 03 27", 2},
	{"2203 2205 03 27", (uint64_t)-2},
	{"2205 2203 04 27", 15},
	{"2207 1608 2202 05 27", 3},
	{"22f9 1608 2202 05 27", (uint64_t)-3}, /* -7 / 2 */
	{"22f9 1608 2202 07 27", (uint64_t)-1},
	{"2364e1 2210 06 27", 0x64e},
	{"2364e1 2210 08 27", 1},
	{"2201 2204 09 27", 16},
	{"2380f0 2204 0b 27", 0x80f},
	{"22f0 1608 2204 0a 27", (uint64_t)-1},
	{"2380f0 1610 2200 0a 27", (uint64_t)-0x7f10},
	{"2380f0 1610 2204 0a 27", (uint64_t)-0x7f1},
	{"2200 0e 27", 1},
	{"2205 0e 27", 0},
	{"223c 220f 0f 27", 0x0c},
	{"223c 220f 10 27", 0x3f},
	{"223c 220f 11 27", 0x33},
	{"2205 12 27", (uint64_t)-6},
	{"2205 2205 13 27", 1},
	{"2205 2206 13 27", 0},
	{"22ff 1608 2201 14 27", 1},
	{"2201 22ff 1608 14 27", 0},
	{"2205 2205 14 27", 0},
	{"2201 2205 14 27", 1},
	{"22ff 1608 2201 15 27", 0},
	{"2201 22ff 1608 15 27", 1},
	{"2205 2205 15 27", 0},
	{"237fff 238000 15 27", 1},
	{"22ff 1608 27", (uint64_t)-1},
	{"227f 1608 27", 0x7f},
	{"2205 1640 27", 5},
	{"2412345678 2a10 27", 0x5678},
	{"2205 2a40 27", 5},
	{"2412345678 27", 0x12345678},
	{"231041 17 27", 0x41},
	{"2201 20000a 22aa 21000c 22bb 27", 0xbb},
	{"2200 20000a 22aa 21000c 22bb 27", 0xaa},
	{"2205 28 02 27", 10},
	{"2205 2206 29 27", 5},
	{"2207 2202 2b 03 27", (uint64_t)-5},
	{"2205 2206 2207 3202 27", 5},
	{"260004 27", REGISTER},
	{"260004 2202 02 17 27", 0x12},
	{"2205 27 2206 27", 5},
	/* Numbers whose higher bits follow from the word. */
	{"2201 1640 27", 1},
	{"22ff 1608 1640 27", (uint64_t)-1},
	{"24fffffff0 2a20 2a40 27", 0xfffffff0},
	{"24fffffff0 1640 27", 0xfffffff0},
	{"231040 19 2a20 2205 15 27", 0},
	{"231040 19 1620 2205 14 27", 0},
	{"231040 2204 02 231044 13 27", 1},
	{"2480001000 1620 24ffffffff 15 27", 1}, /* an address of MIPS */
};

static char *program_of(struct dph_gdb_code *code, const char *hex, bool *good)
{
	uint8_t bytes[BYTES_MAX];
	char *text = NULL;
	size_t length;

	code->out = open_memstream(&text, &length);
	fprintf(code->out, "name = \"t\"\naddress = 0x%x\n", PLACE);
	*good = dph_gdb_write_expression(code, bytes, bytes_of(hex, bytes));
	fputs("log 1\nexit\n", code->out);
	fclose(code->out);
	return text;
}

/* The simulator's CPU stands in for that of gdb, which has the same names of registers. */
static void test_value(const struct machine *machine, const char *hex, uint64_t wanted)
{
	struct fake fake;
	struct dph_gdb_target target = fake_target(&fake, dph_cpu_named("arm"), machine->big);
	struct dph_gdb_why why;
	struct dph_gdb_code code = {.target = &target, .why = &why};
	struct dp_simulated result = {0};
	struct dp_simulation *simulation;
	bool good;
	char *text = program_of(&code, hex, &good);

	if (machine->word_bytes == 4)
		wanted = (uint32_t)wanted;
	CHECK(good);
	simulation = simulate(machine, text, &fake);
	CHECK(dp_simulation_hit(simulation, 0, &result) == DP_SIMULATED_RAN);
	if (result.log_bytes != machine->word_bytes || word_at(machine, result.log) != wanted) {
		printf("%s of %u bits: not 0x%llx\n%s", hex, machine->word_bytes * 8,
		       (unsigned long long)wanted, text);
		CHECK(false);
	}
	dp_simulation_close(simulation);
	free(text);
}

static void test_values(void)
{
	for (size_t m = 0; m < 2; m++)
		for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
			test_value(&machines[m], values[i].hex, values[i].value);
}

static void test_refused(void)
{
	static const struct {
		const char *hex, *why;
	} rows[] = {
		{"01", "no equal of the instruction 0x01"},
		{"2c00", "ends in an instruction"},
		{"34", "no equal of the instruction 0x34"},
		{"250000000100000000 27", "needs more than a word"},
		{"231000 1a 27", "needs more than a word"},
		{"22", "ends in an instruction"},
		{"2201 200001 27", "jumps into an instruction"},
		{"2201 20ffff 27", "jumps into an instruction"},
		{"26ffff 27", "does not read a register"},
		{"2201 1600 27", "a number of no length"},
		{"2201 2205 200008 27 210000 27", "jumps back"},
		/* trace *f if (long long) g.u < 5 */
		{"231040 19 2205 14 27", "compares a number that needs more than a word"},
		{"2205 231040 19 14 27", "compares a number that needs more than a word"},
		{"231040 19 22ff 1608 13 27", "compares a number that needs more than a word"},
		{"231040 19 2205 05 27", "divides a number that needs more than a word"},
		{"231040 19 2205 07 27", "divides a number that needs more than a word"},
		{"22ff 1608 2205 06 27", "divides a number that needs more than a word"},
		{"231040 19 2204 0a 27", "shifts a number that needs more than a word"},
		{"22ff 1608 2204 0b 27", "shifts a number that needs more than a word"},
		{"231040 19 2205 02 1640 27", "extends a number that needs more than a word"},
		{"231040 19 2205 02 2a40 27", "extends a number that needs more than a word"},
		{"231040 19 2205 04 1628 27", "extends a number that needs more than a word"},
		{"22ff 1608 2a40 27", "extends a number that needs more than a word"},
		{"260004 1640 27", "extends a number that needs more than a word"},
		{"2205 231040 19 2b 29 28 02 1640 27", "extends a number"},
		/* Of two ways to a place, one has a sign. */
		{"2201 20000e 231040 19 1620 210012 231040 19 2205 14 27", "compares a number"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct fake fake;
		struct dph_gdb_target target = fake_target(&fake, dph_cpu_named("arm"), false);
		struct dph_gdb_why why = {""};
		struct dph_gdb_code code = {.target = &target, .why = &why};
		bool good;

		free(program_of(&code, rows[i].hex, &good));
		CHECK(!good && strstr(why.text, rows[i].why) != NULL);
	}
}

/* --- tracepoints ----------------------------------------------------------------------------- */

struct bench {
	struct fake fake;
	struct dph_gdb_ops ops;
	struct dph_gdb_target target;
	struct dph_gdb_line line;
	struct dph_gdb_server *server;
	const struct dph_gdb_tracer *tracer;
	struct dp_simulation *simulation;
	unsigned starts, stops;
	char out[OUT_ROOM];
	size_t bytes;
};

static struct bench bench;

static void receive(void *context, const uint8_t *bytes, size_t count)
{
	(void)context;
	if (bench.bytes + count >= sizeof bench.out)
		abort();
	memcpy(bench.out + bench.bytes, bytes, count);
	bench.bytes += count;
	bench.out[bench.bytes] = '\0';
}

static bool trace_start(void *context, const char *program, const struct dph_gdb_tracer *tracer,
			struct dph_gdb_why *why)
{
	char *text = dph_print("name = \"t\"\n%s", program);

	(void)context;
	(void)why;
	bench.tracer = tracer;
	bench.starts++;
	bench.simulation = simulate(&machines[bench.target.big_endian], text, &bench.fake);
	free(text);
	return true;
}

static size_t trace_variables(void *context, uint64_t *words, size_t room)
{
	const size_t count = dp_simulation_variables(bench.simulation, false);

	(void)context;
	for (size_t i = 0; i < count && i < room; i++)
		words[i] = dp_simulation_variable(bench.simulation, false, (unsigned)i);
	return count < room ? count : room;
}

static void trace_stop(void *context)
{
	(void)context;
	bench.stops++;
	dp_simulation_close(bench.simulation);
	bench.simulation = NULL;
}

static void hit(unsigned minor)
{
	struct dp_simulated result;
	const int point = dp_simulation_point(bench.simulation, minor);

	if (point < 0 ||
	    dp_simulation_hit(bench.simulation, (unsigned)point, &result) != DP_SIMULATED_RAN)
		abort();
	if (result.end != RPN_END_ABORT)
		bench.tracer->record(bench.tracer->context, result.minor, result.log,
				     result.log_bytes);
}

static void open_bench(bool big)
{
	bench = (struct bench){.ops = fake_ops, .line = {receive, NULL}};
	bench.target = fake_target(&bench.fake, dph_cpu_named("arm"), big);
	bench.target.ops = &bench.ops;
	bench.target.context = &bench.fake;
	bench.ops.trace_start = trace_start;
	bench.ops.trace_variables = trace_variables;
	bench.ops.trace_stop = trace_stop;
	bench.server = dph_gdb_server_open(&bench.target, &bench.line);
}

/* Ask. Returns the line of the answer. */
static const char *ask(const char *text)
{
	char packet[TEXT_ROOM];
	uint8_t sum = 0;
	size_t bytes;

	for (const char *at = text; *at != '\0'; at++)
		sum = (uint8_t)(sum + (uint8_t)*at);
	bytes = (size_t)snprintf(packet, sizeof packet, "$%s#%02x", text, sum);
	bench.bytes = 0;
	dph_gdb_server_feed(bench.server, (const uint8_t *)packet, bytes);
	return bench.out;
}

static bool answers(const char *text, const char *wanted)
{
	const size_t bytes = strlen(wanted);
	bool same;

	ask(text);
	same = strncmp(bench.out, "+$", 2) == 0 && strncmp(bench.out + 2, wanted, bytes) == 0 &&
	       bench.out[2 + bytes] == '#';
	if (!same)
		printf("%s: %s, and not %s\n", text, bench.out, wanted);
	return same;
}

#define EMPTY "tframes:0;tcreated:0;tfree:500000;tsize:500000;circular:0;disconn:0"

/* Two tracepoints: one with registers, memory at a fixed place, memory at a register, a string, and
 * memory that is not there; one with a condition. */
static void define(void)
{
	CHECK(answers("qTStatus", "T0;tnotrun:0;" EMPTY));
	CHECK(answers("QTinit", "OK"));
	CHECK(answers("QTDP:1:2000:E:0:0-", "OK"));
	CHECK(answers("QTDP:-1:2000:R8010-", "OK"));
	CHECK(answers("QTDP:-1:2000:MFFFFFFFF,1020,4M4,2,8-", "OK"));
	CHECK(answers("QTDP:-1:2000:X8,23106522032f27", "E.an expression is not whole"));
	CHECK(answers("QTDP:-1:2000:X7,23106522032f27", "OK"));
	CHECK(answers("QTDP:2:2010:E:0:2:X9,26000422101327-", "E.an expression is not whole"));
	CHECK(answers("QTDP:2:2010:E:0:2:Xa,260004231010132727-", "E.an expression is not whole"));
	CHECK(answers("QTDP:2:2010:E:0:2:X8,2600042310101327-", "OK"));
	CHECK(answers("QTDP:-2:2010:X6,2310f00d0827", "OK"));
	CHECK(answers("QTDP:3:2020:E:0:0:X8,2600042310111327-", "OK")); /* false at each hit */
	CHECK(answers("QTDP:4:2030:D:0:0", "OK"));
	CHECK(answers("QTro:1000,1010:10f8,1100", "OK"));
}

static void test_trace(bool big)
{
	open_bench(big);
	define();
	CHECK(answers("QTStart", "OK"));
	CHECK(answers("QTDP:5:2040:E:0:0", "E.a trace runs: tstop ends it"));
	CHECK(answers("qTStatus", "T1;tunknown:0;" EMPTY));
	hit(1);
	hit(2);
	hit(3);
	CHECK(dp_simulation_point(bench.simulation, 4) < 0);
	hit(1);
	CHECK(answers("QTStop", "OK"));
	CHECK(bench.starts == 1 && bench.stops == 1);
	CHECK(strncmp(ask("qTStatus"), "+$T0;tstop::0;tframes:3;", 24) == 0);
	CHECK(answers("qTP:1:2000", "V2:90"));
	CHECK(answers("qTP:3:2020", "V0:0"));
	CHECK(answers("QTFrame:tdp:2", "F1T2"));
	CHECK(answers("m10f0,8", "f0f1f2f3f4f5f6f7"));
	CHECK(answers("m10f0,c", "f0f1f2f3f4f5f6f7"));
	CHECK(answers("m10f8,2", "f8f9")); /* of memory that does not change */
	CHECK(answers("m1020,4", "E0e"));  /* collected in another frame */
	CHECK(answers("QTFrame:pc:2000", "F2T1"));
	CHECK(answers("QTFrame:pc:2000", "F-1"));
	CHECK(answers("m1020,4", "20212223"));
	CHECK(answers("QTFrame:0", "F0T1"));
	CHECK(answers("m1012,8", "1213141516171819"));
	CHECK(answers("m1065,3", "656667"));
	CHECK(answers("m1024,1", "E0e"));
	CHECK(answers("p4", big ? "00001010" : "10100000"));
	CHECK(answers("pf", big ? "00002000" : "00200000"));
	CHECK(answers("p5", "xxxxxxxx"));
	CHECK(answers("QTFrame:outside:1ff0:2008", "F1T2"));
	CHECK(answers("p4", "xxxxxxxx"));
	CHECK(answers("pf", big ? "00002010" : "10200000")); /* the place of the hit */
	CHECK(answers("QTFrame:range:1ff0:2008", "F2T1"));
	CHECK(answers("QTFrame:0", "F0T1"));
	CHECK(answers("QTFrame:range:ffffffff00002008:ffffffff00002018", "F1T2"));
	CHECK(answers("QTFrame:outside:ffffffff00002008:ffffffff00002018", "F2T1"));
	CHECK(answers("QTFrame:7", "F-1"));
	CHECK(answers("QTFrame:ffffffff", "F-1"));
	CHECK(answers("m1024,1", "24"));
	dph_gdb_server_close(bench.server);
	CHECK(bench.stops == 1);
}

/* A pass count ends the trace, and so does the end of the connection. */
static void test_ends(void)
{
	open_bench(false);
	define();
	CHECK(answers("QTStart", "OK"));
	hit(2);
	hit(2);
	hit(2); /* on its way when the trace ended */
	dph_gdb_server_idle(bench.server);
	CHECK(bench.stops == 1);
	CHECK(strncmp(ask("qTStatus"), "+$T0;tpasscount:2;tframes:2;", 28) == 0);
	CHECK(answers("QTStart", "OK"));
	dph_gdb_server_close(bench.server);
	CHECK(bench.starts == 2 && bench.stops == 2);
	open_bench(false);
	define();
	CHECK(answers("QTStart", "OK"));
	hit(1);
	bench.tracer->ended(bench.tracer->context, "gone");
	CHECK(strncmp(ask("qTStatus"), "+$T0;terror:676f6e65:0;tframes:1;", 33) == 0);
	CHECK(answers("QTStop", "OK"));
	dph_gdb_server_close(bench.server);
	CHECK(bench.stops == 0);
	dp_simulation_close(bench.simulation);
}

/* Trace state variables: one that counts from -2, one that a condition reads and no hit sets. */
static void test_variables(bool big)
{
	open_bench(big);
	CHECK(answers("QTinit", "OK"));
	CHECK(answers("QTDP:1:2000:E:0:0:X8,2c0002220a1327-", "E.an expression is not whole"));
	CHECK(answers("QTDP:1:2000:E:0:0:X7,2c0002220a1327-", "OK"));
	CHECK(answers("QTDP:-1:2000:Xd,2c00012201022d0001"
		      "2e0001"
		      "27",
		      "OK"));
	CHECK(answers("QTDV:1:fffffffffffffffe:0:666f6f", "OK"));
	CHECK(answers("QTDV:2:a:0:6261", "OK"));
	CHECK(answers("QTDV:3:7:0:62", "OK"));
	CHECK(answers("qTfV", "1:fffffffffffffffe:0:666f6f"));
	CHECK(answers("qTsV", "2:a:0:6261"));
	CHECK(answers("qTsV", "3:7:0:62"));
	CHECK(answers("qTsV", "l"));
	CHECK(answers("QTStart", "OK"));
	CHECK(answers("qTV:1", "Vfffffffffffffffe"));
	for (unsigned i = 0; i < 3; i++)
		hit(1);
	CHECK(answers("qTV:1", "V1"));
	CHECK(answers("QTStop", "OK"));
	CHECK(answers("qTV:1", "V1"));
	CHECK(answers("qTV:2", "Va"));
	CHECK(answers("qTV:3", "V7"));
	CHECK(answers("qTV:4", "U"));
	CHECK(answers("QTFrame:0", "F0T1"));
	CHECK(answers("qTV:1", "Vffffffffffffffff"));
	CHECK(answers("qTV:2", "U")); /* not collected */
	CHECK(answers("QTFrame:2", "F2T1"));
	CHECK(answers("qTV:1", "V1"));
	CHECK(answers("qTBuffer:6,d",
		      big ? "5600000001ffffffffffffffff" : "5601000000ffffffffffffffff"));
	dph_gdb_server_close(bench.server);
}

/* What gdb writes to a file: of each frame a number, a length, registers and memory. */
static void test_saved(void)
{
	open_bench(false);
	CHECK(answers("QTinit", "OK"));
	CHECK(answers("QTDP:1:2000:E:0:0-", "OK"));
	CHECK(answers("QTDP:-1:2000:R10MFFFFFFFF,1020,2", "OK"));
	CHECK(answers("qTfP", "T1:2000:E:0:0"));
	CHECK(answers("qTsP", "A1:2000:R10MFFFFFFFF,1020,2"));
	CHECK(answers("qTsP", "l"));
	CHECK(answers("qTfV", "l"));
	CHECK(answers("qTBuffer:0,1000", "l"));
	CHECK(answers("QTStart", "OK"));
	hit(1);
	CHECK(answers("QTStop", "OK"));
	CHECK(answers("qTBuffer:0,6", "010052000000"));
	CHECK(answers("qTBuffer:6,1", "52"));
	CHECK(answers("qTBuffer:17,4", "10100000"));
	CHECK(answers("qTBuffer:4b,100", "4d20100000000000000200"
					 "2021"));
	CHECK(answers("qTBuffer:58,100", "l"));
	dph_gdb_server_close(bench.server);
}

static void test_refused_packets(void)
{
	open_bench(false);
	CHECK(answers("QTinit", "OK"));
	CHECK(answers("QTDP:1:2000:E:1:0",
		      "E.the agent has neither while-stepping nor fast tracepoints"));
	CHECK(answers("QTDP:1:2000:E:0:0:F4",
		      "E.the agent has neither while-stepping nor fast tracepoints"));
	CHECK(answers("QTDP:0:2000:E:0:0", "E.the tracepoint is not as the protocol has it"));
	CHECK(answers("QTDP:-1:2000:R1", "E.the tracepoint is not as the protocol has it"));
	CHECK(answers("QTDP:1:2000:E:0:0-", "OK"));
	CHECK(answers("QTDP:1:2000:E:0:0-", "E.the tracepoint is not as the protocol has it"));
	CHECK(answers("QTDP:-1:2000:SR1", "E.the agent has no while-stepping"));
	CHECK(answers("QTDP:-1:2000:Q", "E.the tracepoint is not as the protocol has it"));
	CHECK(answers("QTDP:-1:2000:X4,2c000727", "OK"));
	CHECK(answers("QTStart", "E.a tracepoint has a variable without a definition"));
	CHECK(answers("QTDV:7", "E.the packet is not as the protocol has it"));
	CHECK(answers("QTBuffer:circular:0", "OK"));
	CHECK(answers("QTBuffer:circular:1",
		      "E.the buffer of frames has 5242880 bytes, and is not circular"));
	CHECK(answers("qTV:1", "U"));
	CHECK(answers("qXfer:traceframe-info:read::0,100", "E.no frame is selected"));
	dph_gdb_server_close(bench.server);
}

/* A record has 1024 bytes: memory takes 15 beside its own, registers a word beside theirs. */
static void test_long_collections(void)
{
	static const struct {
		const char *actions, *said;
	} rows[] = {
		{"MFFFFFFFF,1000,3f1", "OK"},
		{"MFFFFFFFF,1000,3f2", "collects 1025 bytes or more"},
		{"MFFFFFFFF,1000,3e9R10", "OK"},
		{"MFFFFFFFF,1000,3eaR10", "collects 1025 bytes or more"},
		{"MFFFFFFFF,1000,ffffffff", "collects 4294967310 bytes or more"},

		{"X7,2310003003f127", "OK"},
		{"X7,2310003003f227", "collects 1025 bytes or more"},
		{"X8,2310002303f20c27", "collects 1025 bytes or more"},
		{"X8,2310002303f20c27MFFFFFFFF,1000,1", "at most 1024: collect less"},
		{"X8,2310002303f22f27", "OK"},         /* a string may be short */
		{"Xc,220120000b231000300fff27", "OK"}, /* may be left out */
		{"X4,2e000127MFFFFFFFF,1000,3e5", "OK"},
		{"X4,2e000127MFFFFFFFF,1000,3e6", "collects 1025 bytes or more"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		char packet[64];

		open_bench(false);
		CHECK(answers("QTDP:1:2000:E:0:0-", "OK"));
		snprintf(packet, sizeof packet, "QTDP:-1:2000:%s", rows[i].actions);
		if (strstr(ask(packet), rows[i].said) == NULL) {
			printf("%s: %s\n", packet, bench.out);
			CHECK(false);
		}
		dph_gdb_server_close(bench.server);
	}
	/* Of several packets. */
	open_bench(false);
	CHECK(answers("QTDP:1:2000:E:0:0-", "OK"));
	CHECK(answers("QTDP:-1:2000:MFFFFFFFF,1000,200-", "OK"));
	CHECK(strstr(ask("QTDP:-1:2000:MFFFFFFFF,1000,200"), "collects 1054 bytes or more") !=
	      NULL);
	CHECK(answers("QTDP:-1:2000:MFFFFFFFF,1000,1e2", "OK"));
	dph_gdb_server_close(bench.server);
}

/* gdb's definitions have a bound, whichever packets they come in. */
static void test_much_text(void)
{
	static const char no[] =
		"E.the definitions of a trace have at most 1048576 bytes of text here";
	char action[2048] = "QTDP:-1:2000:X3e8,", text[64];
	unsigned i = 0;

	for (unsigned n = 0; n < 499; n++)
		strcat(action, "2929");
	strcat(action, "2927");
	open_bench(false);
	CHECK(answers("QTDP:1:2000:E:0:0-", "OK"));
	for (; i < 1000 && strstr(ask(action), "OK") != NULL; i++)
		;
	CHECK(i > 50 && i < 1000 && answers(action, no));
	for (i = 0; i < 10000; i++) {
		snprintf(text, sizeof text, "QTDV:%x:0:0:61", i);
		if (strstr(ask(text), "OK") == NULL)
			break;
	}
	CHECK(i < 10000 && answers(text, no));
	for (i = 0; i < 10000 && strstr(ask("QTro:0,1:2,3"), "OK") != NULL; i++)
		;
	CHECK(i < 10000 && answers("QTro:0,1:2,3", no));
	CHECK(answers("QTinit", "OK"));
	CHECK(answers("QTro:0,1:2,3", "OK"));
	CHECK(answers("QTDP:1:2000:E:0:0-", "OK"));
	CHECK(answers(action, "OK"));
	dph_gdb_server_close(bench.server);
}

/* --- dprintf --------------------------------------------------------------------------------- */

static bool print(void *context, const char *program, const struct dph_gdb_tracer *tracer,
		  struct dph_gdb_why *why)
{
	if (bench.simulation != NULL)
		trace_stop(context);
	return program == NULL || trace_start(context, program, tracer, why);
}

static void settle(void *context)
{
	(void)context;
}

static void open_printer(bool big)
{
	open_bench(big);
	dph_gdb_server_close(bench.server);
	bench.ops.print = print;
	bench.ops.settle = settle;
	bench.server = dph_gdb_server_open(&bench.target, &bench.line);
}

/* A command: the expressions of its arguments, the last one first, and the format. */
static const char *command(const char *arguments, unsigned count, const char *format)
{
	static char text[TEXT_ROOM];
	const size_t length = strlen(format);
	size_t used = (size_t)sprintf(text, "X%zx,%s2200220034%02x%04zx",
				      strlen(arguments) / 2 + 4 + 4 + length + 2, arguments, count,
				      length + 1);

	for (size_t i = 0; i < length; i++)
		used += (size_t)sprintf(text + used, "%02x", (uint8_t)format[i]);
	strcpy(text + used, "0027");
	return text;
}

static void insert(const char *before, const char *commands)
{
	char packet[TEXT_ROOM];

	snprintf(packet, sizeof packet, "Z0,2000,4;%scmds:1,%s", before, commands);
	CHECK(answers(packet, "OK"));
}

/* What gdb has printed since the last question. */
static const char *printed(void)
{
	static char text[OUT_ROOM];
	size_t used = 0;
	unsigned byte;

	dph_gdb_server_idle(bench.server);
	for (const char *at = bench.out; (at = strstr(at, "$O")) != NULL;)
		for (at += 2; *at != '#' && sscanf(at, "%2x", &byte) == 1; at += 2)
			text[used++] = (char)byte;
	text[used] = '\0';
	bench.out[bench.bytes = 0] = '\0';
	return text;
}

static bool goes_on(void)
{
	return strcmp(ask("vCont;c"), "+") == 0;
}

static void interrupt(void)
{
	bench.bytes = 0;
	dph_gdb_server_feed(bench.server, (const uint8_t *)"\x03", 1);
	CHECK(strstr(bench.out, "$T02") != NULL);
}

/* Letters, flags, escapes, strings that end at a NUL and at a precision, one that cannot be read.
 */
static void test_dprintf(bool big)
{
	static const char told[] = "hit(s) of dprintf are not printed";

	open_printer(big);
	CHECK(strstr(ask("qSupported"), ";BreakpointCommands+") != NULL);
	insert("", command("24000090002310412241230fff22fe1608", 5, "v %4d %#x %c %.3s %s %%\\n"));
	CHECK(goes_on() && bench.starts == 1);
	hit(1);
	CHECK(strcmp(printed(), "v   -2 0xfff A ABC <not read> %\n") == 0);
	hit(1);
	hit(1);
	interrupt(); /* what came before the stop is printed before it */
	CHECK(strcmp(printed(), "v   -2 0xfff A ABC <not read> %\n"
				"v   -2 0xfff A ABC <not read> %\n") == 0);
	hit(1); /* gdb prints when it waits */
	CHECK(strcmp(printed(), "") == 0);
	CHECK(goes_on() && bench.starts == 1);
	CHECK(strcmp(printed(), "v   -2 0xfff A ABC <not read> %\n") == 0);
	interrupt();
	/* Another text of the same program; a condition that is false; a value of a register. */
	insert("", command("24000090002310412241230fff22fe1608", 5, "w %ld %5u %x %.1s %s\\n"));
	CHECK(goes_on() && bench.starts == 2);
	hit(1);
	CHECK(strcmp(printed(), "w -2  4095 41 A <not read>\n") == 0);
	interrupt();
	insert("X8,2600042310111327;", command("260004", 1, "%p\\n"));
	CHECK(goes_on() && bench.starts == 3);
	hit(1);
	CHECK(strcmp(printed(), "") == 0);
	interrupt();
	insert("X8,2600042310101327;", command("260004", 1, "%p %500d\\n"));
	CHECK(strstr(ask("c"), "another number of arguments") != NULL);
	insert("X8,2600042310101327;", command("2201260004", 2, "%p %500d\\n"));
	CHECK(goes_on() && bench.starts == 4);
	hit(1);
	CHECK(strncmp(printed(), "0x1010  ", 8) == 0);
	interrupt();
	for (unsigned i = 0; i < 200; i++)
		hit(1);
	CHECK(goes_on());
	CHECK(strstr(printed(), told) != NULL);
	CHECK(strcmp(printed(), "") == 0);
	interrupt();
	CHECK(answers("z0,2000,4", "OK"));
	dph_gdb_server_close(bench.server);
	CHECK(bench.stops == 4 && bench.simulation == NULL);
}

/* Commands that are refused in words, when the target is to go on. */
static void test_refused_dprintf(void)
{
	static const struct {
		const char *arguments;
		unsigned count;
		const char *format, *why;
	} rows[] = {
		{"2201", 1, "%f", "and not '%f': use another dprintf-style"},
		{"2201", 1, "%lld", "a number that needs more than a word"},
		{"2201", 1, "%600d", "a field of a dprintf has more than 512 characters"},
		{"2201", 1, "%", "and not '% '"},
		{"", 0, "%d", "another number of arguments than its format"},
		{"250000000100000000", 1, "%d", "needs more than a word"},
		{"33", 1, "%d", "no equal of the instruction 0x33"},
	};
	static const char *const texts[] = {
		"Z0,2000,4;cmds:1,X3,220127", /* no printf */
		"Z0,2000,4;cmds:1,X8,3400000200412727",
		"Z0,2000,4;cmds:1,X1,34",
		"Z0,2000,4;cmds:1,X2,34",
		"Z0,2000,4;cmds:1,",
		"Z0,2000,4;cmds:",
	};

	open_printer(false);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		insert("", command(rows[i].arguments, rows[i].count, rows[i].format));
		CHECK(strstr(ask("c"), rows[i].why) != NULL);
	}
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		CHECK(answers(texts[i], "OK"));
		CHECK(strncmp(ask("c"), "+$E.at 0x2000: ", 15) == 0);
	}
	CHECK(bench.starts == 0);
	dph_gdb_server_close(bench.server);
}

int main(void)
{
	test_values();
	test_refused();
	test_trace(false);
	test_trace(true);
	test_ends();
	test_variables(false);
	test_variables(true);
	test_saved();
	test_refused_packets();
	test_long_collections();
	test_much_text();
	test_dprintf(false);
	test_dprintf(true);
	test_refused_dprintf();
	return check_status();
}

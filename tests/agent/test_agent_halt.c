/* SPDX-License-Identifier: BSD-2-Clause */
/* A stopped target: exit 1, HALT, REGS and RESUME. While the target is stopped, the board's
 * `stopped` is the host: it types requests and sees their answers.  PROTOCOL.md 5.13 */
#include "stopped_host.h"

#include "dp_bytes.h"
#include "dp_crc.h"

enum {
	NO_STOP = 45,
	NOT_STOPPED = 46,
	NO_REGISTERS = 62,
	REGISTERS = 13 /* of the sim that a program may write */
};
#define STOPS  "name = \"s\"\noffset = 0x08000100\npush 7\nlog 1\nexit 1\n"
#define COUNTS "name = \"c\"\noffset = 0x08000200\nexit\n"

/* --- registers and memory --- */

static const dp_word value = (dp_word)0xa1b2c3d4e5f60718;

static void look_and_change(void)
{
	unsigned each = (unsigned)(52 / sizeof(dp_word));
	uint8_t place[1 + sizeof(dp_word) + 1] = {0};
	uint8_t store[12] = {0};

	if (turns == 1) {
		CHECK(records == 1 && bench_logged(0) == 7);
		CHECK(firmware.executed == 0 && noticed(DP_NOTICE_STOPPED));
		CHECK(notice(DP_NOTICE_STOPPED, 0, sizeof(dp_word)) == AT);
		CHECK(notice(DP_NOTICE_STOPPED, sizeof(dp_word), 2) == 0x0001);
		ask_regs(0, (uint8_t)each);
	} else if (turns == 2) {
		CHECK(last.error == 0 && last.bytes == 2 + each * sizeof(dp_word));
		CHECK(bench_number(&last, 0, 2) == 0);
		for (unsigned i = 0; i < each; i++)
			CHECK(get_word(last.payload + 2 + i * sizeof(dp_word)) ==
			      (dp_word)(value + i));
		ask_regs(14, 4); /* lr, pc, flags, and none */
	} else if (turns == 3) {
		CHECK(last.error == 0 && bench_number(&last, 0, 2) == 8);
		CHECK(get_word(last.payload + 2 + sizeof(dp_word)) == AT);
		write_reg(3, (dp_word)~value);
	} else if (turns == 4) {
		CHECK(last.error == 0 && get_word(last.payload + 2) == (dp_word)~value);
		put_word(place + 1, FIRMWARE_RAM + 8);
		place[1 + sizeof(dp_word)] = 4;
		send(DP_CMD_MEMORY, place, sizeof(place));
	} else if (turns == 5) {
		CHECK(last.error == 0 && memcmp(last.payload + 2, firmware.ram + 8, 4) == 0);
		dp_put_u64(store, FIRMWARE_RAM + 64);
		memcpy(store + 8, "\1\2\3\4", 4);
		send(DP_CMD_STORE, store, sizeof(store));
	} else {
		CHECK(turns != 6 || (last.error == 0 && last.payload[0] == 4));
		resume();
	}
}

/* proves: R5.117 R5.118 R5.119 R5.121 R5.122 R5.125 A1.31 */
static void registers_and_memory(void)
{
	start(look_and_change);
	for (unsigned i = 0; i < REGISTERS; i++)
		*reg(i) = (dp_word)(value + i);
	CHECK(bench_install(STOPS) == 0);
	firmware_run(AT, 1);
	CHECK(turns == 6 && firmware.executed == 1 && !dp_sim.masked);
	CHECK((dp_word)*reg(3) == (dp_word)~value && (dp_word)*reg(2) == (dp_word)(value + 2));
	CHECK(memcmp(firmware.ram + 64, "\1\2\3\4", 4) == 0);
	CHECK(noticed(DP_NOTICE_RESUMED) && notice(DP_NOTICE_RESUMED, 0, 1) == 1);
	/* A call of `stopped` takes 10 ticks. */
	CHECK(notice(DP_NOTICE_RESUMED, 1, 8) == 10 * calls);
	bench_poll();
	CHECK(bench.records == 1 && bench.bad_records == 0 && bench.line[0].bad_frames == 0);
}

static void wrong_registers(void)
{
	static const uint8_t errors[] = {30, 30, 28, 64, 64};

	CHECK(turns == 1 || turns > 6 || last.error == errors[turns - 2]);
	if (turns == 1)
		write_reg(15, OTHER); /* the pc */
	else if (turns == 2)
		write_reg(13, 0);
	else if (turns == 3)
		write_reg(99, 0);
	else if (turns == 4)
		ask_regs(0, 52 / sizeof(dp_word) + 1);
	else if (turns == 5)
		send(DP_CMD_REGS, "\0\1\1\1\1", 5); /* no whole word */
	else
		resume();
}

/* proves: R5.120 */
static void refuses_registers(void)
{
	stop_once(wrong_registers, STOPS);
	CHECK(turns == 6 && firmware.foreign_traps == 0);
}

/* --- the end of a stop --- */

static void is_gone(void)
{
}

static void asks_once(void)
{
	if (turns == 1)
		ask_regs(0, 1);
}

/* proves: R5.123 R5.124 R5.152 */
static void goes_on_alone(void)
{
	uint32_t before;

	stop_once(is_gone, STOPS);
	CHECK(notice(DP_NOTICE_RESUMED, 0, 1) == 3);
	CHECK(notice(DP_NOTICE_RESUMED, 1, 8) / HZ == DP_HALT_SECONDS);
	CHECK(calls > DP_HALT_SECONDS * HZ / 11); /* the watchdog is served */
	before = calls;
	firmware_run(AT, 1); /* nobody is there */
	CHECK(firmware.executed == 2 && calls == before);
	CHECK(bench_error(DP_CMD_LIMITS, "", 0) == 0);
	firmware_run(AT, 1);
	CHECK(firmware.executed == 3 && calls > before);
}

static void asks_for(uint16_t seconds)
{
	uint8_t arguments[2] = {(uint8_t)(seconds >> 8), (uint8_t)seconds};

	send(DP_CMD_HALT, arguments, sizeof(arguments));
}

static void wants_3_s(void)
{
	if (turns == 1)
		asks_for(3);
	if (turns == 2)
		CHECK(last.error == 0 && last.payload[0] == 1 &&
		      get_word(last.payload + 9 - sizeof(dp_word)) == AT);
}

static void wants_for_ever(void)
{
	if (turns == 1)
		asks_for(0xffff);
	else if (dp_sim.ticks > 3600ull * HZ)
		resume();
}

/* proves: R5.124 */
static void as_long_as_asked(void)
{
	stop_once(wants_3_s, STOPS);
	CHECK(notice(DP_NOTICE_RESUMED, 0, 1) == 3 && notice(DP_NOTICE_RESUMED, 1, 8) / HZ == 3);
	start(wants_for_ever);
	tick = 10000;
	CHECK(bench_install(STOPS) == 0);
	firmware_run(AT, 1);
	CHECK(notice(DP_NOTICE_RESUMED, 0, 1) == 1 && notice(DP_NOTICE_RESUMED, 1, 8) / HZ == 3600);
	/* The next stop has the time of the build again. */
	host = is_gone;
	tick = 10;
	turns = 0;
	firmware_run(AT, 1);
	CHECK(notice(DP_NOTICE_RESUMED, 1, 8) / HZ == DP_HALT_SECONDS);
}

static void types_resume(void)
{
	if (turns == 1)
		type("x~dprobes resume\r~dprobes resum\r~dprobes resume");
	else if (turns == 2 || turns == 3)
		type(turns == 2 ? "e\r" : "~dprobes resume\r\n");
}

/* proves: R5.126 R5.127 */
static void goes_on_by_typed_line(void)
{
	stop_once(types_resume, STOPS);
	CHECK(notice(DP_NOTICE_RESUMED, 0, 1) == 2 && turns == 3);
	/* The kernel stood where it was hit: it got nothing. */
	CHECK(bench.line[0].console_bytes == 0);
	bench_type_text(DP_COM1, "x");
	CHECK(bench_console_got(DP_COM1, "x"));
}

static unsigned wakes;

static void wake(void)
{
	wakes++;
}

static void wakes_nobody(void)
{
	start(look_and_change);
	firmware.board.wake = wake;
	bench_poll();
	for (unsigned i = 0; i < REGISTERS; i++)
		*reg(i) = (dp_word)(value + i);
	CHECK(bench_install(STOPS) == 0);
	wakes = 0;
	firmware_run(AT, 1);
	CHECK(turns == 6 && wakes == 0);
	/* Behind the stop a request wakes the task again. */
	bench_type_request(DP_COM1, ++bench.seq, DP_CMD_STATUS, "", 0);
	CHECK(wakes == 1);
}

/* --- other requests in a stop --- */

static void removes_itself(void)
{
	if (turns == 1)
		send(DP_CMD_REMOVE, "\0", 1);
	else
		resume();
}

static uint16_t transaction;

/* Upload and install the object in bench.object, which fits one DATA. */
static void installs_another(void)
{
	uint8_t arguments[DP_PAYLOAD_MAX - 1];
	static uint32_t at;

	if (turns == 1) {
		dp_put_u32(arguments, bench.object_bytes);
		dp_put_u32(arguments + 4, dp_crc32(0, bench.object, bench.object_bytes));
		send(DP_CMD_BEGIN, arguments, 8);
		at = 0;
		return;
	}
	CHECK(last.error == 0);
	if (turns == 2)
		transaction = (uint16_t)bench_number(&last, 0, 2);
	dp_put_u16(arguments, transaction);
	if (at < bench.object_bytes) {
		uint32_t left = bench.object_bytes - at,
			 n = left < DP_DATA_MAX ? left : DP_DATA_MAX;

		dp_put_u32(arguments + 2, at);
		memcpy(arguments + 6, bench.object + at, n);
		at += n;
		send(DP_CMD_DATA, arguments, 6 + n);
	} else if (at == bench.object_bytes) {
		at++;
		arguments[2] = DP_COMMIT_NO_IDENTITY;
		arguments[3] = 0;
		send(DP_CMD_COMMIT, arguments, 4);
	} else {
		resume();
	}
}

/* The hit goes on when its own probe is gone, and a program that was installed meanwhile is hit. */
/* proves: R5.128 */
static void changes_programs(void)
{
	stop_once(removes_itself, STOPS);
	CHECK(firmware.agent.programs == 0 && firmware_text_is_original());
	CHECK(firmware.foreign_traps == 0 && firmware.agent.strays == 0);

	start(installs_another);
	CHECK(bench_install(STOPS) == 0 && bench_compile(COUNTS));
	firmware_run(AT, 1);
	CHECK(firmware.executed == 1 && firmware.agent.programs == 2);
	firmware_run(OTHER, 1);
	CHECK(dp_probe_hits(bench_probe(1, 0)) == 1 && firmware.executed == 2);

	/* The same place: the hit goes on with the trap of both. */
	start(installs_another);
	CHECK(bench_install(STOPS) == 0 &&
	      bench_compile("name = \"c\"\noffset = 0x08000100\nexit\n"));
	firmware_run(AT, 1);
	CHECK(firmware.executed == 1 && firmware.agent.programs == 2);
	CHECK(dp_probe_hits(bench_probe(1, 0)) == 0);
	host = is_gone;
	firmware_run(AT, 1);
	CHECK(dp_probe_hits(bench_probe(1, 0)) == 1 && firmware.executed == 2);
	bench_remove_all();
	CHECK(firmware_text_is_original());
}

static void opens_a_session(void)
{
	uint8_t arguments[6] = {DP_PROTOCOL_VERSION,
				0,
				0,
				0,
				9,
				DP_RIGHT_LOOK | DP_RIGHT_INSERT | DP_RIGHT_WRITE | DP_RIGHT_TAKE};

	if (turns == 1) {
		send(DP_CMD_HELLO, arguments, sizeof(arguments));
		bench.session = 9;
	} else if (turns == 2) {
		CHECK(last.came && last.error == 0);
		send(DP_CMD_LIMITS, "", 0);
	} else if (turns == 3) {
		CHECK(last.error == 0 && last.bytes > 40);
		send(DP_CMD_MODULE, "\0\0", 2);
	} else {
		CHECK(turns != 4 || last.error == 0);
		resume();
	}
}

/* proves: R5.128 */
static void new_host(void)
{
	stop_once(opens_a_session, STOPS);
	CHECK(turns == 4);
}

/* --- no stop --- */

static void never(void)
{
	CHECK(!"stopped");
}

static unsigned hooked;

static void hook(struct dp_hook_call *call)
{
	(void)call;
	CHECK(!noticed(DP_NOTICE_STOPPED));
	hooked++;
}

static uint8_t halt_error(void)
{
	return bench_error(DP_CMD_HALT, "\0\0", 2);
}

/* proves: R5.129 R5.130 R5.133 A1.31 */
static void does_not_stop(void)
{
	start(never);
	firmware.board.exit_hook[0] = hook;
	hooked = 0;
	CHECK(bench_error(DP_CMD_RESUME, "", 0) == NOT_STOPPED);
	CHECK(bench_error(DP_CMD_REGS, "\0\0\1", 3) == NOT_STOPPED);
	bench_hello(3, 0); /* without the right to write */
	CHECK(bench_install(STOPS) == 0);
	firmware_run(AT, 1);
	CHECK(halt_error() == 72 && bench_error(DP_CMD_RESUME, "", 0) == 72);
	bench_remove_all();
	bench_hello(4, DP_RIGHT_WRITE);
	CHECK(bench_install("name = \"s\"\noffset = 0x08000100\nphase = after\nexit 1\n") == 0);
	firmware_run(AT, 1);
	bench_remove_all();
	CHECK(bench_install("name = \"s\"\noffset = 0x08000100\nexit 3\n") == 0);
	firmware_run(AT, 1);
	bench_remove_all();
	CHECK(bench_install(STOPS) == 0);
	firmware.agent.executing = DP_CMD_COMMIT; /* its host waits for the answer */
	firmware_run(AT, 1);
	firmware.agent.executing = 0;
	firmware.board.stopped = NULL; /* not in dp_poll, nor in a hit */
	firmware_run(AT, 1);
	CHECK(halt_error() == NO_STOP && bench_error(DP_CMD_REGS, "\0\0\1", 3) == NO_STOP);
	CHECK(bench_error(DP_CMD_RESUME, "", 0) == NO_STOP);
	CHECK(firmware.executed == 5 && hooked == 4 && !noticed(DP_NOTICE_STOPPED));
	/* The hook is called before the target stops. */
	firmware.board.stopped = stopped;
	host = asks_once;
	firmware_run(AT, 1);
	CHECK(hooked == 5 && noticed(DP_NOTICE_STOPPED));
}

/* A hit in the middle of a request leaves the one stop of the probe to the next hit. */
/* proves: R5.157 */
static void keeps_its_hit(void)
{
	start(resume);
	CHECK(bench_install("name = \"s\"\noffset = 0x08000100\nmaxhits = 1\nexit 1\n") == 0);
	for (unsigned i = 1; i <= 3; i++) {
		firmware.agent.executing = DP_CMD_COMMIT;
		firmware_run(AT, 1);
		CHECK(turns == 0 && dp_probe_hits(bench_probe(0, 0)) == i);
	}
	firmware.agent.executing = 0;
	firmware_run(AT, 1);
	CHECK(turns == 1 && noticed(DP_NOTICE_STOPPED));
	turns = 0;
	firmware_run(AT, 1);
	CHECK(turns == 0 && bench_probe(0, 0)->state == DP_PROBE_DISABLED);
}

/* All handlers of the place run before the stop. */
/* proves: R5.117 */
static void behind_all_handlers(void)
{
	start(resume);
	CHECK(bench_install(STOPS) == 0);
	CHECK(bench_install("name = \"t\"\noffset = 0x08000100\npush 8\nlog 1\nexit\n") == 1);
	for (unsigned i = 1; i < 4; i++) { /* with a plan and without */
		turns = 0;
		firmware_run(AT, 1);
		CHECK(turns == 1 && records == 2 * i && firmware.executed == i);
	}
}

/* --- in dp_poll --- */

static void looks_in_poll(void)
{
	if (turns == 1) {
		CHECK(notice(DP_NOTICE_STOPPED, sizeof(dp_word), 2) == 0xff02);
		asks_for(0);
	} else if (turns == 2) {
		CHECK(last.error == 0 && last.payload[0] == 2);
		ask_regs(0, 1);
	} else {
		CHECK(turns != 3 || last.error == NO_REGISTERS);
		resume();
	}
}

/* proves: R5.131 R5.132 */
static void stops_in_poll(void)
{
	start(looks_in_poll);
	bench_ask(DP_CMD_HALT, "\0\0", 2);
	CHECK(turns == 3 && notice(DP_NOTICE_RESUMED, 0, 1) == 1);
	CHECK(!firmware.agent.cpu[0].in_hit && !dp_sim.masked);
	CHECK(bench_error(DP_CMD_RESUME, "", 0) == NOT_STOPPED);
}

int main(void)
{
	registers_and_memory();
	refuses_registers();
	goes_on_alone();
	as_long_as_asked();
	goes_on_by_typed_line();
	wakes_nobody();
	changes_programs();
	new_host();
	does_not_stop();
	keeps_its_hit();
	behind_all_handlers();
	stops_in_poll();
	return check_status();
}

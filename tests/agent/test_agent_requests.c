/* SPDX-License-Identifier: BSD-2-Clause */
/* Every request of PROTOCOL.md section 5, and each error it can answer. Uploads:
 * test_agent_install.c. */
#include "bench.h"
#include "check.h"

#include "dp_build.h"
#include "dp_bytes.h"
#include "dp_crc.h"
#include "dp_variables.h"

#include <stdio.h>
#include <string.h>

#define PROGRAM "name = \"first\"\nvars = 20\noffset = 0x08000100\npush 5\nlog 1\nexit\n"
#define SECOND                                                                                     \
	"name = \"a name of forty-nine bytes, which is a longer one\"\nid = 7\ngvars = 3\n"        \
	"offset = 0x08000200\nminor = 1\nmaxhits = 9\ninc gv, 2\nexit\n"                           \
	"offset = 0x08000204\nminor = 2\nexit\n"

static uint8_t with_byte(uint8_t command, uint8_t argument)
{
	return bench_error(command, &argument, 1);
}

/* Too short by every count, and unknown commands. */
/* proves: R5.5 */
static void bad_requests(void)
{
	static const struct {
		uint8_t command, least;
	} rows[] = {
		{DP_CMD_MODULE, 2}, {DP_CMD_BEGIN, 8},  {DP_CMD_DATA, 7},    {DP_CMD_CHECK, 4},
		{DP_CMD_COMMIT, 4}, {DP_CMD_REMOVE, 1}, {DP_CMD_PROGRAM, 1}, {DP_CMD_PROBE, 2},
		{DP_CMD_NAME, 2},   {DP_CMD_VARS, 5},   {DP_CMD_PROBES, 3},  {DP_CMD_LOG, 2},
		{DP_CMD_TEXT, 13},
	};
	uint8_t zeros[DP_PAYLOAD_MAX] = {0};

	bench_start();
	CHECK(bench_install(PROGRAM) == 0);
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (uint8_t n = 0; n < rows[i].least; n++)
			CHECK(bench_error(rows[i].command, zeros, n) == DP_ERR_BAD_REQUEST);
	/* what PROTOCOL.md says of verdicts: none where nothing was looked at */
	CHECK(bench_ask(DP_CMD_CHECK, zeros, 3).bytes == 0);
	CHECK(bench_ask(DP_CMD_COMMIT, zeros, 4).bytes == 18);
	CHECK(bench_ask(DP_CMD_CHECK, zeros, 4).bytes == 15);
	for (unsigned command = 0; command < 256; command++) {
		switch (command) {
#define DP_CMD(number, name, text, from_hit, right, repeatable) case number:
#include "commands.def"
			break;
		default:
			CHECK(bench_error((uint8_t)command, zeros, 10) == DP_ERR_BAD_REQUEST);
		}
	}
	CHECK(firmware.agent.program[0].object);
}

#define WRONG(command, arguments, error, bytes)                                                    \
	{                                                                                          \
		DP_CMD_##command, (error), (bytes), sizeof(arguments) - 1, arguments               \
	}

struct wrong {
	uint8_t command, error, bytes; /* of the answer's fields */
	uint8_t count;
	const char *arguments;
};

static void ask_wrong(const struct wrong *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct bench_answer answer =
			bench_ask(rows[i].command, rows[i].arguments, rows[i].count);

		CHECK(answer.came && answer.error == rows[i].error);
		CHECK(answer.bytes == rows[i].bytes);
	}
}

/* Errors that PROTOCOL.md tells in one table, and requests that look wrong and are not. Program 0
 * has a point and 20 variables; no upload is open. */
/* proves: R5.90 R5.91 R5.92 */
static void wrong_requests(void)
{
	static const struct wrong rows[] = {
		WRONG(HELLO, "\2\0\0\0\0\2", DP_ERR_BAD_REQUEST, 0),
		WRONG(PROVE, "\0\0\0\0\0\0\0\0\2", DP_ERR_BAD_REQUEST, 0),
		WRONG(MODULE, "\1\0", DP_ERR_BAD_RANGE, 0),
		WRONG(BEGIN, "\177\0\0\0\0\0\0\0", DP_ERR_ARENA_FULL, 0),
		WRONG(DATA, "\0\1\0\0\0\0", DP_ERR_BAD_REQUEST, 0),
		WRONG(DATA, "\0\1\0\0\0\0\0", DP_ERR_BAD_TXN, 6),
		WRONG(CHECK, "\0\1\100\0", DP_ERR_BAD_REQUEST, 0),
		WRONG(CHECK, "\0\1\0\0", DP_ERR_BAD_TXN, 15),
		WRONG(COMMIT, "\0\1\100\0", DP_ERR_BAD_REQUEST, 0),
		WRONG(COMMIT, "\0\5\0\0", DP_ERR_BAD_TXN, 18),
		WRONG(PROBE, "\0\1", DP_ERR_BAD_RANGE, 0),
		WRONG(ORIGINAL, "\0\1", DP_ERR_BAD_RANGE, 0),
		WRONG(NAME, "\0\5", DP_ERR_BAD_RANGE, 0),
		WRONG(LOG, "\2\376", DP_ERR_BAD_RANGE, 0),
		WRONG(LOG, "\376\3", DP_ERR_BAD_RANGE, 0),
		WRONG(TEXT, "\0\0\0\0\10\0\0\0\0\0\0\100\2", DP_ERR_BAD_REQUEST, 0),
		WRONG(RESEND, "\0\0\0\1\0\0\0\0\0\0", DP_ERR_BAD_RANGE, 0),
		WRONG(RESEND, "\0\0\0\0\0\0\0\1\0\1", DP_ERR_BAD_RANGE, 0),
		WRONG(STOP, "\1", DP_ERR_NO_PROGRAM, 0),
		WRONG(MAP, "\1\0\0\0\3", DP_ERR_NO_PROGRAM, 0),
		WRONG(MODULE, "\0\6", 0, 36),
		WRONG(VARS, "\0\0\25\5\0", 0, 2),
		WRONG(REMOVE, "\377", 0, 1),
		WRONG(REMOVE, "\377", 0, 1),
	};

	bench_start();
	CHECK(bench_install(PROGRAM) == 0);
	ask_wrong(rows, sizeof(rows) / sizeof(rows[0]));
	CHECK(!firmware.agent.program[0].object);
}

/* Points that no bit selects, and bits without a point. */
/* proves: R5.90 R5.91 */
static void selections(void)
{
	uint8_t arguments[4 + 2] = {0, 0, DP_COMMIT_NO_IDENTITY, 0, 0x7f, 0xff};
	struct bench_answer answer;
	uint16_t transaction;

	bench_start();
	CHECK(bench_compile(PROGRAM));
	answer = bench_upload(&transaction);
	CHECK(answer.error == DP_ERR_OK);
	dp_put_u16(arguments, transaction);
	answer = bench_ask(DP_CMD_CHECK, arguments, sizeof(arguments));
	CHECK(answer.error == DP_ERR_EMPTY && answer.bytes == 15);
	arguments[4] = 0xff;
	CHECK(bench_error(DP_CMD_CHECK, arguments, sizeof(arguments)) == DP_ERR_OK);
	CHECK(bench_error(DP_CMD_COMMIT, arguments, sizeof(arguments)) == DP_ERR_OK);
	answer = bench_ask(DP_CMD_PROBES, "\0\0\0", 3); /* one row */
	CHECK(answer.error == DP_ERR_OK && answer.bytes > 0);
	CHECK(bench_ask(DP_CMD_PROBES, "\0\0\1", 3).bytes == answer.bytes);
}

/* The order of the comparisons: command, right, length, program. */
/* proves: R5.89 */
static void first_error(void)
{
	static const struct wrong rows[] = {
		WRONG(PROGRAM, "", DP_ERR_NO_RIGHT, 0),
		WRONG(BEGIN, "", DP_ERR_NO_RIGHT, 0),
		WRONG(LOG, "\2\3", DP_ERR_NO_RIGHT, 0),
		{0xee, DP_ERR_BAD_REQUEST, 0, 0, ""},
	};
	static const struct wrong with_rights[] = {
		WRONG(PROBE, "\11", DP_ERR_BAD_REQUEST, 0),
		WRONG(PROBE, "\11\77", DP_ERR_NO_PROGRAM, 0),
		WRONG(MAP, "\0\0\0\0\3", DP_ERR_NO_PROGRAM, 0),
		WRONG(HELLO, "\7", DP_ERR_BAD_PROTOCOL, 1),
	};

	bench_start();
	ask_wrong(with_rights, sizeof(with_rights) / sizeof(with_rights[0]));
	CHECK(bench_error(DP_CMD_CLOSE, NULL, 0) == DP_ERR_OK); /* no right is left */
	ask_wrong(rows, sizeof(rows) / sizeof(rows[0]));
	bench_start();
	dp_lock(&firmware.agent);
	CHECK(bench_error(DP_CMD_BEGIN, NULL, 0) == DP_ERR_LOCKED);
}

/* A repeat is one on the line of the first request. A line without a command gets no answer. */
/* proves: R3.14 R3.15 R3.36 */
static void repeats(void)
{
	const uint32_t *answers = &bench.line[0].answers, *second = &bench.line[1].answers;
	uint32_t before;
	char line[DP_LINE_MAX];
	size_t bytes;

	bench_start();
	CHECK(bench_install(PROGRAM) == 0);
	bytes = bench_request(line, 77, DP_CMD_REMOVE, "\0", 1);
	for (unsigned i = 0; i < 2; i++) {
		before = *answers;
		bench_type(DP_COM1, line, bytes);
		bench_poll();
		CHECK(*answers == before + 1 && bench.line[0].answer.payload[1] == DP_ERR_OK);
	}
	before = *second;
	bench_type(DP_COM2, line, bytes);
	bench_poll();
	CHECK(*second == before + 1 && bench.line[1].answer.payload[1] == DP_ERR_NO_PROGRAM);
	before = *answers;
	bytes = dp_frame_put_control(line, DP_FRAME_REQUEST, 78, NULL, 0,
				     bench_seed(bench.session));
	bench_type(DP_COM1, line, bytes);
	bench_poll();
	CHECK(*answers == before && bench.line[0].naks == 0);
	CHECK(bench.line[0].console_bytes == 0);
}

/* proves: A2.2 R4.2 R5.6 R5.8 */
static void hello(void)
{
	uint8_t arguments[6] = {DP_PROTOCOL_VERSION, 0, 0, 0, 0, 0};
	struct bench_answer answer;

	bench_cold();
	for (uint8_t n = 1; n <= 6; n++) /* too short; then session 0 */
		CHECK(bench_error(DP_CMD_HELLO, arguments, n) == DP_ERR_BAD_REQUEST);
	CHECK(!firmware.agent.link.opened && firmware.agent.transmit.target == DP_COM_NONE);
	arguments[0] = DP_PROTOCOL_VERSION - 1;
	arguments[4] = 1;
	answer = bench_ask(DP_CMD_HELLO, arguments, 6);
	CHECK(answer.error == DP_ERR_BAD_PROTOCOL && answer.bytes == 1 &&
	      answer.payload[0] == DP_PROTOCOL_VERSION);
	CHECK(!firmware.agent.link.opened);
	/* nobody has a session: nothing but HELLO is heard */
	bench.session = 5;
	CHECK(bench_error(DP_CMD_STATUS, NULL, 0) == 0xfe);

	answer = bench_hello(0x11223344, 0xff);
	CHECK(answer.came && answer.error == 0 && answer.bytes == 48);
	CHECK(bench_number(&answer, 0, 1) == 2); /* version */
	CHECK(bench_number(&answer, 1, 2) == 1); /* boot */
	CHECK(bench_number(&answer, 3, 4) ==
	      (DP_CPU_SIM << 24 | sizeof(dp_word) << 16 | DP_PORT_BIG_ENDIAN << 8 | 0x0f));
	CHECK(bench_number(&answer, 7, 1) == 15); /* phases: all */
	CHECK(bench_number(&answer, 8, 1) == 3);  /* coms */
	CHECK(bench_number(&answer, 9, 1) == DP_RX_LINES);
	CHECK(bench_number(&answer, 10, 2) == 0x010f); /* profile, rights */
	CHECK(bench_number(&answer, 12, 4) == 1000000);
	CHECK(bench_number(&answer, 24, 2) == 1); /* programs, modules */
	CHECK(bench_number(&answer, 32, 2) == DP_LOG_MAX);
	CHECK(bench_number(&answer, 34, 2) == DP_TRACE_MAX);
	CHECK(memcmp(answer.payload + 36, firmware.agent.nonce, 8) == 0);
	CHECK(bench_number(&answer, 44, 4) == DP_MORE_PARTS);
	CHECK(firmware.agent.transmit.target == DP_COM1);
	bench.com = DP_COM2;
	answer = bench_hello(0x55667788, 0);
	CHECK(answer.came && answer.payload[11] == 0x0e);
	CHECK(firmware.agent.transmit.target == DP_COM1);
}

static void limits_status(void)
{
	struct bench_answer answer;

	bench_start();
	answer = bench_ask(DP_CMD_LIMITS, NULL, 0);
	CHECK(answer.came && answer.error == 0 && answer.bytes == 45);
	CHECK(bench_number(&answer, 40, 4) == DP_HITS_PER_SECOND);
	CHECK(bench_number(&answer, 44, 1) == DP_NONCE_NONE);
	CHECK(bench_number(&answer, 16, 4) == DP_ARENA_BYTES);
	CHECK(bench_number(&answer, 20, 4) == DP_ARENA_BYTES);
	CHECK(bench_number(&answer, 24, 2) == (DP_MAX_PROBES << 8 | DP_MAX_PROBES));
	CHECK(bench_install(SECOND) == 0);
	answer = bench_ask(DP_CMD_LIMITS, NULL, 0);
	CHECK(bench_number(&answer, 20, 4) == DP_ARENA_BYTES - firmware.agent.arena_used);
	CHECK(bench_number(&answer, 25, 1) == DP_MAX_PROBES - 2);
	firmware_run(FIRMWARE_TEXT + 0x200, 2);
	bench_poll();
	answer = bench_ask(DP_CMD_STATUS, NULL, 0);
	CHECK(answer.came && answer.error == 0 && answer.bytes == 30);
	CHECK(bench_number(&answer, 0, 4) == 0x01020001);
	CHECK(bench_number(&answer, 4, 4) == 2);  /* sent */
	CHECK(bench_number(&answer, 24, 2) == 0); /* com1; no text of its own may be probed */
}

/* Numbers of removed probes whose records have not left are not free, but will be: BUSY, not full.
 */
/* proves: R4.9 R5.5 */
static void numbers_of_records_on_their_way(void)
{
	char source[64 * DP_MAX_PROBES] = "name = \"full\"\n";
	uint16_t transaction = 0;
	struct bench_answer answer;

	bench_start();
	for (unsigned i = 0, n = 14; i < DP_MAX_PROBES; i++)
		n += (unsigned)snprintf(source + n, sizeof(source) - n,
					"offset = 0x%x\nminor = %u\npush 1\nlog 1\nexit\n",
					FIRMWARE_TEXT + 4 * i, i);
	CHECK(bench_install(source) == 0);
	firmware.agent.transmit.target = DP_COM2;
	bench.line[DP_COM2].room = 0;
	firmware_run(FIRMWARE_TEXT, 60);
	CHECK(bench_ask(DP_CMD_REMOVE, "\xff", 1).error == 0);
	CHECK(bench_compile(source));
	CHECK(bench_upload(&transaction).error == 0);
	answer = bench_commit(transaction, DP_COMMIT_NO_IDENTITY, 0);
	CHECK(answer.came && answer.error == DP_ERR_BUSY && answer.bytes == 0);
	CHECK(firmware.agent.programs == 0 && firmware.agent.probes == 0);
	bench.line[DP_COM2].room = -1;
	bench_poll();
	answer = bench_commit(transaction, DP_COMMIT_NO_IDENTITY, 0);
	CHECK(answer.came && answer.error == 0 && firmware.agent.probes == DP_MAX_PROBES);
}

/* proves: A1.10 A1.18 */
static void modules(void)
{
	static const uint8_t id[20] = {1, 2, 3};
	static const struct dp_module driver = {
		"a driver with a name", FIRMWARE_MODULE, 0x400, id, 20, 0x100};
	struct bench_answer answer;

	bench_start();
	answer = bench_ask(DP_CMD_MODULE, "\0\0", 2);
	CHECK(answer.came && answer.error == 0);
	CHECK(bench_number(&answer, 0, 2) == (DP_MODULE_KERNEL << 8 | DP_IDENTITY_TEXT_CRC));
	CHECK(bench_number(&answer, 6, 4) == FIRMWARE_TEXT &&
	      bench_number(&answer, 14, 4) == 0x1000);
	CHECK(bench_number(&answer, 22, 4) == FIRMWARE_TEXT && answer.payload[26] == 8);
	CHECK(bench_number(&answer, 27, 4) == dp_crc32(0, firmware.text, FIRMWARE_TEXT_BYTES));
	CHECK(answer.payload[35] == 6 && memcmp(answer.payload + 36, "kernel", 6) == 0);
	CHECK(bench_error(DP_CMD_MODULE, "\1\0", 2) == DP_ERR_BAD_RANGE);
	CHECK(bench_error(DP_CMD_MODULE, "\4\0", 2) == DP_ERR_BAD_RANGE);
	CHECK(dp_module_loaded(&firmware.agent, &driver) == DP_ERR_OK);
	answer = bench_ask(DP_CMD_MODULE, "\1\0", 2);
	CHECK(answer.payload[1] == DP_IDENTITY_BUILD_ID && answer.payload[26] == 20);
	CHECK(bench_number(&answer, 22, 4) == FIRMWARE_MODULE - 0x100);
	CHECK(memcmp(answer.payload + 27, id, 20) == 0 && answer.payload[47] == 20);
	CHECK(answer.bytes == 54 && memcmp(answer.payload + 48, "a driv", 6) == 0);
	answer = bench_ask(DP_CMD_MODULE, "\1\16", 2);
	CHECK(answer.bytes == 54 && memcmp(answer.payload + 48, "a name", 6) == 0);
	answer = bench_ask(DP_CMD_MODULE, "\1\24", 2);
	CHECK(answer.error == 0 && answer.bytes == 48);
}

/* Four modules there can be; the same name again replaces. */
/* proves: A2.13 */
static void module_table(void)
{
	struct dp_module m = {"m1", FIRMWARE_MODULE, 0x100, NULL, 0, 0};

	bench_start();
	CHECK(dp_module_loaded(&firmware.agent, &m) == DP_ERR_OK);
	CHECK(dp_module_loaded(&firmware.agent, &m) == DP_ERR_OK);
	CHECK(firmware.agent.module_count == 2);
	m.name = "m2";
	CHECK(dp_module_loaded(&firmware.agent, &m) == DP_ERR_OK);
	m.name = "m3";
	CHECK(dp_module_loaded(&firmware.agent, &m) == DP_ERR_OK);
	m.name = "m4";
	CHECK(dp_module_loaded(&firmware.agent, &m) == DP_ERR_TABLE_FULL);
	dp_module_unloaded(&firmware.agent, "m1");
	dp_module_unloaded(&firmware.agent, "kernel");
	CHECK(firmware.agent.module_count == 3);
	CHECK(dp_module_loaded(&firmware.agent, &m) == DP_ERR_OK);
}

/* proves: R5.11 R5.31 */
static void programs(void)
{
	struct bench_answer answer;

	bench_start();
	CHECK(with_byte(DP_CMD_PROGRAM, 0) == DP_ERR_NO_PROGRAM);
	CHECK(with_byte(DP_CMD_PROGRAM, 255) == DP_ERR_NO_PROGRAM);
	CHECK(with_byte(DP_CMD_REMOVE, 0) == DP_ERR_NO_PROGRAM);
	CHECK(with_byte(DP_CMD_REMOVE, 0xff) == 0);
	CHECK(bench_install(PROGRAM) == 0 && bench_install(SECOND) == 1);
	answer = bench_ask(DP_CMD_PROGRAM, "\1", 1);
	CHECK(answer.error == 0 && answer.bytes == 21 + 24);
	CHECK(bench_number(&answer, 1, 4) == 7 && answer.payload[8] == 2 && answer.payload[9] == 0);
	CHECK(bench_number(&answer, 10, 4) == dp_crc32(0, bench.object, bench.object_bytes));
	CHECK(bench_number(&answer, 14, 4) == bench.object_bytes);
	CHECK(answer.payload[20] == 49);
	CHECK(memcmp(answer.payload + 21, "a name of forty-nine byt", 24) == 0);
	answer = bench_ask(DP_CMD_NAME, "\1\2", 2);
	CHECK(answer.bytes == 47 && memcmp(answer.payload, "name of", 7) == 0);
	answer = bench_ask(DP_CMD_NAME, "\1\0", 2);
	CHECK(answer.bytes == 48);
	CHECK(bench_error(DP_CMD_NAME, "\1\61", 2) == DP_ERR_BAD_RANGE);
	CHECK(bench_error(DP_CMD_NAME, "\3\0", 2) == DP_ERR_NO_PROGRAM);
	CHECK(bench_error(DP_CMD_PROBE, "\3\0", 2) == DP_ERR_NO_PROGRAM);
	CHECK(bench_error(DP_CMD_PROBE, "\1\2", 2) == DP_ERR_BAD_RANGE);
	firmware_run(FIRMWARE_TEXT + 0x200, 2);
	answer = bench_ask(DP_CMD_PROBE, "\1\0", 2);
	CHECK(answer.error == 0 && answer.bytes == 48);
	CHECK(answer.payload[1] == DP_PROBE_ARMED && bench_number(&answer, 2, 2) == 1);
	CHECK(bench_number(&answer, 9, 4) == FIRMWARE_TEXT + 0x200);
	CHECK(bench_number(&answer, 13, 4) == 0x10000200 && answer.payload[17] == 4);
	CHECK(bench_number(&answer, 18, 4) == 1); /* hits */
	CHECK(bench_number(&answer, 44, 4) == 9); /* maxhits */
	CHECK(with_byte(DP_CMD_REMOVE, 0) == 0);
	CHECK(with_byte(DP_CMD_REMOVE, 0) == DP_ERR_NO_PROGRAM);
	answer = bench_ask(DP_CMD_PROGRAM, "\1", 1); /* moved down, still whole */
	CHECK(answer.error == 0 && memcmp(answer.payload + 21, "a name of", 9) == 0);
	answer = bench_ask(DP_CMD_REMOVE, "\377", 1);
	CHECK(answer.error == 0 && answer.payload[0] == 1 && firmware_text_is_original());
	CHECK(firmware.agent.arena_used == 0);
}

enum {
	ROW = 48, /* an answer to PROBE, PROTOCOL.md 5.9 */
	ROW_MASK = ROW / 8,
	ROWS_POINTS = 7
};

/* Take the row of the point from the answer to PROBES. Returns false when none is left. */
static bool take_row(const struct bench_answer *answer, unsigned *at, uint8_t point, uint8_t *row)
{
	uint8_t mask[ROW_MASK] = {0}, first;

	if (*at == answer->bytes)
		return false;
	first = answer->payload[(*at)++];
	CHECK((first & 3) == 0);
	for (unsigned i = 0; i < ROW_MASK; i++)
		if (first & 0x80 >> i) {
			mask[i] = answer->payload[(*at)++];
			CHECK(mask[i] != 0);
		}
	row[0]++;
	row[38] = point;
	for (unsigned i = 0; i < ROW; i++)
		if (mask[i / 8] & 0x80 >> i % 8) {
			CHECK(row[i] != answer->payload[*at]);
			row[i] = answer->payload[(*at)++];
		}
	CHECK(*at <= answer->bytes);
	return true;
}

/* Compare the rows from a point on with the answers to PROBE. Returns how many rows came. */
static unsigned compare_rows(uint8_t first, uint8_t count)
{
	const uint8_t request[] = {0, first, count};
	const struct bench_answer rows = bench_ask(DP_CMD_PROBES, request, sizeof(request));
	uint8_t row[ROW] = {0};
	unsigned at = 0, n = 0;

	CHECK(rows.error == 0 && rows.bytes > 1);
	for (; take_row(&rows, &at, (uint8_t)(first + n), row); n++) {
		const uint8_t point[] = {0, (uint8_t)(first + n)};
		const struct bench_answer one = bench_ask(DP_CMD_PROBE, point, sizeof(point));

		CHECK(one.bytes == ROW && memcmp(one.payload, row, ROW) == 0);
	}
	return n;
}

/* proves: R5.68 R5.69 R5.70 */
static void rows_of_probes(void)
{
	char source[1000] = "name = \"rows\"\n";
	unsigned fits;

	for (unsigned i = 0; i < ROWS_POINTS; i++)
		snprintf(source + strlen(source), sizeof(source) - strlen(source),
			 "offset = 0x%x\nminor = %u\nmaxhits = %u\nexit\n",
			 FIRMWARE_TEXT + 0x100 + 4 * i, i, i == 5 ? 0x12345678u : 100);
	bench_start();
	CHECK(bench_error(DP_CMD_PROBES, "\0\0\2", 3) == DP_ERR_NO_PROGRAM);
	CHECK(bench_install(source) == 0);
	firmware_run(FIRMWARE_TEXT + 0x100, ROWS_POINTS);
	for (uint8_t i = 0; i < ROWS_POINTS; i++) {
		CHECK(compare_rows(i, 1) == 1 && compare_rows(i, 0) == 1);
		fits = compare_rows(i, 255);
		CHECK(fits + i <= ROWS_POINTS && (fits >= 3 || fits + i == ROWS_POINTS));
		CHECK(fits < 2 || compare_rows(i, 2) == 2);
	}
	CHECK(bench_error(DP_CMD_PROBES, "\0\7\2", 3) == DP_ERR_BAD_RANGE);
	/* nothing alike: one row alone fills the answer */
	memset(&firmware.agent.probe[0].due, 0xa5, 5 * sizeof(uint32_t));
	memset(&firmware.agent.probe[1].due, 0x5a, 5 * sizeof(uint32_t));
	CHECK(compare_rows(0, 2) == 1 && compare_rows(1, 2) == 1);
}

/* A row of which nothing is as expected, behind command and error, fills the answer to the end. */
/* proves: R5.68 */
static void longest_row(void)
{
	struct dp_answer answer = {.bytes = 2};
	uint8_t row[DP_ROW_BYTES], before[DP_ROW_BYTES] = {0};

	memset(row, 0xa5, sizeof(row));
	CHECK(dp_give_row(&answer, row, before) && answer.bytes == DP_PAYLOAD_MAX);
	CHECK(!dp_give_row(&answer, row, before) && answer.bytes == DP_PAYLOAD_MAX);
}

/* A point that was left out is there, but is no probe. */
/* proves: R5.20 */
static void selection(void)
{
	uint8_t arguments[5] = {0, 0, DP_COMMIT_NO_IDENTITY, 0, 0x40};
	struct bench_answer answer;
	uint16_t transaction = 0;

	bench_start();
	CHECK(bench_compile(SECOND) && bench_upload(&transaction).error == 0);
	answer = bench_ask(DP_CMD_COMMIT, "\0\1\10\0\100", 5); /* 01......: the second */
	CHECK(answer.error == 0 && bench_number(&answer, 12, 2) == 0x0100);
	CHECK(firmware_word(FIRMWARE_TEXT + 0x200) == 0x10000200);
	CHECK(firmware_word(FIRMWARE_TEXT + 0x204) == DP_SIM_TRAP_WORD);
	answer = bench_ask(DP_CMD_PROBE, "\0\0", 2);
	CHECK(answer.payload[0] == DP_NONE && answer.payload[1] == DP_PROBE_UNSELECTED);
	CHECK(bench_number(&answer, 9, 4) == FIRMWARE_TEXT + 0x200);
	/* where nothing can be probed it does no harm */
	bench_remove_all();
	CHECK(bench_compile("name = \"rom\"\noffset = 0x08010000\nignore = 3\nexit\n"
			    "offset = 0x08000204\nminor = 2\nexit\n"));
	CHECK(bench_install_object(DP_COMMIT_NO_IDENTITY, 0).error == DP_ERR_NOT_PATCHABLE);
	CHECK(bench_upload(&transaction).error == 0);
	dp_put_u16(arguments, transaction);
	CHECK(bench_error(DP_CMD_COMMIT, arguments, 5) == 0);
	CHECK(bench_ignored(0, 0) == 0);
	/* but it must be well formed */
	bench_remove_all();
	bench.object[DP_OBJECT_HEADER_BYTES + 5 * DP_OBJECT_ENTRY_BYTES + DP_MODULE_BYTES +
		     DP_TR_LENGTH] = 1;
	bench_seal();
	CHECK(bench_upload(&transaction).error == 0);
	dp_put_u16(arguments, transaction);
	CHECK(bench_error(DP_CMD_COMMIT, arguments, 5) == DP_ERR_BAD_FIELD);
}

static void vars(void)
{
	struct bench_answer answer;
	int i;

	bench_start();
	CHECK(bench_error(DP_CMD_VARS, "\0\0\0\5\0", 5) == DP_ERR_NO_PROGRAM);
	CHECK(bench_install(PROGRAM) == 0);
	for (i = 0; i < 20; i++)
		firmware.agent.program[0].view.lv[i] = 0x01020300u + (unsigned)i;
	answer = bench_ask(DP_CMD_VARS, "\0\0\1\377\0", 5); /* from 1, as many as fit */
	CHECK(answer.bytes == 2 + 52 / sizeof(dp_word) * sizeof(dp_word) &&
	      bench_number(&answer, 0, 2) == 20);
	CHECK(bench_word(answer.payload + 2) == 0x01020301); /* target order */
	answer = bench_ask(DP_CMD_VARS, "\0\0\23\5\1", 5);   /* the last one, reset */
	CHECK(answer.bytes == 2 + sizeof(dp_word) && firmware.agent.program[0].view.lv[19] == 0);
	CHECK(firmware.agent.program[0].view.lv[18] == 0x01020312);
	answer = bench_ask(DP_CMD_VARS, "\0\0\24\5\1", 5); /* behind the last */
	CHECK(answer.error == 0 && answer.bytes == 2);
	answer = bench_ask(DP_CMD_VARS, "\377\0\0\5\0", 5);
	CHECK(answer.error == 0 && answer.bytes == 2 && bench_number(&answer, 0, 2) == 0);
	CHECK(bench_install(SECOND) == 1);
	firmware_run(FIRMWARE_TEXT + 0x200, 1);
	answer = bench_ask(DP_CMD_VARS, "\377\0\0\5\1", 5);
	CHECK(answer.bytes == 2 + 3 * sizeof(dp_word) &&
	      bench_word(answer.payload + 2 + 2 * sizeof(dp_word)) == 1);
	CHECK(firmware.agent.gv[2] == 0);
}

/* proves: A1.3 */
static void log_target(void)
{
	struct bench_answer answer;

	bench_start();
	CHECK(bench_error(DP_CMD_LOG, "\2\376", 2) == DP_ERR_BAD_RANGE);
	CHECK(bench_error(DP_CMD_LOG, "\376\3", 2) == DP_ERR_BAD_RANGE);
	answer = bench_ask(DP_CMD_LOG, "\1\376", 2);
	CHECK(answer.error == 0 && bench_number(&answer, 0, 2) == 0x0101);
	answer = bench_ask(DP_CMD_LOG, "\376\0", 2);
	CHECK(answer.error == 0 && bench_number(&answer, 0, 2) == 0x0100);
	answer = bench_ask(DP_CMD_LOG, "\377\1", 2);
	CHECK(answer.error == 0 && bench_number(&answer, 0, 2) == 0xff01);
	firmware.board.com[1].put = NULL;
	CHECK(bench_error(DP_CMD_LOG, "\1\376", 2) == DP_ERR_BAD_RANGE);
	answer = bench_hello(3, 0);
	CHECK(answer.came && bench_number(&answer, 8, 1) == 1); /* coms */
}

static struct bench_answer text(uint32_t address, uint32_t bytes, uint8_t how)
{
	uint8_t arguments[13];

	dp_put_u64(arguments, address);
	dp_put_u32(arguments + 8, bytes);
	arguments[12] = how;
	return bench_ask(DP_CMD_TEXT, arguments, 13);
}

/* proves: P3.22 R5.29 R5.39 */
static void text_crc(void)
{
	uint8_t far[13] = {0, 0, 0, 1, 0x08, 0, 0, 0, 0, 0, 0, 4, 0};
	static uint8_t low[64], high[64];
	static const struct dp_module odd = {"odd", FIRMWARE_MODULE, 100, NULL, 0, 0};
	static const struct dp_module last = {"last", 0xffffffc0, 64, NULL, 0, 0};
	struct bench_answer answer;

	bench_start();
	CHECK(bench_install(SECOND) == 0);
	answer = text(FIRMWARE_TEXT, FIRMWARE_TEXT_BYTES, 0);
	CHECK(bench_number(&answer, 0, 4) == dp_crc32(0, firmware.text, FIRMWARE_TEXT_BYTES));
	CHECK(bench_number(&answer, 4, 2) == 2);
	answer = text(FIRMWARE_TEXT, FIRMWARE_TEXT_BYTES, 1);
	CHECK(bench_number(&answer, 0, 4) == dp_crc32(0, firmware.original, FIRMWARE_TEXT_BYTES));
	for (uint32_t at = 0; at < FIRMWARE_TEXT_BYTES; at += 64) {
		answer = text(FIRMWARE_TEXT + at, 64, 1);
		CHECK(bench_number(&answer, 0, 4) == dp_crc32(0, firmware.original + at, 64));
	}
	answer = text(FIRMWARE_TEXT + FIRMWARE_TEXT_BYTES, 0, 1);
	CHECK(answer.error == 0 && bench_number(&answer, 0, 4) == 0);
	CHECK(text(FIRMWARE_TEXT + 4, 64, 0).error == DP_ERR_BAD_RANGE);
	CHECK(text(FIRMWARE_TEXT, 4, 0).error == DP_ERR_BAD_RANGE);
	CHECK(text(FIRMWARE_TEXT + FIRMWARE_TEXT_BYTES - 4, 4, 0).error == DP_ERR_BAD_RANGE);
	CHECK(text(FIRMWARE_TEXT, 5, 2).error == DP_ERR_BAD_REQUEST);
	CHECK(text(FIRMWARE_TEXT, 65537, 0).error == DP_ERR_BAD_RANGE);
	CHECK(text(FIRMWARE_TEXT, FIRMWARE_TEXT_BYTES + 1, 0).error == DP_ERR_BAD_RANGE);
	CHECK(text(0x40000000, 64, 0).error == DP_ERR_BAD_RANGE);
	CHECK(text(0x40000000, 0, 0).error == DP_ERR_BAD_RANGE);
	CHECK(bench_error(DP_CMD_TEXT, far, 13) == DP_ERR_BAD_RANGE);
	/* a module of 100 bytes: its last piece is shorter; what no range covers is not read */
	CHECK(dp_module_loaded(&firmware.agent, &odd) == DP_ERR_OK);
	CHECK(text(FIRMWARE_MODULE, 64, 0).error == 0);
	CHECK(text(FIRMWARE_MODULE, 100, 0).error == 0);
	CHECK(text(FIRMWARE_MODULE + 64, 36, 0).error == 0);
	CHECK(text(FIRMWARE_MODULE + 64, 32, 0).error == DP_ERR_BAD_RANGE);
	CHECK(text(FIRMWARE_MODULE, 99, 0).error == DP_ERR_BAD_RANGE);
	/* there is memory at both ends of the address space: a range does not go round */
	sim_map(0, low, sizeof(low), false);
	sim_map(0xffffffc0, high, sizeof(high), false);
	CHECK(dp_module_loaded(&firmware.agent, &last) == DP_ERR_OK);
	CHECK(text(0xffffffc0, 64, 0).error == 0);
	CHECK(text(0xffffffc0, 128, 0).error == DP_ERR_BAD_RANGE);
}

/* proves: A2.15 A2.17 A5.4 R5.5 R5.26 */
static void locked(void)
{
	struct bench_answer answer;
	uint16_t transaction = 0;

	bench_start();
	CHECK(bench_install(PROGRAM) == 0 && bench_compile(SECOND));
	CHECK(bench_upload(&transaction).error == 0);
	dp_lock(&firmware.agent);
	CHECK(bench_commit(transaction, DP_COMMIT_NO_IDENTITY, 0).error == DP_ERR_LOCKED);
	CHECK(bench_error(DP_CMD_CHECK, "\0\2\10\0", 4) == DP_ERR_LOCKED);
	CHECK(bench_ask(DP_CMD_CHECK, "\0\2\10\0", 4).bytes == 0);
	CHECK(bench_error(DP_CMD_BEGIN, "\0\0\0\5\0\0\0\0", 8) == DP_ERR_LOCKED);
	CHECK(bench_error(DP_CMD_DATA, "\0\2\0\0\0\0\0", 7) == DP_ERR_LOCKED);
	CHECK(bench_error(DP_CMD_VARS, "\0\0\0\5\1", 5) == DP_ERR_LOCKED);
	CHECK(bench_error(DP_CMD_VARS, "\0\0\0\5\0", 5) == 0);
	CHECK(bench_error(DP_CMD_LIMITS, NULL, 0) == 0);
	answer = bench_hello(99, 1); /* a new session does not open it */
	CHECK(answer.came && bench_error(DP_CMD_BEGIN, "\0\0\0\5\0\0\0\0", 8) == DP_ERR_LOCKED);
	CHECK(answer.payload[11] == DP_RIGHT_LOOK); /* of all that it asked for */
	CHECK(with_byte(DP_CMD_REMOVE, 0) == DP_ERR_LOCKED && !firmware_text_is_original());
	CHECK(bench_error(DP_CMD_LOG, "\376\376", 2) == DP_ERR_LOCKED);
	CHECK(bench_error(DP_CMD_STATUS, NULL, 0) == 0);
	firmware_run(FIRMWARE_TEXT + 0x100, 1); /* what is armed stays armed */
	bench_poll();
	CHECK(bench.records == 1);
	CHECK(bench_error(DP_CMD_CLOSE, NULL, 0) == 0);
}

int main(void)
{
	bad_requests();
	wrong_requests();
	selections();
	first_error();
	repeats();
	hello();
	limits_status();
	numbers_of_records_on_their_way();
	modules();
	module_table();
	programs();
	rows_of_probes();
	longest_row();
	selection();
	vars();
	log_target();
	text_crc();
	locked();
	return check_status();
}

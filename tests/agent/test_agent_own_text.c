/* SPDX-License-Identifier: BSD-2-Clause */
/* Code that every hit runs must not be probed. A firmware whose ranges let it be (a linker script
 * whose patterns missed a folder) is told so with the first program, and nothing is armed. */
#include "bench.h"
#include "check.h"

#include "dp_crc.h"

#define PROGRAM "name = \"t\"\noffset = 0x08000100\nexit\n"

enum {
	OWN_TEXT = 25, /* in the answer to STATUS, behind line */
	LINE = 24,
};

static struct dp_range ranges[16];

/* Text that may be probed, around `code` or nowhere. */
static void expose(uintptr_t code, uint8_t access)
{
	const struct dp_board *board = &firmware.board;

	ranges[0] = (struct dp_range){(dp_addr)code & ~(dp_addr)0xf, 0x20, access};
	for (unsigned i = 0; i < board->range_count; i++)
		ranges[i + 1] = board->ranges[i];
	firmware.board.ranges = ranges;
	firmware.board.range_count++;
}

static void status_says(enum dp_com_index com, bool own_text)
{
	struct bench_answer answer;

	bench.com = com;
	answer = bench_ask(DP_CMD_STATUS, NULL, 0);
	CHECK(answer.error == DP_ERR_OK && answer.bytes == 30);
	CHECK(answer.payload[LINE] == com && answer.payload[OWN_TEXT] == own_text);
	bench.com = DP_COM1;
}

/* proves: A3.11 */
static void exposed(uintptr_t code)
{
	struct bench_answer answer;

	bench_start();
	expose(code, DP_MEM_READ | DP_MEM_TEXT);
	CHECK(bench_compile(PROGRAM));
	answer = bench_install_object(DP_COMMIT_NO_IDENTITY, 0);
	CHECK(answer.error == DP_ERR_OWN_TEXT && bench_number(&answer, 1, 2) == 0xffff);
	CHECK(firmware_text_is_original() && firmware.agent.programs == 0);
	status_says(DP_COM1, true);
	status_says(DP_COM2, true);
	/* the same place, but not probeable */
	ranges[0].access |= DP_MEM_NO_PROBE;
	CHECK(bench_install(PROGRAM) == 0);
	status_says(DP_COM1, false);
}

static size_t write_bytes(void *context, const void *bytes, size_t count)
{
	(void)context;
	(void)bytes;
	return count;
}

static bool no_put(void *context, uint8_t byte)
{
	(void)context;
	(void)byte;
	return false;
}

int main(void)
{
	bench_start();
	status_says(DP_COM1, false);
	status_says(DP_COM2, false);
	exposed((uintptr_t)dp_agent_trap);
	exposed((uintptr_t)dp_crc32);
	exposed((uintptr_t)dp_port_exception);
	exposed((uintptr_t)firmware.board.com[DP_COM1].put);
	/* data and holes are no text; a line that is not there has no function */
	bench_start();
	firmware.board.com[DP_COM2].put = NULL;
	expose(0, DP_MEM_READ | DP_MEM_TEXT);
	CHECK(bench_install(PROGRAM) == 0);
	bench_start();
	expose((uintptr_t)dp_agent_trap, DP_MEM_READ | DP_MEM_WRITE);
	CHECK(bench_install(PROGRAM) == 0);
	bench_start();
	firmware.board.com[DP_COM2].put = no_put;
	expose((uintptr_t)no_put, DP_MEM_READ | DP_MEM_TEXT);
	CHECK(bench_compile(PROGRAM));
	CHECK(bench_install_object(DP_COMMIT_NO_IDENTITY, 0).error == DP_ERR_OWN_TEXT);
	bench_start();
	firmware.board.com[DP_COM2].write = write_bytes;
	expose((uintptr_t)write_bytes, DP_MEM_READ | DP_MEM_TEXT);
	CHECK(bench_compile(PROGRAM));
	CHECK(bench_install_object(DP_COMMIT_NO_IDENTITY, 0).error == DP_ERR_OWN_TEXT);
	return check_status();
}

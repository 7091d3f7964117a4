/* SPDX-License-Identifier: BSD-2-Clause */
/* Every request of PROTOCOL.md section 5, and each error it can answer. */
#include "bench.h"
#include "check.h"

static void smoke(void)
{
	bench_start();
	CHECK(bench.line[0].answers == 1 && bench.line[0].notices == 1);
	CHECK(bench_install("name = \"t\"\nvars = 2\noffset = 0x08000100\npush 5\nlog 1\nexit\n") ==
	      0);
	CHECK(bench_word(BENCH_TEXT + 0x100) == SIM_TRAP_WORD);
	bench_run(BENCH_TEXT + 0xf0, 10);
	CHECK(bench.executed == 10);
	bench_poll();
	CHECK(bench.records == 1 && bench.record[0].head.bytes == 4 &&
	      bench.record[0].body[0] == 5);
	bench_remove_all();
	CHECK(bench_text_is_original());
}

int main(void)
{
	smoke();
	return check_status();
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of watchpoints share: an instruction that accesses, what it accesses, and the
 * comparators of the simulated CPU. port/dp_watch.h */
#ifndef WATCHES_H
#define WATCHES_H

#include "bench.h"
#include "check.h"

#include "dp_sites.h"
#include "dp_watches.h"

enum {
	AT = FIRMWARE_TEXT + 0x100, /* the instruction that accesses */
	DATA = FIRMWARE_RAM + 0x40, /* what is watched */
	PC = 0x0f,
	TRAITS = DP_OBJECT_HEADER_BYTES + 5 * DP_OBJECT_ENTRY_BYTES + DP_MODULE_BYTES,
};
#define AT_TEXT "offset = 0x08000100\n"
/* Four bytes at DATA; the handler logs the pc. */
#define WATCH(kind)  "address = 0x20000040 : 0x20000043\nwatchpoint = " kind "\n"
#define LOG_PC       "push r, pc\nlog 1\nexit\n"
#define NAME(letter) "name = \"" letter "\"\n"

static struct dp_agent *const agent = &firmware.agent;

static inline void put_insn(enum sim_insn insn)
{
	if (!dp_site_find(agent, AT)) /* not over a trap */
		firmware_put_word(AT, (uint32_t)insn << 24);
}

/* Run one access. */
static inline void access(enum sim_insn insn, dp_addr address, dp_word value, unsigned width)
{
	put_insn(insn);
	firmware_set_access(address, value, width);
	firmware_run(AT, 1);
	bench_poll();
}

static inline void store(dp_addr address, dp_word value, unsigned width)
{
	access(SIM_STORE, address, value, width);
}

static inline struct dp_watch *watch_of(int program, unsigned point)
{
	return dp_watch_of(agent, &agent->site[bench_probe(program, point)->site]);
}

static inline uint32_t hits(int program, unsigned point)
{
	return dp_probe_hits(bench_probe(program, point));
}

/* Nothing of an access is left behind: the comparators are as the agent wants them. */
static inline void check_quiet(unsigned armed)
{
	unsigned on = 0;

	for (unsigned n = 0; n < SIM_COMPARATORS; n++)
		on += dp_sim.comparator[n].on;
	CHECK(on == armed && agent->comparators == armed);
	CHECK(!dp_sim.watch_paused && DP_THIS_CPU(agent)->hold.held == 0);
	CHECK(DP_THIS_CPU(agent)->hold.off == 0 && DP_THIS_CPU(agent)->watching.late == 0);
	CHECK(!DP_THIS_CPU(agent)->in_hit && !DP_THIS_CPU(agent)->pending);
	CHECK(dp_sim.own_accesses == 0);
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the RISC-V port refuses probes because of what a trap overwrites: port/riscv/scan.c with
 * handlers of every form that compilers and people write. Words of 32 bits. */
#define dp_access_load scan_access_load
#include "../../port/riscv/dp_port_cpu.h"

#include "../../port/riscv/scan.c" /* NOLINT(bugprone-suspicious-include) */

#include "check.h"

#include <string.h>

enum {
	BASE = 0x1000,
	WORDS = 0x2000,
	NOP = 0x00000013,
	RET = 0x00008067,
	MRET = 0x30200073,
	READ_MEPC = 0x341022f3,     /* csrr t0, mepc */
	READ_MSTATUS = 0x30002373,  /* csrr t1, mstatus */
	READ_MCAUSE = 0x342022f3,   /* csrr t0, mcause */
	WRITE_MEPC = 0x34129073,    /* csrw mepc, t0 */
	WRITE_MSTATUS = 0x30031073, /* csrw mstatus, t1 */
	SET_MSTATUS = 0x30032073,   /* csrs mstatus, t1 */
	ZERO_MSTATUS = 0x30005073,  /* csrwi mstatus, 0 */
	MIE_MSTATUS = 0x30046073,   /* csrsi mstatus, 8 */
	SWAP_MSCRATCH = 0x34011173, /* csrrw sp, mscratch, sp */
	JR_T1 = 0x00030067,
	JALR_T1 = 0x000300e7,
};

struct dp_port_state *dp_riscv;
static struct dp_port_state state;
static struct dp_range ranges[1];
static struct dp_board board = {.ranges = ranges};
static uint32_t code[WORDS];

bool dp_access_load(dp_addr address, unsigned width, void *to)
{
	if (address < BASE || address - BASE + width > sizeof(code))
		return false;
	memcpy(to, (uint8_t *)code + (address - BASE), width);
	return true;
}

static bool original_at(dp_addr address, uint8_t *bytes, unsigned count)
{
	return dp_access_load(address, count, bytes);
}

static void put_words(dp_word at, const uint32_t *words, unsigned count)
{
	memcpy(code + (at - BASE) / 4, words, 4 * count);
}
#define PUT(at, ...)                                                                               \
	put_words(at, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

/* jal rd */
static uint32_t jal(unsigned rd, int32_t distance)
{
	const uint32_t d = (uint32_t)distance;

	return 0x6fu | rd << 7 | (d >> 20 & 1) << 31 | (d >> 1 & 0x3ff) << 21 |
	       (d >> 11 & 1) << 20 | (d & 0xff000);
}

/* bltz t0, a short way on */
static uint32_t bltz(uint32_t distance)
{
	return 0x0002c063 | (distance & 0x1e) << 7 | (distance >> 5 & 0x3f) << 25;
}

/* Code that is all additions, and no stretches. */
static void clear(void)
{
	for (unsigned i = 0; i < WORDS; i++)
		code[i] = NOP;
	memset(&state, 0, sizeof(state));
	state.board = &board;
	dp_riscv = &state;
	board.range_count = 0;
}

/* Is a probe refused at the address, in a function that begins `before` it? */
static bool live_in(dp_word at, unsigned before, bool extent)
{
	struct dp_site site = {.address = at};

	site.original = code[(at - BASE) / 4];
	dp_site_set_extent(&site, before, extent ? before + 4 : 0);
	return dp_riscv_state_is_live(&site, original_at);
}

static bool live(dp_word at)
{
	return live_in(at, (unsigned)at & 0xff, true);
}

/* A handler that saves both is live up to the last read. */
static void plain_handler(void)
{
	clear();
	PUT(0x1100, NOP, READ_MEPC, NOP, READ_MSTATUS, NOP, READ_MCAUSE, NOP, NOP, RET);
	CHECK(dp_riscv_note_handler(0x1100));
	for (dp_word at = 0x1100; at <= 0x1114; at += 4)
		CHECK(live(at));
	CHECK(!live(0x1118) && !live(0x1120) && !live(0x1200));
	CHECK(state.stretches == 1);
}

/* Without both, all up to mret, and what is called. */
static void handlers_that_do_not_save(void)
{
	clear();
	PUT(0x1100, READ_MEPC, NOP, WRITE_MEPC, MRET);
	CHECK(dp_riscv_note_handler(0x1100));
	CHECK(live(0x1100) && live(0x1104) && live(0x1108) && !live(0x1110));

	clear();
	PUT(0x1100, NOP, jal(1, 0xfc), NOP, MRET);
	PUT(0x1200, NOP, JALR_T1, NOP, RET);
	CHECK(dp_riscv_note_handler(0x1100));
	CHECK(live(0x1100) && live(0x1104) && live(0x1108) && !live(0x1110));
	CHECK(live(0x1200) && live(0x1208) && !live(0x1210));
}

/* auipc and jalr; a branch in front of the save; a function that saves. */
static void ways_to_the_save(void)
{
	clear();
	PUT(0x1100, 0x00000317, 0x10030067); /* auipc t1, 0; jr 0x100(t1) */
	PUT(0x1200, NOP, READ_MEPC, READ_MSTATUS, NOP, RET);
	CHECK(dp_riscv_note_handler(0x1100));
	CHECK(live(0x1100) && live(0x1200) && live(0x1208) && !live(0x120c));

	clear();
	PUT(0x1100, READ_MCAUSE, bltz(0x3c), NOP, READ_MEPC, READ_MSTATUS, NOP, RET);
	PUT(0x1140, NOP, READ_MSTATUS, READ_MEPC, NOP, MRET);
	CHECK(dp_riscv_note_handler(0x1100));
	CHECK(live(0x1110) && !live(0x1114) && live(0x1140) && live(0x1148) && !live(0x114c));

	clear();
	PUT(0x1100, jal(5, 0x100), NOP, NOP, RET);
	PUT(0x1200, NOP, READ_MEPC, READ_MSTATUS, NOP, 0x00028067); /* jr t0 */
	CHECK(dp_riscv_note_handler(0x1100));
	CHECK(live(0x1100) && !live(0x1104) && live(0x1208) && !live(0x120c));
}

/* mcause is read again behind a branch that is taken, and in a function. */
static void reads_behind_the_save(void)
{
	clear();
	PUT(0x1100, READ_MEPC, READ_MSTATUS, NOP, bltz(0x34), NOP, RET);
	PUT(0x1140, NOP, READ_MCAUSE, NOP, RET);
	CHECK(dp_riscv_note_handler(0x1100));
	CHECK(live(0x1108) && live(0x110c) && !live(0x1110));
	CHECK(live(0x1140) && live(0x1144) && !live(0x1148));

	clear();
	PUT(0x1100, READ_MEPC, READ_MSTATUS, jal(1, 0xf8), NOP, RET);
	PUT(0x1200, NOP, READ_MCAUSE, NOP, RET);
	CHECK(dp_riscv_note_handler(0x1100));
	CHECK(live(0x1108) && live(0x1200) && live(0x1204) && !live(0x1208) && !live(0x110c));
}

/* What the scan cannot follow is refused as a whole, or left out by a no-probe range. */
static void refused_handlers(void)
{
	clear();
	PUT(0x1100, READ_MEPC, JR_T1);
	CHECK(!dp_riscv_note_handler(0x1100));
	clear();
	PUT(0x1100, READ_MEPC, RET);
	CHECK(!dp_riscv_note_handler(0x1100));
	clear();
	CHECK(!dp_riscv_note_handler(0x1100)); /* it never ends */
	CHECK(!dp_riscv_note_handler(0x100000));

	clear();
	PUT(0x1100, READ_MEPC, JR_T1);
	ranges[0] = (struct dp_range){0x1100, 0x100, DP_MEM_NO_PROBE};
	board.range_count = 1;
	CHECK(dp_riscv_note_handler(0x1100) && state.stretches == 0);
}

/* A table whose entries have handlers of their own, all in the table of stretches; handlers of more
 * parts than there is room for. */
static void tables(void)
{
	clear();
	for (unsigned i = 0; i < DP_RISCV_VECTORS; i++) {
		code[0x100 + i] = jal(0, 0x1000 + 60 * (int32_t)i);
		PUT(BASE + 0x400 + 0x1000 + 64 * i, NOP, READ_MEPC, READ_MSTATUS, NOP, MRET);
	}
	for (unsigned i = 0; i < DP_RISCV_VECTORS; i++)
		CHECK(dp_riscv_note_handler(BASE + 0x400 + 4 * i));
	for (unsigned i = 0; i < DP_RISCV_VECTORS; i++) {
		CHECK(live(BASE + 0x400 + 4 * i));
		CHECK(live(BASE + 0x1400 + 64 * i) && live(BASE + 0x1408 + 64 * i));
		CHECK(!live(BASE + 0x140c + 64 * i));
	}
	CHECK(state.stretches == DP_RISCV_VECTORS + 1);

	clear();
	for (unsigned i = 0; i < 2 * DP_RISCV_STRETCHES; i++)
		code[0x40 + 2 * i] = jal(0, 8);
	CHECK(!dp_riscv_note_handler(BASE + 0x100));

	clear();
	for (unsigned i = 0; i < DP_RISCV_VECTORS; i++)
		code[0x100 + i] = jal(0, 0x1000 - 4 * (int32_t)i);
	PUT(BASE + 0x1400, READ_MEPC, READ_MSTATUS, MRET);
	for (unsigned i = 0; i < DP_RISCV_VECTORS; i++)
		CHECK(dp_riscv_note_handler(BASE + 0x400 + 4 * i));
	CHECK(state.stretches == 2);
}

static void swaps(void)
{
	clear();
	PUT(0x1100, NOP, jal(1, 0xfc), SWAP_MSCRATCH, MRET);
	PUT(0x1200, NOP, RET);
	CHECK(dp_riscv_writes_mscratch(0x1100));
	PUT(0x1108, NOP);
	CHECK(!dp_riscv_writes_mscratch(0x1100));
}

/* Between a write of mepc or mstatus and mret, the write too. */
static void returns(void)
{
	static const uint32_t writes_for_mret[] = {WRITE_MEPC, WRITE_MSTATUS, SET_MSTATUS,
						   ZERO_MSTATUS};

	for (unsigned i = 0; i < sizeof(writes_for_mret) / 4; i++) {
		clear();
		PUT(0x1100, NOP, writes_for_mret[i], NOP, MRET, NOP, RET);
		CHECK(!live(0x1100) && !live(0x1110));
		CHECK(live(0x1104) && live(0x1108));
		PUT(0x110c, RET);
		CHECK(!live(0x1104) && !live(0x1108));
	}
	clear();
	PUT(0x1100, NOP, MIE_MSTATUS, NOP, MRET);
	CHECK(!live(0x1104) && !live(0x1108));
	/* A call in between, and a branch that is taken. */
	PUT(0x1100, NOP, WRITE_MEPC, NOP, jal(1, 0xf4), JALR_T1, MRET);
	PUT(0x1200, NOP, RET);
	CHECK(live(0x1108) && live(0x110c) && live(0x1110) && !live(0x1200));
	clear();
	PUT(0x1100, NOP, WRITE_MEPC, NOP, bltz(0x34), RET);
	PUT(0x1140, NOP, MRET);
	CHECK(live(0x1108) && live(0x110c));
	/* Many loads behind the write, in a function of unknown extent. */
	clear();
	PUT(0x1100, WRITE_MEPC);
	PUT(0x1200, NOP, MRET);
	CHECK(live_in(0x1200, 0, false) && !live_in(0x10fc, 0, false));
}

int main(void)
{
	plain_handler();
	handlers_that_do_not_save();
	ways_to_the_save();
	reads_behind_the_save();
	refused_handlers();
	tables();
	swaps();
	returns();
	return check_status();
}

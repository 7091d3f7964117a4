/* SPDX-License-Identifier: BSD-2-Clause */
/* How text and slots are written: port/dp_patch.h, port/dp_slots.h on the simulated CPU. */
#include "bench.h"
#include "check.h"

#include "dp_patch.h"
#include "dp_sites.h"
#include "dp_slots.h"
#include "sim_insn.h"

#include <setjmp.h>
#include <string.h>

enum {
	AT = FIRMWARE_TEXT + 0x100,
	ODD = FIRMWARE_TEXT + 0x201,
};
#define ONE "name = \"one\"\noffset = 0x08000100\npush 1\nlog 1\nexit\n"
#define TWO "name = \"two\"\noffset = 0x08000201\npush 2\nlog 1\nexit\n"

/* An instruction of 4 bytes of this kind. */
static void put_insn(dp_addr address, enum sim_insn kind)
{
	uint8_t code[4];

	sim_put_number(code, (uint32_t)kind << 24);
	firmware_put(address, code, 4);
}

static unsigned slot_at(dp_addr address)
{
	const struct dp_site *site = dp_site_find(&firmware.agent, address);

	CHECK(site != NULL);
	return site->port.slot;
}

/* --- slots --- */

/* The slot of an armed site is its own, whatever the firmware says of old slots. */
/* proves: P3.20 */
static void odd_address(void)
{
	bench_start();
	dp_sim.any_address = true;
	put_insn(AT, SIM_AWAY);
	put_insn(ODD, SIM_AWAY);
	CHECK(bench_install(TWO) == 0);
	dp_quiescent(&firmware.agent);
	CHECK(bench_install(ONE) == 1);
	CHECK(slot_at(AT) != slot_at(ODD));
	firmware_run(ODD, 1);
	firmware_run(AT, 1);
	bench_poll();
	CHECK(bench.records == 2 && bench_logged(0) == 2 && bench_logged(1) == 1);
	CHECK(dp_port_pc(&firmware.frame) == AT + 4 && firmware.executed == 2);
}

/* A context may be in the released slot of one address: an address that differs in the upper half
 * alone gets another slot. */
/* proves: P3.17 */
static void long_addresses(void)
{
#if DP_WORD_BITS == 64
	struct dp_site low = {.address = 0x180001000, .insn_bytes = 4}, high = low;
	struct dp_slot_pool *pool;
	uint8_t first;

	bench_start();
	pool = dp_slots_pool();
	high.address = 0x280001000;
	first = dp_slots_take(pool, &low, 0);
	dp_slots_armed(pool, first);
	dp_slots_release(pool, first, true);
	CHECK(dp_slots_take(pool, &high, 0) != first);
	CHECK(dp_slots_take(pool, &low, 0) == first);
	CHECK(*dp_slots_address(dp_slots_words(pool, first)) == low.address);
#endif
}

/* --- the board --- */

static struct {
	unsigned slots, sites, written;
	bool fails;
} board;

static void sync_text(dp_addr address, size_t bytes)
{
	board.sites += address == (dp_addr)AT && bytes == 4;
	board.slots += bytes == 4 * DP_SLOT_WORDS;
}

static bool write_text(dp_addr address, const void *bytes, size_t count)
{
	board.written++;
	if (!board.fails)
		memcpy(firmware.text + (address - FIRMWARE_TEXT), bytes, count);
	return !board.fails;
}

static void start_on_board(bool writes)
{
	memset(&board, 0, sizeof(board));
	bench_cold();
	firmware.board.text_sync = sync_text;
	firmware.board.text_write = writes ? write_text : NULL;
	CHECK(firmware_boot() == DP_ERR_OK);
	bench_hello(1, 1);
	put_insn(AT, SIM_STEPPED);
}

/* Another CPU may execute a slot as well as a trap and an original. */
/* proves: A1.16 */
static void everything_is_synchronised(void)
{
	start_on_board(false);
	CHECK(bench_install(ONE) == 0);
	CHECK(board.slots > 0 && board.sites == 1);
	bench_remove_all();
	CHECK(board.sites == 2 && board.written == 0);
}

/* Where the board writes text, it writes all of it, also after a warm restart. */
/* proves: A1.15 P3.28 */
static void board_writes(void)
{
	start_on_board(true);
	CHECK(bench_install(ONE) == 0);
	CHECK(dp_site_find(&firmware.agent, AT)->means == DP_MEANS_BOARD && board.written == 1);
	dp_sim.range[0].writable = false;
	bench_warm();
	dp_sim.range[0].writable = true;
	CHECK(board.written == 2 && firmware_text_is_original());
}

/* A board that cannot write: nothing is installed. */
/* proves: P3.26 */
static void board_fails(void)
{
	start_on_board(true);
	board.fails = true;
	CHECK(bench_install(ONE) == -1 && board.written > 0);
	CHECK(firmware_text_is_original());
}

/* --- pieces --- */

static jmp_buf reset;
static unsigned stores_left;

static void reset_at_store(void *context)
{
	(void)context;
	if (stores_left-- == 0)
		longjmp(reset, 1);
}

/* A reset between two stores of one trap, at arming or at disarming: the start that follows takes
 * the piece of a trap out. */
/* proves: P3.24 P3.27 */
static void piece_of_a_trap(void)
{
	volatile unsigned resets = 0;

	for (volatile unsigned n = 0;; n++) {
		volatile bool finished = false;

		bench_start();
		dp_sim.any_address = true;
		put_insn(ODD, SIM_NOP);
		dp_sim.patching = reset_at_store;
		stores_left = n;
		if (setjmp(reset) == 0) {
			CHECK(bench_install(TWO) == 0);
			bench_remove_all();
			finished = true;
		}
		dp_sim.patching = NULL;
		bench_warm();
		CHECK(firmware_text_is_original());
		if (finished)
			break;
		resets++;
	}
	CHECK(resets == 2 * 2 * (DP_PORT_TRAP_STORES > 1 ? 4 : 1));
}

/* Memory that takes the first pieces of a trap only: the text is the original again. */
/* proves: P3.26 */
static void all_or_nothing(void)
{
#if DP_PORT_TRAP_STORES > 1
	static const uint8_t code[4] = {1, 2, 3, 4};
	union dp_code was, now, other = {.byte = {5, 6, 7, 8}};

	bench_start();
	CHECK(sim_map(FIRMWARE_TEXT + FIRMWARE_TEXT_BYTES, (uint8_t[2]){3, 4}, 2, false));
	firmware_put(FIRMWARE_TEXT + FIRMWARE_TEXT_BYTES - 2, code, 2);
	CHECK(dp_patch_read(FIRMWARE_TEXT + FIRMWARE_TEXT_BYTES - 2, &was, 4));
	CHECK(!dp_patch_write(FIRMWARE_TEXT + FIRMWARE_TEXT_BYTES - 2, &other, 4, DP_MEANS_WORD));
	CHECK(dp_patch_read(FIRMWARE_TEXT + FIRMWARE_TEXT_BYTES - 2, &now, 4));
	CHECK(memcmp(was.byte, code, 4) == 0 && memcmp(now.byte, code, 4) == 0);
#endif
}

int main(void)
{
	odd_address();
	long_addresses();
	everything_is_synchronised();
	board_writes();
	board_fails();
	piece_of_a_trap();
	all_or_nothing();
	return check_status();
}

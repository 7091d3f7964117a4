/* SPDX-License-Identifier: BSD-2-Clause */
/* The model of the Flash Patch and Breakpoint unit does what DDI 0403E C1.11 says. */
#include "check.h"
#include "fpb_model.h"

static void put(uint32_t address, uint32_t word)
{
	if (address - MODEL_TEXT < MODEL_TEXT_BYTES)
		memcpy(&model.text[address - MODEL_TEXT], &word, 4);
	else
		memcpy(&model.ram[address - MODEL_RAM], &word, 4);
}

static void reset_values(void)
{
	model_power_on(0, 6, 2, true);
	CHECK(model_read(MODEL_FP_CTRL) == 0x00000260);
	CHECK((model_read(MODEL_FP_REMAP) & 0xe000001f) == 0x20000000);
	for (unsigned n = 0; n < 8; n++)
		CHECK((model_read(MODEL_FP_COMP(n)) & 0x20000003) == 0);
	CHECK(model_read(MODEL_FP_COMP(0)) != 0); /* UNKNOWN */
	CHECK(model_read(MODEL_FP_COMP(8)) == 0);
	model_power_on(1, 0x25, 3, false);
	CHECK(model_read(MODEL_FP_CTRL) == 0x10002350);
	CHECK(model_read(MODEL_FP_REMAP) == 0);
	model_power_on(0, 0, 0, false);
	CHECK(model_read(MODEL_FP_CTRL) == 0 && model_read(MODEL_FP_COMP(0)) == 0);
}

static void read_only_bits(void)
{
	model_power_on(0, 6, 2, true);
	model_write(MODEL_FP_CTRL, 0xfffffffe);
	CHECK(model_read(MODEL_FP_CTRL) == 0x260);
	model_write(MODEL_FP_REMAP, 0xffffffff);
	CHECK(model_read(MODEL_FP_REMAP) == 0x3fffffe0);
	model_write(MODEL_FP_REMAP, 0);
	CHECK(model_read(MODEL_FP_REMAP) == 0x20000000);
	model_write(MODEL_FP_COMP(7), 0xffffffff);
	CHECK(model_read(MODEL_FP_COMP(7)) == 0xdffffffd);
	model_write(MODEL_FP_COMP(8), 0xffffffff);
	CHECK(model_read(MODEL_FP_COMP(8)) == 0);
	model_power_on(1, 8, 0, false);
	model_write(MODEL_FP_REMAP, 0xffffffff);
	CHECK(model_read(MODEL_FP_REMAP) == 0);
}

static void key(void)
{
	model_power_on(0, 6, 2, true);
	model_write(MODEL_FP_CTRL, 1);
	CHECK(model_read(MODEL_FP_CTRL) == 0x260);
	model_write(MODEL_FP_CTRL, 3);
	CHECK(model_read(MODEL_FP_CTRL) == 0x261);
	model_write(MODEL_FP_CTRL, 0);
	CHECK(model_read(MODEL_FP_CTRL) == 0x261);
	model_write(MODEL_FP_CTRL, 2);
	CHECK(model_read(MODEL_FP_CTRL) == 0x260);
}

static void fetches(void)
{
	const uint32_t table = MODEL_RAM + 0x20, at = MODEL_TEXT + 0x10;

	model_power_on(0, 6, 2, true);
	put(at, 0x22221111);
	put(table + 4 * 5, 0x44443333);
	model_write(MODEL_FP_REMAP, table);
	model_write(MODEL_FP_COMP(5), at | 1);
	CHECK(model_fetch(at) == 0x1111); /* the unit is off */
	model_write(MODEL_FP_CTRL, 3);
	CHECK(model_fetch(at) == 0x3333 && model_fetch(at + 2) == 0x4444);
	CHECK(model_fetch(at + 4) == 0 && model_fetch(at - 2) == 0);
	CHECK(model_memory(at) == 0x22221111); /* a load of data */
	model_write(MODEL_FP_COMP(5), at | 0x40000001);
	CHECK(model_fetch(at) == MODEL_BKPT && model_fetch(at + 2) == 0x2222);
	model_write(MODEL_FP_COMP(5), at | 0x80000001);
	CHECK(model_fetch(at) == 0x1111 && model_fetch(at + 2) == MODEL_BKPT);
	model_write(MODEL_FP_COMP(5), at | 0xc0000001);
	CHECK(model_fetch(at) == MODEL_BKPT && model_fetch(at + 2) == MODEL_BKPT);
	model_write(MODEL_FP_COMP(5), at);
	CHECK(model_fetch(at) == 0x1111);
	model_write(MODEL_FP_COMP(6), at | 1); /* of literals: no fetch */
	CHECK(model_fetch(at) == 0x1111);
	CHECK(model.misuse == 0);
}

/* RAM has no comparator: its word has the same lower bits as one of the code region. */
static void code_region(void)
{
	model_power_on(0, 6, 2, true);
	put(MODEL_RAM + 0x40, 0x22221111);
	model_write(MODEL_FP_CTRL, 3);
	model_write(MODEL_FP_COMP(0), ((MODEL_RAM + 0x40) & MODEL_COMP_WORD) | 0xc0000001);
	CHECK(model_fetch(MODEL_RAM + 0x40) == 0x1111);
}

static void resets(void)
{
	model_power_on(0, 6, 2, true);
	model_write(MODEL_FP_CTRL, 3);
	model_write(MODEL_FP_COMP(1), MODEL_TEXT | 1);
	model_warm_reset();
	CHECK(model_read(MODEL_FP_CTRL) == 0x261 &&
	      model_read(MODEL_FP_COMP(1)) == (MODEL_TEXT | 1));
	model_power_on(0, 6, 2, true);
	CHECK(model_read(MODEL_FP_CTRL) == 0x260 && !(model_read(MODEL_FP_COMP(1)) & 1));
}

static void misuse_is_counted(void)
{
	model_power_on(0, 2, 0, false);
	model_write(MODEL_FP_COMP(0), MODEL_TEXT | 1); /* a remap that there is not */
	CHECK(model.misuse == 1);
	model_power_on(0, 6, 2, true);
	model_write(MODEL_FP_CTRL, 3);
	model_write(MODEL_FP_REMAP, MODEL_RAM);
	model_write(MODEL_FP_COMP(0), MODEL_TEXT | 1);
	model_write(MODEL_FP_COMP(1), MODEL_TEXT | 1);
	model_fetch(MODEL_TEXT); /* two comparators for one word */
	CHECK(model.misuse == 1);
	model_power_on(0, 14, 2, true); /* 16 words: aligned to 64 bytes */
	model_write(MODEL_FP_CTRL, 3);
	model_write(MODEL_FP_REMAP, MODEL_RAM + 0x20);
	model_write(MODEL_FP_COMP(0), MODEL_TEXT | 1);
	model_fetch(MODEL_TEXT);
	CHECK(model.misuse == 1);
}

int main(void)
{
	reset_values();
	read_only_bits();
	key();
	fetches();
	code_region();
	resets();
	misuse_is_counted();
	return check_status();
}

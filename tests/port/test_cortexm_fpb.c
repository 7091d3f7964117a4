/* SPDX-License-Identifier: BSD-2-Clause */
/* Traps in flash by port/cortexm/fpb.c, on the model of the unit: the CPU fetches traps at armed
 * sites and the firmware's own instructions everywhere else, behind each write of a register. */
#include "check.h"
#include "fpb_model.h"

#define DP_CORTEXM_WITH_FPB 1
#include "../../port/cortexm/fpb.c" /* NOLINT(bugprone-suspicious-include) */

enum {
	TABLE = MODEL_RAM + 0x40,
	SITES = 0x60, /* instructions of the text */
	ROUNDS = 20000,
	NONE = 0xff
};

static struct dp_fpb fpb;

/* The text: instructions of 2 and 4 bytes, and IT blocks. */
static struct instruction {
	uint32_t address;
	unsigned bytes;
	bool in_block;
	unsigned place; /* or NONE */
} insn[SITES];
static unsigned instructions;
/* Its trap is being laid or taken away: the CPU fetches the trap or the instruction. */
static const struct instruction *changing;

static uint32_t seed = 0x2545f491;

static unsigned below(unsigned end)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return (seed >> 4) % end;
}

static uint16_t half_in_memory(uint32_t address)
{
	uint32_t word = model_memory(address & ~3u);

	return (uint16_t)(address & 2 ? word >> 16 : word);
}

/* Does the CPU fetch the trap of the instruction? An instruction of IT blocks needs all of it. */
static bool fetches_trap(const struct instruction *i)
{
	if (i->bytes == 4 && (!(i->address & 2) || i->in_block))
		return model_fetch(i->address) == 0xf7f0 && model_fetch(i->address + 2) == 0xa018;
	return model_fetch(i->address) == 0xde18 &&
	       (i->bytes == 2 || model_fetch(i->address + 2) == half_in_memory(i->address + 2));
}

static bool fetches_original(const struct instruction *i)
{
	return model_fetch(i->address) == half_in_memory(i->address) &&
	       (i->bytes == 2 || model_fetch(i->address + 2) == half_in_memory(i->address + 2));
}

static bool unsettled; /* traps of an earlier run are being taken away */

static void check_text(void)
{
	bool right = true;

	for (const struct instruction *i = insn; i < insn + instructions; i++)
		if (i == changing)
			right = right && (fetches_trap(i) || fetches_original(i));
		else
			right = right && (i->place == NONE ? fetches_original(i) : fetches_trap(i));
	CHECK(right || unsettled);
}

/* --- what the port supplies --- */

static bool unreadable;

uint32_t dp_unit_get(uint32_t address)
{
	return model_is_register(address) ? model_read(address) : model_memory(address);
}

void dp_unit_set(uint32_t address, uint32_t value)
{
	if (model_is_register(address))
		model_write(address, value);
	else if (address - TABLE < DP_FPB_TABLE_BYTES)
		memcpy(&model.ram[address - MODEL_RAM], &value, 4);
	else
		CHECK(false);
	check_text();
}

void dp_fpb_publish(void)
{
}

bool dp_fpb_text(uint32_t address, uint32_t *word)
{
	if (unreadable || address - MODEL_TEXT >= MODEL_TEXT_BYTES)
		return false;
	*word = model_memory(address);
	return true;
}

/* --- the firmware --- */

static void put_half(uint32_t address, unsigned half)
{
	model.text[address - MODEL_TEXT] = (uint8_t)half;
	model.text[address - MODEL_TEXT + 1] = (uint8_t)(half >> 8);
}

static void add(unsigned bytes, unsigned first, bool in_block)
{
	uint32_t at = instructions == 0
			      ? MODEL_TEXT
			      : insn[instructions - 1].address + insn[instructions - 1].bytes;

	insn[instructions++] = (struct instruction){at, bytes, in_block, NONE};
	put_half(at, first);
	if (bytes == 4)
		put_half(at + 2, 0x0102 + 0x11 * below(8));
}

static void add_any(bool in_block)
{
	bool wide = below(2) != 0;

	add(wide ? 4 : 2, wide ? 0xf8d0 + below(8) : 0x6800 + below(64), in_block);
}

/* Masks of IT: 1000 is a block of one instruction, xxx1 of four. */
static void make_text(void)
{
	memset(model.text, 0, sizeof(model.text));
	instructions = 0;
	changing = NULL;
	while (instructions < SITES - 5) {
		unsigned count = 1 + below(4);

		if (below(4) != 0) {
			add_any(false);
			continue;
		}
		add(2, 0xbf00 | below(14) << 4 | 8u >> (count - 1), false);
		while (count-- > 0)
			add_any(true);
	}
}

static void start(unsigned revision, unsigned code, unsigned literal, bool remaps)
{
	make_text();
	model_power_on(revision, code, literal, remaps);
	memset(&fpb, 0, sizeof(fpb));
}

static void restart(void)
{
	for (unsigned i = 0; i < instructions; i++)
		insn[i].place = NONE;
	memset(&fpb, 0, sizeof(fpb));
}

/* --- as the core takes a comparator: the first free one that can --- */

static bool is_place_free(unsigned place)
{
	for (unsigned i = 0; i < instructions; i++)
		if (insn[i].place == place)
			return false;
	return true;
}

static unsigned place_for(const struct instruction *i)
{
	for (unsigned place = 0; place < DP_FPB_PLACES; place++)
		if (dp_fpb_can(&fpb, place, i->address, i->bytes) == DP_FPB_YES &&
		    is_place_free(place))
			return place;
	return NONE;
}

static bool arm(struct instruction *i)
{
	unsigned place = place_for(i);
	bool armed;

	if (place == NONE)
		return false;
	changing = i;
	armed = dp_fpb_arm(&fpb, place, i->address, i->bytes);
	changing = NULL;
	if (armed)
		i->place = place;
	CHECK(armed == dp_fpb_holds(&fpb, place));
	check_text();
	return armed;
}

static void disarm(struct instruction *i)
{
	changing = i;
	dp_fpb_disarm(&fpb, i->place);
	changing = NULL;
	CHECK(!dp_fpb_holds(&fpb, i->place));
	i->place = NONE;
	check_text();
}

/* Comparators and those that serve nobody, as HARDWARE counts them. */
static unsigned count_places(void)
{
	unsigned count = 0;

	for (unsigned place = 0; place < DP_FPB_PLACES; place++)
		count += dp_fpb_can(&fpb, place, 0, 4) == DP_FPB_YES;
	return count;
}

static unsigned count_free(void)
{
	unsigned count = 0;

	for (unsigned place = 0; place < DP_FPB_PLACES; place++)
		count += dp_fpb_can(&fpb, place, 0, 4) == DP_FPB_YES && is_place_free(place);
	return count;
}

static unsigned words_in_use(void)
{
	uint32_t word[SITES];
	unsigned count = 0;

	for (unsigned i = 0; i < instructions; i++) {
		unsigned n = 0;

		if (insn[i].place == NONE)
			continue;
		while (n < count && word[n] != insn[i].address / 4)
			n++;
		word[n] = insn[i].address / 4;
		count += n == count;
	}
	return count;
}

static struct instruction *find(unsigned bytes, unsigned half, bool in_block, unsigned from)
{
	for (struct instruction *i = insn + from; i < insn + instructions; i++)
		if (i->bytes == bytes && (i->address & 2) == half && i->in_block == in_block)
			return i;
	CHECK(false);
	return insn;
}

/* --- the tests --- */

/* Any instruction of the text, in any order: it takes a comparator as long as there is one. */
static void any_order(void)
{
	unsigned armed = 0, refused = 0, shared = 0;

	start(0, 6, 2, true);
	dp_fpb_attach(&fpb, TABLE);
	CHECK(fpb.lacks == DP_LACKS_NOTHING && count_places() == 6);
	for (unsigned round = 0; round < ROUNDS; round++) {
		struct instruction *i = &insn[below(instructions)];
		unsigned words = words_in_use();
		bool spans = i->bytes == 4 && (i->address & 2);

		if (i->place != NONE) {
			CHECK(dp_fpb_traps(&fpb, i->address));
			disarm(i);
			CHECK(!dp_fpb_traps(&fpb, i->address));
		} else if (arm(i)) {
			armed++;
			shared += words_in_use() == words;
			CHECK(!(spans && i->in_block));
		} else {
			refused++;
			CHECK(words == 6 || spans);
		}
	}
	CHECK(armed > 1000 && refused > 1000 && shared > 20);
	for (unsigned i = 0; i < instructions; i++)
		if (insn[i].place != NONE)
			disarm(&insn[i]);
	CHECK(model_read(MODEL_FP_CTRL) == 0x260); /* off, as it was */
	CHECK(model.misuse == 0);
}

/* Two sites of a word share a comparator, whichever comes and goes first. */
static void two_in_a_word(void)
{
	start(0, 6, 2, true);
	dp_fpb_attach(&fpb, TABLE);
	for (unsigned order = 0; order < 4; order++) {
		struct instruction *low = find(2, 0, false, 0), *high;

		while (low[1].bytes != 2)
			low = find(2, 0, false, (unsigned)(low - insn) + 1);
		high = low + 1;
		CHECK(arm(order & 1 ? high : low) && arm(order & 1 ? low : high));
		CHECK(words_in_use() == 1 && low->place % DP_FPB_CODE == high->place % DP_FPB_CODE);
		disarm(order & 2 ? high : low);
		CHECK(count_places() == 6 && count_free() == 5);
		disarm(order & 2 ? low : high);
		CHECK(count_places() == 6);
	}
}

/* The word cannot be read for a while: one site goes, and the other stays. */
static void one_goes_unread(bool first)
{
	struct instruction *low, *high, *goes, *stays;

	start(0, 6, 2, true);
	dp_fpb_attach(&fpb, TABLE);
	low = find(2, 0, false, 0);
	while (low[1].bytes != 2)
		low = find(2, 0, false, (unsigned)(low - insn) + 1);
	high = low + 1;
	goes = first ? low : high;
	stays = first ? high : low;
	CHECK(arm(low) && arm(high));
	unreadable = true;
	disarm(goes);
	unreadable = false;
	CHECK(fetches_original(goes) && fetches_trap(stays) && dp_fpb_holds(&fpb, stays->place));
	CHECK(arm(goes));
	unreadable = true;
	disarm(stays);
	CHECK(fetches_trap(goes));
	disarm(goes); /* the last one: the comparator is free */
	unreadable = false;
	CHECK(count_free() == 6 && model_read(MODEL_FP_CTRL) == 0x260);
}

/* An instruction in two words has a trap over its first half; in an IT block it has none, since a
 * trap of 2 bytes would be skipped, and not its second half. */
static void in_two_words(void)
{
	struct instruction *i;

	start(0, 6, 2, true);
	dp_fpb_attach(&fpb, TABLE);
	i = find(4, 2, true, 0);
	CHECK(place_for(i) == NONE);
	i = find(4, 2, false, 0);
	while (place_for(i) == NONE) /* behind what looks like IT */
		i = find(4, 2, false, (unsigned)(i - insn) + 1);
	CHECK(arm(i) && model_fetch(i->address) == 0xde18);
	CHECK(arm(find(4, 0, true, 0)));
}

/* Each end of a block counts, and the instruction behind it does not. */
static void ends_of_blocks(void)
{
	start(0, 6, 2, true);
	dp_fpb_attach(&fpb, TABLE);
	for (unsigned count = 1; count <= 4; count++) {
		const struct instruction *behind;

		memset(model.text, 0, sizeof(model.text));
		instructions = 0;
		add(2, 0x6800, false);
		add(2, 0xbf00 | 8u >> (count - 1), false);
		for (unsigned i = 0; i < count; i++)
			add(4, 0xf8d0, true);
		add(4, 0xf8d0, false);
		behind = &insn[instructions - 1];
		CHECK(may_be_in_block(behind[-1].address) && !may_be_in_block(behind->address));
	}
}

static unsigned lacks(unsigned revision, unsigned code, unsigned literal, bool remaps,
		      uint32_t table)
{
	unsigned writes;

	start(revision, code, literal, remaps);
	writes = model.writes;
	dp_fpb_attach(&fpb, table);
	if (fpb.lacks != DP_LACKS_NOTHING) {
		CHECK(model.writes == writes && count_places() == 0);
		CHECK(!dp_fpb_arm(&fpb, 0, insn[0].address, insn[0].bytes));
		CHECK(model.writes == writes);
	}
	return fpb.lacks;
}

static void what_it_lacks(void)
{
	CHECK(lacks(0, 0, 0, false, TABLE) == DP_LACKS_UNIT);
	CHECK(lacks(0, 0, 2, true, TABLE) == DP_LACKS_UNIT);
	CHECK(lacks(1, 8, 0, false, TABLE) == DP_LACKS_VERSION);
	CHECK(lacks(0, 2, 0, true, TABLE) == DP_LACKS_PATCH);
	CHECK(lacks(0, 2, 0, false, TABLE) == DP_LACKS_PATCH);
	CHECK(lacks(0, 6, 2, false, TABLE) == DP_LACKS_REMAP);
	CHECK(lacks(0, 0x16, 2, true, TABLE) == DP_LACKS_SMALL);
	CHECK(lacks(0, 6, 2, true, TABLE + 4) == DP_LACKS_TABLE);
	CHECK(lacks(0, 6, 2, true, 0x10000000) == DP_LACKS_TABLE);
	CHECK(lacks(0, 6, 2, true, 0x60000000) == DP_LACKS_TABLE);
	CHECK(lacks(0, 6, 2, true, TABLE) == DP_LACKS_NOTHING && count_places() == 6);
	CHECK(lacks(0, 4, 0, true, TABLE) == DP_LACKS_NOTHING && count_places() == 4);
	CHECK(lacks(0, 8, 0, true, TABLE) == DP_LACKS_NOTHING && count_places() == 6);
	CHECK(model.misuse == 0);
}

/* The unit keeps its registers over a warm reset: what the agent had on is off again. */
static void earlier_run(void)
{
	start(0, 6, 2, true);
	dp_fpb_attach(&fpb, TABLE);
	CHECK(arm(&insn[0]) && arm(find(4, 0, false, 5)));
	restart();
	unsettled = true;
	dp_fpb_attach(&fpb, TABLE);
	unsettled = false;
	CHECK(fpb.lacks == DP_LACKS_NOTHING && count_places() == 6);
	for (unsigned n = 0; n < 6; n++)
		CHECK(!(model_read(MODEL_FP_COMP(n)) & MODEL_COMP_ENABLE));
	check_text();
	CHECK(arm(&insn[3]));
}

/* The bits of a comparator that the manual defines. */
static uint32_t comparator(unsigned n)
{
	return model_read(MODEL_FP_COMP(n)) & MODEL_COMP_BITS;
}

/* A debugger's breakpoints stay as they are, and its comparators are not counted. */
static void debugger(void)
{
	const uint32_t breakpoint = (MODEL_TEXT + 0x300) | 0x40000001;

	start(0, 6, 2, true);
	model_write(MODEL_FP_CTRL, 3);
	model_write(MODEL_FP_COMP(0), breakpoint);
	dp_fpb_attach(&fpb, TABLE);
	CHECK(fpb.lacks == DP_LACKS_NOTHING && count_places() == 5);
	CHECK(dp_fpb_can(&fpb, 0, MODEL_TEXT, 2) == DP_FPB_TAKEN);
	CHECK(!dp_fpb_arm(&fpb, 0, MODEL_TEXT, 2));
	CHECK(arm(&insn[0]) && insn[0].place == 1);
	disarm(&insn[0]);
	CHECK(comparator(0) == breakpoint && model_read(MODEL_FP_CTRL) == 0x261);
	CHECK(arm(&insn[0]));
	insn[0].place = NONE; /* the debugger takes the comparator of a site */
	model_write(MODEL_FP_COMP(1), breakpoint + 8);
	CHECK(!dp_fpb_holds(&fpb, 1));
	dp_fpb_disarm(&fpb, 1);
	CHECK(comparator(1) == breakpoint + 8);
	/* The table of somebody else: there is one address of a table. */
	start(0, 6, 2, true);
	model_write(MODEL_FP_REMAP, TABLE + 0x20);
	model_write(MODEL_FP_COMP(3), (MODEL_TEXT + 0x300) | 1);
	dp_fpb_attach(&fpb, TABLE);
	CHECK(fpb.lacks == DP_LACKS_OWNER);
	CHECK(comparator(3) == ((MODEL_TEXT + 0x300) | 1));
	start(0, 6, 2, true); /* literals are remapped by the same table */
	model_write(MODEL_FP_COMP(6), (MODEL_TEXT + 0x300) | 1);
	dp_fpb_attach(&fpb, TABLE);
	CHECK(fpb.lacks == DP_LACKS_OWNER);
	start(0, 6, 2, true); /* taken after dp_fpb_attach */
	dp_fpb_attach(&fpb, TABLE);
	model_write(MODEL_FP_COMP(7), (MODEL_TEXT + 0x300) | 1);
	CHECK(!arm(&insn[0]));
	check_text();
}

/* Registers that do not keep what is written, memory that is not there, text behind the region. */
static void failures(void)
{
	start(0, 6, 2, true);
	dp_fpb_attach(&fpb, TABLE);
	CHECK(dp_fpb_can(&fpb, 0, 0x20000000, 2) == DP_FPB_NO);
	CHECK(dp_fpb_can(&fpb, 0, 0x1ffffffe, 2) == DP_FPB_YES);
	unreadable = true;
	CHECK(!dp_fpb_arm(&fpb, 0, insn[0].address, insn[0].bytes) && !dp_fpb_holds(&fpb, 0));
	unreadable = false;
	CHECK(arm(&insn[0]));
	insn[0].place = NONE;
	model_write(MODEL_FP_CTRL, MODEL_CTRL_KEY); /* somebody switches the unit off */
	CHECK(!dp_fpb_holds(&fpb, 0));
	model_write(MODEL_FP_CTRL, MODEL_CTRL_KEY | MODEL_CTRL_ENABLE);
	CHECK(dp_fpb_holds(&fpb, 0));
	model.ram[TABLE - MODEL_RAM] ^= 1; /* the table is damaged */
	CHECK(!dp_fpb_holds(&fpb, 0));
	dp_fpb_disarm(&fpb, 0);
	check_text();
	model.code = 0; /* the unit loses its power: its registers read as zero */
	model.literal = 0;
	CHECK(!dp_fpb_arm(&fpb, 0, insn[0].address, insn[0].bytes));
}

int main(void)
{
	any_order();
	two_in_a_word();
	one_goes_unread(true);
	one_goes_unread(false);
	model.reserved = MODEL_COMP_RESERVED;
	any_order();
	debugger();
	model.reserved = 0;
	in_two_words();
	ends_of_blocks();
	what_it_lacks();
	earlier_run();
	debugger();
	failures();
	return check_status();
}

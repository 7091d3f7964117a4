/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim_firmware.h"

#include "sim_insn.h"

#include <string.h>

#include "dp_lock.h"
#include "dp_text.h"
#include "dp_timers.h"
#include "dp_watch.h"

enum {
	ADDRESS = 0, /* of an access, with its value and its width */
	VALUE = 1,
	WIDTH = 2,
	PC = 0x0f
};

struct firmware firmware;

static const struct dp_range ranges[] = {
	{FIRMWARE_NO_PROBE, FIRMWARE_TEXT + FIRMWARE_TEXT_BYTES - FIRMWARE_NO_PROBE,
	 DP_MEM_READ | DP_MEM_TEXT | DP_MEM_NO_PROBE},
	{FIRMWARE_TEXT, FIRMWARE_TEXT_BYTES, DP_MEM_READ | DP_MEM_TEXT},
	{FIRMWARE_ROM, FIRMWARE_ROM_BYTES, DP_MEM_READ | DP_MEM_TEXT},
	{FIRMWARE_MODULE, FIRMWARE_MODULE_BYTES, DP_MEM_READ | DP_MEM_TEXT},
	{FIRMWARE_RAM, FIRMWARE_RAM_BYTES, DP_MEM_READ | DP_MEM_WRITE},
	{FIRMWARE_CONST, FIRMWARE_CONST_BYTES, DP_MEM_READ},
};

static void map_memory(void)
{
	sim_reset();
	dp_sim.text = FIRMWARE_TEXT;
	dp_sim.text_bytes = FIRMWARE_TEXT_BYTES;
	sim_map(FIRMWARE_TEXT, firmware.text, FIRMWARE_TEXT_BYTES, true);
	sim_map(FIRMWARE_ROM, firmware.rom, FIRMWARE_ROM_BYTES, false);
	sim_map(FIRMWARE_MODULE, firmware.module, FIRMWARE_MODULE_BYTES, true);
	sim_map(FIRMWARE_RAM, firmware.ram, FIRMWARE_RAM_BYTES, true);
	sim_map(FIRMWARE_CONST, firmware.constants, FIRMWARE_CONST_BYTES, false);
}

void firmware_load(void)
{
	static const struct dp_module image = {
		"kernel", FIRMWARE_TEXT, FIRMWARE_TEXT_BYTES, NULL, 0, 0};

	memset(&firmware, 0, sizeof(firmware));
	memset(&firmware.keep, 0x5a, sizeof(firmware.keep));
	map_memory();
	firmware.board = (struct dp_board){.ranges = ranges,
					   .range_count = sizeof(ranges) / sizeof(ranges[0]),
					   .image = image};
	firmware.memory =
		(struct dp_memory){.keep = &firmware.keep, .keep_bytes = sizeof(firmware.keep)};
	for (unsigned i = 0; i < FIRMWARE_TEXT_BYTES; i += 4)
		firmware_put_word(FIRMWARE_TEXT + i, 0x10000000 + i);
	for (unsigned i = 0; i < FIRMWARE_ROM_BYTES; i += 4)
		firmware.rom[i] = (uint8_t)i;
	for (unsigned i = 0; i < FIRMWARE_MODULE_BYTES; i += 4)
		firmware_put_word(FIRMWARE_MODULE + i, 0x20000000 + i);
	for (unsigned i = 0; i < FIRMWARE_RAM_BYTES; i++)
		firmware.ram[i] = (uint8_t)i;
	memcpy(firmware.original, firmware.text, FIRMWARE_TEXT_BYTES);
}

enum dp_err firmware_boot(void)
{
	/* like RAM after power-on: nothing may rest on zeros */
	memset(&firmware.agent, 0xa5, sizeof(firmware.agent));
	return dp_init(&firmware.agent, &firmware.memory, &firmware.board);
}

/* --- the CPU --- */

uint32_t firmware_word(dp_addr address)
{
	uint8_t code[4] = {0};

	sim_read(address, code, 4);
	return sim_number(code, 4);
}

void firmware_put_word(dp_addr address, uint32_t word)
{
	uint8_t code[4];

	sim_put_number(code, word);
	firmware_put(address, code, 4);
}

void firmware_put(dp_addr address, const uint8_t *code, unsigned bytes)
{
	sim_write(address, code, bytes);
	if (address - FIRMWARE_TEXT < FIRMWARE_TEXT_BYTES)
		memcpy(firmware.original + (address - FIRMWARE_TEXT), code, bytes);
}

/* Where the instruction behind this one begins; traps are seen through. */
static dp_addr behind(dp_addr address)
{
	uint8_t code[SIM_UNIT] = {0};

	if (!dp_the_agent || !dp_text_original(address, code, SIM_UNIT))
		sim_read(address, code, SIM_UNIT);
	return address + sim_bytes(code);
}

static void set_pc(dp_addr pc)
{
	firmware.frame.word[sim_row(PC)][0] = pc;
}

/* The firmware's own fault handler: counts, and goes on behind the instruction. */
static void firmware_fault(void)
{
	firmware.faults++;
	firmware.fault_pc = (uint32_t)dp_port_pc(&firmware.frame);
	set_pc(behind(firmware.fault_pc));
	firmware.executed++;
}

static enum dp_taken exception(unsigned class)
{
	uint8_t masked = dp_sim.masked;
	enum dp_taken taken;

	dp_sim.masked = 1;
	taken = dp_port_exception(class, &firmware.frame);
	switch (taken) {
	case DP_RESUME:
		break;
	case DP_FIRMWARE:
		firmware_fault();
		break;
	case DP_NOT_OURS:
		firmware.foreign_traps++;
		set_pc(behind(dp_port_pc(&firmware.frame)));
		break;
	}
	dp_sim.masked = masked;
	return taken;
}

/* --- accesses --- */

static uint64_t *reg(uint16_t index)
{
	return firmware.frame.word[sim_row(index)];
}

void firmware_set_access(dp_addr address, dp_word value, unsigned width)
{
	*reg(ADDRESS) = address;
	*reg(VALUE) = value;
	*reg(WIDTH) = width;
}

dp_word firmware_loaded(void)
{
	return (dp_word)*reg(VALUE);
}

/* The kinds of watchpoints that the instruction's access of data is for; 0: it makes none. */
static unsigned kinds_of(const uint8_t *code)
{
	switch (sim_kind(code)) {
	case SIM_LOAD:
		return DP_WATCHED_READ;
	case SIM_STORE:
	case SIM_EXCLUSIVE:
		return DP_WATCHED_WRITE;
	default:
		return 0;
	}
}

/* The lowest bytes of the register, in the order of memory. */
static bool access_memory(const uint8_t *code)
{
	size_t width = *reg(WIDTH);
	uint8_t bytes[8] = {0};

	for (size_t i = 0; i < width; i++)
		bytes[i] = (uint8_t)(*reg(VALUE) >> 8 * (DP_PORT_BIG_ENDIAN ? width - 1 - i : i));
	if (kinds_of(code) == DP_WATCHED_WRITE)
		return sim_write(*reg(ADDRESS), bytes, width) == width;
	if (sim_read(*reg(ADDRESS), bytes, width) != width)
		return false;
	*reg(VALUE) = 0;
	for (size_t i = 0; i < width; i++)
		*reg(VALUE) |= (uint64_t)bytes[i] << 8 * (DP_PORT_BIG_ENDIAN ? width - 1 - i : i);
	return true;
}

/* Does a comparator report the access now? */
static bool stops(const uint8_t *code, bool behind)
{
	unsigned kinds = kinds_of(code);

	return kinds != 0 && !(kinds & dp_sim.watch_after) == !behind &&
	       sim_watched(*reg(ADDRESS), *reg(WIDTH), kinds);
}

static bool faults(const uint8_t *code)
{
	return sim_kind(code) == SIM_SLOT_FAULT ||
	       (sim_kind(code) == SIM_MEMORY && firmware.aborts) ||
	       (kinds_of(code) != 0 && !access_memory(code));
}

/* In a slot an instruction that the port emulates is undefined: no slot has one. */
static bool undefined(const uint8_t *code)
{
	return sim_kind(code) == SIM_NOP || sim_kind(code) == SIM_FAULT;
}

/* The CPU executes what the slot holds. */
static void run_slot(dp_addr pc, dp_addr origin)
{
	const uint8_t *code = (const uint8_t *)dp_sim.slots + (pc - DP_SIM_SLOT_BASE);

	if (stops(code, false)) {
		exception(SIM_WATCHED);
		return;
	}
	if (undefined(code) || faults(code)) {
		exception(SIM_ABORT);
		return;
	}
	firmware.executed++;
	set_pc(pc + sim_bytes(code)); /* behind the copy */
	if (stops(code, true))
		exception(SIM_WATCHED);
	if (dp_sim.one_trap[(pc - DP_SIM_SLOT_BASE) / SIM_SLOT_BYTES])
		set_pc(origin + sim_bytes(code));
	else
		exception(SIM_SECOND_TRAP);
}

void firmware_step(void)
{
	dp_addr pc = dp_port_pc(&firmware.frame), origin = dp_port_slot_origin(pc);
	uint8_t code[SIM_UNIT] = {0};

	if (origin != pc) {
		run_slot(pc, origin);
		return;
	}
	sim_read(pc, code, SIM_UNIT);
	if (sim_watched(pc, SIM_UNIT, DP_WATCHED_EXECUTE) || stops(code, false)) {
		dp_addr next = behind(pc);

		if (exception(SIM_WATCHED) == DP_RESUME && dp_port_pc(&firmware.frame) == next)
			firmware.executed++; /* emulated */
	} else if (sim_is_trap(code)) {
		dp_addr next = behind(pc); /* the site may go in the hit */

		if (exception(SIM_TRAP) == DP_RESUME && dp_port_pc(&firmware.frame) == next)
			firmware.executed++; /* emulated */
	} else if (sim_kind(code) == SIM_FAULT || faults(code)) {
		firmware_fault();
	} else {
		set_pc(pc + sim_bytes(code));
		firmware.executed++;
		if (stops(code, true))
			exception(SIM_WATCHED);
	}
}

void firmware_poll(void)
{
	unsigned calls = 64; /* more than a request needs */

	while (dp_poll(&firmware.agent) && (!dp_timers_tick(&firmware.agent) || --calls > 0))
		;
}

void firmware_run(dp_addr pc, uint32_t instructions)
{
	dp_addr end = pc;

	for (uint32_t i = 0; i < instructions; i++)
		end = behind(end);
	set_pc(pc);
	for (uint32_t steps = 0; dp_port_pc(&firmware.frame) != end && steps < 8 * instructions + 8;
	     steps++)
		firmware_step();
}

void firmware_nested(dp_addr pc, uint32_t instructions)
{
	struct dp_frame saved = firmware.frame;

	firmware_run(pc, instructions);
	firmware.frame = saved;
}

bool firmware_text_is_original(void)
{
	return memcmp(firmware.text, firmware.original, FIRMWARE_TEXT_BYTES) == 0;
}

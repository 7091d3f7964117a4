/* SPDX-License-Identifier: BSD-2-Clause */
/* A small simulated firmware with the real agent in it: memory, CPU, board. One at a time. What its
 * CPU makes of a word: port/sim/sim.h. */
#ifndef SIM_FIRMWARE_H
#define SIM_FIRMWARE_H

#include "dp_agent.h"
#include "sim.h"

enum {
	FIRMWARE_TEXT = 0x08000000, /* may be probed, but for the last bytes */
	FIRMWARE_TEXT_BYTES = 0x1000,
	FIRMWARE_NO_PROBE = FIRMWARE_TEXT + 0xf02,
	FIRMWARE_ROM = 0x08010000, /* text that cannot be patched */
	FIRMWARE_ROM_BYTES = 0x100,
	FIRMWARE_MODULE = 0x09000000, /* text of what is loaded later */
	FIRMWARE_MODULE_BYTES = 0x400,
	FIRMWARE_RAM = 0x20000000,
	FIRMWARE_RAM_BYTES = 0x2000,
	FIRMWARE_CONST = 0x30000000, /* data that programs may only read */
	FIRMWARE_CONST_BYTES = 0x100,
};

struct firmware {
	struct dp_agent agent;
	struct dp_board board;
	struct dp_memory memory;
	struct dp_keep keep;
	uint8_t text[FIRMWARE_TEXT_BYTES], rom[FIRMWARE_ROM_BYTES];
	uint8_t module[FIRMWARE_MODULE_BYTES];
	uint8_t ram[FIRMWARE_RAM_BYTES], constants[FIRMWARE_CONST_BYTES];
	uint8_t original[FIRMWARE_TEXT_BYTES]; /* text as it was loaded */
	struct dp_frame frame;                 /* the CPU */
	bool aborts;                           /* what SIM_MEMORY accesses is not there */
	/* what the firmware saw */
	uint32_t executed, faults, foreign_traps;
	uint32_t fault_pc;
};
extern struct firmware firmware;

/* Power on: memory loaded, everything else as it comes. board.com is empty. */
void firmware_load(void);
/* Start the agent; a warm restart when memory was not loaded again. */
enum dp_err firmware_boot(void);

uint32_t firmware_word(dp_addr address); /* of memory */
void firmware_put_word(dp_addr address, uint32_t word);
void firmware_put(dp_addr address, const uint8_t *code, unsigned bytes); /* in the text */
bool firmware_text_is_original(void);

/* Registers of SIM_LOAD, SIM_STORE and SIM_EXCLUSIVE. */
void firmware_set_access(dp_addr address, dp_word value, unsigned width);
dp_word firmware_loaded(void);

/* Call dp_poll until no work is left. While a tick is armed dp_poll always asks for another call:
 * then a number of calls. */
void firmware_poll(void);

/* Run `instructions` from pc on. A fault skips its instruction. */
void firmware_run(dp_addr pc, uint32_t instructions);
void firmware_step(void);
/* The same from inside a callback of a hit: the interrupted CPU state is kept. */
void firmware_nested(dp_addr pc, uint32_t instructions);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* What the simulated CPU is connected to: memory ranges, registers, port space. One at a time. */
#ifndef SIM_H
#define SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dp_regs.h"

enum {
	SIM_RANGES_MAX = 64,
	SIM_PORTS = 256
};

struct sim_range {
	uint64_t address, bytes; /* bytes > 0; address + bytes does not wrap */
	uint8_t *data;
	bool writable;
};

struct sim {
	struct sim_range range[SIM_RANGES_MAX];
	unsigned ranges;
	const struct dp_reg *regs; /* sorted by index; null: those of port/sim/regs.def */
	uint16_t reg_count;
	uint16_t pc, sp, lr;      /* register indices; SIM_NO_REG where the CPU has none */
	uint32_t port[SIM_PORTS]; /* port space: number modulo SIM_PORTS, keeps what is written */
	uint64_t ticks;
	/* told of every write by a program; may be null */
	void (*wrote)(void *context, uint64_t address, const uint8_t *bytes, size_t count);
	void *context;
};
enum {
	SIM_NO_REG = 0xffff
};

extern struct sim dp_sim;

/* Forget ranges, ports and callback; the sim CPU's own registers. */
void sim_reset(void);

/* Add a range; the bytes stay the caller's. False: no room, or it overlaps another one or the end
 * of the address space. */
bool sim_map(uint64_t address, uint8_t *data, uint64_t bytes, bool writable);

/* Copy until the first byte that is not there (or read-only). Returns the bytes copied. */
size_t sim_read(uint64_t address, void *to, size_t bytes);
size_t sim_write(uint64_t address, const void *from, size_t bytes);
bool sim_readable(uint64_t address);
bool sim_writable(uint64_t address);

/* Row of a register index in dp_sim.regs, or -1. */
int sim_row(uint16_t index);

#endif

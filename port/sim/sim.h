/* SPDX-License-Identifier: BSD-2-Clause */
/* The simulated machine connects the simulated CPU with memory ranges, registers and port space.
 * Only one machine exists at a time. */
#ifndef DP_SIM_H
#define DP_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dp_regs.h"

enum {
	SIM_RANGES_MAX = 64,
	SIM_PORTS = 256,
	SIM_SLOTS = 4,
	SIM_COMPARATORS = 4,
	SIM_WATCHED_MAX = 4096 /* bytes that a comparator covers at most */
};

/* The effect of an instruction of the simulated CPU, by its top byte (sim_insn.h). Any other
 * instruction does nothing, and the port emulates it. */
enum sim_insn {
	SIM_NOP = 0,
	SIM_STEPPED = 0xf1,    /* does nothing; the port runs its copy in a two-trap slot */
	SIM_SLOT_FAULT = 0xf2, /* faults; its copy in a two-trap slot faults */
	SIM_FAULT = 0xf3,      /* faults; the port finds out by emulating it */
	SIM_AWAY = 0xf4,       /* does nothing; the port runs its copy in a one-trap slot */
	SIM_REFUSED = 0xf5,    /* not probeable */
	SIM_LOCK = 0xf6,       /* from here to SIM_UNLOCK of the same function: not probeable */
	SIM_UNLOCK = 0xf7,
	SIM_BRANCH = 0xf8, /* has a delay slot, which may hold no other branch */
	SIM_NEVER = 0xf9,  /* its condition is false */
	SIM_MEMORY = 0xfa, /* does nothing, or faults; the port runs its copy in a one-trap slot if
			    * the hit may be withdrawn, else in a two-trap slot */
	SIM_LOAD = 0xfb,   /* accesses memory: sim_firmware.h; the port steps it as SIM_MEMORY */
	SIM_STORE = 0xfc,
	SIM_EXCLUSIVE = 0xfd, /* a store that is not probeable, nor stepped in another way */
	SIM_IF = 0xfe, /* a branch to the next instruction, taken while dp_sim.condition holds */
};
static inline enum sim_insn sim_insn(uint32_t word)
{
	uint32_t top = word >> 24;

	return top >= SIM_STEPPED && top <= SIM_IF ? (enum sim_insn)top : SIM_NOP;
}

/* Exceptions of the simulated CPU, for dp_port_exception. */
enum {
	SIM_TRAP = 0,
	SIM_SECOND_TRAP = 1,
	SIM_ABORT = 2,
	SIM_WATCHED = 3
};
#define DP_SIM_TRAP_WORD 0xdeadd0d0u
#define DP_SIM_SLOT_BASE 0xfff00000u
enum {
	SIM_SLOT_BYTES = 24
};

/* A comparator watches a power of two of bytes, aligned. */
struct sim_comparator {
	uint64_t first, bytes;
	uint8_t kind, on;
	uint8_t foreign; /* a debugger owns it */
};

/* The access that stopped the CPU, as the CPU tells it. */
struct sim_access {
	uint64_t address;
	uint16_t comparators;
	uint8_t bytes, kinds;
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
	uint16_t result, above;   /* of a result, and of its second word */
	uint32_t port[SIM_PORTS]; /* port space: number modulo SIM_PORTS, keeps written values */
	uint64_t ticks;
	unsigned counter_reads;
	uint32_t tick_hz;          /* 0: the CPU has no time stamp */
	uint64_t text, text_bytes; /* the port may patch it, programs may not write there */
	/* The pool of dp_slots.h, which the CPU sees from DP_SIM_SLOT_BASE on; the last slot is the
	 * scratch slot. One state a slot follows. */
	uint64_t slots[(SIM_SLOTS + 1) * (SIM_SLOT_BYTES / 8 + 1)];
	bool one_trap[SIM_SLOTS + 1]; /* as the last step entered the slot */
	bool condition;               /* of SIM_IF */
	struct sim_comparator comparator[SIM_COMPARATORS];
	struct sim_access access; /* of SIM_WATCHED */
	uint16_t watch_paused;    /* bit n: comparator n */
	uint8_t watch_after;      /* bit n: accesses of kind n are reported behind the access */
	uint8_t watch_code;       /* bit n: comparator n may stop the CPU in place of a trap */
	bool watch_lays;          /* they lay a trap over memory; else an exception of their own */
	uint8_t watch_lacks;      /* enum dp_lacks */
	bool watch_used;          /* the firmware uses what the comparators of data are made of */
	uint8_t watch_silent;  /* the CPU tells no address of an access: 1, nor a comparator: 2 */
	uint16_t watch_wrong;  /* the CPU tells an address that is so much too large */
	unsigned own_accesses; /* that the agent made while a comparator was on for them */
	/* called for every write by a program; may be null */
	void (*wrote)(void *context, uint64_t address, const uint8_t *bytes, size_t count);
	/* interrupts may come again: called at the end of every masked stretch; may be null */
	void (*unmasked)(void *context);
	void (*reading)(void *context); /* before each dp_port_read; may be null */
	/* before and after each write of a trap or an original; may not return; may be null */
	void (*patching)(void *context);
	void *context;
	unsigned recovered;  /* calls of dp_port_recover with interrupts masked */
	const void *kept_at; /* of the last call of dp_port_keep_written */
	size_t kept_bytes;
	uint8_t masked;   /* interrupts are */
	bool any_address; /* instructions need not be aligned */
	uint64_t vector;  /* the exceptions' one leads to this address; 0: to the port */
	bool arguments_on_stack;
	unsigned below; /* the machine is that many CPUs below the last one */
};
enum {
	SIM_NO_REG = 0xffff
};

extern struct sim dp_sim;

/* Forget ranges, ports and callback; the sim CPU's own registers and tick rate. */
void sim_reset(void);

/* Add a range; the bytes stay the caller's. False: no room, or it overlaps another one or the end
 * of the address space. */
bool sim_map(uint64_t address, uint8_t *data, uint64_t bytes, bool writable);

/* Copy until the first byte that is not there (or read-only). Returns the bytes copied. */
size_t sim_read(uint64_t address, void *to, size_t bytes);
size_t sim_write(uint64_t address, const void *from, size_t bytes);
bool sim_readable(uint64_t address);
bool sim_writable(uint64_t address);

/* Let the CPU access memory: does a comparator stop it? kinds: enum dp_watched_kinds. */
bool sim_watched(uint64_t address, size_t bytes, unsigned kinds);
/* The agent accesses memory. A comparator that is on for it counts. */
void sim_own_access(uint64_t address, size_t bytes, unsigned kinds);
/* Is a comparator on for the access that stopped the CPU, in a pause too? */
bool sim_watched_still(void);
/* A reset of the CPU, or an agent that starts: the comparators are off, but for a debugger's. */
void sim_clear_comparators(void);

/* Row of a register index in dp_sim.regs, or -1. */
int sim_row(uint16_t index);

#endif

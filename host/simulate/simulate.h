/* SPDX-License-Identifier: BSD-2-Clause */
/* The simulator runs the handlers of an object without a board. Several simulations may be open;
 * all belong to one thread. The simulated port is one machine (port/sim/sim.h), which the
 * interpreter reaches through dp_port_*. Each call installs its own state there and removes the
 * state at its end. */
#ifndef DPH_SIMULATE_H
#define DPH_SIMULATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dp_verify.h"
#include "tables/registers.h"
#include "sim_variant.h"

struct dph_simulation;

enum dph_hit {
	DPH_HIT_RAN,      /* the handler ran: result is filled */
	DPH_HIT_IGNORED,  /* one of the `ignore` first */
	DPH_HIT_DISABLED, /* maxhits reached, or removed: the probe has ended */
};

/* A write to memory by the last hit, in order. */
struct dph_sim_write {
	uint64_t address;
	size_t count;
	const uint8_t *bytes;
};

/* Start with a verified copy of the travelling part of an object. may_write: the right to run
 * destructive programs. Null when the verifier refuses (verdict says why) or there is no memory
 * (verdict->error is DP_ERR_OK). The machine has no memory and all registers are 0. */
struct dph_simulation *dph_simulation_open(const uint8_t *object, size_t bytes, bool may_write,
					   struct dp_verdict *verdict);
void dph_simulation_close(struct dph_simulation *simulation);

/* Give the machine bytes; everything not given faults. False: overlaps, wraps, or too many. */
bool dph_simulation_map(struct dph_simulation *simulation, uint64_t address, const uint8_t *bytes,
			size_t count, bool writable);

/* Read a place of a map that has entries: its words. Returns their number, 0: the place is free,
 * -1: the map has no such place. words: DP_MAP_WORDS_MAX. */
int dph_simulation_map_place(const struct dph_simulation *simulation, unsigned map, unsigned place,
			     uint64_t *words);
/* The same, and free the place. Another entry may stand there then. */
int dph_simulation_map_take(struct dph_simulation *simulation, unsigned map, unsigned place,
			    uint64_t *words);
/* Updates of the map that found no place. */
uint32_t dph_simulation_map_dropped(const struct dph_simulation *simulation, unsigned map);

/* Take the oldest record of a committed speculation. Returns false: there is none. */
bool dph_simulation_speculated(struct dph_simulation *simulation, struct sim_speculated *record);

/* The table of ranges is full. */
bool dph_simulation_full(const struct dph_simulation *simulation);

/* Value of a register at every hit, lowest word first. The pc is the probe's address unless set;
 * where that is an address of data, 0. */
void dph_simulation_register(struct dph_simulation *simulation, unsigned index,
			     const uint64_t words[DP_REG_WORDS_MAX]);

/* Move the clock on. */
void dph_simulation_wait(struct dph_simulation *simulation, uint64_t nanoseconds);

/* The word at sp + offset, with the value that sp has now. False as for dph_simulation_map. */
bool dph_simulation_stack_word(struct dph_simulation *simulation, unsigned offset, uint64_t value);

/* Probe points of the object; which one has this minor code (-1: none). */
unsigned dph_simulation_points(const struct dph_simulation *simulation);
int dph_simulation_point(const struct dph_simulation *simulation, unsigned minor);

/* Return the kind of plan (dp_plan_code.h) of the handler with that entry, without items. *place:
 * as struct dph_sim_form tells it. */
unsigned dph_simulation_plan(struct dph_simulation *simulation, uint32_t entry, uint32_t *place);

/* Hit a probe once. result's pointers are valid until the next hit. */
enum dph_hit dph_simulation_hit(struct dph_simulation *simulation, unsigned point,
				struct sim_result *result);

/* State after the last hit. */
const struct sim_program *dph_simulation_program(const struct dph_simulation *simulation);
const struct dph_sim_form *dph_simulation_form(const struct dph_simulation *simulation);
const struct dph_cpu *dph_simulation_cpu(const struct dph_simulation *simulation);
uint64_t dph_simulation_slot(const struct dph_simulation *simulation, unsigned index);
size_t dph_simulation_writes(const struct dph_simulation *simulation,
			     const struct dph_sim_write **writes);
/* A register as the handler left it, lowest word first. */
void dph_simulation_register_after(const struct dph_simulation *simulation, unsigned index,
				   uint64_t words[DP_REG_WORDS_MAX]);

#endif

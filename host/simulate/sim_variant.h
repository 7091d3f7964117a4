/* SPDX-License-Identifier: BSD-2-Clause */
/* A table with 64-bit words gives access to the four forms of the interpreter. */
#ifndef DPH_SIM_VARIANT_H
#define DPH_SIM_VARIANT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dp_config.h"
#include "dp_rpn.h"

struct dp_frame;

/* The range of a watchpoint behind its last hit. */
struct sim_old {
	bool known;
	uint8_t bytes[8];
};

/* A program for one run; struct dp_program_view with wide words. */
struct sim_program {
	const uint8_t *code;
	uint32_t code_bytes;
	uint64_t *lv, *gv;
	uint16_t vars, gvars;
	uint16_t jmpmax, logmax, excpt_log, excpt_mask, major, minor;
	uint32_t id;
	uint64_t offset;
	const uint8_t *name;
	uint8_t name_bytes;
	bool autostacktrace;
	void *maps; /* of the form, placed by maps_place; null: none */
	uint32_t tick_hz;
	uint8_t watch_kind;  /* of a watchpoint: enum dp_point_kind; 0: the point is none */
	uint64_t watched;    /* its bytes, from offset on */
	struct sim_old *old; /* of the watchpoint */
	uint8_t point;       /* of the object: records of speculations name it */
};

/* A record of a committed speculation. */
struct sim_speculated {
	unsigned point;
	uint64_t ticks;
	size_t bytes;
	uint8_t log[DP_LOG_MAX];
};

/* The result of a run. The pointers point into the form's memory, valid until its next run. */
struct sim_result {
	enum rpn_end end;
	const uint8_t *log, *trace;
	size_t log_bytes, trace_bytes;
	bool trace_truncated, codes_set, remove, stop;
	bool returns;             /* the function returns `words` words */
	unsigned words;           /* 0 to 2 */
	uint64_t word[2], result; /* that of the lower address first; as one number */
	unsigned exit_number;
	uint16_t major, minor;
	uint32_t steps;
	uint64_t exception[3]; /* code, parm1, parm2; all 0: none */
	uint16_t place;        /* END_EXCEPTION: code offset behind the instruction */
	unsigned tsp, sbp;     /* slots */
};

struct dph_sim_form {
	unsigned word_bits;
	bool big_endian;
	size_t vm_bytes; /* of the interpreter's memory; zeroed before the first run */
	unsigned stack_words;
	unsigned log_max, trace_max;
	uint32_t step_budget;
	/* The kind of plan of the handler at the entry: enum dp_plan_kind. With DP_PLAN_RUN *place
	 * is the code offset of the first instruction that no plan takes; with a test it is where
	 * the handler goes on. */
	unsigned (*plan)(const struct sim_program *program, uint16_t entry, bool items,
			 uint32_t *place);
	void (*run)(void *vm, const struct sim_program *program, uint16_t entry,
		    struct dp_frame *frame, struct sim_result *result);
	uint64_t (*slot)(const void *vm, unsigned index);
	/* Maps of the program: the bytes that checked rows of a section MAPS need, and their state
	 * at the start. */
	uint32_t (*maps_bytes)(const uint8_t *rows, unsigned count);
	void (*maps_place)(const uint8_t *rows, unsigned count, void *maps);
	/* Read a place of a map with entries: its words; their number, 0: free; -1: no such place.
	 */
	int (*map_place)(void *maps, unsigned map, unsigned place, bool take, uint64_t *words);
	uint32_t (*map_dropped)(const void *maps, unsigned map);
	/* Take the oldest record of a committed speculation of the map. False: there is none. */
	bool (*map_speculated)(void *maps, unsigned map, struct sim_speculated *record);
};

extern const struct dph_sim_form dph_sim_form_32le, dph_sim_form_32be, dph_sim_form_64le,
	dph_sim_form_64be;

#endif

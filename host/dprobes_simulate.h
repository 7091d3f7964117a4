/* SPDX-License-Identifier: BSD-2-Clause */
/* Handlers of an object run here, without a target: the agent's interpreter on a machine that has
 * the memory and the registers it was given and nothing else. */
#ifndef DPROBES_SIMULATE_H
#define DPROBES_SIMULATE_H

#include "dp_rpn.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dp_messages;
struct dp_object_file;
struct dp_simulation;

enum dp_simulated_how {
	DP_SIMULATED_RAN,      /* the handler ran: the result is filled */
	DP_SIMULATED_IGNORED,  /* one of the `ignore` first hits */
	DP_SIMULATED_DISABLED, /* maxhits reached, or removed: the probe is gone */
};

/* What one hit left. The pointers are valid until the next hit. */
struct dp_simulated {
	enum rpn_end end;      /* RPN_END_ABORT: there is no record */
	uint16_t major, minor; /* setmaj and setmin applied */
	const uint8_t *log;
	size_t log_bytes;
	const uint8_t *trace; /* stack trace; trace_bytes 0: none */
	size_t trace_bytes;
	bool trace_truncated; /* records of it did not fit */
	bool removed;         /* by `remove` */
	unsigned exit_number; /* of `exit n`, else 0 */
	uint32_t steps;
	uint64_t exception[3]; /* the last one: code, parm1, parm2; code 0: none */
};

/* Memory that a handler wrote. */
struct dp_simulated_write {
	uint64_t address;
	const uint8_t *bytes;
	size_t count;
};

/* Verify and load an object. write: allow programs that change the firmware. Null when it is
 * refused; messages says why. The machine has no memory, and all registers are 0. One at a time:
 * close it before the next one is opened. */
struct dp_simulation *dp_simulation_open(const struct dp_object_file *object, bool write,
					 struct dp_messages *messages);
void dp_simulation_close(struct dp_simulation *simulation);

/* Memory that exists. False when it overlaps another range or the end of the address space. */
bool dp_simulation_memory(struct dp_simulation *simulation, uint64_t address, const void *bytes,
			  size_t count, bool writable);

/* Value of a register at every hit: up to 4 words, the lowest first. False: no such register. The
 * pc is the probe's address unless it is set. */
bool dp_simulation_register(struct dp_simulation *simulation, const char *name,
			    const uint64_t *words, size_t count);

/* Which probe point has this minor code; -1: none. dp_object_point describes them. */
int dp_simulation_point(const struct dp_simulation *simulation, unsigned minor);

/* Hit a probe point once. */
enum dp_simulated_how dp_simulation_hit(struct dp_simulation *simulation, unsigned point,
					struct dp_simulated *result);

/* After a hit: variables (count of the kind; the value, 0 beyond them), the words on the stack from
 * the top (at most room; returns how many were left on it), a register as the handler left it,
 * memory written in order (false behind the last). */
unsigned dp_simulation_variables(const struct dp_simulation *simulation, bool global);
uint64_t dp_simulation_variable(const struct dp_simulation *simulation, bool global,
				unsigned index);
size_t dp_simulation_stack(const struct dp_simulation *simulation, uint64_t *words, size_t room);
bool dp_simulation_register_after(const struct dp_simulation *simulation, const char *name,
				  uint64_t words[4]);
bool dp_simulation_write(const struct dp_simulation *simulation, size_t index,
			 struct dp_simulated_write *write);

#endif

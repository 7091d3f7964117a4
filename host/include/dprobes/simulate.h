/* SPDX-License-Identifier: BSD-2-Clause */
/* Simulations run the handlers of an object without a target. The agent's interpreter runs on a
 * machine that has only the given memory and registers. */
#ifndef DPROBES_SIMULATE_H
#define DPROBES_SIMULATE_H

#include "dp_rpn.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dp_messages;
struct dp_object_file;
struct dp_simulation;

enum dp_simulated_how {
	DP_SIMULATED_RAN,      /* the handler ran: the result is filled */
	DP_SIMULATED_IGNORED,  /* one of the `ignore` first hits */
	DP_SIMULATED_DISABLED, /* no such probe, maxhits reached, or the probe was removed */
};

/* The result of one hit. The pointers are valid until the next hit. */
struct dp_simulated {
	enum rpn_end end;      /* RPN_END_ABORT: no record */
	uint16_t major, minor; /* setmaj and setmin applied */
	const uint8_t *log;
	size_t log_bytes;
	const uint8_t *trace; /* stack trace; trace_bytes 0: none */
	size_t trace_bytes;
	bool trace_truncated; /* some records of the trace did not fit */
	bool removed;         /* by `remove` */
	unsigned exit_number; /* of `exit n`, else 0 */
	uint32_t steps;
	uint64_t exception[3]; /* of the last exception: code, parm1, parm2; code 0: none */
	bool returns;          /* the function returns, by `return`: */
	uint64_t result;       /* its value; 0: none */
};

/* One write of a handler to memory. */
struct dp_simulated_write {
	uint64_t address;
	const uint8_t *bytes;
	size_t count;
};

/* Verify and load an object into a new machine without memory, with all registers 0. Several
 * simulations may be open, each with its own machine; all belong to one thread.
 * write: allow programs that change the firmware.
 * Returns the simulation, which dp_simulation_close closes; null on a refusal, with the reason in
 * messages. */
struct dp_simulation *dp_simulation_open(const struct dp_object_file *object, bool write,
					 struct dp_messages *messages);
void dp_simulation_close(struct dp_simulation *simulation);

/* Add memory to the machine.
 * bytes: count initial bytes, at least one; copied.
 * writable: handlers may write to the memory.
 * Returns false for an empty range, an overlap with another range, or a range across the end of
 * the address space; false also when memory of the host is exhausted. */
bool dp_simulation_memory(struct dp_simulation *simulation, uint64_t address, const void *bytes,
			  size_t count, bool writable);

/* Set the value of a register for every hit. The default of the pc is the probe's address. At a
 * watchpoint of data the instruction is unknown, and the default of the pc is 0.
 * words: at most 4, the lowest first.
 * Returns false for an unknown register, or too many words. */
bool dp_simulation_register(struct dp_simulation *simulation, const char *name,
			    const uint64_t *words, size_t count);

/* Return the index of the probe point with this minor code, as dp_object_point counts; -1: none. */
int dp_simulation_point(const struct dp_simulation *simulation, unsigned minor);

/* Hit a probe point once.
 * point: index as dp_object_point counts.
 * result: filled only with DP_SIMULATED_RAN. */
enum dp_simulated_how dp_simulation_hit(struct dp_simulation *simulation, unsigned point,
					struct dp_simulated *result);

/* The functions below read the machine after a hit. */

/* Return the number of global or local variables. */
unsigned dp_simulation_variables(const struct dp_simulation *simulation, bool global);
/* Return the value of a variable; 0 for an index out of range. */
uint64_t dp_simulation_variable(const struct dp_simulation *simulation, bool global,
				unsigned index);
/* Copy the words of the stack, from the top.
 * room: most words to copy.
 * Returns the number of words on the stack, also when room is smaller. */
size_t dp_simulation_stack(const struct dp_simulation *simulation, uint64_t *words, size_t room);
/* Read the value of a register after the handler.
 * Returns false for an unknown register. */
bool dp_simulation_register_after(const struct dp_simulation *simulation, const char *name,
				  uint64_t words[4]);
/* Read one write of the handler.
 * index: 0 for the first write; write->bytes stays valid until the next hit.
 * Returns false when the handler made no such write. */
bool dp_simulation_write(const struct dp_simulation *simulation, size_t index,
			 struct dp_simulated_write *write);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* What a guest checks besides its cases, and what the port is given. */
#ifndef CHECKS_H
#define CHECKS_H

#include "guest.h"

/* Fault-safe access, in a hit as well as outside. guest.h: HOLE; LAST_WORD, the last that is
 * mapped, or 0 where more is mapped than the board's ranges name. */
void access_checks(void);
/* Supplied by the CPU, where it has more. */
void cpu_access_checks(void);

/* Sites by where they are, slots, the board's writes. What they need of guest.h: sites.c. */
void site_checks(void);
/* Supplied by the CPU: a frame at a sample, with the address of `data` in the load's register. */
void frame_before(struct dp_frame *frame, uint32_t at);

/* After a warm restart the vectors are still the port's, and there is no agent yet: all exceptions
 * are the firmware's, with every register as it was. insns: to be executed; cleared: start-up has
 * cleared the port's state, too. */
void restart_checks(const uint32_t *insns, unsigned count, bool cleared);
/* Independent vectors: what instructions do, measured without any of our code. How many there are;
 * has the CPU what one needs; does it hold, in this pass, with probes? One that does not has been
 * printed. By vectors.c, where the build says what was measured; else supplied by the CPU. */
extern const unsigned vector_count;
bool has_vector(unsigned i);
bool vector_holds(unsigned i);
/* Supplied by the CPU, for vectors.c. Change a state before it is run; has the run ended as it was
 * to, in the words from pc on? Where not every CPU of the port has every vector: this one? */
void vector_before(struct state *s);
bool is_vector_end(const struct state *wanted, const struct state *end);
bool has_vector_of(const uint32_t *insn, unsigned count);

/* Supplied by the CPU: the board's ranges and quirks. */
extern const struct dp_board guest_board;
/* What the port is given with it. guard: below the stack, where nobody may write. */
enum {
	GUEST_SLOT_BYTES = (DP_PORT_SLOT_BYTES + 1) * (16 + DP_PORT_SLOTS_EXTRA)
};
extern uint8_t guest_slots[4096];
extern struct private_stack {
	_Alignas(16) uint64_t guard[2 * DP_PORT_STACK_BYTES / 8];
	uint64_t stack[DP_PORT_STACK_BYTES / 8];
} private_stack;
extern struct dp_port_state port;
/* Start the port, anew; with other slots. */
enum dp_err start(void);
enum dp_err start_with(void *slots, size_t bytes);

/* Supplied by the CPU: checks that are made once, before all cases. Where it has them: what is to
 * be done before the port starts, such as starts that are refused; what else is to be done in a
 * pass; figures to print at the end. */
void special_checks(void);
void before_start(void);
void pass_checks(void);
void cpu_figures(void);

#endif

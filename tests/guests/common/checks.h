/* SPDX-License-Identifier: BSD-2-Clause */
/* What a guest checks besides its cases, and the passes over all of it. */
#ifndef CHECKS_H
#define CHECKS_H

#include <stdbool.h>
#include <stdint.h>

/* Fault-safe access, in a hit as well as outside. guest.h: HOLE; LAST_WORD, the last that is
 * mapped, or 0 where more is mapped than the board's ranges name. */
void access_checks(void);
/* Supplied by the CPU: what only it has. */
void cpu_access_checks(void);

/* After a warm restart the vectors are still the port's, and there is no agent yet: all exceptions
 * are the firmware's, with every register as it was. insns: to be executed; cleared: start-up has
 * cleared the port's state, too. */
void restart_checks(const uint32_t *insns, unsigned count, bool cleared);
/* Supplied by the oracle: a state that enters this word, which is now in its code; are the ends of
 * two such runs the same? */
struct state;
void word_state(struct state *in, uint32_t insn);
bool same_end(const struct state *in, struct state *plain, struct state *alone);

/* Independent vectors: what instructions do, measured without any of our code. Supplied by the CPU:
 * how many there are; whether it has what one needs; whether it holds, in this pass, with a probe.
 * One that does not has been printed. */
extern const unsigned vector_count;
bool has_vector(unsigned i);
bool vector_holds(unsigned i);

/* All cases and vectors in each pass, and after them, supplied by the CPU, what else is to be done
 * in a pass. It ends with the first pass in which something fails. */
void run_passes(void);
void pass_checks(void);

/* Print the figures and stop. rows: of the decode table; missing: what the gates have found. */
_Noreturn void conclude(unsigned rows, unsigned missing);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Coverage gate: every row of a port's decode table has done in some case all that it can do. */
#ifndef ROWS_H
#define ROWS_H

#include <stdbool.h>
#include <stdint.h>

/* What there must be cases of. */
struct row_wants {
	uint32_t value;   /* the row's bits, to know it by */
	unsigned classes; /* of operands, once it is executed: bits that the CPU defines */
	bool executed;
	bool refused; /* by the row */
	bool checked; /* refused for its operands */
};

/* Supplied by the CPU: fill it in for a row of its table. */
void row_wants(unsigned row, struct row_wants *wants);

/* A case was executed; refused by its row; refused for its operands. */
void note_executed(unsigned row, unsigned classes);
void note_refused(unsigned row);
void note_checked(unsigned row);

/* Print what is missing in rows 0 to count - 1, and how many were executed; returns how much is
 * missing. */
unsigned row_gate(unsigned count);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* What was tried, for the gates. */
#ifndef GATES_H
#define GATES_H

#include "states.h"

/* A probed run from this state; a case by its row of the decode table. */
void note_run(const struct state *in);
void note_row(const struct test_case *c);

void print_runs(void);
void print_rows(void);

#endif

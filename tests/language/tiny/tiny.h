/* SPDX-License-Identifier: BSD-2-Clause */
/* A second front end, as small as one can be: it shows that ir/probe_program.h is enough for one.
 *
 *     firmware demo                                  // names the program
 *     at queue_put, 0x1000 log arg0, lr when arg1 == 3
 *
 * Each address gets a probe; all of a line share one handler, which logs the registers in their
 * order when the condition holds. Section FORMATS says for each line what is logged: "arg0,lr". */
#ifndef TINY_H
#define TINY_H

#include "ir/compilation.h"

/* Is the first word `firmware` or `at`? */
bool tiny_recognises(const struct dph_source *source);
void tiny_compile(struct dph_compilation *compilation);

#endif

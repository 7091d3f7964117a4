/* SPDX-License-Identifier: BSD-2-Clause */
/* What a guest that checks a port prints, and what it counts. */
#ifndef OUT_H
#define OUT_H

#include <stdbool.h>
#include <stdint.h>

extern unsigned ran;    /* runs and single checks */
extern unsigned failed; /* of these */

/* Supplied by the CPU: print on the board's line; end with a status, 42 when all is well. */
void say(const char *text);
_Noreturn void stop(int status);

/* Print PASS or FAIL, and stop. */
_Noreturn void finish(void);

/* Eight digits and a space. */
void hex(uint32_t value);
/* The name, then the value in decimal. */
void number(const char *name, unsigned value);

/* Count and print a failure of the case with that text, or of none (null); the line is not ended.
 */
void fail(const char *text, const char *what);
/* One check that stands for itself. */
void expect(const char *what, bool ok);

#endif

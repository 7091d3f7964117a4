/* SPDX-License-Identifier: BSD-2-Clause */
/* Strings of handlers: words on the stack, so that equal strings are equal words. */
#ifndef DP_STRING_H
#define DP_STRING_H

#include "dp_run.h"

#define dp_string_step DP_VM_NAME(dp_string_step)

/* Execute an instruction of the part STRINGS. count: its operand. */
enum dp_next dp_string_step(struct dp_run *run, unsigned op, unsigned count);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* The private stack is painted, so that its highest use can be measured. Every port shares this
 * file. */
#ifndef DP_STACK_H
#define DP_STACK_H

#include "dp_port.h"

/* Fill the private stack with the paint word.
 * memory: of dp_port_attach; no code stands on the stack.
 * Context: INIT. */
void dp_stack_paint(const struct dp_memory *memory);
/* Count the bytes from the deepest changed word to the start of the stack.
 * memory: of dp_port_attach, painted.
 * Context: ANY.
 * Returns bytes; 0 when the stack was never used. */
size_t dp_stack_used(const struct dp_memory *memory);

#endif

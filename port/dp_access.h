/* SPDX-License-Identifier: BSD-2-Clause */
/* Fault-safe access, the part that is the same on every CPU: the board's table of ranges, widths,
 * the end of the address space. dp_access.c defines dp_port_read, dp_port_write, dp_port_readable
 * and dp_port_writable on top of what a port declares here. */
#ifndef DP_ACCESS_H
#define DP_ACCESS_H

#include "dp_port.h"

/* --- supplied by the port. dp_port_cpu.h defines DP_PORT_ACCESS_MAX, the widest single access, and
 * struct dp_fault_status, what a caught abort overwrites. --- */

struct dp_fault_status;
const struct dp_board *dp_access_board(void);
/* One aligned access of width 1 .. DP_PORT_ACCESS_MAX. Returns false when it aborted. */
bool dp_access_load(dp_addr address, unsigned width, void *to);
bool dp_access_store(dp_addr address, unsigned width, const void *from);
/* An abort handler that is probed must still find its own. */
void dp_fault_status_get(struct dp_fault_status *status);
void dp_fault_status_put(const struct dp_fault_status *status);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Fault-safe access has a common part for every CPU: the board's table of ranges, access widths,
 * the end of the address space. dp_access.c defines dp_port_read, dp_port_load,
 * dp_port_load_memory, dp_port_write, dp_port_readable and dp_port_writable with the functions
 * below, which a port supplies. */
#ifndef DP_ACCESS_H
#define DP_ACCESS_H

#include "dp_port.h"

/* --- supplied by the port. dp_port_cpu.h defines DP_PORT_ACCESS_MAX, the widest single access in
 * bytes, and struct dp_fault_status, the registers that a caught abort overwrites. --- */

struct dp_fault_status;
/* Perform one access and catch its abort.
 * address: aligned for width.
 * width: bytes, 1 .. DP_PORT_ACCESS_MAX.
 * Context: ANY.
 * Returns false when the access aborted. */
bool dp_access_load(dp_addr address, unsigned width, void *to);
bool dp_access_store(dp_addr address, unsigned width, const void *from);
/* Restore the fault status. A probed abort handler must find the status of its own fault.
 * Context: ANY. */
void dp_fault_status_put(const struct dp_fault_status *status);

#if DP_PORT_STACK_WORDS > 0
struct dp_stretch;
/* For DP_PORT_LOAD_STACK: keep the addresses from sp on where a copy may begin, because all of its
 * bytes are readable memory. Context: HIT. Returns false: sp is none of them. */
bool dp_access_find_stack(struct dp_stretch *begins, dp_addr sp);
#endif

/* dp_access_cpu.h of the port defines three functions inline: each load of a hit calls them.
 *   dp_access_board      returns the board of dp_port_attach. Context: ANY.
 *   dp_access_recent     returns the place where dp_port_load keeps the stretch of its last load:
 *                        one for each CPU, all zeros after dp_port_attach. Context: HIT.
 *   dp_fault_status_get  saves the fault status. Context: ANY. */

#endif

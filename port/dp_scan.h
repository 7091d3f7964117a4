/* SPDX-License-Identifier: BSD-2-Clause */
/* The scan reads the code before a site. port/README.md 8
 * The port's dp_scan_cpu.h defines these functions inline (dp_scan_fixed.h: all but the last one,
 * for a CPU whose instructions all have four bytes). The first parameter is the site, the second
 * one of the last two is what the scan has read of an instruction.
 *
 *   bool dp_scan_varies(site)      whether instructions have several lengths
 *   unsigned dp_scan_unit(site)    the distance of places where instructions may begin: their
 *                                  alignment
 *   unsigned dp_scan_bytes(site, insn, there)  the length of the instruction that begins with
 *                                  `there` bytes, a multiple of the unit. 0: these bytes do not
 *                                  tell the length; the scan then reads one more unit
 *   int dp_scan_window(site, insn) whether the instruction opens or closes a window without
 *                                  probes: dp_windows_behind. The bytes behind the instruction
 *                                  have no meaning */
#ifndef DP_SCAN_H
#define DP_SCAN_H

#include "dp_port.h"

/* The beginning of an instruction, as it lies in memory. */
union dp_scanned {
	uint32_t word;
	uint16_t half[2];
	uint8_t byte[DP_PORT_INSN_BYTES_MAX > 4 ? DP_PORT_INSN_BYTES_MAX : 4];
};

/* Is the site outside windows? With instructions of several lengths: is it the start of
 * an instruction too, as far as the extent is known?
 * Returns DP_ERR_OK, NOT_BOUNDARY or IN_ATOMIC. */
enum dp_err dp_scan(const struct dp_site *site, dp_original_at original_at);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* The scan reads the code before a site. port/README.md 8 */
#ifndef DP_SCAN_H
#define DP_SCAN_H

#include "dp_port.h"

/* The beginning of an instruction, as it lies in memory. */
union dp_scanned {
	uint32_t word;
	uint16_t half[2];
	uint8_t byte[DP_PORT_INSN_BYTES_MAX > 4 ? DP_PORT_INSN_BYTES_MAX : 4];
};

/* Is the site outside exclusive windows? With instructions of several lengths: is it the start of
 * an instruction too, as far as the extent is known?
 * Returns DP_ERR_OK, NOT_BOUNDARY or IN_ATOMIC. */
enum dp_err dp_scan(const struct dp_site *site, dp_original_at original_at);

#endif

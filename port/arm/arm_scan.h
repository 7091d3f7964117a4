/* SPDX-License-Identifier: BSD-2-Clause */
/* The scan reads the function around a site. */
#ifndef DP_ARM_SCAN_H
#define DP_ARM_SCAN_H

#include "dp_port.h"

/* Is the site the start of an instruction, outside exclusive windows? Returns DP_ERR_OK,
 * NOT_BOUNDARY or IN_ATOMIC. */
enum dp_err dp_arm_scan(const struct dp_site *site, dp_original_at original_at);

#endif

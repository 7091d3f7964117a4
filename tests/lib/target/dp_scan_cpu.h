/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of a port's dp_scan_cpu.h, for test_scan.c, which defines them. */
#ifndef DP_SCAN_CPU_H
#define DP_SCAN_CPU_H

#include "dp_scan.h"

bool dp_scan_varies(const struct dp_site *site);
unsigned dp_scan_unit(const struct dp_site *site);
unsigned dp_scan_bytes(const struct dp_site *site, const union dp_scanned *insn, unsigned there);
int dp_scan_window(const struct dp_site *site, const union dp_scanned *insn);

#endif

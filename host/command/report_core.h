/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes report --core prints a core: its tasks, their functions, and registers. */
#ifndef DPH_REPORT_CORE_H
#define DPH_REPORT_CORE_H

#include "cli.h"

/* Print the core of that path. Returns the exit status. */
int dph_report_core(const struct dph_cli *cli, const char *path);

#endif

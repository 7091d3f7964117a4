/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes report --core prints a core: its tasks, their functions, and registers. */
#ifndef DPH_REPORT_CORE_H
#define DPH_REPORT_CORE_H

#include "cli.h"

/* Print the core of that path. Returns the exit status. */
int dph_report_core(const struct dph_cli *cli, const char *path);

struct dph_core;
struct dph_images;
/* Print the functions of the first task of a core on standard error, as text. */
void dph_report_core_stack(const struct dph_cli *cli, const struct dph_core *core,
			   const struct dph_images *images);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* The instruction `exit n` of a program. */
#ifndef DPH_EXITS_H
#define DPH_EXITS_H

#include <dprobes/host.h>

/* Has the code from `first` up to `end` an `exit n` with this number? The code is verified. */
bool dph_exits_with(const struct dp_program_info *program, uint32_t first, uint32_t end,
		    unsigned number);
/* Has the handler of the probe point one? Procedures that it calls are not looked at. */
bool dph_handler_exits_with(const struct dp_program_info *program,
			    const struct dp_point_info *point, unsigned number);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Glue for firmware without an operating system. dprobes_settings.h has the settings, and the main
 * loop calls dprobes_poll. */
#include "dprobes_settled.h"

int dprobes_start(void)
{
	return start_agent();
}

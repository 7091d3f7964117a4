/* SPDX-License-Identifier: BSD-2-Clause */
/* The refusals of probe points that an ELF file shows before a board does. */
#ifndef DPH_CHECK_POINTS_H
#define DPH_CHECK_POINTS_H

#include <dprobes/host.h>

/* Look at each probe point of an object in the firmware's ELF file.
 * elf: its path; null: nothing is checked. name: of the program, for messages.
 * messages: gets each refusal, and the next address that can be probed.
 * Returns whether every target with this firmware may accept the points. */
bool dph_check_points(const struct dp_object_file *object, const char *elf, const char *name,
		      struct dp_messages *messages);

#endif

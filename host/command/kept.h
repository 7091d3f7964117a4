/* SPDX-License-Identifier: BSD-2-Clause */
/* Kept files let a later command print the counts and variables of an installed D program. They
 * have the program's object, and the counts that an earlier command has taken from the target. The
 * folder is $XDG_CACHE_HOME/dprobes or ~/.cache/dprobes. No command fails without kept files. */
#ifndef DPH_KEPT_H
#define DPH_KEPT_H

#include "cli.h"

#include <dprobes/host.h>

/* Keep the object of an installed program, if it has formats. What was taken from an earlier
 * installation is forgotten.
 * always: also without formats. */
void dph_kept_object(const struct dph_cli *cli, const struct dp_object_file *object, bool always);

/* Find the object of an installed program.
 * Returns the object, which dp_object_free frees; null: none was kept. */
struct dp_object_file *dph_kept_find(const struct dp_program_answer *program);

/* The same by the CRC alone, which a record of the flight recorder has. */
struct dp_object_file *dph_kept_with_crc(uint32_t crc);

/* Keep what was taken from the target so far, or add it to the totals.
 * boot: of the target; the counts of another start are not added. */
void dph_kept_taken(const struct dph_cli *cli, const struct dp_object_file *object, unsigned boot,
		    const struct dp_formats *formats);
void dph_kept_restore(const struct dph_cli *cli, const struct dp_object_file *object, unsigned boot,
		      struct dp_formats *formats);
/* Forget what was taken: the program is removed. */
void dph_kept_forget(const struct dph_cli *cli, const struct dp_object_file *object);

#endif

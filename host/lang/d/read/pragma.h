/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines that begin with '#'. */
#ifndef DPH_D_PRAGMA_H
#define DPH_D_PRAGMA_H

#include "front.h"

/* Read the pragmas of the program's file as it was written: the preprocessor drops pragmas. */
void dph_d_pragmas(struct d_front *d);

/* Set options of the command line, NAME or NAME=VALUE. The program's own pragmas come later. */
void dph_d_options(struct d_front *d, const char *const *list, size_t count);

/* Look at a line that the preprocessor left: a pragma, a line mark, or `#!` on the first line.
 * Complains about another one, once. */
void dph_d_directive(struct d_front *d, struct dph_place place, bool first);

#endif

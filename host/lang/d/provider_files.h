/* SPDX-License-Identifier: BSD-2-Clause */
/* Provider files: where they are, and what they declare. D.md, "Provider files" */
#ifndef DPH_D_PROVIDER_FILES_H
#define DPH_D_PROVIDER_FILES_H

#include "lang/d/read/front.h"

/* Read the provider files of all folders of the search, for struct d_front: NAME.provider.d in the
 * folder of the program, in that of the firmware, in those of the command line, in the installed
 * one. Complains about a file that is not well-formed. */
void dph_d_read_provided(struct d_front *d);

#endif

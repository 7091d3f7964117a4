/* SPDX-License-Identifier: BSD-2-Clause */
/* A handler runs the clauses of one probe point. */
#ifndef DPH_D_HANDLER_H
#define DPH_D_HANDLER_H

#include "record.h"

/* Make the handlers of all points, and hand them over with their points and formats. */
void dph_d_handlers(struct d_front *d);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* What the author of a description that matches nothing may have meant. */
#ifndef DPH_D_MEANT_H
#define DPH_D_MEANT_H

#include "lang/d/read/front.h"

/* Return the sentence that leads on: a probe of another tracer, a function without the name of a
 * point, a misspelled name of a point. Null: nothing is known.
 * text: the whole description. */
const char *dph_d_meant(struct d_front *d, const char *text);

#endif

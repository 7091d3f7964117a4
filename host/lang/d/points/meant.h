/* SPDX-License-Identifier: BSD-2-Clause */
/* What the author of a description that matches nothing may have meant. */
#ifndef DPH_D_MEANT_H
#define DPH_D_MEANT_H

#include "lang/d/read/front.h"

/* Return the sentence that leads on: a probe of another tracer, a function without the name of a
 * point, a misspelled name of a point. Null: nothing is known.
 * text: the whole description. */
const char *dph_d_meant(struct d_front *d, const char *text);

/* Return what to write for a probe of another tracer. Null: the first field is of none. */
const char *dph_d_of_tracer(struct d_front *d, const char *text);

/* Return the name of the function with a name like this. Null: none is near. */
const char *dph_d_likely(struct d_front *d, const char *name);

#endif

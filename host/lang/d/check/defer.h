/* SPDX-License-Identifier: BSD-2-Clause */
/* Deferral through variables: this->x = timestamp / 1000; printf("%d", this->x); */
#ifndef DPH_D_DEFER_H
#define DPH_D_DEFER_H

#include "lang/d/read/front.h"

/* Put the value of a this-> variable in the place of the variable, where the host can compute the
 * value and the program only records the variable. */
void dph_d_defer(struct d_front *d);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Texts of a program: where are they bytes? */
#ifndef DPH_D_TEXTS_H
#define DPH_D_TEXTS_H

#include "lang/d/read/front.h"

/* Find the variables and keys of the program whose texts are bytes on the target. */
void dph_d_texts(struct d_front *d);

#endif

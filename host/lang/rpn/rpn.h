/* SPDX-License-Identifier: BSD-2-Clause */
/* The front end of the RPN language. RPN.md */
#ifndef DPH_RPN_H
#define DPH_RPN_H

#include "ir/compilation.h"

/* Does the text begin as an RPN program does? */
bool dph_rpn_recognises(const struct dph_source *source);
/* Read the program and hand it over; complaints go to the compilation's report. */
void dph_rpn_compile(struct dph_compilation *compilation);

#endif

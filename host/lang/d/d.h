/* SPDX-License-Identifier: BSD-2-Clause */
/* The front end of the D language. D.md */
#ifndef DPH_D_H
#define DPH_D_H

#include "ir/compilation.h"

/* The file name of a program on the command line. The language is always D. */
#define DPH_D_COMMAND_LINE "<command line>"

/* Does the text begin as a D program does? */
bool dph_d_recognises(const struct dph_source *source);
/* Read the program and hand it over; complaints go to the compilation's report. */
void dph_d_compile(struct dph_compilation *compilation);
/* Return the bytes of stack memory that stack() records with these options of the command line,
 * NAME or NAME=VALUE. A wrong value counts as 0: dph_d_compile complains about it. */
unsigned dph_d_stack_bytes(const char *const *options, size_t count);

#endif

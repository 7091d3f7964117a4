/* SPDX-License-Identifier: BSD-2-Clause */
/* The names of programs that commands insert by themselves. */
#ifndef DPH_OWN_PROGRAMS_H
#define DPH_OWN_PROGRAMS_H

enum dph_own_program {
#define OWN_PROGRAM(id, name, sentence) DPH_OWN_##id,
#include "own_programs.def"
	DPH_OWN_PROGRAMS
};

/* Return the name on the target. */
const char *dph_own_program_name(enum dph_own_program id);
/* Return what the program is for, or null: no command has a program of this name. */
const char *dph_own_program_sentence(const char *name);

#endif

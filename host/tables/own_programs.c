/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of own_programs.def. */
#include "own_programs.h"

#include <stddef.h>
#include <string.h>

static const struct {
	const char *name, *sentence;
} rows[] = {
#define OWN_PROGRAM(id, name, sentence) [DPH_OWN_##id] = {name, sentence},
#include "own_programs.def"
};

const char *dph_own_program_name(enum dph_own_program id)
{
	return rows[id].name;
}

const char *dph_own_program_sentence(const char *name)
{
	for (size_t i = 0; i < DPH_OWN_PROGRAMS; i++)
		if (strcmp(rows[i].name, name) == 0)
			return rows[i].sentence;
	return NULL;
}

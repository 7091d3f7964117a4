/* SPDX-License-Identifier: BSD-2-Clause */
/* The agent's arena holds the objects of programs and their variables. */
#ifndef DPH_ARENA_H
#define DPH_ARENA_H

#include <dprobes/host.h>

/* Memory for the variables and maps of the program. */
uint32_t dph_memory_needed(const struct dp_object_file *object);

/* Memory that an agent needs for the object: with a bit for each byte of code during the check,
 * then with the local variables.  agent/request/install.c, agent/sites/store.c. */
uint32_t dph_arena_needed(const struct dp_object_file *object);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Announced modules by their names. Without MODULES there is the image alone. */
#ifndef DP_MODULE_NAMES_H
#define DP_MODULE_NAMES_H

#include "dp_build.h"
#include "dp_object.h"
#include "dp_state.h"
#include "dp_verify.h"

#if DP_WITH_MODULES
/* The announced module of that name, or null; never the image. */
const struct dp_module *dp_module_find(const struct dp_agent *agent, const void *name,
				       unsigned bytes);
/* Return the announced module that an object's module row names, or null.
 * row: of dp_program_module; null, and a name beyond the object, name no module. */
const struct dp_module *dp_module_of(const struct dp_agent *agent, const struct dp_program *program,
				     const uint8_t *row);
/* Bytes of a module's name. */
unsigned dp_name_bytes(const char *name);

/* Does a probe of the program wait for its module? */
bool dp_program_waits(struct dp_agent *agent, unsigned program);

/* Note where the stored program has the names of its modules. */
static inline void dp_names_describe(struct dp_program *program, const struct dp_layout *layout)
{
	program->strings = (uint16_t)layout->strings;
}

static inline bool dp_is_image(const struct dp_agent *agent, const struct dp_module *module)
{
	return module == agent->module;
}

/* Can a module of the row's type ever be there? */
static inline bool dp_module_possible(const uint8_t *row)
{
	(void)row;
	return true;
}
#else
static inline const struct dp_module *
dp_module_of(const struct dp_agent *agent, const struct dp_program *program, const uint8_t *row)
{
	(void)program, (void)row;
	return agent->module;
}

static inline void dp_names_describe(struct dp_program *program, const struct dp_layout *layout)
{
	(void)program, (void)layout;
}

/* Where there is but one module, it needs no name. */
static inline unsigned dp_name_bytes(const char *name)
{
	(void)name;
	return 0;
}

static inline bool dp_program_waits(struct dp_agent *agent, unsigned program)
{
	(void)agent, (void)program;
	return false;
}

static inline bool dp_is_image(const struct dp_agent *agent, const struct dp_module *module)
{
	(void)agent, (void)module;
	return true;
}

static inline bool dp_module_possible(const uint8_t *row)
{
	return row[DP_MOD_TYPE] == DP_MODULE_KERNEL;
}
#endif

#endif

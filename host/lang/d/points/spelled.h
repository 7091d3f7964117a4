/* SPDX-License-Identifier: BSD-2-Clause */
/* Fields of descriptions as a person types them: '?' stands for a character that a description
 * cannot have. */
#ifndef DPH_D_SPELLED_H
#define DPH_D_SPELLED_H

#include "base/pool.h"

struct dp_debuginfo;

/* Return the path of a source file, or the name of a module. pool: keeps the text. */
const char *dph_d_spelled_path(struct dph_pool *pool, const char *path);

/* Return the name of a function, also of one of C++. */
const char *dph_d_spelled_function(struct dph_pool *pool, const char *function);

/* Return the description of a line; the type is dph_spelled_place. */
const char *dph_d_spelled_place(struct dp_debuginfo *debug, const char *file, const char *line);

#endif

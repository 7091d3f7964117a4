/* SPDX-License-Identifier: BSD-2-Clause */
/* The known word nearest to an unknown one, for messages. */
#ifndef DPH_D_NEAR_H
#define DPH_D_NEAR_H

#include "check.h"

/* The nearest variable: of the point's scope, the firmware, the program, or D; null: none is near.
 * firmware: the name had a backquote, so that only the firmware's are meant.
 * globals: the firmware's global names are known to lack it, so that a near one may be meant. */
const char *dph_d_near_name(const struct dph_d_check *c, const char *name, bool firmware,
			    bool globals);

/* The nearest variable of the program in the scope; null: none is near. */
const char *dph_d_near_variable(const struct dph_d_check *c, enum d_scope scope, const char *name);

/* The nearest member of a struct or union; null: none is near. */
const char *dph_d_near_member(const struct dph_type *type, const char *name);

/* What to write in the place of a word that is no name of D, from the pool: "; write execname" for
 * a word of another tracer, "; write stack(...)" for a function without arguments; null: nothing is
 * known of the word.
 * called: the word has arguments. */
const char *dph_d_instead(const struct dph_d_check *c, const char *word, bool called);

/* "; write count()", "; did you mean 'count'?", or all aggregating functions. */
const char *dph_d_instead_of_aggregate(const struct dph_d_check *c, const char *word);

/* "; did you mean 'best'?", from the pool; "" for null. */
const char *dph_d_meant_text(const struct dph_d_check *c, const char *best);

#endif

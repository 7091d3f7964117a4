/* SPDX-License-Identifier: BSD-2-Clause */
/* Points of the probes that provider files declare. A description of such a probe becomes points
 * here, and nowhere else. */
#ifndef DPH_D_POINTS_PROVIDED_H
#define DPH_D_POINTS_PROVIDED_H

#include "point.h"

/* Does a file declare the provider? provider: the field of a description, of which a wildcard names
 * none. */
bool dph_d_is_provided(struct d_front *d, const char *provider);

/* Does a declaration that counts in this firmware have the name of the hook? */
bool dph_d_is_declared_hook(struct d_front *d, const struct dph_hook *hook);

/* Say what is wrong in provider files. soft: the description has what it wants: as warnings. */
void dph_d_say_files(struct d_front *d, bool soft);

/* Find the points of the declared probes that the fields match, each probe in the first file that
 * has a place of the probe in this firmware.
 * said: the reason why there is none is said, where the provider is declared. */
struct d_point *dph_d_provided_points(struct d_front *d, const struct d_description *description,
				      const char *const *part, bool said);

/* Return the declaration that another one in front of it hides in this firmware; from: the first
 * one to look at. *before: the other one. Null: none. */
const struct d_provided *dph_d_provided_hidden(struct d_front *d, const struct d_provided *from,
					       const struct d_provided **before);

#endif

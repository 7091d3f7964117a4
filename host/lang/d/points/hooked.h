/* SPDX-License-Identifier: BSD-2-Clause */
/* Points at static hooks of the firmware: queue:::put, sdt:::put. */
#ifndef DPH_D_POINTS_HOOKED_H
#define DPH_D_POINTS_HOOKED_H

#include "point.h"

/* Find the places of the hooks whose fields match, in a list of their own. Null: there is none.
 * part: the four fields; that of the provider is one of a hook.
 * skips: of hooks with a declaration, which stands at other places; null: of none. */
struct d_point *dph_d_hooked(struct d_front *d, struct dph_place place, const char *const *part,
			     bool (*skips)(struct d_front *d, const struct dph_hook *hook));

/* Has the firmware hooks of this provider? */
bool dph_d_has_hooks(const struct d_front *d, const char *provider);

/* Return the names of the provider's hooks, "put, get", each once; "" where there is none.
 * provider: "": of all providers, and the names are queue:::put. */
const char *dph_d_hook_names(struct d_front *d, const char *provider);

/* Return a hook with a name like this, or null.  provider: as above. */
const char *dph_d_near_hook(const struct d_front *d, const char *provider, const char *name);

/* Return the arguments at the place of a hook for people, with the types of the declaration or else
 * of the note: "(struct queue * in r0, int32_t in r1)". */
const char *dph_d_hook_arguments(struct d_front *d, const struct d_point *point);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Probes that a provider file declares: names of places in the firmware. */
#ifndef DPH_D_PROVIDED_H
#define DPH_D_PROVIDED_H

#include "declared.h"

/* A declared probe. */
struct d_provided {
	struct d_provided *next;
	const char *provider, *name; /* "queue", "send" */
	struct dph_place place;      /* of its name */
	struct d_description *places;
	struct d_node *predicate; /* null: none */
	struct d_parameter *parameters;
	struct d_node *values; /* one for each parameter, in its type */
	/* points/provided.c: */
	bool looked;     /* whether the firmware has a place of it: */
	const char *why; /* it has none, and why; null: it has one */
};

/* Find a declaration of the probe; from: the first one to look at. Null: none. */
struct d_provided *dph_d_provided_named(struct d_provided *from, const char *provider,
					const char *name);

/* Return the name of a probe that has this word in C and D: "on-cpu" of on__cpu. */
const char *dph_d_probe_name(struct d_front *d, const char *word);
/* Make a tree of argument n of a static hook, args[n]. text: the text where it points. */
struct d_node *dph_d_hook_argument(struct d_front *d, unsigned n, struct dph_place place,
				   bool text);

/* Return the number of arg0 to arg9; -1: another name. */
int dph_d_argument_number(const char *name);
/* Is it args[...]? */
bool dph_d_is_args(const struct d_node *node);

#endif

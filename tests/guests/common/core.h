/* SPDX-License-Identifier: BSD-2-Clause */
/* What stands in the place of the agent's core: a few sites, and what the port calls. */
#ifndef CORE_H
#define CORE_H

#include "dp_patch.h"
#include "guest.h"

enum {
	SITES = 2, /* on the two words of a case */
	ALL_SITES = SITES + NESTED_SITES
};
extern struct dp_site site[ALL_SITES]; /* the last ones: in callbacks of the core */
extern unsigned hits[ALL_SITES];
extern unsigned taken;   /* hits of the first site that a probe with the flag TAKEN has, too */
extern unsigned stepped; /* steps under way */
extern unsigned faults, strays;
extern unsigned withdrawn; /* faults in one-trap slots, in all cases so far */
/* A request that the hit of the first site serves takes the second site away. */
extern bool take_away;

/* Supplied by handlers.c. What the handlers of a site do at a hit; and of the fault phase. */
void handle_hit(struct dp_site *s, struct dp_frame *frame);
void handle_fault(struct dp_frame *frame);
/* Do probes want to know the end? */
bool wants_end(void);

/* Supplied by the CPU, where it is not the frame's pc. After dp_port_step_fault: has the
 * instruction at the address had the fault? */
bool is_fault_of(const struct dp_frame *frame, dp_addr address);

/* The site at an address, whose function begins at extent. */
void place(struct dp_site *s, uint32_t address, uint32_t extent);
/* Fetch and prepare it; *why: what the port said. On an error it is no site. */
enum dp_err prepare_placed(struct dp_site *s, enum dp_refusal *why);
/* Arm and disarm. False: the port has not. */
bool arm(struct dp_site *s);
bool disarm(struct dp_site *s);
/* It is no site any more. */
void release(struct dp_site *s);
/* The sites of a case, where they are any; nothing is under way. */
void release_sites(void);
bool original_at(dp_addr address, uint8_t *bytes, unsigned count);

#endif

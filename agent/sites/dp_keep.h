/* SPDX-License-Identifier: BSD-2-Clause */
/* The patch table that survives a warm restart. */
#ifndef DP_KEEP_H
#define DP_KEEP_H

#include "dp_build.h"
#include "dp_state.h"

/* Restore the text that a previous run left patched, and note whether a host was at work then.
 * returns: how many traps were found and replaced. */
uint8_t dp_keep_restore(struct dp_agent *agent);
/* Set the armed site from its note, if the note is intact. */
void dp_keep_recall(struct dp_agent *agent, struct dp_site *site);

/* Note the site before its trap is written; forget it when the trap is gone. A comparator has no
 * note: the port switches it off in dp_port_attach. */
#if DP_WITH_INTEGRITY
/* A session opens or closes. */
void dp_keep_session(struct dp_agent *agent, bool open);
void dp_keep_note(struct dp_agent *agent, const struct dp_site *site);
void dp_keep_forget(struct dp_agent *agent, const struct dp_site *site);
#else
static inline void dp_keep_session(struct dp_agent *agent, bool open)
{
	(void)agent, (void)open;
}
static inline void dp_keep_note(struct dp_agent *agent, const struct dp_site *site)
{
	(void)agent, (void)site;
}
static inline void dp_keep_forget(struct dp_agent *agent, const struct dp_site *site)
{
	(void)agent, (void)site;
}
#endif

#endif

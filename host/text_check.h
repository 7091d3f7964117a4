/* SPDX-License-Identifier: BSD-2-Clause */
/* Is the code in the target the code in the ELF? */
#ifndef DP_TEXT_CHECK_H
#define DP_TEXT_CHECK_H

#include "dprobes_host.h"
#include "dprobes_session.h"

struct dp_text_result {
	uint64_t bytes;  /* compared */
	uint32_t sites;  /* armed traps in them */
	uint64_t differ; /* bytes in words that differ */
	uint64_t first;  /* address of the first of them */
};

/* Compare every executable section that is part of the target's image. original: with the traps
 * taken out; else what the CPU sees. False when a request failed, or the ELF has no code (then
 * messages says so). */
bool dp_text_check(struct dp_session *session, const char *elf, bool original,
		   struct dp_text_result *result, struct dp_messages *messages);

#endif

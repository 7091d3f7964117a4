/* SPDX-License-Identifier: BSD-2-Clause */
/* The records of a hit. */
#ifndef DP_HIT_LOG_H
#define DP_HIT_LOG_H

#include "dp_state.h"

/* Append the log of the handler that ended, and its stack traces, to the ring.
 * number: of the probe. mask: enum dp_item bits of the program.
 * context: HIT. */
void dp_hit_log(struct dp_agent *agent, unsigned number, uint8_t mask,
		const struct dp_frame *frame);

/* Append the words of the frame that the site's plan names to the ring, as the record of its only
 * probe. The RPN stack keeps the words as pushes leave them: decisions.txt C03.
 * context: HIT. */
void dp_hit_log_words(struct dp_agent *agent, const struct dp_site *site,
		      const struct dp_frame *frame);

/* Withdraw the records of the probe's last hit that left by a one-trap slot: void what waits, and
 * withdraw what was sent. context: interrupts masked. */
void dp_hit_log_back(struct dp_agent *agent, struct dp_probe *probe);

#endif

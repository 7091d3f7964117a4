/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines of the stream are also about the session: the target was restarted, or another host has
 * the session. */
#ifndef DPH_TOLD_H
#define DPH_TOLD_H

#include "wire/messages.h"

/* Read the boot number of a sync or of the notice BOOT. Returns false when the line is neither. */
bool dph_told_boot(const struct dp_frame_in *frame, uint16_t *boot);

/* Read the notice that another host has taken the session over. The notice takes no line number.
 * Returns false when the line is another one. */
bool dph_told_taken(const struct dp_frame_in *frame, struct dp_session_taken_notice *taken);

#endif

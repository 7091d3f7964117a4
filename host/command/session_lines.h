/* SPDX-License-Identifier: BSD-2-Clause */
/* The lines of a session with an agent. */
#ifndef DPH_SESSION_LINES_H
#define DPH_SESSION_LINES_H

#include "stream/lines.h"

struct dph_session_lines {
	struct dph_lines lines;
	struct dp_session *session;
};

/* Make a source of an open session; again, after the session was opened again. */
void dph_session_lines(struct dph_session_lines *source, struct dp_session *session);

#endif

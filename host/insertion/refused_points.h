/* SPDX-License-Identifier: BSD-2-Clause */
/* All probe points of an upload that the agent refuses, not the first one alone. */
#ifndef DPH_REFUSED_POINTS_H
#define DPH_REFUSED_POINTS_H

#include <dprobes/host.h>

struct dph_refused_upload {
	struct dp_session *session;
	const struct dp_object_file *object;
	const char *name;
	uint16_t transaction;
	const struct dp_choice *choice;
};

/* Report a refusal of CHECK or COMMIT. When the refusal concerns one probe point, also report every
 * further point that the agent refuses, each with the next address that can be probed.
 * upload: its transaction is complete; the last request failed with the verdict.
 * A lost line ends the search; the first refusal is reported in any case. */
void dph_refused_points(const struct dph_refused_upload *upload, const struct dp_verdict *verdict,
			struct dp_messages *messages);

/* Return whether the refusal concerns one point, which can be left out. */
bool dph_is_of_point(const struct dp_session *session, const struct dp_verdict *verdict);

#endif

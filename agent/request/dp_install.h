/* SPDX-License-Identifier: BSD-2-Clause */
/* Installing and removing programs, probe by probe. dp_install is called by the request at work,
 * with interrupts open; the others also in a hit, and by whoever has masked interrupts. */
#ifndef DP_INSTALL_H
#define DP_INSTALL_H

#include "dp_errors.h"
#include "dp_object.h"
#include "dp_build.h"
#include "dp_rpn.h"
#include "dp_state.h"

enum {
	DP_ALL = 0xff, /* every program; VARS: the global variables */
	DP_BUILD_GROUPS = DP_PROFILE == DP_PROFILE_FULL ? RPN_GROUP_ALL
							: RPN_GROUP_ALL & ~RPN_GROUP_DESTRUCTIVE
};

/* The selection and the result of CHECK and COMMIT. */
struct dp_commit {
	uint8_t options, items;
	bool install; /* COMMIT */
	uint8_t selection_bytes;
	const uint8_t *selection; /* bitmap, msb first; bytes that are missing select */
	union {
		struct {
			uint8_t program, armed, waiting; /* installed: its index, and probes */
		};
		uint32_t installed; /* the three */
	};
	struct dp_verdict verdict; /* behind the bytes: dp_form.h reaches these less far */
};

/* Check the upload against verifier and target; install all of the object or nothing. The
 * verdict in *commit begins as a refusal without a finding. A probe that is armed hits at once,
 * before the others are armed; when a later one is refused, its hits have been. */
void dp_install(struct dp_agent *agent, struct dp_commit *commit);
/* Disarm the probes of an installed program for good; their counts and its variables stay. */
void dp_stop(struct dp_agent *agent, uint8_t program);
/* Remove the program of that index, or all (DP_ALL). Returns how many were removed. */
unsigned dp_uninstall_all(struct dp_agent *agent, unsigned which);

#endif

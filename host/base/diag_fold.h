/* SPDX-License-Identifier: BSD-2-Clause */
/* Which messages are printed: warnings once, and one of many that are alike. */
#ifndef DPH_DIAG_FOLD_H
#define DPH_DIAG_FOLD_H

#include <dprobes/host.h>

enum {
	DPH_ERRORS_SHOWN = 20, /* the first errors often cause the others */
	DPH_ALIKE_SHOWN = 3    /* of more alike the first is shown, with their number */
};

/* Count the later warnings or errors that the message stands for.
 * Returns false when an earlier message stands for it. */
bool dph_message_shown(const struct dp_messages *messages, size_t index, size_t *more);

#endif

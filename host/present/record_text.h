/* SPDX-License-Identifier: BSD-2-Clause */
/* The text of what a handler recorded. */
#ifndef DPH_RECORD_TEXT_H
#define DPH_RECORD_TEXT_H

#include "formats.h"

/* Print a record as its program prints it. The acts of the record were done.
 * Returns the text, which the caller frees. */
char *dph_recorded_text(const struct dp_formats *formats, unsigned point,
			const struct dph_recorded *recorded);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* The text of a clause that faulted. */
#ifndef DPH_FAULT_TEXT_H
#define DPH_FAULT_TEXT_H

#include "formats.h"

/* Why, as in "invalid address (0x10)". The caller frees the text. */
char *dph_fault_reason(uint64_t exception, uint64_t parameter);

/* Print the error that a fault is. From the heap. */
char *dph_fault_text(const struct dp_formats *formats, unsigned point,
		     const struct dph_format_fault *fault);

#endif

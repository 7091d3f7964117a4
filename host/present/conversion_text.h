/* SPDX-License-Identifier: BSD-2-Clause */
/* Texts and numbers by a conversion of a printf format. */
#ifndef DPH_CONVERSION_TEXT_H
#define DPH_CONVERSION_TEXT_H

#include "format/conversion.h"

#include <stdint.h>
#include <stdio.h>

/* Print a text with the width and precision of the conversion. */
void dph_put_padded(FILE *out, const struct dph_conversion *c, const char *text);
/* Print a number; a negative precision is none. */
void dph_put_integer(FILE *out, const struct dph_conversion *c, uint64_t value);
/* Print nanoseconds since 1970 as local time. %Y: "1999 Dec 31 23:59:59"; %T: as mail has it. */
void dph_put_day_time(FILE *out, const struct dph_conversion *c, int64_t ns);
void dph_put_float(FILE *out, const struct dph_conversion *c, double value);

#endif

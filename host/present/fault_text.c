/* SPDX-License-Identifier: BSD-2-Clause */
/* The text of a clause that faulted. The data of a fault is three words: the number of the place,
 * the exception and its first parameter. */
#define _GNU_SOURCE
#include "fault_text.h"

#include "base/pool.h"
#include "dp_rpn.h"
#include <dprobes/errors.h>

#include <stdlib.h>

char *dph_fault_reason(uint64_t exception, uint64_t parameter)
{
	if (exception & RPN_X_INVALID_ADDR)
		return dph_print("invalid address (0x%llx)", (unsigned long long)parameter);
	if (exception & RPN_X_DIVIDE_BY_ZERO)
		return dph_strdup("division by zero");
	if (exception & RPN_X_LOG_OVERFLOW)
		return dph_print("the data is longer than %llu bytes",
				 (unsigned long long)parameter);
	return dph_print("exception %s (0x%llx)", dp_exception_name((unsigned)exception),
			 (unsigned long long)parameter);
}

char *dph_fault_text(const struct dp_formats *formats, unsigned point,
		     const struct dph_format_fault *fault)
{
	const struct dph_formats *f = &formats->formats;
	const uint64_t above = fault->place >> DPH_FAULT_CLAUSE_BITS;
	const uint64_t index = above ? above : fault->place;
	const char *place = index < f->place_count ? f->places[index] : "?";
	char *why = dph_fault_reason(fault->exception & UINT16_MAX, fault->parameter);
	char *whole = dph_print("error on enabled probe ID %u (%s): %s in %s\n", point + 1,
				dp_formats_probe(formats, point, true), why, place);
	free(why);
	return whole;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Records as text (the seed's DProbes line, usenix-2001 section 5) or as JSON. */
#ifndef DP_RECORDS_PRINT_H
#define DP_RECORDS_PRINT_H

#include "records.h"

#include <stdio.h>

struct dp_record_style {
	FILE *out;
	bool json;
	unsigned word_bytes; /* of the target */
	uint32_t hz;         /* of its ticks; 0: unknown */
};

void dp_print_record(const struct dp_record_style *style, const struct dp_log_record *record);
void dp_print_gap(const struct dp_record_style *style, const struct dp_gap *gap);
void dp_print_notice(const struct dp_record_style *style, const struct dp_notice_in *notice);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions print single records, gaps and notices for programs without a sink. */
#include "text.h"

#include "json.h"

static void print(const struct dp_record_style *style, enum dp_reading_kind kind, const void *view)
{
	if (style->json)
		dph_json_reading(style->out, kind, view);
	else
		dph_show_reading(style->out, kind, view, false);
	fflush(style->out);
}

void dp_print_record(const struct dp_record_style *style, const struct dp_log_record *record)
{
	struct dp_record_view view;

	dp_record_view_fill(&view, style, record);
	print(style, DP_READING_RECORD, &view);
	dp_record_view_free(&view);
}

void dp_print_gap(const struct dp_record_style *style, const struct dp_gap *gap)
{
	print(style, DP_READING_GAP, gap);
}

void dp_print_notice(const struct dp_record_style *style, const struct dp_notice_in *notice)
{
	const struct dp_notice_view view = {notice, style->word_bytes, style->names};

	print(style, DP_READING_NOTICE, &view);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions print single records, gaps and notices for programs without a sink. */
#include <dprobes/record_sink.h>

static struct dp_sink *open_sink(const struct dp_record_style *style)
{
	const struct dp_sink_options options = {.out = style->out, .table = DP_TABLE_RECORDS};

	return dp_sink_open(style->kind != NULL ? style->kind : dp_sink_kinds[0], &options);
}

void dp_print_record(const struct dp_record_style *style, const struct dp_log_record *record)
{
	struct dp_sink *sink = open_sink(style);
	struct dp_record_view view;

	dp_record_view_read(&view, style, record);
	if (sink != NULL && !view.left_out)
		dp_sink_record(sink, &view);
	dp_record_view_free(&view);
	dp_sink_close(sink);
}

void dp_print_gap(const struct dp_record_style *style, const struct dp_gap *gap)
{
	struct dp_sink *sink = open_sink(style);

	if (sink != NULL)
		dp_sink_gap(sink, gap);
	dp_sink_close(sink);
}

void dp_print_notice(const struct dp_record_style *style, const struct dp_notice_in *notice)
{
	const struct dp_notice_view view = {notice, style->word_bytes, style->names};
	struct dp_sink *sink = open_sink(style);

	if (sink != NULL)
		dp_sink_notice(sink, &view);
	dp_sink_close(sink);
}

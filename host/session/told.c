/* SPDX-License-Identifier: BSD-2-Clause */
/* Read the lines of the stream that are about the session. */
#include "told.h"

#include "dp_errors.h"

bool dph_told_boot(const struct dp_frame_in *frame, uint16_t *boot)
{
	uint8_t bytes[DPH_STREAM_BYTES_MAX];
	struct dph_reader reader = dph_stream_reader(frame, bytes);
	struct dp_sync_line sync;
	struct dp_notice_head notice;
	struct dp_boot_notice started;

	if (frame->type == DP_FRAME_SYNC) {
		dph_read(&reader, DPH_OF(sync_line, &sync));
		*boot = sync.boot;
		return !reader.cut;
	}
	if (frame->type != DP_FRAME_NOTICE)
		return false;
	dph_read(&reader, DPH_OF(notice_head, &notice));
	if (reader.cut || notice.number != DP_NOTICE_BOOT)
		return false;
	reader = (struct dph_reader){.p = notice.arguments.bytes, .left = notice.arguments.count};
	dph_read(&reader, DPH_OF(boot_notice, &started));
	*boot = started.boot;
	return !reader.cut;
}

bool dph_told_taken(const struct dp_frame_in *frame, struct dp_session_taken_notice *taken)
{
	uint8_t bytes[DPH_STREAM_BYTES_MAX];
	struct dph_reader reader = dph_stream_reader(frame, bytes);
	struct dp_notice_head notice;

	if (frame->type != DP_FRAME_NOTICE)
		return false;
	dph_read(&reader, DPH_OF(notice_head, &notice));
	if (reader.cut || notice.number != DP_NOTICE_SESSION_TAKEN)
		return false;
	reader = (struct dph_reader){.p = notice.arguments.bytes, .left = notice.arguments.count};
	dph_read(&reader, DPH_OF(session_taken_notice, taken));
	return true;
}

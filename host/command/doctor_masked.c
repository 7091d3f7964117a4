/* SPDX-License-Identifier: BSD-2-Clause */
/* This file measures a hit by the time stamps of two records. */
#include "doctor_masked.h"

#include "symbols/elf_image.h"
#include "symbols/insn_walk.h"
#include "tables/isas.h"
#include "tables/registers.h"

#include <stdio.h>
#include <string.h>

enum {
	FIRST = 1,
	SECOND = 2 /* minor codes */
};

static void on_record(void *context, const struct dp_log_record *record)
{
	struct dph_masked *masked = context;

	if (record->minor == FIRST && record->probe != NULL) {
		masked->first_ticks = record->head.ticks;
		masked->first_hit = true;
	} else if (record->minor == SECOND && masked->first_hit) {
		/* No sync tells the high bits so early. A short hit needs the low ones. */
		const uint32_t ticks = record->head.ticks - masked->first_ticks;

		if (masked->pairs++ == 0 || ticks < masked->least)
			masked->least = ticks;
		masked->first_hit = false;
	}
}

static void on_gap(void *context, const struct dp_gap *gap)
{
	struct dph_masked *masked = context;

	(void)gap;
	masked->first_hit = false;
}

static void on_notice(void *context, const struct dp_notice_in *notice)
{
	(void)context;
	(void)notice;
}

bool dph_masked_begin(struct dph_masked *masked, struct dp_session *session)
{
	const struct dp_records_listener listener = {masked, on_record, on_gap, on_notice};
	const struct dp_hello_answer *target = dp_session_target(session);

	*masked = (struct dph_masked){0};
	masked->records = dp_records_new(target->word_bytes, target->big_endian, &listener);
	return masked->records != NULL && dp_session_learn(session, masked->records);
}

void dph_masked_line(struct dph_masked *masked, const struct dp_frame_in *frame)
{
	if (masked->records != NULL)
		dp_records_line(masked->records, frame, dp_clock_ms());
}

void dph_masked_end(struct dph_masked *masked)
{
	dp_records_free(masked->records);
	masked->records = NULL;
}

bool dph_masked_program(const struct dp_image *image, const char *function, char *text, size_t room)
{
	const struct dp_symbol *const *list;
	struct dp_image_info info;
	const struct dph_isa *isa;
	unsigned bytes;

	if (image == NULL || !dph_image_named(image, function, strlen(function), &list))
		return false;
	dp_image_info(image, &info);
	isa = info.cpu != NULL ? dph_isa_numbered(dph_cpu_named(info.cpu), list[0]->isa) : NULL;
	bytes = isa != NULL ? dph_insn_bytes_at(image, isa, list[0]->value) : 0;
	if (bytes == 0)
		return false;
	snprintf(text, room,
		 "name = \"doctor\"\noffset = %.200s\nminor = %d\nexit\n"
		 "offset = %.200s+%u\nminor = %d\nexit\n",
		 function, FIRST, function, bytes, SECOND);
	return true;
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "handlers.h"

#include "out.h"

enum pass pass;
bool quiet;
void (*at_hit)(const struct dp_site *s, struct dp_frame *frame);
unsigned with, without;

static void disturb(struct dp_frame *frame)
{
	if (quiet) {
		without++;
		return;
	}
	with++;
	if (!handler_is_right(frame, ran))
		failed++;
	if (pass == PASS_WATCH && !callback_is_right(ran))
		failed++;
}

void handle_hit(struct dp_site *s, struct dp_frame *frame)
{
	if (at_hit != NULL)
		at_hit(s, frame);
	if (s < &site[SITES])
		disturb(frame);
}

void handle_fault(struct dp_frame *frame)
{
	disturb(frame);
}

bool wants_end(void)
{
	return pass == PASS_WATCH;
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "handlers.h"

#include "checks.h"
#include "out.h"

enum pass pass;
bool access_in_hit;
unsigned with, without;

static void disturb(void)
{
	if (pass == PASS_PLAIN && !access_in_hit && ran & 1) {
		without++;
		return;
	}
	with++;
	if (access_in_hit)
		access_checks();
	/* It must leave the fault registers alone. */
	if (!bad_access_fails(ran))
		failed++;
	if (pass == PASS_WATCH && !callback_is_right(ran))
		failed++;
}

void handle_hit(struct dp_site *s, struct dp_frame *frame, bool fires)
{
	(void)frame;
	(void)fires;
	if (s < &site[SITES])
		disturb();
	else if (access_in_hit)
		access_checks();
}

void handle_fault(struct dp_frame *frame)
{
	(void)frame;
	if (pass != PASS_PLAIN)
		disturb();
}

bool wants_end(void)
{
	return pass == PASS_WATCH;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The simple interface listens, types, and waits for text of the console. */
#define _GNU_SOURCE
#include "handle.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

enum {
	SLICE_MS = 20, /* between two looks for what came */
	FAULT_BYTES = 128
};

const char *dp_simple_console(struct dp_simple *simple)
{
	free(simple->shown);
	simple->shown = dph_console_take(&simple->console);
	return simple->shown;
}

bool dp_simple_type(struct dp_simple *simple, const char *text)
{
	return dph_simple_is_open(simple) &&
	       (dp_session_type(simple->session, text, strlen(text)) ||
		dph_simple_fail_session(simple));
}

/* How long to receive: until the time is over, but not longer than a slice. */
static int slice_ms(uint64_t begin_ms, int timeout_ms)
{
	const uint64_t passed_ms = dp_clock_ms() - begin_ms;
	const int left_ms = timeout_ms > 0 && passed_ms < (uint64_t)timeout_ms
				    ? timeout_ms - (int)passed_ms
				    : 0;

	return left_ms < SLICE_MS ? left_ms : SLICE_MS;
}

int dp_simple_listen(struct dp_simple *simple, int timeout_ms)
{
	const uint64_t begin_ms = dp_clock_ms();
	int wait_ms;

	if (!dph_simple_is_open(simple))
		return -1;
	for (;;) {
		const bool before = dph_queue_waits(&simple->queue);
		const size_t console = simple->console.count;

		wait_ms = slice_ms(begin_ms, timeout_ms);
		if (!dph_simple_receive(simple, wait_ms))
			return -1;
		if (simple->console.count != console || before != dph_queue_waits(&simple->queue))
			return 1;
		if (wait_ms == 0)
			return 0;
	}
}

/* Take the text up to the end of the match. */
static bool take_match(struct dp_simple *simple, const regex_t *pattern)
{
	char *text = dph_console_copy(&simple->console);
	regmatch_t match;
	const bool found = regexec(pattern, text, 1, &match, 0) == 0;

	if (found) {
		dph_console_drop(&simple->console, (size_t)match.rm_eo);
		text[match.rm_eo] = '\0';
		free(simple->expected);
		simple->expected = text;
	} else {
		free(text);
	}
	return found;
}

static int expect(struct dp_simple *simple, const regex_t *pattern, int timeout_ms)
{
	const uint64_t begin_ms = dp_clock_ms();
	size_t looked = 0;
	int wait_ms;

	for (;;) {
		if ((looked == 0 || simple->console.count != looked) && take_match(simple, pattern))
			return 1;
		looked = simple->console.count;
		wait_ms = slice_ms(begin_ms, timeout_ms);
		if (!dph_simple_receive(simple, wait_ms))
			return -1;
		if (wait_ms == 0 && simple->console.count == looked)
			return 0;
	}
}

int dp_simple_expect(struct dp_simple *simple, const char *pattern, int timeout_ms)
{
	char fault[FAULT_BYTES];
	regex_t compiled;
	int found;

	if (!dph_simple_is_open(simple))
		return -1;
	found = regcomp(&compiled, pattern, REG_EXTENDED | REG_NEWLINE);
	if (found != 0) {
		regerror(found, &compiled, fault, sizeof fault);
		dph_simple_fail_owned(
			simple,
			dph_print("'%s' is no extended regular expression: %s", pattern, fault));
		return -1;
	}
	found = expect(simple, &compiled, timeout_ms);
	regfree(&compiled);
	return found;
}

const char *dp_simple_expected(const struct dp_simple *simple)
{
	return simple->expected;
}

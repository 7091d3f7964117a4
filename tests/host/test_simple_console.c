/* SPDX-License-Identifier: BSD-2-Clause */
/* Console text that a user of dprobes/simple.h does not take stays within its limit. */
#include "simple/console.h"

#include "check.h"

#include <stdlib.h>
#include <string.h>

static struct dph_bytes console;

static void add(const char *text, size_t count)
{
	dph_console_add(&console, (const unsigned char *)text, count);
}

static int taken(const char *wanted)
{
	char *text = dph_console_take(&console);
	const int same = strcmp(text, wanted) == 0;

	free(text);
	return same;
}

int main(void)
{
	char *text;

	CHECK(taken(""));
	add("boot\0\0 done\n", 12);
	add("$ ", 2);
	CHECK(taken("boot done\n$ "));
	CHECK(taken(""));

	for (size_t i = 0; i < (size_t)3 * DPH_CONSOLE_MAX; i++) {
		add("x", 1);
		CHECK(console.count <= (size_t)2 * DPH_CONSOLE_MAX);
	}
	add("end", 3);
	text = dph_console_take(&console);
	CHECK(strlen(text) == DPH_CONSOLE_MAX);
	CHECK(strcmp(text + DPH_CONSOLE_MAX - 4, "xend") == 0);
	free(text);
	CHECK(taken(""));
	free(console.data);
	return check_status();
}

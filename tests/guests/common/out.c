/* SPDX-License-Identifier: BSD-2-Clause */
#include "out.h"

#include <stddef.h>

unsigned ran, failed;

void hex(uint32_t value)
{
	char text[10];

	for (unsigned i = 0; i < 8; i++)
		text[i] = "0123456789abcdef"[value >> (28 - 4 * i) & 15];
	text[8] = ' ';
	text[9] = 0;
	say(text);
}

void number(const char *name, unsigned value)
{
	char text[12], *p = text + 11;

	*p = 0;
	say(name);
	do {
		*--p = (char)('0' + value % 10);
		value /= 10;
	} while (value != 0);
	say(p);
}

void fail(const char *text, const char *what)
{
	failed++;
	say("FAIL ");
	if (text != NULL) {
		say(text);
		say(": ");
	}
	say(what);
}

void expect(const char *what, bool ok)
{
	ran++;
	if (ok)
		return;
	fail(NULL, what);
	say("\n");
}

_Noreturn void finish(void)
{
	say(failed ? "\nFAIL\n" : "\nPASS\n");
	stop(failed ? 1 : 42);
}

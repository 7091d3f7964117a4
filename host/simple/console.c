/* SPDX-License-Identifier: BSD-2-Clause */
/* Console text of the simple interface. */
#include "console.h"

#include <string.h>

/* Text moves once for each DPH_CONSOLE_MAX bytes. */
static void drop_old(struct dph_bytes *console, size_t limit)
{
	if (console->count <= limit)
		return;
	memmove(console->data, console->data + console->count - DPH_CONSOLE_MAX, DPH_CONSOLE_MAX);
	console->count = DPH_CONSOLE_MAX;
}

void dph_console_add(struct dph_bytes *console, const unsigned char *text, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (text[i] != '\0') {
			dph_bytes_add(console, &text[i], 1);
			drop_old(console, (size_t)2 * DPH_CONSOLE_MAX);
		}
}

char *dph_console_copy(struct dph_bytes *console)
{
	drop_old(console, DPH_CONSOLE_MAX);
	return console->count > 0 ? dph_strndup((const char *)console->data, console->count)
				  : dph_strdup("");
}

void dph_console_drop(struct dph_bytes *console, size_t count)
{
	if (count < console->count)
		memmove(console->data, console->data + count, console->count - count);
	console->count -= count < console->count ? count : console->count;
}

char *dph_console_take(struct dph_bytes *console)
{
	char *text = dph_console_copy(console);

	console->count = 0;
	return text;
}

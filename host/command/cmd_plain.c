/* SPDX-License-Identifier: BSD-2-Clause */
/* This file decides whether console text is filtered, and cuts it into pieces for the filter. */
#include "cmd_plain.h"

#include <unistd.h>

void dph_console_text_init(struct dph_console_text *text, const struct dph_cli *cli, int fd)
{
	*text = (struct dph_console_text){
		.filtered = !dph_cli_has(cli, DPH_OPT_RAW) && isatty(fd),
	};
}

void dph_console_text_write(struct dph_console_text *text, const uint8_t *bytes, size_t count,
			    void (*put)(void *context, const uint8_t *bytes, size_t count),
			    void *context)
{
	uint8_t plain[DPH_CONSOLE_PIECE + DPH_PLAIN_MORE];

	if (!text->filtered) {
		put(context, bytes, count);
		return;
	}
	while (count > 0) {
		const size_t piece = count < DPH_CONSOLE_PIECE ? count : (size_t)DPH_CONSOLE_PIECE;

		put(context, plain, dph_plain_filter(&text->filter, bytes, piece, plain));
		bytes += piece;
		count -= piece;
	}
}

void dph_console_text_end(struct dph_console_text *text,
			  void (*put)(void *context, const uint8_t *bytes, size_t count),
			  void *context)
{
	static const uint8_t reset[] = {0x1b, '[', 'm'};

	if (text->filtered && text->filter.colored)
		put(context, reset, sizeof reset);
}

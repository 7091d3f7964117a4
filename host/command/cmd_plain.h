/* SPDX-License-Identifier: BSD-2-Clause */
/* The console's text on its way to a reader: filtered when the reader is a terminal, unless --raw.
 */
#ifndef DPH_CMD_PLAIN_H
#define DPH_CMD_PLAIN_H

#include "base/plain.h"
#include "cli.h"

struct dph_console_text {
	bool filtered;
	struct dph_plain_filter filter;
};

/* fd: where the text goes. */
void dph_console_text_init(struct dph_console_text *text, const struct dph_cli *cli, int fd);

enum {
	DPH_CONSOLE_PIECE = 512,
};
/* Hand the text over in pieces. */
void dph_console_text_write(struct dph_console_text *text, const uint8_t *bytes, size_t count,
			    void (*put)(void *context, const uint8_t *bytes, size_t count),
			    void *context);
/* The reader's terminal gets back the colours that it had. */
void dph_console_text_end(struct dph_console_text *text,
			  void (*put)(void *context, const uint8_t *bytes, size_t count),
			  void *context);

#endif

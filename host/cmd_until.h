/* SPDX-License-Identifier: BSD-2-Clause */
/* --until: has the text come, in a record or in a line of the console? */
#ifndef DP_CMD_UNTIL_H
#define DP_CMD_UNTIL_H

#include "cli.h"

#include <regex.h>

struct dp_until {
	bool wanted, seen;
	regex_t text;
	char line[512]; /* of the console, as far as it has come */
	size_t line_used;
};

/* False with *status set when it is no regular expression. */
bool dp_until_init(struct dp_until *until, const struct dp_cli *cli, int *status);
void dp_until_free(struct dp_until *until);

void dp_until_text(struct dp_until *until, const char *text);
void dp_until_console(struct dp_until *until, const uint8_t *bytes, size_t count);

#endif

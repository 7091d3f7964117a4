/* SPDX-License-Identifier: BSD-2-Clause */
#include "cmd_until.h"

#include <string.h>

bool dp_until_init(struct dp_until *until, const struct dp_cli *cli, int *status)
{
	memset(until, 0, sizeof *until);
	if (cli->until == NULL)
		return true;
	if (regcomp(&until->text, cli->until, REG_EXTENDED | REG_NOSUB) != 0) {
		*status =
			dp_cli_usage(cli, "--until: '%s' is not a regular expression", cli->until);
		return false;
	}
	until->wanted = true;
	return true;
}

void dp_until_free(struct dp_until *until)
{
	if (until->wanted)
		regfree(&until->text);
}

void dp_until_text(struct dp_until *until, const char *text)
{
	if (until->wanted && regexec(&until->text, text, 0, NULL, 0) == 0)
		until->seen = true;
}

void dp_until_console(struct dp_until *until, const uint8_t *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (bytes[i] != '\n' && bytes[i] != '\r' && bytes[i] != '\0')
			until->line[until->line_used++] = (char)bytes[i];
		if (bytes[i] != '\n' && until->line_used < sizeof until->line - 1)
			continue;
		until->line[until->line_used] = '\0';
		until->line_used = 0;
		dp_until_text(until, until->line);
	}
}

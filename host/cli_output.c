/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include "cli_output.h"

#include <errno.h>
#include <string.h>

FILE *dph_output_open(const struct dp_cli *cli)
{
	if (!cli->output || strcmp(cli->output, "-") == 0)
		return stdout;
	FILE *out = fopen(cli->output, "w");
	if (!out)
		dp_cli_error(cli, "cannot write %s: %s", cli->output, strerror(errno));
	return out;
}

bool dph_output_close(const struct dp_cli *cli, FILE *out)
{
	bool good = !ferror(out);
	if ((out == stdout ? fflush(out) : fclose(out)) != 0)
		good = false;
	if (!good)
		dp_cli_error(cli, "cannot write %s: %s", cli->output ? cli->output : "the output",
			     strerror(errno));
	return good;
}

void dph_json_string(FILE *out, const char *text, size_t bytes)
{
	putc('"', out);
	for (size_t i = 0; i < bytes; i++) {
		unsigned char c = (unsigned char)text[i];
		if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c < 0x20 || c >= 0x7f)
			fprintf(out, "\\u%04x", c);
		else
			putc(c, out);
	}
	putc('"', out);
}

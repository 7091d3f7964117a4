/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes symbols [PATTERN]: what offset, address and push can name. */
#define _GNU_SOURCE
#include "cli_output.h"

#include "json.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <string.h>

/* A pattern without * ? [ is a part of the name. */
static bool wanted(const char *name, const char *pattern)
{
	if (!pattern)
		return true;
	if (strpbrk(pattern, "*?["))
		return fnmatch(pattern, name, 0) == 0;
	return strstr(name, pattern) != NULL;
}

static const char *kind_text(const struct dp_symbol *s)
{
	return s->kind == DP_SYMBOL_FUNCTION ? (s->isa ? "thumb" : "code")
	       : s->kind == DP_SYMBOL_OBJECT ? "data"
					     : "label";
}

static void print_json(FILE *out, const struct dp_symbol *s)
{
	struct dp_json json = dp_json_begin(out);

	dp_json_string(&json, "kind", "symbol");
	dp_json_string(&json, "name", s->name);
	dp_json_address(&json, "address", s->value);
	dp_json_number(&json, "bytes", s->bytes);
	dp_json_string(&json, "type", kind_text(s));
	dp_json_flag(&json, "local", s->local);
	if (s->file)
		dp_json_string(&json, "file", s->file);
	dp_json_end(&json);
}

static void print_symbol(FILE *out, const struct dp_cli *cli, const struct dp_symbol *s, int digits)
{
	switch (cli->format) {
	case DP_FORMAT_TEXT:
		fprintf(out, "%0*" PRIx64 " %6" PRIu64 " %-5s %s", digits, s->value, s->bytes,
			kind_text(s), s->name);
		fprintf(out, "%s%s%s\n", s->file ? " (" : "", s->file ? s->file : "",
			s->file ? ")" : "");
		break;
	case DP_FORMAT_JSON:
		print_json(out, s);
		break;
	case DP_FORMAT_RAW: /* a System.map */
		fprintf(out, "%0*" PRIx64 " %c %s\n", digits, s->value,
			"dDtT"[(s->kind == DP_SYMBOL_FUNCTION) * 2 + !s->local], s -> name);
		break;
	}
}

int dp_cmd_symbols(const struct dp_cli *cli)
{
	struct dp_messages messages = {0};
	const char *path = dp_cli_get(cli, DP_OPT_SYM);
	const char *pattern = cli->arg_count ? cli->args[0] : NULL;
	path = path ? path : cli->elf;
	if (!path)
		return dp_cli_usage(cli, "which firmware? give --elf FILE or --sym FILE");
	struct dp_image *image = dp_image_open(path, &messages);
	FILE *out = image ? dp_output_open(cli) : NULL;
	int status = DP_EXIT_USAGE;
	if (out) {
		struct dp_image_info info;
		const struct dp_symbol *symbols;
		dp_image_info(image, &info);
		size_t count = dp_image_symbols(image, &symbols), found = 0;
		for (size_t i = 0; i < count; i++)
			if (wanted(symbols[i].name, pattern)) {
				print_symbol(out, cli, &symbols[i], info.word_bits == 64 ? 16 : 8);
				found++;
			}
		if (count && !found && !cli->quiet)
			fprintf(stderr, "dprobes: no symbol of %s matches '%s'\n", path, pattern);
		if (!count)
			dp_cli_error(cli, "%s has no symbols; use the file before strip", path);
		status = dp_output_close(cli, out) && count ? DP_EXIT_DONE : DP_EXIT_USAGE;
	}
	dp_cli_report(cli, &messages);
	dp_image_close(image);
	return status;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* What every command uses of its command line. */
#define _GNU_SOURCE
#include "cli.h"

#include "cli_tables.h"
#include "lex.h"
#include "pool.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

const char *dp_cli_get(const struct dp_cli *cli, enum dp_option option)
{
	const char *value = NULL;
	for (size_t i = 0; i < cli->value_count; i++)
		if (cli->values[i].option == option)
			value = cli->values[i].value;
	return value;
}

uint64_t dp_cli_number(const struct dp_cli *cli, enum dp_option option, uint64_t most)
{
	const char *text = dp_cli_get(cli, option);
	uint64_t value;
	if (!text)
		return 0;
	enum dph_number_state state = dph_number(text, strlen(text), &value);
	bool good = state == DPH_NUMBER_GOOD || state == DPH_NUMBER_ZEROS;
	if (good && value == 0)
		exit(dp_cli_usage(cli, "--%s is at least 1, not %s", dph_options[option].name,
				  text));
	if (good && value <= most)
		return value;
	if (state != DPH_NUMBER_BAD)
		exit(dp_cli_usage(cli, "--%s is at most %" PRIu64 ", not %s",
				  dph_options[option].name, most, text));
	exit(dp_cli_usage(cli, "--%s needs a number, not '%s'", dph_options[option].name, text));
}

static void say(const struct dp_cli *cli, const char *format, va_list args)
{
	char *text = dph_vprint(format, args);
	fprintf(stderr,
		cli->color ? "\033[1mdprobes: \033[31merror:\033[0m %s\n" : "dprobes: error: %s\n",
		text);
	free(text);
}

void dp_cli_error(const struct dp_cli *cli, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	say(cli, format, args);
	va_end(args);
}

int dp_cli_usage(const struct dp_cli *cli, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	say(cli, format, args);
	va_end(args);
	fprintf(stderr, "try 'dprobes %s%s--help'\n", cli->command ? cli->command : "",
		cli->command ? " " : "");
	return DP_EXIT_USAGE;
}

void dp_cli_report(const struct dp_cli *cli, struct dp_messages *messages)
{
	size_t kept = 0;
	for (size_t i = 0; i < messages->count; i++) {
		struct dp_message message = messages->list[i];
		if (cli->quiet && !messages->errors && message.severity != DP_ERROR) {
			free(message.file);
			free(message.text);
			free(message.source);
		} else {
			messages->list[kept++] = message;
		}
	}
	messages->count = kept;
	dp_messages_print(messages, stderr, cli->color);
	dp_messages_free(messages);
}

bool dp_cli_templates(const struct dp_cli *cli, struct dp_templates **templates, int *status)
{
	struct dp_messages messages = {0};
	const char *path = dp_cli_get(cli, DP_OPT_TEMPLATES);
	*templates = NULL;
	if (!path)
		return true;
	if (cli->format == DP_FORMAT_RAW) {
		*status = dp_cli_usage(cli, "--templates does nothing with --format raw; it is for "
					    "text and json");
		return false;
	}
	if (dp_cli_has(cli, DP_OPT_UNFORMATTED)) {
		*status = dp_cli_usage(cli, "-f prints data as one hex line, --templates as text; "
					    "leave one of them out");
		return false;
	}
	*templates = dp_templates_read(path, &messages);
	dp_cli_report(cli, &messages);
	if (!*templates)
		*status = DP_EXIT_USAGE;
	return *templates != NULL;
}

bool dp_cli_program(const struct dp_cli *cli, const char **name, int *status)
{
	const char *option = dp_cli_get(cli, DP_OPT_NAME);
	const char *word = cli->arg_count > 0 ? cli->args[0] : NULL;
	*name = word ? word : option;
	if (word && option)
		*status = dp_cli_usage(cli, "the program is named twice: '%s' and --name %s", word,
				       option);
	else if (*name && dp_cli_has(cli, DP_OPT_ALL))
		*status = dp_cli_usage(
			cli, "'%s' is one program, --all are all; leave one of them out", *name);
	else
		return true;
	return false;
}

struct dp_build_options dp_cli_build_options(const struct dp_cli *cli)
{
	/* The simulator changes nothing real, and has no instruction to compare. */
	bool simulate = strcmp(cli->command, "simulate") == 0;
	struct dp_build_options o = {
		.cpu = dp_cli_get(cli, DP_OPT_CPU),
		.word_bits = (unsigned)dp_cli_number(cli, DP_OPT_WORD, UINT_MAX),
		.endian = dp_cli_get(cli, DP_OPT_ENDIAN),
		.elf = cli->elf,
		.sym = dp_cli_get(cli, DP_OPT_SYM),
		.log_max = (uint16_t)dp_cli_number(cli, DP_OPT_LOG_MAX, UINT16_MAX),
		.trace_max = (uint16_t)dp_cli_number(cli, DP_OPT_TRACE_MAX, UINT16_MAX),
		.write = cli->write || simulate,
		.opcode_optional = dp_cli_has(cli, DP_OPT_DONT_VERIFY) || simulate,
	};
	const char **defines = dph_malloc((cli->value_count + 1) * sizeof(*defines));
	for (size_t i = 0; i < cli->value_count; i++)
		if (cli->values[i].option == DP_OPT_DEFINE)
			defines[o.define_count++] = cli->values[i].value;
	o.defines = defines;
	return o;
}

void dp_cli_build_options_free(struct dp_build_options *options)
{
	free((void *)options->defines);
	*options = (struct dp_build_options){0};
}

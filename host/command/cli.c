/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions read the options and words of a command line for every command. */
#define _GNU_SOURCE
#include "cli.h"

#include "source/lex.h"
#include "base/plain.h"
#include "base/pool.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

void dph_cli_add(struct dph_cli *cli, enum dph_cli_option option, const char *value)
{
	cli->values =
		dph_grow(cli->values, &cli->value_capacity, cli->value_count, sizeof(*cli->values));
	cli->values[cli->value_count++] = (struct dph_cli_value){option, value};
}

const char *dph_cli_get(const struct dph_cli *cli, enum dph_cli_option option)
{
	const char *value = NULL;
	for (size_t i = 0; i < cli->value_count; i++)
		if (cli->values[i].option == option)
			value = cli->values[i].value;
	return value;
}

/* Refuse another text than a number of 1 to most: returns DPH_EXIT_USAGE. */
static int take_number(const struct dph_cli *cli, enum dph_cli_option option, uint64_t most,
		       uint64_t *value)
{
	const char *text = dph_cli_get(cli, option), *name = dph_options[option].name;
	*value = 0;
	if (!text)
		return DPH_EXIT_DONE;
	enum dph_number_state state = dph_number(text, strlen(text), value);
	bool good = state == DPH_NUMBER_GOOD || state == DPH_NUMBER_ZEROS;
	if (good && *value == 0)
		return dph_cli_usage(cli, "--%s is at least 1, not %s", name, text);
	if (good && *value <= most)
		return DPH_EXIT_DONE;
	if (state != DPH_NUMBER_BAD)
		return dph_cli_usage(cli, "--%s is at most %" PRIu64 ", not %s", name, most, text);
	return dph_cli_usage(cli, "--%s needs a number, not '%s'", name, text);
}

static const struct {
	enum dph_cli_option option;
	uint64_t most;
} numbers[] = {
#define NUMBER(id, most) {DPH_OPT_##id, most},
#include "cli_numbers.def"
};

int dph_cli_check_numbers(const struct dph_cli *cli)
{
	uint64_t value;
	int status = DPH_EXIT_DONE;
	for (size_t i = 0; !status && i < sizeof(numbers) / sizeof(*numbers); i++)
		status = take_number(cli, numbers[i].option, numbers[i].most, &value);
	return status;
}

uint64_t dph_cli_number(const struct dph_cli *cli, enum dph_cli_option option)
{
	const char *text = dph_cli_get(cli, option);
	uint64_t value = 0;
	if (text)
		dph_number(text, strlen(text), &value);
	return value;
}

static void say(const struct dph_cli *cli, const char *format, va_list args)
{
	char *text = dph_vprint(format, args);
	fputs(cli->color ? "\033[1mdprobes: \033[31merror:\033[0m " : "dprobes: error: ", stderr);
	dph_plain_print_lines(text, stderr);
	putc('\n', stderr);
	free(text);
}

void dph_cli_error(const struct dph_cli *cli, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	say(cli, format, args);
	va_end(args);
}

int dph_cli_usage(const struct dph_cli *cli, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	say(cli, format, args);
	va_end(args);
	fprintf(stderr, "try 'dprobes %s%s--help'\n", cli->command ? cli->command : "",
		cli->command ? " " : "");
	return DPH_EXIT_USAGE;
}

void dph_cli_tell_source(const struct dph_cli *cli, const char *value)
{
	static const struct {
		enum dph_cli_option option;
		const char *variable;
	} rows[] = {{DPH_OPT_ELF, "DPROBES_ELF"},
		    {DPH_OPT_PORT, "DPROBES_PORT"},
		    {DPH_OPT_KEY, "DPROBES_KEY"},
		    {DPH_OPT_BAUD, "DPROBES_BAUD"},
		    {DPH_OPT_BOARD, "DPROBES_BOARD"}};
	for (size_t i = 0; value && i < sizeof(rows) / sizeof(*rows); i++) {
		const char *there = getenv(rows[i].variable);
		if (there && strcmp(there, value) == 0 && !dph_cli_has(cli, rows[i].option))
			fprintf(stderr, "dprobes: note: %s is the value of %s\n", value,
				rows[i].variable);
	}
}

/* A file that the user did not name on this command line. */
static void tell_sources(const struct dph_cli *cli, const struct dp_messages *messages)
{
	for (size_t i = 0; i < messages->count; i++)
		if (messages->list[i].severity == DP_ERROR && messages->list[i].file &&
		    !messages->list[i].line)
			dph_cli_tell_source(cli, messages->list[i].file);
}

void dph_cli_report(const struct dph_cli *cli, struct dp_messages *messages)
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
	tell_sources(cli, messages);
	dp_messages_free(messages);
}

/* `--templates` with a format that does not show them. */
static int no_templates(const struct dph_cli *cli)
{
	char formats[64] = "";
	size_t used = 0;
	for (size_t i = 0; i < dp_sink_kind_count && used < sizeof(formats); i++)
		if (dp_sink_kinds[i]->templates)
			used += (size_t)snprintf(formats + used, sizeof(formats) - used, "%s%s",
						 used ? ", " : "", dp_sink_kinds[i]->name);
	return dph_cli_usage(cli, "--templates does nothing with --format %s, but with: %s",
			     cli->format->name, formats);
}

bool dph_cli_templates(const struct dph_cli *cli, struct dp_templates **templates, int *status)
{
	struct dp_messages messages = {0};
	const char *path = dph_cli_get(cli, DPH_OPT_TEMPLATES);
	*templates = NULL;
	if (!path)
		return true;
	if (!cli->format->templates) {
		*status = no_templates(cli);
		return false;
	}
	if (dph_cli_has(cli, DPH_OPT_UNFORMATTED)) {
		*status = dph_cli_usage(cli, "-f prints data as one hex line, --templates as text; "
					     "leave one of them out");
		return false;
	}
	*templates = dp_templates_read(path, &messages);
	dph_cli_report(cli, &messages);
	if (!*templates)
		*status = DPH_EXIT_USAGE;
	return *templates != NULL;
}

bool dph_cli_program(const struct dph_cli *cli, const char **name, int *status)
{
	const char *option = dph_cli_get(cli, DPH_OPT_NAME);
	const char *word = cli->arg_count > 0 ? cli->args[0] : NULL;
	*name = word ? word : option;
	if (word && option)
		*status = dph_cli_usage(cli, "the program is named twice: '%s' and --name %s", word,
					option);
	else if (*name && dph_cli_has(cli, DPH_OPT_ALL))
		*status = dph_cli_usage(
			cli, "'%s' names one program, --all names all; leave one of them out",
			*name);
	else
		return true;
	return false;
}

static const char *const *values_of(const struct dph_cli *cli, enum dph_cli_option option,
				    size_t *count)
{
	const char **list = dph_malloc((cli->value_count + 1) * sizeof(*list));
	for (size_t i = 0; i < cli->value_count; i++)
		if (cli->values[i].option == option)
			list[(*count)++] = cli->values[i].value;
	return list;
}

/* The bytes of libdir=FOLDER for each --lib. */
static size_t lib_bytes(const struct dph_cli *cli)
{
	size_t bytes = 0;
	for (size_t i = 0; i < cli->value_count; i++)
		if (cli->values[i].option == DPH_OPT_LIB)
			bytes += sizeof("libdir=") + strlen(cli->values[i].value);
	return bytes;
}

const char *const *dph_cli_d_options(const struct dph_cli *cli, size_t *count)
{
	const size_t words = (cli->value_count + 1) * sizeof(const char *);
	const char **list = dph_malloc(words + lib_bytes(cli));
	char *libs = (char *)list + words; /* the list owns them */
	for (size_t i = 0; i < cli->value_count; i++) {
		const char *value = cli->values[i].value;
		if (cli->values[i].option == DPH_OPT_OPTION) {
			list[(*count)++] = value;
		} else if (cli->values[i].option == DPH_OPT_LIB) {
			list[(*count)++] = libs;
			libs = stpcpy(stpcpy(libs, "libdir="), value) + 1;
		} else if (cli->values[i].option == DPH_OPT_TYPES && strcmp(value, "dwarf") != 0) {
			list[(*count)++] = strcmp(value, "ctf") == 0 ? "types=ctf" : "types";
		}
	}
	return list;
}

struct dp_build_options dph_cli_build_options(const struct dph_cli *cli)
{
	struct dp_build_options o = {
		.cpu = dph_cli_get(cli, DPH_OPT_CPU),
		.word_bits = (unsigned)dph_cli_number(cli, DPH_OPT_WORD),
		.endian = dph_cli_get(cli, DPH_OPT_ENDIAN),
		.elf = cli->elf,
		.sym = dph_cli_get(cli, DPH_OPT_SYM),
		.moved = dph_cli_number(cli, DPH_OPT_MOVED),
		.log_max = (uint16_t)dph_cli_number(cli, DPH_OPT_LOG_MAX),
		.trace_max = (uint16_t)dph_cli_number(cli, DPH_OPT_TRACE_MAX),
		.write = cli->write,
		.opcode_optional = dph_cli_has(cli, DPH_OPT_DONT_VERIFY),
	};
	o.defines = values_of(cli, DPH_OPT_DEFINE, &o.define_count);
	o.includes = values_of(cli, DPH_OPT_INCLUDE, &o.include_count);
	o.d_options = dph_cli_d_options(cli, &o.d_option_count);
	/* Words behind the program; all words where the program is an option. */
	const size_t before = dph_cli_has(cli, DPH_OPT_CLAUSE) ? 0 : 1;
	if (cli->arg_count > before) {
		o.d_arguments = (const char *const *)cli->args + before;
		o.d_argument_count = cli->arg_count - before;
	}
	return o;
}

void dph_cli_build_options_free(struct dp_build_options *options)
{
	free((void *)options->defines);
	free((void *)options->includes);
	free((void *)options->d_options);
	*options = (struct dp_build_options){0};
}

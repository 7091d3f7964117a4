/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes regs prints and writes registers of a stopped target. */
#include "cmd.h"

#include "stopped.h"
#include "tables/registers.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static size_t name_bytes(const char *word)
{
	return strcspn(word, "=");
}

/* The register of the word NAME or NAME=VALUE; null: the CPU has none, which is said. */
static const struct dp_reg *find(const struct dph_cli *cli, const struct dph_cpu *cpu,
				 const char *word)
{
	const struct dp_reg *reg = cpu != NULL ? dph_reg_named(cpu, word, name_bytes(word)) : NULL;

	if (reg == NULL)
		dph_cli_error(cli, "the CPU has no register '%.*s'; 'dprobes regs' prints all",
			      (int)name_bytes(word), word);
	return reg;
}

/* Read VALUE of NAME=VALUE, which fits the word of the target. */
static bool read_value(const struct dph_cli *cli, const char *text, unsigned word_bytes,
		       uint64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 0);
	if (end != text && *end == '\0' && errno == 0 && *text != '-' &&
	    (word_bytes == 8 || *value <= UINT32_MAX))
		return true;
	dph_cli_error(cli, "'%s' is no number of %u bytes", text, word_bytes);
	return false;
}

static int print_one(const struct dph_stopped *stopped, const char *word, const struct dp_reg *reg)
{
	struct dp_register value;

	if (!dp_session_regs(stopped->session, reg->index, 1, &value))
		return dph_target_failed(stopped->cli, stopped->session);
	if (!value.there) {
		dph_cli_error(stopped->cli, "register '%s' is no single word", word);
		return DPH_EXIT_AGENT;
	}
	printf("%s 0x%0*" PRIx64 "\n", word,
	       (int)dp_session_target(stopped->session)->word_bytes * 2, value.value);
	return DPH_EXIT_DONE;
}

static int one(const struct dph_stopped *stopped, const char *word)
{
	const struct dp_hello_answer *target = dp_session_target(stopped->session);
	const struct dp_reg *reg = find(stopped->cli, dph_cpu_numbered(target->cpu), word);
	uint64_t value;

	if (reg == NULL)
		return DPH_EXIT_USAGE;
	if (word[name_bytes(word)] == '\0')
		return print_one(stopped, word, reg);
	if (!read_value(stopped->cli, word + name_bytes(word) + 1, target->word_bytes, &value))
		return DPH_EXIT_USAGE;
	if (!dp_session_reg_write(stopped->session, reg->index, value))
		return dph_target_failed(stopped->cli, stopped->session);
	return DPH_EXIT_DONE;
}

static bool writes(const struct dph_cli *cli)
{
	for (size_t i = 0; i < cli->arg_count; i++)
		if (strchr(cli->args[i], '=') != NULL)
			return true;
	return false;
}

int dph_cmd_regs(const struct dph_cli *cli)
{
	const unsigned write = writes(cli) ? DP_RIGHT_WRITE : 0;
	struct dph_stopped stopped = {.cli = cli};
	int status = DPH_EXIT_USAGE;

	if (dph_stopped_open(&stopped, DP_RIGHT_LOOK | DP_RIGHT_INSERT | write, &status)) {
		status = DPH_EXIT_DONE;
		if (cli->arg_count == 0)
			dph_stopped_print(&stopped, &status);
		for (size_t i = 0; i < cli->arg_count && status == DPH_EXIT_DONE; i++)
			status = one(&stopped, cli->args[i]);
	}
	dph_stopped_close(&stopped);
	return status;
}

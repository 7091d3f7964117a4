/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes flame draws where the firmware spends its time, and who called it there. It runs a D
 * program whose timer records the call stack that it interrupts, and exports the records. */
#define _GNU_SOURCE
#include "cmd.h"

#include "cmd_stream.h"
#include "exporting.h"

#include "base/pool.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	RATE = 97,          /* samples a second, without --rate */
	RATE_LEAST = 2,     /* on a slow line */
	FRAMES = 100,       /* the most functions that stack() prints */
	STACK_BYTES = 256,  /* of stack(), without the option stackbytes */
	OTHER_BYTES = 80,   /* of a record: registers, the name of a task, head and check */
	BAUD = 115200,      /* without --baud */
	BAUD_OF_DIGITS = 20 /* 10 bits a character, two characters a byte */
};

static const double for_s = 5; /* without --for */

static bool ends_in(const char *path, const char *end)
{
	const size_t bytes = strlen(path), tail = strlen(end);

	return bytes >= tail && strcmp(path + bytes - tail, end) == 0;
}

/* The samples a second that the line can carry. A socket has no speed. */
static uint32_t rate_of(const struct dph_cli *cli)
{
	const uint64_t asked = dph_cli_number(cli, DPH_OPT_RATE);
	const unsigned baud = cli->baud != 0 ? cli->baud : BAUD;
	const unsigned fits = baud / (BAUD_OF_DIGITS * (STACK_BYTES + OTHER_BYTES));
	const bool is_device = cli->port != NULL && cli->port[strcspn(cli->port, ":/")] != ':';

	if (asked != 0)
		return (uint32_t)asked;
	if (!is_device || fits >= RATE)
		return RATE;
	return fits > RATE_LEAST ? fits : RATE_LEAST;
}

/* The program, from the heap. */
static char *write_program(const struct dph_cli *cli)
{
	return dph_print("#pragma D option quiet\n"
			 "profile-%" PRIu32 " { %sstack(%d); }\n",
			 rate_of(cli), dph_cli_has(cli, DPH_OPT_BY_TASK) ? "trace(execname); " : "",
			 FRAMES);
}

int dph_cmd_flame(const struct dph_cli *cli)
{
	struct dph_exporting exporting = {.values = NULL};
	char *program;
	int status;

	if (cli->output == NULL)
		return dph_cli_usage(cli, "the file is missing; write -o FILE");
	if (cli->elf == NULL)
		return dph_cli_usage(cli, "the firmware's ELF file is missing; give --elf FILE, or "
					  "set DPROBES_ELF");
	program = write_program(cli);
	if (dph_exporting_to(&exporting, cli,
			     ends_in(cli->output, ".folded") ? DPH_EXPORT_FOLDED : DPH_EXPORT_FLAME,
			     cli->output, &status))
		status = dph_run_text(&exporting.cli, program, for_s);
	dph_exporting_free(&exporting);
	free(program);
	return status;
}

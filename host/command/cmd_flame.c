/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes flame draws where the firmware spends its time, and who called it there. It runs a D
 * program whose timer records the call stack that it interrupts, and exports the records. */
#define _GNU_SOURCE
#include "cmd.h"

#include "exporting.h"

#include "base/pool.h"
#include "lang/d/d.h"
#include "wire/transport.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	RATE = 97,          /* samples a second, without --rate */
	RATE_LEAST = 2,     /* on a slow line */
	FRAMES = 100,       /* the most functions that stack() prints */
	OTHER_BYTES = 80,   /* of a record: registers, the name of a task, head and check */
	BAUD_OF_DIGITS = 20 /* 10 bits a character, two characters a byte */
};

static const double for_s = 5; /* without --for */

static unsigned stack_bytes(const struct dph_cli *cli)
{
	size_t count = 0;
	const char *const *options = dph_cli_d_options(cli, &count);
	const unsigned bytes = dph_d_stack_bytes(options, count);

	free((void *)options);
	return bytes;
}

/* The samples a second that the line can carry. A socket has no speed. */
static uint32_t rate_of(const struct dph_cli *cli)
{
	const uint64_t asked = dph_cli_number(cli, DPH_OPT_RATE);
	const unsigned baud = cli->baud != 0 ? cli->baud : DPH_BAUD_DEFAULT;
	const unsigned fits = baud / (BAUD_OF_DIGITS * (stack_bytes(cli) + OTHER_BYTES));
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
	char *program;
	int status;

	if (!dph_exported_can_run(cli, &status))
		return status;
	program = write_program(cli);
	status = dph_run_exported(
		cli, dph_exported_ends_in(cli, ".folded") ? DPH_EXPORT_FOLDED : DPH_EXPORT_FLAME,
		DPH_OWN_FLAME, program, for_s);
	free(program);
	return status;
}

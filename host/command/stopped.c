/* SPDX-License-Identifier: BSD-2-Clause */
#include "stopped.h"

#include "base/plain.h"
#include "base/pool.h"
#include "debuginfo/debuginfo.h"
#include "tables/registers.h"
#include <dprobes/errors.h>

#include <inttypes.h>
#include <stdlib.h>

bool dph_stopped_open_session(struct dph_stopped *stopped, unsigned rights, int *status)
{
	*status = DPH_EXIT_USAGE;
	if (!dph_names_open(stopped->cli, &stopped->images, status))
		return false;
	stopped->session = dph_target_open(stopped->cli, rights, NULL, status);
	if (stopped->session == NULL)
		return false;
	if (!dp_session_has_part(stopped->session, DP_PART_HALT)) {
		*status = dph_target_failed(stopped->cli, stopped->session);
		return false;
	}
	return true;
}

void dph_stopped_names(struct dph_stopped *stopped)
{
	stopped->names = dph_names_for(stopped->cli, stopped->session, &stopped->images);
}

/* The question for a register was this tool's, and not the user's. Returns the exit status. */
static int not_there(const struct dph_stopped *stopped)
{
	const struct dp_failure *failure = dp_session_failure(stopped->session);

	if (failure->kind != DP_FAILED_AGENT || !dph_stopped_not(failure->error))
		return dph_target_failed(stopped->cli, stopped->session);
	dph_cli_error(stopped->cli, "%s", dp_error_sentence(failure->error));
	return DPH_EXIT_AGENT;
}

bool dph_stopped_open(struct dph_stopped *stopped, unsigned rights, int *status)
{
	struct dp_register none;

	if (!dph_stopped_open_session(stopped, rights, status))
		return false;
	if (!dp_session_regs(stopped->session, 0, 1, &none) &&
	    dp_session_failure(stopped->session)->error != DP_ERR_NO_REGISTERS) {
		*status = not_there(stopped);
		return false;
	}
	dph_stopped_names(stopped);
	return true;
}

void dph_stopped_close(struct dph_stopped *stopped)
{
	dp_session_close(stopped->session);
	dph_images_close(&stopped->images);
}

void dph_stopped_tell(const struct dph_stopped *stopped, uint64_t pc, const char *more)
{
	struct dp_debuginfo *debug =
		stopped->names != NULL ? dp_debuginfo_open(stopped->names, NULL) : NULL;
	char *text = debug != NULL ? dp_debuginfo_address_text(debug, pc) : NULL;

	printf("stopped at 0x%llx", (unsigned long long)pc);
	if (text != NULL)
		printf(" %s", text);
	puts(more);
	free(text);
	dp_debuginfo_close(debug);
}

static void print(const struct dph_stopped *stopped, const char *name, uint64_t value)
{
	const unsigned digits = dp_session_target(stopped->session)->word_bytes * 2;
	char room[DP_NAME_ROOM];
	const char *place = dp_image_function(stopped->names, value) != NULL
				    ? dp_image_name(stopped->names, value, room)
				    : NULL;

	printf("%-8s 0x%0*" PRIx64, name, (int)digits, value);
	if (place != NULL) {
		fputs("  ", stdout);
		dph_plain_print(place, stdout);
	}
	putchar('\n');
}

bool dph_stopped_print(const struct dph_stopped *stopped, int *status)
{
	const struct dph_cpu *cpu = dph_cpu_numbered(dp_session_target(stopped->session)->cpu);
	size_t rows, count;
	const struct dp_reg *table = cpu != NULL ? dph_cpu_regs(cpu, &rows) : NULL;
	struct dp_register *regs;
	bool good;

	if (table == NULL || rows == 0)
		return true;
	count = table[rows - 1].index + (size_t)1;
	regs = dph_malloc(count * sizeof *regs);
	good = dp_session_regs(stopped->session, 0, count, regs);
	for (size_t i = 0; i < rows && good; i++)
		if (regs[table[i].index].there)
			print(stopped, dph_reg_name(cpu, table[i].index),
			      regs[table[i].index].value);
	free(regs);
	if (!good)
		*status = dph_target_failed(stopped->cli, stopped->session);
	return good;
}

bool dph_stopped_not(enum dp_err error)
{
	return error == DP_ERR_NOT_STOPPED || error == DP_ERR_NOT_POLLED;
}

bool dph_stopped_there(const struct dp_session *session, const struct dp_step_answer *answer)
{
	const struct dp_failure *failure = dp_session_failure(session);

	if (failure->kind != DP_FAILED_AGENT)
		return false;
	switch (failure->error) {
	case DP_ERR_NO_REGISTERS:
	case DP_ERR_STOPPED:
		return true;
	case DP_ERR_NOT_STOPPED: /* these have the place of an earlier stop, or none: */
	case DP_ERR_NOT_POLLED:
	case DP_ERR_NO_STOP:
	case DP_ERR_LOCKED:
		return false;
	default: /* and so have those of requests */
		return failure->error < DP_ERR_BAD_REQUEST && answer->pc != 0;
	}
}

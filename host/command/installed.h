/* SPDX-License-Identifier: BSD-2-Clause */
/* The names of the installed programs, for commands that take one of them. */
#ifndef DPH_INSTALLED_H
#define DPH_INSTALLED_H

#include "cmd_target.h"

/* Report that the wanted program is not there, with the names of those that are.
 * format: the sentence about the wanted one.
 * Returns the exit status. */
__attribute__((format(printf, 3, 4))) int dph_installed_missing(const struct dph_cli *cli,
								struct dp_session *session,
								const char *format, ...);

/* Find the program of a name that may also be that of a file. Prints errors.
 * program: receives the answer of the agent.
 * Returns the exit status, DPH_EXIT_DONE when the program is there. */
int dph_installed_named(const struct dph_cli *cli, struct dp_session *session, const char *name,
			struct dp_program_answer *program);

/* Print the names behind the message that the command line has none. The function prints nothing
 * where no line is named, and where nobody answers. */
void dph_installed_tell(const struct dph_cli *cli);

#endif

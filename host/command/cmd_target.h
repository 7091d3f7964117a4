/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions here are common to the subcommands that use a target. */
#ifndef DPH_CMD_TARGET_H
#define DPH_CMD_TARGET_H

#include "cli_output.h"
#include <dprobes/session.h>

#include <signal.h>

/* True after ^C, SIGTERM or another signal that ends a process: come to an orderly end. Another one
 * right behind is the same wish (timeout(1) sends SIGTERM to the process and to its group); a later
 * one ends the process. */
extern volatile sig_atomic_t dph_interrupted;

/* Begin to restore the target. From this call on the first interrupt of the user, past or
 * future, does not stop the command. A second interrupt sets dph_interrupted again. */
void dph_target_clear_up(void);

/* The whole line that is said when a later wish ends the process at once; null: none. Not copied.
 */
void dph_target_leaves(const char *line);

/* These signals set dph_interrupted from here on. The functions below do this themselves. */
void dph_target_catch_signals(void);

/* Open a session as the command line says, or print why not and set *status.
 * rights: enum dp_right, those that the command needs; the command line may add more. */
struct dp_session *dph_target_open(const struct dph_cli *cli, unsigned rights,
				   const struct dp_listener *listener, int *status);

/* The same, for a command that removes at its end what it has installed. A service of the line
 * removes it when the command is killed. */
struct dp_session *dph_target_open_temporary(const struct dph_cli *cli, unsigned rights,
					     const struct dp_listener *listener, int *status);

/* The same as dph_target_open_temporary, and say nothing of a failure of the line.
 * failure: receives it; its kind is DP_FAILED_NOT when the command line was wrong, which is
 * printed. */
struct dp_session *dph_target_try(const struct dph_cli *cli, unsigned rights,
				  const struct dp_listener *listener, int *status,
				  struct dp_failure *failure);

/* The same without hello: only listening and typing. */
struct dp_session *dph_target_attach(const struct dph_cli *cli, const struct dp_listener *listener,
				     int *status);

/* Print the session's last failure; returns the exit status it means. */
int dph_target_failed(const struct dph_cli *cli, const struct dp_session *session);
/* Print a failure of dph_target_try; returns the exit status it means. */
int dph_target_say(const struct dph_cli *cli, const struct dp_failure *failure);
int dph_failure_status(const struct dp_failure *failure);

#endif

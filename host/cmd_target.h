/* SPDX-License-Identifier: BSD-2-Clause */
/* What the subcommands that talk to a target share. */
#ifndef DP_CMD_TARGET_H
#define DP_CMD_TARGET_H

#include "cli_output.h"
#include "dprobes_session.h"

#include <signal.h>

/* True after ^C, SIGTERM or SIGHUP: come to an orderly end. Another one right behind is the same
 * wish (timeout(1) sends SIGTERM to the process and to its group); a later one ends the process. */
extern volatile sig_atomic_t dp_interrupted;

/* From here on the target is put back as it was: the first wish to end does not stop that, whether
 * it has come already or not; a second one sets dp_interrupted again. */
void dp_target_clear_up(void);

/* The whole line that is said when a later wish ends the process at once; null: none. Not copied.
 */
void dp_target_leaves(const char *line);

/* Open a session as the command line says, or print why not and set *status. */
struct dp_session *dp_target_open(const struct dp_cli *cli, const struct dp_listener *listener,
				  int *status);

/* The same without hello: only listening and typing. */
struct dp_session *dp_target_attach(const struct dp_cli *cli, const struct dp_listener *listener,
				    int *status);

/* Print the session's last failure; returns the exit status it means. */
int dp_target_failed(const struct dp_cli *cli, const struct dp_session *session);
int dp_failure_status(const struct dp_failure *failure);

/* "com1", "com2", "nowhere". */
const char *dp_log_line_name(uint8_t target);

/* "pid,pc" for the bits of enum dp_item; text: room for 64. */
const char *dp_items_text(uint8_t items, char *text);

#endif

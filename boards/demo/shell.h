/* SPDX-License-Identifier: BSD-2-Clause */
/* The command line on com1. */
#ifndef DEMO_SHELL_H
#define DEMO_SHELL_H

/* Create the task. context: start-up. */
void shell_create(void);

/* Run one line; it is cut into words in place. context: the shell task. */
void shell_exec(char *line);

#endif

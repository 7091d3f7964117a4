/* SPDX-License-Identifier: BSD-2-Clause */
/* Services that the command starts: one for a line whose board has `serve = yes`, or one for each
 * board of `dprobes serve --board A --board B`. */
#ifndef DPH_OWN_SERVICE_H
#define DPH_OWN_SERVICE_H

#include "cli.h"

/* Start a service for the line of the command, unless a service has the line. The function returns
 * when the service takes commands. When the service cannot start, nothing is said: the command
 * opens the line itself, and says what is wrong. */
void dph_own_service_start(const struct dph_cli *cli);

/* In the process of such a service: clients may come. */
void dph_own_service_ready(void);

/* Serve each board of the command line in a process of its own, until the user ends the command or
 * all services have ended.
 * Returns the first exit status that is not 0, else 0. */
int dph_own_service_boards(const struct dph_cli *cli);

/* The number of boards on the command line. */
size_t dph_own_service_count(const struct dph_cli *cli);

#endif

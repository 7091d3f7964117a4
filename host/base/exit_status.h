/* SPDX-License-Identifier: BSD-2-Clause */
/* This header has the exit statuses of the tool that a program of the user may choose. */
#ifndef DPH_EXIT_STATUS_H
#define DPH_EXIT_STATUS_H

enum {
	DPH_EXIT_STATUS_MAX = 119 /* of exit() in a D program; larger ones are the tool's own */
};

#endif

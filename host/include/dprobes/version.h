/* SPDX-License-Identifier: BSD-2-Clause */
/* The version of command, library and packages. The build reads this line too. */
#ifndef DPROBES_VERSION_H
#define DPROBES_VERSION_H

#define DP_VERSION "0.1"

#endif

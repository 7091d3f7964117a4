/* SPDX-License-Identifier: BSD-2-Clause */
/* The compiler's entry points are public: dp_compile_file, dp_compile_text, dp_open_program. */
#ifndef DP_COMPILE_H
#define DP_COMPILE_H

#include "dprobes_host.h"

#endif

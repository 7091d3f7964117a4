/* SPDX-License-Identifier: BSD-2-Clause */
/* The compiler's entry points are public: dp_compile_file, dp_compile_text, dp_open_program. */
#ifndef DP_COMPILE_H
#define DP_COMPILE_H

#include "dprobes_host.h"

/* dp_open_program of a file's bytes: dph_read_file of path. */
struct dp_object_file *dph_open_bytes(const char *data, size_t bytes, const char *path,
				      const struct dp_build_options *options,
				      struct dp_messages *messages);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* The compiler's entry points are public functions: dp_compile_file, dp_compile_text,
 * dp_open_program. */
#ifndef DPH_COMPILE_H
#define DPH_COMPILE_H

#include <dprobes/host.h>
#include "lang/front_end.h"

/* Compile a text with one of these front ends. name: of its file, for messages and for #include.
 * Null: it has errors; messages has them. */
struct dp_object_file *dph_compile(const struct dph_front_ends *front_ends, const char *text,
				   size_t bytes, const char *name,
				   const struct dp_build_options *options,
				   struct dp_messages *messages);

/* Are these bytes an object, not the text of a program? */
bool dph_is_object(const char *data, size_t bytes);

struct dph_cpp_output;

/* dp_open_program of a file's bytes: dph_read_file of path.
 * cpp: as dph_cpp_options has its output; null: cpp runs. */
struct dp_object_file *dph_open_bytes(const char *data, size_t bytes, const char *path,
				      const struct dp_build_options *options,
				      struct dph_cpp_output *cpp, struct dp_messages *messages);

#endif

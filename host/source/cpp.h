/* SPDX-License-Identifier: BSD-2-Clause */
/* The files that run the preprocessor share these functions. */
#ifndef DPH_CPP_H
#define DPH_CPP_H

#include "source.h"

/* The name that a message uses for one of cpp's, which are relative to the program's folder. */
const char *dph_cpp_name(struct dph_source *source, const char *folder, const char *theirs,
			 size_t bytes);

/* Return the file of that name; the first call reads the file. */
struct dph_source_file *dph_know_file(struct dph_source *source, const char *name);

/* Turn the text of cpp's standard error into messages. */
void dph_cpp_complaints(struct dph_source *source, const char *folder, const char *text,
			struct dp_messages *messages);

#endif

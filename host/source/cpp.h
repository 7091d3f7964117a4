/* SPDX-License-Identifier: BSD-2-Clause */
/* The files that run the preprocessor share these functions. */
#ifndef DPH_CPP_H
#define DPH_CPP_H

#include "source.h"

/* The name that a message uses for one of cpp's, which are relative to the program's folder. */
const char *dph_cpp_name(struct dph_source *source, const char *folder, const char *theirs,
			 size_t bytes);

/* The file of that name, read when it is new. */
struct dph_source_file *dph_know_file(struct dph_source *source, const char *name);

/* Make messages of what cpp printed on its standard error. */
void dph_cpp_complaints(struct dph_source *source, const char *folder, const char *text,
			struct dp_messages *messages);

#endif

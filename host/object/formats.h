/* SPDX-License-Identifier: BSD-2-Clause */
/* The form of section FORMATS for programs with records of stack words: two bytes, then one byte
 * for each probe point. The byte is 1 where the records hold words and nothing else, else 0.
 * Other forms begin with other bytes. */
#ifndef DPH_FORMATS_H
#define DPH_FORMATS_H

#include <dprobes/host.h>

enum {
	DPH_WORDS_FORM = 'W',
	DPH_WORDS_VERSION = 1,
	DPH_WORDS_HEAD = 2 /* bytes before those of the probe points */
};

/* Does the object print its records by formats of its own? An empty record has a text then. */
bool dph_object_formats(const struct dp_object_file *object);

#endif

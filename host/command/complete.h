/* SPDX-License-Identifier: BSD-2-Clause */
/* Completion offers the possible next words of a command line of `dprobes`. */
#ifndef DPH_COMPLETE_H
#define DPH_COMPLETE_H

#include <stddef.h>

/* Print the completions of the last word, a line each: the word, a tab, an explanation. The line
 * ":files" stands for the names of files. The scripts of host/install/completion call this
 * function as `dprobes complete WORD...`.
 * words: the line behind `dprobes` up to the cursor; the last one may be empty.
 * Context: no line is opened. Errors print nothing. */
void dph_complete(char **words, size_t count);

#endif

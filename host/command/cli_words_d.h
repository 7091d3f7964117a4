/* SPDX-License-Identifier: BSD-2-Clause */
/* The words of D's command, in our spelling. */
#ifndef DPH_CLI_WORDS_D_H
#define DPH_CLI_WORDS_D_H

#include "cli_words.h"

/* `dprobes -n TEXT` is `dprobes trace --clause TEXT`, `dprobes -qs FILE` is `dprobes trace --bare
 * FILE`. Options may stand before the letter that names the command. Returns the words, with the
 * command in front; null: another command. */
char **dph_words_of_d(struct dph_words *w, int *argc, char **argv);

/* Return the command that takes no clause, when its author wrote one behind -n; null: no such
 * words. */
const char *dph_words_no_clause(char **argv, int argc);

#endif

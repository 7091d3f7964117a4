/* SPDX-License-Identifier: BSD-2-Clause */
/* The words of D's command, in our spelling. */
#ifndef DPH_CLI_WORDS_D_H
#define DPH_CLI_WORDS_D_H

#include "cli_options.h"
#include "cli_words.h"

/* `dprobes -n TEXT` is `dprobes trace --clause TEXT`, `dprobes -qs FILE` is `dprobes trace --bare
 * FILE`. Options may stand before the letter that names the command. Returns the words, with the
 * command in front; null: another command. */
char **dph_words_of_d(struct dph_words *w, int *argc, char **argv);

/* The spelling of the option in the words that the user wrote: "-n", or "--clause". */
const char *dph_words_spelling(struct dph_words *w, const struct dph_option *option);

#endif

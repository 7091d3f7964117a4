/* SPDX-License-Identifier: BSD-2-Clause */
/* Macro arguments: words behind a program on the command line. */
#ifndef DPH_D_MACRO_H
#define DPH_D_MACRO_H

#include "lex.h"

/* Read `$1`, `$$1` or `$pid` at the lexer as the token that it stands for. */
void dph_d_read_macro(struct d_front *d, struct d_lexer *lexer, struct d_token *token);
/* Put the arguments into a probe description. Complains; the text is then empty. */
void dph_d_expand_description(struct d_front *d, struct d_token *token);
/* Complain about an argument that the program does not use. */
void dph_d_unused_arguments(struct d_front *d);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the data of a command goes: --output, else standard output. */
#ifndef DPH_CLI_OUTPUT_H
#define DPH_CLI_OUTPUT_H

#include "cli.h"

/* null: could not be opened (said). */
FILE *dph_output_open(const struct dp_cli *cli);
/* false: not everything could be written (said). */
bool dph_output_close(const struct dp_cli *cli, FILE *out);

/* A string as JSON, with its quotes. */
void dph_json_string(FILE *out, const char *text, size_t bytes);

#endif

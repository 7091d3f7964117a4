/* SPDX-License-Identifier: BSD-2-Clause */
/* A command writes an export in place of its usual output. */
#ifndef DPH_EXPORTING_H
#define DPH_EXPORTING_H

#include "cli.h"

#include "export/exports.h"
#include "tables/own_programs.h"

struct dph_exporting {
	struct dph_cli cli;           /* of the command, with the export as format and output */
	struct dph_cli_value *values; /* of cli */
	const char *folder;           /* that the export writes into; null: a file */
};

/* Look for the option of an export. Without one, exporting->cli is the command line as it is.
 * Returns false with *status set, and says why, when the export cannot be written.
 * dph_exporting_free frees the rest, also after a failure. */
bool dph_exporting_init(struct dph_exporting *exporting, const struct dph_cli *cli, int *status);
void dph_exporting_free(struct dph_exporting *exporting);

/* Of a command that runs a D program of its own and exports the records to the file of --output:
 * are the file and an ELF file given? Returns false with *status set, and says what is missing. */
bool dph_exported_can_run(const struct dph_cli *cli, int *status);
/* Does the name of the output end so? */
bool dph_exported_ends_in(const struct dph_cli *cli, const char *end);
/* Run the program and export its records.
 * own: its name. for_s: when it ends, if the command line does not say.
 * Returns the exit status. */
int dph_run_exported(const struct dph_cli *cli, enum dph_export_id id, enum dph_own_program own,
		     const char *program, double for_s);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* The text format of what `dprobes doctor` has found. */
#include "text.h"

#include "base/plain.h"

void dph_show_finding(FILE *out, const struct dph_finding_view *view)
{
	fprintf(out, "%-9s  %s: ", view->state, view->check);
	dph_plain_print(view->text, out); /* a name of the ELF file may be in it */
	fputc('\n', out);
	if (view->section != NULL)
		fprintf(out, "           agent/README.md, section \"%s\": %s\n", view->section,
			view->words);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The reading FINDING: what a check of 'dprobes doctor' has found. */
#ifndef DPH_FOUND_H
#define DPH_FOUND_H

struct dph_finding_view {
	const char *check; /* what is checked */
	const char *state; /* "ok", "wrong" or "not known" */
	const char *text;  /* a sentence */
	const char
		*section;  /* of agent/README.md, which describes the fix; null: nothing is wrong */
	const char *words; /* of the section, where the reader begins */
};

#endif

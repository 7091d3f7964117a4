/* SPDX-License-Identifier: BSD-2-Clause */
/* The reading PROFILE: where samples of the firmware have found its pc. */
#ifndef DPH_PROFILED_H
#define DPH_PROFILED_H

#include <stddef.h>
#include <stdint.h>

/* The samples of a function or of a source line. */
struct dph_share_view {
	const char *task;     /* null: of all tasks */
	const char *function; /* an inlined one is a function of its own; null: not known */
	const char *file;     /* of the line; null: not known */
	unsigned line;        /* of a function: the one with the most samples; 0: not known */
	uint64_t samples;
	double percent;    /* of all samples */
	const char *place; /* of the format text: "queue.c:44"; null: not known */
};

struct dph_profile_view {
	uint64_t rate; /* samples a second that the target was asked for */
	double seconds;
	uint64_t total;     /* samples of all functions */
	uint64_t lost;      /* samples that are in no row; keys_full included */
	uint64_t keys_full; /* samples for which the target had no free place */
	const struct dph_share_view *rows;
	size_t row_count;
	double came; /* of the format text: samples a second where they are few; 0: they are not */
	size_t more; /* of the format text: rows that the screen has no line for */
	unsigned columns; /* of the format text: of the terminal; 0: lines of any length */
};

#endif

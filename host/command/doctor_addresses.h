/* SPDX-License-Identifier: BSD-2-Clause */
/* The addresses that an integration must let programs read: the ends of each row of the board's
 * memory, and the ends of the firmware's code and data, by its symbols. */
#ifndef DPH_DOCTOR_ADDRESSES_H
#define DPH_DOCTOR_ADDRESSES_H

#include <dprobes/host.h>

enum {
	DPH_DOCTOR_ROWS = 32,                           /* of the board that are looked at */
	DPH_DOCTOR_ADDRESSES = 4 + 2 * DPH_DOCTOR_ROWS, /* of symbols and rows */
	DPH_NO_ROW = -1
};

struct dph_rows {
	struct dp_ranges_answer row[DPH_DOCTOR_ROWS];
	unsigned count; /* 0: the agent does not say */
	bool cut;       /* the board has more */
};

/* Ask the agent for its rows. Returns false when a request failed. */
bool dph_rows_read(struct dph_rows *rows, struct dp_session *session);

/* The row that decides for an address; DPH_NO_ROW: none that was read. */
int dph_row_of(const struct dph_rows *rows, uint64_t address);

/* Find a word that no row has, behind one of the rows. Returns false: none is known. */
bool dph_rows_hole(const struct dph_rows *rows, uint64_t *address);

/* Find the words to be read. image: may be null. Returns the number of addresses, which differ. */
size_t dph_doctor_addresses(const struct dp_image *image, const struct dph_rows *rows,
			    uint64_t addresses[DPH_DOCTOR_ADDRESSES]);

#endif

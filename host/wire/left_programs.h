/* SPDX-License-Identifier: BSD-2-Clause */
/* The list of the programs that go with their commands. A service keeps the list in a file beside
 * its socket. When the service is killed, the next process that opens the line reads the file and
 * removes the programs. */
#ifndef DPH_LEFT_PROGRAMS_H
#define DPH_LEFT_PROGRAMS_H

#include <stdbool.h>
#include <stdint.h>

enum {
	DPH_LEFT_PROGRAMS = 255,
	DPH_LEFT_ANYWHERE = 255, /* the index of a program whose COMMIT was not answered */
	DPH_LEFT_OWNER_BYTES = 64,
};

/* A program, as the target tells programs from each other. */
struct dph_left_program {
	uint8_t index;
	uint32_t bytes, crc; /* of the object */
};

struct dph_left_programs {
	char owner[DPH_LEFT_OWNER_BYTES]; /* the process that wrote the file, as in HELLO */
	unsigned boot;                    /* of the target */
	unsigned count;
	struct dph_left_program programs[DPH_LEFT_PROGRAMS];
};

/* Write the list of a line. A list without programs removes the file.
 * url: as for dph_transport_open.
 * Returns false when the file cannot be written. */
bool dph_left_write(const char *url, const struct dph_left_programs *left);

/* Read the list of a line. Returns false when there is none. A damaged file is none. */
bool dph_left_read(const char *url, struct dph_left_programs *left);

#endif

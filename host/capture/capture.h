/* SPDX-License-Identifier: BSD-2-Clause */
/* A capture is a file of all that a record stream received, to be printed later.
 * host/present/FORMATS.md describes the file for its readers.
 *
 * A capture has lines of text. The first character of a line tells its sort:
 *   #          a fact that stays: key and value
 *   %          the begin or end of an object; base64 between the two
 *   digit      a line of the wire behind its time
 *   C          text of the console behind its time
 *   !          what the host knew, or did, behind its time: an event
 * Times are seconds since the begin of the capture. Each time is later than the time before, so
 * that a line that was copied or moved shows. A line of the wire has its own check. Facts, events
 * and objects end in a blank, a semicolon and the CRC-32 of the characters before. */
#ifndef DPH_CAPTURE_H
#define DPH_CAPTURE_H

#include "base/pool.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DPH_CAPTURE_FIRST "dprobes capture 1"

enum {
	DPH_CAPTURE_CRC_CHARS = 10, /* of the check at the end of a line: " ;1234abcd" */
	DPH_CAPTURE_TEXT_MS =
		100, /* a line of the console without end is written after this pause */
	DPH_CAPTURE_OBJECT_MAX = 1 << 24, /* bytes */
};

/* --- writing --------------------------------------------------------------------------------- */

struct dph_capture;

/* Create the file. Null: errno has the reason. */
struct dph_capture *dph_capture_create(const char *path);
/* Write the rest and close the file. Returns false when the file has not everything. */
bool dph_capture_close(struct dph_capture *capture);
/* The number of the error that ended the writing; 0: none. Later entries are not written. */
int dph_capture_error(const struct dph_capture *capture);

/* Take the time for the next entry. Returns the milliseconds of it, as the reader will. */
uint64_t dph_capture_now(struct dph_capture *capture);

__attribute__((format(printf, 3, 4))) void
dph_capture_fact(struct dph_capture *capture, const char *key, const char *format, ...);
/* Write a line of the wire, without newline. Returns the milliseconds of its time. */
uint64_t dph_capture_line(struct dph_capture *capture, const char *text, size_t count);
/* Write text of the console. A line waits for its end, for the next entry, or for
 * DPH_CAPTURE_TEXT_MS. */
void dph_capture_text(struct dph_capture *capture, const uint8_t *bytes, size_t count);
/* Some time has passed. */
void dph_capture_pause(struct dph_capture *capture);
/* Write an event. Returns the milliseconds of its time. */
__attribute__((format(printf, 2, 3))) uint64_t dph_capture_event(struct dph_capture *capture,
								 const char *format, ...);
/* The same with numbers behind, hexadecimal. */
__attribute__((format(printf, 4, 5))) void dph_capture_words(struct dph_capture *capture,
							     const uint64_t *words, size_t count,
							     const char *format, ...);
void dph_capture_object(struct dph_capture *capture, const char *name, const uint8_t *bytes,
			size_t count);

/* --- reading --------------------------------------------------------------------------------- */

enum dph_captured {
	DPH_CAPTURED_FACT,    /* text: key and value, with a blank between them */
	DPH_CAPTURED_LINE,    /* text: with the newline */
	DPH_CAPTURED_TEXT,    /* text: of the console */
	DPH_CAPTURED_EVENT,   /* text: word and arguments */
	DPH_CAPTURED_OBJECT,  /* text: its bytes; name */
	DPH_CAPTURED_DAMAGED, /* text: what is wrong */
	DPH_CAPTURED_END,     /* of the file */
};

struct dph_captured_entry {
	enum dph_captured kind;
	uint64_t ms; /* of its time, or of the time before */
	char *text;  /* ends with a NUL; the caller may write there */
	size_t count;
	const char *name;
	bool decides;         /* DAMAGED: a fact or an object, by which the rest is read */
	unsigned long number; /* of the line in the file */
};

struct dph_capture_reader;

/* Open a file; "-" is standard input.
 * other: receives the bytes of a file that is no capture, unless it is null.
 * Null: errno has the reason; 0: the file is no capture. */
struct dph_capture_reader *dph_capture_open(const char *path, struct dph_bytes *other);
void dph_capture_reader_free(struct dph_capture_reader *reader);

/* Read the next entry. Its texts are valid until the next call. */
void dph_capture_read(struct dph_capture_reader *reader, struct dph_captured_entry *entry);

/* Take a word off the front of a text. Returns the word; "" at the end. */
char *dph_capture_word(char **text);
/* Take a number off. Returns false, and 0 in *value, when no number is there. */
bool dph_capture_number(char **text, unsigned base, uint64_t *value);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* The message list collects messages; the word search suggests a correction of a misspelled
 * word. */
#ifndef DPH_DIAG_H
#define DPH_DIAG_H

#include <dprobes/host.h>

#include <stdarg.h>

enum {
	DPH_MESSAGES_MAX = 200, /* then only errors come in, for notes and warnings */
	DPH_ERRORS_MAX =
		DPH_MESSAGES_MAX - 1, /* of a program: dph_messages_full says the last one */
};

/* Return whether the list would keep a message. The caller then searches for the message's
 * place. */
bool dph_messages_keep(const struct dp_messages *messages, enum dp_severity severity);

/* Add a message; all strings are copied.
 * file, source: may be null. source is the whole line, up to a newline or NUL.
 * A full list counts the message. An error replaces the last note or warning of a full list. */
void dph_message_v(struct dp_messages *messages, const struct dp_message *where, const char *format,
		   va_list args);
__attribute__((format(printf, 3, 4))) void
dph_message(struct dp_messages *messages, const struct dp_message *where, const char *format, ...);

/* Return whether the list has as many errors as it shows. The function then adds one message
 * about the file, and the caller stops reading. */
bool dph_messages_full(struct dp_messages *messages, const char *file);

/* An error about a whole file. */
__attribute__((format(printf, 3, 4))) void
dph_file_error(struct dp_messages *messages, const char *file, const char *format, ...);

/* Remove the warnings, and keep errors and notes. */
void dph_messages_drop_warnings(struct dp_messages *messages);

/* Let the errors be warnings. */
void dph_messages_soften(struct dp_messages *messages);

/* Put all of `from` behind those of `to`; `from` is empty afterwards. */
void dph_messages_move(struct dp_messages *to, struct dp_messages *from);

/* Search for the known word nearest to one that is not known. Case does not matter. */
struct dph_closest {
	const char *word;
	size_t word_bytes;
	const char *best; /* null: nothing is near */
	unsigned distance;
	uint32_t letters; /* of the word */
	size_t cells;     /* of work that may still be done: thousands of candidates are compared */
};
struct dph_closest dph_closest(const char *word, size_t bytes);
void dph_closest_try(struct dph_closest *closest, const char *candidate);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Templates print the data of records as text.  usenix-2001 section 6; host/present/TEMPLATES.md.
 *
 * A template belongs to a pair of major and minor code. A template has a description and the format
 * of the user log bytes of records with these codes. */
#ifndef DPROBES_TEMPLATES_H
#define DPROBES_TEMPLATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
	/* Characters of one record's text. A longer text is cut and ends with a mark. */
	DP_TEMPLATE_TEXT_MAX = 65536,
};

struct dp_image;
struct dp_messages;
struct dp_object_file;
struct dp_templates;

/* Read a file of templates, or a directory of such files (`major = 1, file = "NAME"`).
 * path: file names in a directory are relative to the directory.
 * messages: gets errors; warnings also on success.
 * Returns the templates, which dp_templates_free frees; null on errors. */
struct dp_templates *dp_templates_read(const char *path, struct dp_messages *messages);
/* Read templates from a text.
 * name: the file name in messages; the files of a directory are relative to name.
 * Returns as dp_templates_read. */
struct dp_templates *dp_templates_from_text(const char *text, size_t bytes, const char *name,
					    struct dp_messages *messages);
void dp_templates_free(struct dp_templates *templates);
size_t dp_templates_count(const struct dp_templates *templates);

/* Return the description of the template with these codes; null: no such template. */
const char *dp_template_desc(const struct dp_templates *templates, uint16_t major, uint16_t minor);

struct dp_template_record {
	uint16_t major, minor;
	const uint8_t *data; /* user log bytes, without the record's items */
	size_t bytes;
	unsigned word_bytes; /* of the target: 4 or 8 */
	bool big_endian;
	bool leftover;                       /* also print data that the template does not use */
	const struct dp_image *names;        /* for %a and stack traces; null: no names */
	const struct dp_object_file *object; /* for the lines of stack traces; null: no lines */
};

/* Print a record by its template. The decimal sign of %f follows the locale.
 * templates: may be null. Without templates, a template with these codes, or fmt, the text is a
 * dump of the data.
 * Returns the text, which the caller frees. The text ends with a newline. Characters from the data
 * are 0x20..0x7e only. */
char *dp_template_text(const struct dp_templates *templates,
		       const struct dp_template_record *record);

/* Print a stack trace, which needs no template. Data that is not a stack trace is dumped.
 * Returns the text, which the caller frees. */
char *dp_template_trace(const struct dp_template_record *record);

#ifdef __cplusplus
}
#endif

#endif

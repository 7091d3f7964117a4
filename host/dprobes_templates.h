/* SPDX-License-Identifier: BSD-2-Clause */
/* Templates: the data of records as text.  usenix-2001 section 6; host/TEMPLATES.md.
 *
 * A template belongs to a pair of major and minor code, has a description, and says how the user
 * log bytes of a record with these codes are printed. */
#ifndef DPROBES_TEMPLATES_H
#define DPROBES_TEMPLATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	/* Characters of one record's text. What would be longer is cut, and says so. */
	DP_TEMPLATE_TEXT_MAX = 65536,
};

struct dp_messages;
struct dp_templates;

/* Read a file of templates, or a directory of such files (`major = 1, file = "NAME"`, names
 * relative to the directory). Null when there were errors; messages may have warnings in either
 * case. */
struct dp_templates *dp_templates_read(const char *path, struct dp_messages *messages);
/* The same from a text; name is what messages call it, and files are looked for beside it. */
struct dp_templates *dp_templates_from_text(const char *text, size_t bytes, const char *name,
					    struct dp_messages *messages);
void dp_templates_free(struct dp_templates *templates);
size_t dp_templates_count(const struct dp_templates *templates);

/* Description of the template of these codes; null: there is none. */
const char *dp_template_desc(const struct dp_templates *templates, uint16_t major, uint16_t minor);

struct dp_template_record {
	uint16_t major, minor;
	const uint8_t *data; /* user log bytes, without the record's items */
	size_t bytes;
	unsigned word_bytes; /* of the target: 4 or 8 */
	bool big_endian;
	bool leftover; /* also show data that the template does not use */
};

/* The text of a record: ends with a newline and has nothing but the template's own text and
 * characters 0x20..0x7e, whatever is in the data. Null templates, no template of these codes, and
 * one without fmt: a dump of the data. The decimal sign of %f is that of the locale. free() it. */
char *dp_template_text(const struct dp_templates *templates,
		       const struct dp_template_record *record);

/* The same for a stack trace, which needs no template and has codes of its own. What is none is
 * dumped. */
char *dp_template_trace(const struct dp_template_record *record);

#endif

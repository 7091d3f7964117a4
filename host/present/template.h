/* SPDX-License-Identifier: BSD-2-Clause */
/* Reader, compiler and formatter of templates share these types and functions.  TEMPLATES.md */
#ifndef DPH_TEMPLATE_H
#define DPH_TEMPLATE_H

#include <dprobes/templates.h>

#include "base/diag.h"
#include "base/pool.h"

enum {
	DPH_TEMPLATE_DEPTH = 8, /* groups in groups */
};

/* A piece of a format. The items of a group stand behind it. */
struct dph_item {
	char control;     /* a c d f i s u x z; p: a prefix alone; (: a group; 0: literal text */
	bool prefixed;    /* %p in front */
	bool repeated;    /* %r in front; groups always */
	uint32_t size;    /* bytes a control uses, or of the text */
	size_t least;     /* bytes that one round needs at least */
	size_t after;     /* of a group: index behind its last item */
	const char *text; /* of a literal */
};

struct dph_template {
	uint16_t major, minor;
	const char *desc;
	bool formatted; /* it has a fmt */
	const struct dph_item *items;
	size_t count;
};

struct dp_templates {
	struct dph_pool pool;
	struct dph_template *list; /* by rising codes */
	size_t count, capacity;
};

/* A file in memory, for messages. */
struct dph_template_file {
	const char *name;
	const char *text;
	size_t bytes;
	size_t *lines; /* where each begins */
	size_t line_count, line_capacity;
	struct dp_messages *messages;
	size_t errors_before; /* that messages had when reading began */
};

/* Are there so many errors that reading stops? */
bool dph_template_enough(const struct dph_template_file *file);

/* Add a message about `bytes` characters from an offset of the file on. */
__attribute__((format(printf, 5, 6))) void dph_template_say(const struct dph_template_file *file,
							    enum dp_severity severity, size_t at,
							    size_t bytes, const char *format, ...);
#define dph_template_error(file, at, bytes, ...)                                                   \
	dph_template_say(file, DP_ERROR, at, bytes, __VA_ARGS__)

/* The fmt strings of a template, escapes replaced, and the place of each character in the file. */
struct dph_format {
	struct dph_bytes chars;
	size_t *at;
	size_t at_capacity;
};

/* The template of these codes, or null. templates may be null. */
const struct dph_template *dph_template_of(const struct dp_templates *templates, uint16_t major,
					   uint16_t minor);

/* Make items of a format. Errors and warnings go to the file's messages. */
void dph_template_compile(const struct dph_template_file *file, const struct dph_format *format,
			  struct dph_pool *pool, struct dph_template *template);

#endif

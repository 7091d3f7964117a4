/* SPDX-License-Identifier: BSD-2-Clause */
/* This file splits a description: provider:module:function:name. */
#define _GNU_SOURCE
#include "fields.h"

#include "base/source_path.h"
#include "debuginfo/debuginfo.h"
#include "dp_object.h"
#include "lang/d/read/provider.h"
#include "symbols/elf_image.h"

#include <fnmatch.h>
#include <string.h>

bool dph_d_matches(const char *pattern, const char *text)
{
	return !*pattern || fnmatch(pattern, text, 0) == 0;
}

bool dph_d_is_glob(const char *text)
{
	return !*text || strpbrk(text, "*?[\\");
}

bool dph_d_provider_is(const struct d_fields *f, const char *name)
{
	return dph_d_matches(f->part[DPH_PROBE_PROVIDER], name);
}

/* Is the provider written, and this one? */
bool dph_d_provider_named(const struct d_fields *f, const char *name)
{
	return strcmp(f->part[DPH_PROBE_PROVIDER], name) == 0;
}

struct d_point *dph_d_add_point(struct d_fields *f, enum d_point_kind kind, const char *provider,
				const char *function, const char *name)
{
	struct d_point *point = dph_pool_take(f->d->pool, sizeof(*point));
	*point = (struct d_point){
		.kind = kind,
		.part = {provider, dph_d_module_name(f->d), function ? function : "", name},
		.place = f->place,
		.phase = DP_PHASE_BEFORE,
	};
	*f->end = point;
	f->end = &point->next;
	f->count++;
	return point;
}

/* A search of functions of C++ by the name that is printed. */
struct printed {
	struct d_fields *fields;
	dph_code_visit *visit;
};

static void take_printed(void *context, uint64_t address, const char *name)
{
	const struct printed *printed = context;
	(void)name;
	const struct dp_symbol *symbol = dp_image_function(printed->fields->d->image, address);
	if (symbol && printed->visit)
		printed->visit(printed->fields, symbol);
}

/* Visit the functions of the description. Returns their number. */
size_t dph_d_each_function(struct d_fields *f, dph_code_visit *visit)
{
	const char *name = f->part[DPH_PROBE_FUNCTION];
	struct printed printed = {f, visit};
	size_t count = 0;
	if (!f->d->debug || !strstr(name, "::"))
		count = dph_code_named(f->d->image, name, visit, f);
	if (!count && f->d->debug && (strstr(name, "::") || !dph_d_is_glob(name)))
		count = dph_functions_printed(f->d->debug, name, take_printed, &printed);
	return count;
}

/* The bytes of the field here; a path may begin with a drive's name. */
static size_t field_bytes(const char *at)
{
	const size_t drive = dph_drive_bytes(at);
	return drive + strcspn(at + drive, ":");
}

/* Does the text have the name of a C++ function: fbt:demo:net::Queue::put:entry, or
 * net::Queue::put:entry, where the firmware has functions in `net`? */
static bool has_printed(const struct d_fields *f, size_t colons)
{
	if (!strstr(f->text, "::") || colons < DPH_PROBE_NAME)
		return false;
	if (colons > DPH_PROBE_NAME)
		return true;
	const char *space = dph_pool_copy(f->d->pool, f->text, strcspn(f->text, ":"));
	return *space && f->d->debug &&
	       dph_functions_printed(f->d->debug, dph_pool_print(f->d->pool, "%s::*", space), NULL,
				     NULL);
}

/* Take the fields around such a name. Returns false where no field is left for it. */
static bool split_printed(struct d_fields *f)
{
	const char *last = strrchr(f->text, ':'), *at = f->text;
	const char *provider = dph_pool_copy(f->d->pool, at, strcspn(at, ":"));
	const char *fields[DPH_PROBE_WHOLE] = {"", "", "", last + 1};
	if (!*provider || dph_d_has_provider(provider)) {
		fields[DPH_PROBE_PROVIDER] = provider;
		at += strlen(provider) + 1;
		fields[DPH_PROBE_MODULE] = dph_pool_copy(f->d->pool, at, field_bytes(at));
		at += field_bytes(at) + 1;
	}
	if (at >= last)
		return false;
	fields[DPH_PROBE_FUNCTION] = dph_pool_copy(f->d->pool, at, (size_t)(last - at));
	memcpy(f->part, fields, sizeof(fields));
	return strstr(f->part[DPH_PROBE_FUNCTION], "::") != NULL;
}

static bool has_name(struct d_fields *f)
{
	const char *last = strrchr(f->text, ':');
	if (last == f->text || last[-1] != ':')
		return true;
	dph_d_error(f->d, D_PDESC_INVAL, f->place,
		    "'%s' is a function without the name of a point; write '%s:entry' or "
		    "'%s:return'",
		    f->text, f->text, f->text);
	return false;
}

bool dph_d_split(struct d_fields *f)
{
	const char *at = f->text;
	size_t colons = 0;
	for (const char *c = at + field_bytes(at); *c; c += 1 + field_bytes(c + 1))
		colons++;
	if (has_printed(f, colons) && split_printed(f))
		return has_name(f);
	if (colons >= DPH_PROBE_WHOLE) {
		dph_d_error(f->d, D_PDESC_INVAL, f->place,
			    "'%s' has %zu fields; a description is provider:module:function:name",
			    f->text, colons + 1);
		return false;
	}
	for (unsigned i = 0; i < DPH_PROBE_WHOLE; i++)
		f->part[i] = "";
	for (size_t i = DPH_PROBE_NAME - colons; i <= DPH_PROBE_NAME; i++) {
		const size_t bytes = field_bytes(at);
		f->part[i] = dph_pool_copy(f->d->pool, at, bytes);
		at += bytes + (at[bytes] == ':');
	}
	return true;
}

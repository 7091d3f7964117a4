/* SPDX-License-Identifier: BSD-2-Clause */
/* This file says why a description matches nothing, and what would do. */
#define _GNU_SOURCE
#include "fields.h"
#include "hooked.h"
#include "meant.h"

#include "debuginfo/debuginfo.h"
#include "lang/d/read/provider.h"
#include "symbols/elf_image.h"
#include "tables/kinds.h"

#include <string.h>

/* A provider that is not there has a sentence of its own. */
bool dph_d_provider_there(struct d_fields *f)
{
	const char *name = f->part[DPH_PROBE_PROVIDER];
	struct dph_closest closest = dph_closest(name, strlen(name));
	if (dph_d_is_glob(name))
		return true;
	for (size_t i = 0; i < dph_d_provider_count; i++) {
		if (!dph_d_providers[i].missing)
			dph_closest_try(&closest, dph_d_providers[i].name);
		if (strcmp(dph_d_providers[i].name, name) != 0)
			continue;
		if (dph_d_providers[i].missing)
			dph_d_error(f->d, D_PDESC_ZERO, f->place, "provider '%s': %s", name,
				    dph_d_providers[i].missing);
		return !dph_d_providers[i].missing;
	}
	const char *meant = dph_d_of_tracer(f->d, f->text);
	if (meant)
		dph_d_error(f->d, D_PDESC_ZERO, f->place, "there is no provider '%s' here: %s",
			    name, meant);
	else if (closest.best)
		dph_d_error(f->d, D_PDESC_ZERO, f->place,
			    "there is no provider '%s'; did you mean '%s'?", name, closest.best);
	else
		dph_d_error(f->d, D_PDESC_ZERO, f->place,
			    "there is no provider '%s' here; 'dprobes probes' lists what there is",
			    name);
	return false;
}

static void no_function(struct d_fields *f)
{
	const char *name = f->part[DPH_PROBE_FUNCTION], *best = dph_d_likely(f->d, name);
	const char *absent = f->d->debug ? dph_absent_function(f->d->debug, name) : NULL;
	const struct dp_symbol *symbols;
	struct dp_image_info info;
	dp_image_info(f->d->image, &info);
	if (dp_image_symbols(f->d->image, &symbols) == 0)
		dph_d_error(f->d, D_PDESC_ZERO, f->place,
			    "'%s' matches nothing: %s is stripped and has no symbols; use the file "
			    "before strip",
			    f->text, info.path);
	else if (absent)
		dph_d_error(f->d, D_PDESC_ZERO, f->place, "'%s' matches nothing: %s", f->text,
			    absent);
	else if (best)
		dph_d_error(f->d, D_PDESC_ZERO, f->place,
			    "'%s' matches nothing: no function '%s'; did you mean '%s'?", f->text,
			    name, best);
	else
		dph_d_error(f->d, D_PDESC_ZERO, f->place,
			    "'%s' matches nothing: the firmware has no function '%s'", f->text,
			    name);
}

static void no_return(struct d_fields *f)
{
	const char *why = f->d->cpu ? dph_absent(f->d->cpu, DPH_ROW_RETURN) : NULL;
	if (why)
		dph_d_error(f->d, D_PDESC_ZERO, f->place,
			    "'%s' matches nothing: the returns of functions are not known: %s",
			    f->text, why);
	else
		dph_d_error(f->d, D_PDESC_ZERO, f->place,
			    "'%s' matches nothing: the function has no return instruction",
			    f->text);
}

/* `queue_*` alone is the name of a point; its author may mean functions. */
static bool means_functions(struct d_fields *f)
{
	const char *name = f->part[DPH_PROBE_NAME], *function = f->part[DPH_PROBE_FUNCTION];
	bool any;
	if (strchr(f->text, ':') || !dph_d_is_glob(name))
		return false;
	f->part[DPH_PROBE_FUNCTION] = f->part[DPH_PROBE_NAME];
	any = dph_d_each_function(f, NULL);
	f->part[DPH_PROBE_FUNCTION] = (char *)function;
	return any;
}

/* Has another firmware points of this name? */
static bool is_name(const struct d_fields *f)
{
	const char *name = f->part[DPH_PROBE_NAME];
	return dph_d_provider_named(f, "insn") || dph_d_is_glob(name) ||
	       strcmp(name, "entry") == 0 || strcmp(name, "return") == 0;
}

/* Say which hooks there are. provider: of the hooks; "": all. */
void dph_d_no_hook(struct d_fields *f, const char *provider)
{
	const char *name = f->part[DPH_PROBE_NAME], *names = dph_d_hook_names(f->d, provider);
	const char *near = dph_d_near_hook(f->d, provider, name);
	f->d->absent = true;
	if (f->d->zdefs)
		dph_warning(f->d, f->place, "'%s' matches nothing", f->text);
	else if (!*names)
		dph_d_error(f->d, D_PDESC_ZERO, f->place,
			    "'%s' matches nothing: the firmware has no static hook", f->text);
	else if (near && strcmp(near, name) != 0)
		dph_d_error(f->d, D_PDESC_ZERO, f->place,
			    "'%s' matches nothing: there is no such hook; did you mean '%s'?",
			    f->text, near);
	else
		dph_d_error(f->d, D_PDESC_ZERO, f->place, "'%s' matches nothing; the hooks are %s",
			    f->text, names);
}

/* Report the remedy. */
void dph_d_no_point(struct d_fields *f)
{
	const char *name = f->part[DPH_PROBE_NAME];
	if (f->d->image && dph_d_provider_named(f, "sdt")) {
		dph_d_no_hook(f, "");
		return;
	}
	const char *meant = dph_d_meant(f->d, f->text);
	f->d->absent = !f->d->image || (!meant && is_name(f));
	if (f->d->zdefs) {
		dph_warning(f->d, f->place, "'%s' matches nothing", f->text);
		return;
	}
	if (meant)
		dph_d_error(f->d, D_PDESC_ZERO, f->place, "'%s' matches nothing: %s", f->text,
			    meant);
	else if (!f->d->image)
		dph_d_error(f->d, D_PDESC_ZERO, f->place,
			    "'%s' matches nothing: no firmware is given; use --elf FILE", f->text);
	else if (means_functions(f))
		dph_d_error(
			f->d, D_PDESC_ZERO, f->place,
			"'%s' matches nothing: the name of the point is missing; write '%s:entry' "
			"or '%s:return'",
			f->text, f->text, f->text);
	else if (!dph_d_is_glob(f->part[DPH_PROBE_FUNCTION]) && !dph_d_each_function(f, NULL))
		no_function(f);
	else if (strcmp(name, "return") == 0)
		no_return(f);
	else
		dph_d_error(f->d, D_PDESC_ZERO, f->place,
			    "'%s' matches nothing; a name is entry or return, a line FILE:NUMBER, "
			    "or an offset "
			    "with insn::FUNCTION:OFFSET",
			    f->text);
}

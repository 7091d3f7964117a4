/* SPDX-License-Identifier: BSD-2-Clause */
/* This file finds the probe points of descriptions: provider:module:function:name. */
#define _GNU_SOURCE
#include "point.h"

#include "dp_object.h"
#include "fields.h"
#include "hooked.h"
#include "provided.h"
#include "timer.h"
#include "lang/d/read/provider.h"

#include <string.h>

/* A wildcard alone means no event: the provider or the name is written. */
static void find_event(struct d_fields *f, const char *event, enum d_point_kind kind,
		       unsigned number)
{
	const char *name = f->part[DPH_PROBE_NAME];
	if (!dph_d_provider_is(f, "dtrace") || !dph_d_matches(name, event) ||
	    (!dph_d_provider_named(f, "dtrace") && strcmp(name, event) != 0))
		return;
	struct d_point *point = dph_d_add_point(f, kind, "dtrace", NULL, event);
	point->part[DPH_PROBE_MODULE] = "";
	point->address = number;
}

static void find_events(struct d_fields *f)
{
	find_event(f, "BEGIN", D_POINT_EVENT, DP_EVENT_BEGIN);
	find_event(f, "END", D_POINT_EVENT, DP_EVENT_END);
	find_event(f, "ERROR", D_POINT_ERROR, 0);
}

/* Is the description one of the provider `profile`? */
static bool means_timer(const struct d_fields *f)
{
	return dph_d_provider_named(f, "profile") ||
	       (!*f->part[DPH_PROBE_PROVIDER] && !*f->part[DPH_PROBE_MODULE] &&
		!*f->part[DPH_PROBE_FUNCTION] && dph_d_is_timer(f->part[DPH_PROBE_NAME]));
}

static void find_timer(struct d_fields *f)
{
	const char *name = f->part[DPH_PROBE_NAME];
	const struct d_timer *timer = NULL;
	if (*f->part[DPH_PROBE_MODULE] || *f->part[DPH_PROBE_FUNCTION])
		dph_d_error(f->d, D_PDESC_ZERO, f->place,
			    "'%s' matches nothing: a timer has no module and no function; write "
			    "profile:::%s",
			    f->text, dph_d_is_timer(name) ? name : "tick-1s");
	else if (!dph_d_is_timer(name))
		dph_d_error(f->d, D_PDESC_ZERO, f->place,
			    "'%s' matches nothing: a timer has a name such as profile-97 (times a "
			    "second) or tick-100ms (the period)",
			    f->text);
	else
		timer = dph_d_timer(f->d, name, f->text, f->place);
	if (!timer)
		return;
	struct d_point *point = dph_d_add_point(f, D_POINT_TIMER, "profile", NULL, name);
	point->part[DPH_PROBE_MODULE] = "";
	point->timer = timer;
}

/* A watchpoint, which is no place in the code. */
static void find_watched(struct d_fields *f)
{
	const struct d_watched *watched = dph_d_watched(f->d, f->text, f->place);
	if (watched)
		dph_d_add_point(f, D_POINT_WATCH, "watch", watched->text, watched->name)->watched =
			watched;
}

/* Add the places of hooks: with the provider sdt those of any provider, else those of its own. */
static void find_hooks(struct d_fields *f)
{
	const char *part[DPH_PROBE_WHOLE];
	if (!*f->part[DPH_PROBE_PROVIDER])
		return;
	memcpy(part, f->part, sizeof(part));
	if (dph_d_provider_named(f, "sdt"))
		part[DPH_PROBE_PROVIDER] = "";
	for (*f->end = dph_d_hooked(f->d, f->place, part, NULL); *f->end; f->end = &(*f->end)->next)
		f->count++;
}

/* `main.c:44` and `fbt::main:entry` name a place; `fbt:::entry` does not. */
static bool has_glob(const struct d_fields *f)
{
	const char *function = f->part[DPH_PROBE_FUNCTION], *name = f->part[DPH_PROBE_NAME];
	return (dph_d_is_glob(function) && !dph_d_provider_named(f, "line") &&
		!dph_d_provider_named(f, "addr")) ||
	       (*function && dph_d_is_glob(function)) || (*name && dph_d_is_glob(name));
}

/* Do several functions have the name? One of them may be the agent's. */
static bool has_namesakes(struct d_fields *f)
{
	const char *function = f->part[DPH_PROBE_FUNCTION];
	return f->d->image && dph_d_provider_is(f, "fbt") && *function &&
	       dph_d_each_function(f, NULL) > 1;
}

/* Add the declared probes of a wildcard. */
static void find_provided(struct d_fields *f, const struct d_description *description)
{
	*f->end = dph_d_provided_points(f->d, description, f->part, false);
	dph_d_say_files(f->d, f->list != NULL);
}

/* Find the points of a provider that D does not have: declared probes, and hooks without a
 * declaration. Returns false: the provider is neither. */
static bool find_own(struct d_fields *f, const struct d_description *description)
{
	const char *provider = f->part[DPH_PROBE_PROVIDER];
	const bool declared = dph_d_is_provided(f->d, provider);
	const bool hooked = dph_d_has_hooks(f->d, provider);
	struct d_point *hooks =
		hooked ? dph_d_hooked(f->d, f->place, f->part, dph_d_is_declared_hook) : NULL;
	if (!declared)
		dph_d_say_files(f->d, hooks && dph_d_is_glob(f->part[DPH_PROBE_NAME]));
	if (!declared && !hooked)
		return false;
	if (declared)
		f->list = dph_d_provided_points(f->d, description, f->part, !hooks);
	for (f->end = &f->list; *f->end;)
		f->end = &(*f->end)->next;
	*f->end = hooks;
	if (!declared && !hooks)
		dph_d_no_hook(f, provider);
	return true;
}

struct d_point *dph_d_points_of(struct d_front *d, const struct d_description *description)
{
	const char *why = NULL;
	struct d_fields f = {.d = d, .place = description->place, .text = description->text};
	f.end = &f.list;
	if (dph_d_is_watch(f.text)) {
		find_watched(&f);
		return f.list;
	}
	if (!dph_d_split(&f))
		return NULL;
	const bool own = *f.part[DPH_PROBE_PROVIDER] && !d->providing;
	if (own && !dph_d_has_provider(f.part[DPH_PROBE_PROVIDER]) && find_own(&f, description))
		return f.list;
	if (!dph_d_provider_there(&f))
		return NULL;
	if (means_timer(&f)) {
		find_timer(&f);
		return f.list;
	}
	if (!dph_d_find_line(&f, &why)) {
		dph_d_find_functions(&f);
		find_events(&f);
		find_hooks(&f);
		if (own && dph_d_is_glob(f.part[DPH_PROBE_PROVIDER]))
			find_provided(&f, description);
	} else if (!f.list) {
		d->absent = true;
		dph_d_error(d, D_PDESC_ZERO, f.place, "'%s': %s", f.text,
			    why ? why : "no function of this name has the line");
		return NULL;
	}
	if (!f.list)
		dph_d_no_point(&f);
	const bool optional = f.list && (has_glob(&f) || has_namesakes(&f));
	for (struct d_point *point = f.list; point; point = point->next)
		point->optional = optional && !dph_d_is_anywhere(point);
	return f.list;
}

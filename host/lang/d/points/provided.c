/* SPDX-License-Identifier: BSD-2-Clause */
/* This file finds the points of declared probes at the places of their declarations. */
#define _GNU_SOURCE
#include "provided.h"

#include "base/diag.h"
#include "hooked.h"
#include "lang/d/read/provided.h"
#include "spelled.h"
#include "symbols/hooks.h"

#include <string.h>

/* A description of declared probes. */
struct wanted {
	struct d_front *d;
	const struct d_description *description;
	const char *const *part;
	struct d_point *list, **end;
	const struct d_provided *absent; /* the first one without a place in this firmware */
	const struct d_provided *here;   /* the first one with a place */
};

static bool is_declared(const struct d_front *d, const char *provider, size_t bytes)
{
	for (const struct d_provided *at = d->provided; at; at = at->next)
		if (strlen(at->provider) == bytes && strncmp(at->provider, provider, bytes) == 0)
			return true;
	return false;
}

void dph_d_say_files(struct d_front *d, bool soft)
{
	if (soft)
		dph_messages_soften(&d->of_files);
	dph_messages_move(d->report.messages, &d->of_files);
}

/* Refuse places that are declared probes themselves. */
static void refuse_declared(struct d_front *d)
{
	for (const struct d_provided *at = d->provided; at; at = at->next)
		for (const struct d_description *one = at->places; one; one = one->next)
			if (one->text[strcspn(one->text, ":")] &&
			    is_declared(d, one->text, strcspn(one->text, ":")))
				dph_d_error(d, D_PDESC_INVAL, one->place,
					    "'%s' is a probe of a provider file; a declared probe "
					    "stands at a place of the firmware, such as "
					    "fbt::FUNCTION:entry",
					    one->text);
}

static void read_files(struct d_front *d)
{
	if (d->provided_read)
		return;
	d->provided_read = true;
	struct dp_messages *const before = d->report.messages;
	d->report.messages = &d->of_files;
	if (d->read_provided)
		d->read_provided(d);
	refuse_declared(d);
	d->report.messages = before;
}

bool dph_d_is_provided(struct d_front *d, const char *provider)
{
	if (dph_d_is_glob(provider))
		return false;
	read_files(d);
	return is_declared(d, provider, strlen(provider));
}

/* --- the places of one declaration ----------------------------------------------------------- */

/* Say what is wrong with a place that no firmware has. */
static void refuse_place(struct d_front *d, const struct d_description *one,
			 struct dp_messages *messages)
{
	struct dp_messages *quiet = d->report.messages;
	d->report.messages = messages;
	dph_d_points_of(d, one);
	d->report.messages = quiet;
}

/* The places of the hook that a declaration without places is of. */
static struct d_point *hook_places(struct d_front *d, const struct d_provided *probe,
				   struct dph_place place)
{
	const char *const part[DPH_PROBE_WHOLE] = {probe->provider, "", "", probe->name};
	return dph_d_hooked(d, place, part, NULL);
}

/* The points of the declaration, at the description of the program. Messages go to the list.
 * refused: where errors of places that no firmware has go; null: they have been said. */
static struct d_point *places_of(struct d_front *d, const struct d_provided *probe,
				 struct dph_place place, struct dp_messages *messages,
				 struct dp_messages *refused)
{
	struct dp_messages *before = d->report.messages;
	const struct d_provided *around = d->providing;
	const bool zdefs = d->zdefs;
	struct d_point *list = NULL, **end = &list;
	d->report.messages = messages;
	d->providing = probe;
	d->zdefs = false;
	if (!probe->places)
		list = hook_places(d, probe, place);
	for (const struct d_description *at = probe->places; at; at = at->next) {
		const struct d_description one = {.place = place, .text = at->text};
		d->absent = false;
		*end = dph_d_points_of(d, &one);
		if (!*end && !d->absent && refused)
			refuse_place(d, at, refused);
		while (*end)
			end = &(*end)->next;
	}
	d->report.messages = before;
	d->providing = around;
	d->zdefs = zdefs;
	return list;
}

/* Has the firmware a place of the probe? */
static bool is_here(struct d_front *d, struct d_provided *probe)
{
	struct dp_messages messages = {0};
	if (probe->looked)
		return !probe->why;
	probe->looked = true;
	if (!places_of(d, probe, probe->place, &messages, &d->of_files)) {
		probe->why = probe->places ? "it has no place in this firmware"
					   : "the firmware has no static hook of this name";
		for (size_t i = messages.count; i-- > 0;)
			if (messages.list[i].severity == DP_ERROR)
				probe->why = dph_pool_copy(d->pool, messages.list[i].text,
							   strlen(messages.list[i].text));
	}
	dp_messages_free(&messages);
	return !probe->why;
}

/* The declaration of this probe that counts in this firmware; null: none does. */
static struct d_provided *winner(struct d_front *d, const struct d_provided *probe)
{
	struct d_provided *at = dph_d_provided_named(d->provided, probe->provider, probe->name);
	while (at && !is_here(d, at))
		at = dph_d_provided_named(at->next, probe->provider, probe->name);
	return at;
}

bool dph_d_is_declared_hook(struct d_front *d, const struct dph_hook *hook)
{
	read_files(d);
	const struct d_provided *declared =
		dph_d_provided_named(d->provided, hook->provider, hook->name);
	return declared && winner(d, declared);
}

const struct d_provided *dph_d_provided_hidden(struct d_front *d, const struct d_provided *from,
					       const struct d_provided **before)
{
	for (; from; from = from->next) {
		*before = winner(d, from);
		if (*before && *before != from &&
		    dph_d_provided_named((*before)->next, from->provider, from->name))
			break;
	}
	return from;
}

/* --- points under the names of the file ------------------------------------------------------ */

/* The name that the place has without the file. */
static const char *place_name(struct d_front *d, const struct d_point *point)
{
	return dph_pool_print(d->pool, "%s:%s:%s:%s", point->part[DPH_PROBE_PROVIDER],
			      dph_d_spelled_path(d->pool, point->part[DPH_PROBE_MODULE]),
			      dph_d_spelled_function(d->pool, point->part[DPH_PROBE_FUNCTION]),
			      point->part[DPH_PROBE_NAME]);
}

/* Say the warnings about the places, which stand at the description of the program. */
static void pass_warnings(struct d_front *d, struct dph_place place,
			  const struct dp_messages *messages)
{
	for (size_t i = 0; i < messages->count; i++)
		if (messages->list[i].severity == DP_WARNING)
			dph_warning(d, place, "%s", messages->list[i].text);
}

/* A declared probe stands at places in the code. */
static bool stands_in_code(struct wanted *w, const struct d_provided *probe,
			   const struct d_point *point)
{
	if (!dph_d_is_anywhere(point))
		return true;
	struct dp_messages *const before = w->d->report.messages;
	w->d->report.messages = &w->d->of_files;
	dph_d_error(w->d, D_PDESC_INVAL, probe->places->place,
		    "probe '%s' of provider '%s' stands at %s, which is no place in the code",
		    probe->name, probe->provider, place_name(w->d, point));
	w->d->report.messages = before;
	return false;
}

static void take_points(struct wanted *w, const struct d_provided *probe)
{
	struct d_front *d = w->d;
	struct dp_messages messages = {0};
	const struct dph_place place = w->description->place;
	const bool glob = dph_d_is_glob(w->part[DPH_PROBE_NAME]);
	struct d_point *next, *point = places_of(d, probe, place, &messages, NULL);
	pass_warnings(d, place, &messages);
	dp_messages_free(&messages);
	for (; point && stands_in_code(w, probe, point); point = next) {
		next = point->next;
		if (!dph_d_matches(w->part[DPH_PROBE_MODULE], point->part[DPH_PROBE_MODULE]) ||
		    !dph_d_matches(w->part[DPH_PROBE_FUNCTION], point->part[DPH_PROBE_FUNCTION]))
			continue;
		point->provided = probe;
		point->place_name = probe->places ? place_name(d, point) : NULL;
		point->part[DPH_PROBE_PROVIDER] = probe->provider;
		point->part[DPH_PROBE_NAME] = probe->name;
		point->optional = point->optional || glob;
		point->next = NULL;
		*w->end = point;
		w->end = &point->next;
	}
}

/* --- descriptions ---------------------------------------------------------------------------- */

/* The probes of the provider: "send, receive". */
static const char *names_of(struct d_front *d, const char *provider)
{
	const char *list = "";
	for (struct d_provided *at = d->provided; at; at = at->next)
		if (strcmp(at->provider, provider) == 0 &&
		    dph_d_provided_named(d->provided, provider, at->name) == at)
			list = dph_pool_print(d->pool, "%s%s%s", list, *list ? ", " : "", at->name);
	return list;
}

/* A probe with a name like that of the description. */
static const char *near_name(const struct wanted *w)
{
	const char *name = w->part[DPH_PROBE_NAME];
	struct dph_closest closest = dph_closest(name, strlen(name));
	for (const struct d_provided *at = w->d->provided; at; at = at->next)
		if (strcmp(at->provider, w->part[DPH_PROBE_PROVIDER]) == 0)
			dph_closest_try(&closest, at->name);
	return closest.best;
}

/* Say why the description of a declared provider has no point. */
static void no_point(const struct wanted *w)
{
	struct d_front *d = w->d;
	const struct dph_place place = w->description->place;
	const char *text = w->description->text, *provider = w->part[DPH_PROBE_PROVIDER];
	const char *near = w->here || w->absent ? NULL : near_name(w);
	if (d->zdefs)
		dph_warning(d, place, "'%s' matches nothing", text);
	else if (w->here)
		dph_d_error(d, D_PDESC_ZERO, place,
			    "'%s' matches nothing: no place of the probe is in '%s'", text,
			    *w->part[DPH_PROBE_FUNCTION] ? w->part[DPH_PROBE_FUNCTION]
							 : w->part[DPH_PROBE_MODULE]);
	else if (w->absent)
		dph_d_error(d, D_PDESC_ZERO, place,
			    "'%s' matches nothing: %s:%u declares probe '%s', and %s", text,
			    w->absent->place.line->file, w->absent->place.line->number,
			    w->absent->name, w->absent->why);
	else if (near)
		dph_d_error(d, D_PDESC_ZERO, place,
			    "provider '%s' has no probe '%s'; did you mean '%s'?", provider,
			    w->part[DPH_PROBE_NAME], near);
	else
		dph_d_error(d, D_PDESC_ZERO, place, "provider '%s' has no probe '%s'; it has %s",
			    provider, w->part[DPH_PROBE_NAME], names_of(d, provider));
}

struct d_point *dph_d_provided_points(struct d_front *d, const struct d_description *description,
				      const char *const *part, bool said)
{
	struct wanted w = {.d = d, .description = description, .part = part};
	const size_t errors = d->report.messages->errors;
	w.end = &w.list;
	read_files(d);
	for (struct d_provided *at = d->provided; at; at = at->next) {
		if (!dph_d_matches(part[DPH_PROBE_PROVIDER], at->provider) ||
		    !dph_d_matches(part[DPH_PROBE_NAME], at->name))
			continue;
		if (!is_here(d, at) && !w.absent)
			w.absent = at;
		if (winner(d, at) != at)
			continue;
		w.here = w.here ? w.here : at;
		take_points(&w, at);
	}
	if (!dph_d_is_glob(part[DPH_PROBE_PROVIDER]))
		dph_d_say_files(d, (w.list || !said) && dph_d_is_glob(part[DPH_PROBE_NAME]));
	if (!w.list && said && d->report.messages->errors == errors)
		no_point(&w);
	return w.list;
}

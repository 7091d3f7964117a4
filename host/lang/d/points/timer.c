/* SPDX-License-Identifier: BSD-2-Clause */
/* Descriptions of timers: a word, a dash, a number and a unit. The words, the units and the periods
 * are those of DTrace's provider `profile`. */
#define _GNU_SOURCE
#include "timer.h"

#include "dp_object.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
	DIGITS_MAX = 19 /* of a number of 64 bits */
};

static const struct word {
	const char *text;
	bool sampled;
} words[] = {{"profile", true}, {"tick", false}};

static const struct unit {
	const char *name;
	uint64_t nanoseconds;
} units[] = {
#define TIMER_UNIT(name, nanoseconds) {name, nanoseconds},
#include "lang/d/read/timer_units.def"
};

static const struct word *word_of(const char *name)
{
	const size_t bytes = strcspn(name, "-");
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strlen(words[i].text) == bytes && strncmp(words[i].text, name, bytes) == 0)
			return &words[i];
	return NULL;
}

bool dph_d_is_timer(const char *name)
{
	return strchr(name, '-') && word_of(name);
}

/* Null: there is no such unit. */
static const struct unit *unit_of(const char *text)
{
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (strcasecmp(units[i].name, *text ? text : units->name) == 0)
			return &units[i];
	return NULL;
}

/* Compute the period. Returns the reason why there is no such timer; null: there is one. */
static const char *period_of(uint64_t number, const struct unit *unit, struct d_timer *timer)
{
	const uint64_t most = (uint64_t)DP_TIMER_SECONDS * DP_TIMER_NANOSECONDS;
	if (!number)
		return unit->nanoseconds ? "a period of 0 is none"
					 : "a timer of 0 times a second never runs";
	if (!unit->nanoseconds && number > DP_TIMER_NANOSECONDS)
		return "a period is 1 ns or longer";
	if (unit->nanoseconds && number > most / unit->nanoseconds)
		return "a period is shorter than 68 years";
	const uint64_t period =
		unit->nanoseconds ? number * unit->nanoseconds : DP_TIMER_NANOSECONDS / number;
	timer->seconds = (uint32_t)(period / DP_TIMER_NANOSECONDS);
	timer->nanoseconds = (uint32_t)(period % DP_TIMER_NANOSECONDS);
	return NULL;
}

static const char *no_number(struct d_front *d, const char *word)
{
	return dph_pool_print(d->pool, "write %s-97 (times a second) or %s-100ms (the period)",
			      word, word);
}

const struct d_timer *dph_d_timer(struct d_front *d, const char *name, const char *description,
				  struct dph_place place)
{
	const struct word *word = word_of(name);
	const char *number = name + strlen(word->text) + 1;
	const size_t digits = strspn(number, "0123456789");
	struct d_timer *timer = dph_pool_take(d->pool, sizeof(*timer));
	if (!digits) {
		dph_d_error(d, D_PDESC_ZERO, place,
			    "'%s' matches nothing: a timer has a number; %s", description,
			    no_number(d, word->text));
		return NULL;
	}
	const struct unit *unit = unit_of(number + digits);
	if (!unit) {
		dph_d_error(
			d, D_PDESC_ZERO, place,
			"'%s' matches nothing: '%s' is no unit; behind a whole number stands hz, "
			"ns, us, ms, s, m (minutes), h or d",
			description, number + digits);
		return NULL;
	}
	*timer = (struct d_timer){.sampled = word->sampled};
	const char *why = digits > DIGITS_MAX ? "its number has too many digits"
					      : period_of(strtoull(number, NULL, 10), unit, timer);
	if (why) {
		dph_d_error(d, D_PDESC_ZERO, place, "'%s' matches nothing: %s", description, why);
		return NULL;
	}
	return timer;
}

/* The first field of a probe of bpftrace, and the word here. */
static const struct {
	const char *field, *word;
} foreign[] = {{"interval", "tick"}, {"profile", "profile"}};

static const char *foreign_word(const char *text, size_t bytes)
{
	for (size_t i = 0; i < sizeof(foreign) / sizeof(*foreign); i++)
		if (strlen(foreign[i].field) == bytes &&
		    strncmp(foreign[i].field, text, bytes) == 0)
			return foreign[i].word;
	return NULL;
}

const char *dph_d_timer_meant(struct d_front *d, const char *text)
{
	const size_t first = strcspn(text, ":");
	const char *word = foreign_word(text, first), *last = strrchr(text, ':');
	if (!last)
		return word_of(text) ? no_number(d, word_of(text)->text) : NULL;
	if (!word)
		return NULL;
	/* "s:1" or "1s" */
	const char *field = text + first + 1, *number = last + 1;
	const size_t digits = strspn(number, "0123456789");
	const char *name = number == field ? number + digits
					   : dph_pool_copy(d->pool, field, (size_t)(last - field));
	const struct unit *unit = *name ? unit_of(name) : NULL;
	if (!digits || !unit || (number != field && number[digits]))
		return no_number(d, word);
	return dph_pool_print(d->pool, "write %s-%.*s%s", word, (int)digits, number, unit->name);
}

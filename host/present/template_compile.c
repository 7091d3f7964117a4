/* SPDX-License-Identifier: BSD-2-Clause */
/* The compiler of formats turns the text of a format into items.  TEMPLATES.md, Controls */
#include "template.h"

#include "dp_rpn.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
	SKIP_MAX = 0xffff, /* bytes of %c and %i: a record has no more */
	SHOWN_MAX = 24,    /* characters of a control that a message shows */
};

struct compiler {
	const struct dph_template_file *file;
	const struct dph_format *format;
	struct dph_pool *pool;
	struct dph_item *items;
	size_t count, capacity;
	size_t at;                         /* next character */
	size_t groups[DPH_TEMPLATE_DEPTH]; /* items of those that are open */
	size_t opened[DPH_TEMPLATE_DEPTH]; /* characters they begin with */
	unsigned depth, too_deep;
	size_t closed; /* items that there were where a group ended last */
	struct dph_bytes literal;
};

static const char *chars(const struct compiler *c)
{
	return (const char *)c->format->chars.data;
}

/* NUL behind the end: a string has none. */
static char at(const struct compiler *c, size_t i)
{
	return i < c->format->chars.count ? chars(c)[i] : '\0';
}

/* Message about the characters from..to. For a piece that continues in another string, the
 * message shows the piece up to the end of the first string. */
#define say(c, severity, from, to, ...)                                                            \
	dph_template_say((c)->file, severity, (c)->format->at[from], span(c, from, to), __VA_ARGS__)

static size_t span(const struct compiler *c, size_t from, size_t to)
{
	const size_t *place = c->format->at;
	size_t last = from;
	/* Escapes are two characters; between two strings there is at least a quote more. */
	while (last + 1 < to && place[last + 1] - place[last] <= 2)
		last++;
	return place[last] - place[from] + 1;
}

/* --- items --------------------------------------------------------------------------------- */

static void add_item(struct compiler *c, const struct dph_item *item)
{
	c->items = dph_grow(c->items, &c->capacity, c->count, sizeof *c->items);
	c->items[c->count++] = *item;
}

static void end_literal(struct compiler *c)
{
	const struct dph_item item = {.size = (uint32_t)c->literal.count};
	if (!item.size)
		return;
	add_item(c, &item);
	c->items[c->count - 1].text =
		dph_pool_copy(c->pool, (char *)c->literal.data, c->literal.count);
	c->literal.count = 0;
}

static void add_literal(struct compiler *c, char text)
{
	dph_bytes_add(&c->literal, &text, 1);
}

/* --- groups -------------------------------------------------------------------------------- */

static void open_group(struct compiler *c, size_t from)
{
	const struct dph_item item = {.control = '(', .repeated = true};
	end_literal(c);
	if (c->depth == DPH_TEMPLATE_DEPTH) {
		say(c, DP_ERROR, from, c->at, "groups may be nested %d deep, not deeper",
		    DPH_TEMPLATE_DEPTH);
		c->too_deep++;
		return;
	}
	c->groups[c->depth] = c->count;
	c->opened[c->depth++] = from;
	add_item(c, &item);
}

/* The bytes that the items of a group need at least in one round, and whether the items use data
 * at all. */
static bool measure(struct compiler *c, size_t group)
{
	bool uses = false;
	size_t least = 0, strings = 0;
	bool alone = false; /* a %p: a string may be that of its length, which may be 0 */
	for (size_t i = group + 1; i < c->count;) {
		const struct dph_item *item = &c->items[i];
		const bool prefix = item->prefixed || item->repeated;
		uses = uses || item->control;
		alone = alone || item->control == 'p';
		if (prefix || item->control != 's')
			least += prefix ? RPN_PREFIX_BYTES : item->least;
		else
			strings += item->least;
		i = item->control == '(' ? item->after : i + 1;
	}
	c->items[group].least = least + (alone ? 0 : strings);
	return uses;
}

static void close_group(struct compiler *c)
{
	end_literal(c);
	if (c->too_deep) {
		c->too_deep--;
		return;
	}
	const size_t group = c->groups[--c->depth];
	c->closed = c->count;
	c->items[group].after = c->count;
	if (!measure(c, group))
		say(c, DP_ERROR, c->opened[c->depth], c->at,
		    "the group has no control that uses data, so its repetition would not end");
}

/* --- controls ------------------------------------------------------------------------------ */

/* A control in the text: `%` [p or r] [digits] letter. */
struct control {
	size_t from, to;
	char prefix; /* p, r or 0 */
	bool digits;
	uint32_t size;
	char letter;
};

static bool refuse(struct compiler *c, const struct control *k, const char *why)
{
	const int bytes = (int)(k->to - k->from);
	say(c, DP_ERROR, k->from, k->to, "'%.*s' %s", bytes < SHOWN_MAX ? bytes : SHOWN_MAX,
	    chars(c) + k->from, why);
	return false;
}

static bool is_conversion(char letter)
{
	return letter && strchr("acdfisuxz", letter);
}

static struct control read_control(const struct compiler *c)
{
	struct control k = {.from = c->at, .to = c->at + 1, .size = 1};
	if (at(c, k.to) == 'p' || at(c, k.to) == 'r')
		k.prefix = at(c, k.to++);
	for (; isdigit((unsigned char)at(c, k.to)); k.to++) {
		k.size = (k.digits ? k.size * 10 : 0) + (uint32_t)(at(c, k.to) - '0');
		k.size = k.size > SKIP_MAX ? SKIP_MAX + 1 : k.size;
		k.digits = true;
	}
	k.letter = at(c, k.to);
	k.to += isgraph((unsigned char)k.letter) != 0;
	return k;
}

static bool check_size(struct compiler *c, const struct control *k)
{
	switch (k->letter) {
	case 's':
		return !k->digits || refuse(c, k,
					    "has a size; a string ends at its NUL, or with "
					    "the length that '%ps' reads");
	case 'z':
		return !k->digits || refuse(c, k, "has a size; '%z' takes all that is left");
	case 'f':
		return k->size == 4 || k->size == 8 ||
		       refuse(c, k, "is no floating point number; write '%4f' or '%8f'");
	case 'c':
	case 'i':
		return (k->size >= 1 && k->size <= SKIP_MAX) ||
		       refuse(c, k, "has a size that is not 1..65535");
	default:
		return (k->size >= 1 && k->size <= 8) ||
		       refuse(c, k, "has a size that is not 1..8");
	}
}

static bool check_prefix(struct compiler *c, const struct control *k)
{
	if (k->prefix != 'p' || k->letter != 'u')
		return true;
	const size_t digits = k->from + 2;
	say(c, DP_ERROR, k->from, k->to, "'%%p' and '%%u' do not combine; write '%%p%%%.*s'",
	    (int)(k->to - digits < SHOWN_MAX ? k->to - digits : SHOWN_MAX), chars(c) + digits);
	return false;
}

/* Has a %z just taken all that is left? Another one would do nothing, and a million of them take
 * time for each round. */
static bool behind_dump(const struct compiler *c)
{
	if (!c->count || c->count == c->closed)
		return false;
	const struct dph_item *last = &c->items[c->count - 1];
	return last->control == 'z' && !last->prefixed && !last->repeated;
}

static void add_control(struct compiler *c, const struct control *k)
{
	const bool sized = k->letter != 's' && k->letter != 'z';
	const struct dph_item item = {
		.control = k->letter,
		.prefixed = k->prefix == 'p',
		.repeated = k->prefix == 'r',
		.size = sized ? k->size : 0,
		.least = sized ? k->size : k->letter == 's',
	};
	if (!check_prefix(c, k) || !check_size(c, k))
		return;
	end_literal(c);
	if (item.control == 'z' && !k->prefix && behind_dump(c))
		return;
	add_item(c, &item);
}

static void add_prefix(struct compiler *c, size_t from)
{
	const struct dph_item item = {.control = 'p', .prefixed = true};
	c->at = from + 2;
	end_literal(c);
	add_item(c, &item);
}

/* `% p`: the seed is printed so. */
static void blank(struct compiler *c)
{
	const size_t from = c->at;
	while (at(c, c->at + 1) == ' ')
		c->at++;
	const struct control k = read_control(c);
	const char sign = at(c, k.from + 1);
	if (is_conversion(k.letter) || (sign && strchr("pr()", sign))) {
		c->at = is_conversion(k.letter) ? k.to : k.from + 2;
		say(c, DP_ERROR, from, c->at,
		    "no blank may stand behind '%%'; write '%%%.*s', or '%%%%' for the sign itself",
		    (int)(c->at - k.from - 1), chars(c) + k.from + 1);
	} else {
		c->at += sign == '%' ? 2 : 1;
		say(c, DP_ERROR, from, c->at,
		    "no blank may stand behind '%%'; write '%%%%' for the sign itself");
	}
}

static void unknown_control(struct compiler *c, const struct control *k)
{
	const char small = (char)tolower((unsigned char)k->letter);
	if (!isgraph((unsigned char)k->letter))
		refuse(c, k,
		       "is not complete; a control letter is missing, or write '%%' for the "
		       "sign itself");
	else if (is_conversion(small) || small == 'p' || small == 'r')
		refuse(c, k, "is no control; control letters are lower case");
	else
		refuse(c, k,
		       "is no control; there are a c d f i p r s u x z, and '%%' '%(' '%)' for "
		       "the signs themselves");
}

/* Refuse the characters in the place of a conversion. */
static void not_a_conversion(struct compiler *c, const struct control *k)
{
	if (k->prefix == 'r' && k->letter == '(' && !k->digits)
		open_group(c, k->from);
	else if (k->prefix && !k->digits &&
		 (k->letter == 'r' || (k->prefix == 'r' && k->letter == 'p')))
		refuse(c, k, "does not combine; '%r' reads the prefix by itself, and repeats");
	else if (k->prefix == 'r')
		refuse(c, k,
		       "has nothing to repeat; write a control behind '%r', as in '%r4x', or a "
		       "group '%r(...)'");
	else if (k->digits && (k->letter == 'p' || k->letter == 'r'))
		refuse(c, k, "has its size in the wrong place; write '%p4x' or '%r4x'");
	else
		unknown_control(c, k);
}

static void percent(struct compiler *c)
{
	const struct control k = read_control(c);
	const char sign = at(c, c->at + 1);
	if (sign == ' ') {
		blank(c);
		return;
	}
	c->at = k.to;
	if (sign && strchr("%()", sign)) {
		add_literal(c, sign);
		c->at = k.from + 2;
	} else if (is_conversion(k.letter)) {
		add_control(c, &k);
	} else if (k.prefix == 'p' && !(k.letter == 'r' && !k.digits)) {
		if (k.digits)
			say(c, DP_WARNING, k.from, k.to - (isgraph((unsigned char)k.letter) != 0),
			    "the digits are literal text: no control letter stands behind them");
		add_prefix(c, k.from);
	} else {
		not_a_conversion(c, &k);
	}
}

static void parenthesis(struct compiler *c, char sign)
{
	c->at++;
	if (sign == ')' && c->depth) {
		close_group(c);
		return;
	}
	say(c, DP_WARNING, c->at - 1, c->at,
	    sign == '(' ? "'(' without '%%r' is literal text; write '%%('"
			: "')' closes no group and is literal text; write '%%)'");
	add_literal(c, sign);
}

void dph_template_compile(const struct dph_template_file *file, const struct dph_format *format,
			  struct dph_pool *pool, struct dph_template *template)
{
	struct compiler c = {.file = file, .format = format, .pool = pool};
	while (c.at < format->chars.count && !dph_template_enough(file)) {
		const char sign = at(&c, c.at);
		if (sign == '%')
			percent(&c);
		else if (sign == '(' || sign == ')')
			parenthesis(&c, sign);
		else
			add_literal(&c, at(&c, c.at++));
	}
	while (c.depth && !dph_template_enough(file)) {
		const size_t from = c.opened[c.depth - 1];
		say(&c, DP_ERROR, from, from + 3, "the group is not closed; its ')' is missing");
		c.depth--;
	}
	end_literal(&c);
	if (c.count) {
		struct dph_item *items = dph_pool_take(pool, c.count * sizeof *items);
		memcpy(items, c.items, c.count * sizeof *items);
		template->items = items;
	}
	template->count = c.count;
	free(c.items);
	free(c.literal.data);
}

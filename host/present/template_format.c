/* SPDX-License-Identifier: BSD-2-Clause */
/* The formatter turns items and bytes into text. TEMPLATES.md, Controls. An item prints a
 * character, uses a byte of data, or ends the text, and a round of a repetition uses data. The
 * bytes of the record and DP_TEMPLATE_TEXT_MAX bound the time. */
#include "template.h"

#include <dprobes/host.h>

#include "dp_rpn.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	DUMP_BYTES = 32, /* of a line */
};

struct run {
	const struct dp_template_record *record;
	const struct dph_item *items;
	size_t at;      /* next byte */
	size_t limit;   /* end of the data: of the record, or of the repetition */
	unsigned depth; /* of repetitions */
	bool cut;       /* the repetition ends with the record, before its length */
	/* Data of the last %p in use. */
	bool bounded;
	size_t from, to;
	struct dph_bytes text;
	bool full; /* an item did not fit into the text */
};

enum outcome {
	GOES_ON,
	SHORT, /* the data did not suffice; said */
	ENDED, /* nothing more is printed */
};

/* --- text ---------------------------------------------------------------------------------- */

static void add(struct run *r, const char *text, size_t bytes)
{
	const size_t room = DP_TEMPLATE_TEXT_MAX - r->text.count;
	if (r->full)
		return;
	r->full = bytes > room;
	bytes = r->full ? room : bytes;
	while (r->full && bytes && ((unsigned char)text[bytes] & 0xc0) == 0x80)
		bytes--; /* not in the middle of a character */
	dph_bytes_add(&r->text, text, bytes);
}

__attribute__((format(printf, 2, 3))) static void print(struct run *r, const char *format, ...)
{
	char text[512]; /* the largest double has 24 characters, a line of a dump 150 */
	va_list args;
	va_start(args, format);
	const int bytes = vsnprintf(text, sizeof text, format, args);
	va_end(args);
	add(r, text, (size_t)bytes);
}

static void new_line(struct run *r)
{
	if (r->text.count && r->text.data[r->text.count - 1] != '\n')
		add(r, "\n", 1);
}

/* Bytes of a target must not control the terminal. */
static void add_character(struct run *r, uint8_t byte)
{
	const char c = byte >= 0x20 && byte <= 0x7e ? (char)byte : '.';
	add(r, &c, 1);
}

/* Lines of 32 bytes; where there are several lines, the characters are in columns. */
static void dump(struct run *r, const uint8_t *data, size_t bytes)
{
	for (size_t i = 0; i < bytes && !r->full; i += DUMP_BYTES) {
		const size_t n = bytes - i < DUMP_BYTES ? bytes - i : DUMP_BYTES;
		print(r, i ? "\n+%08zx" : "+%08zx", i);
		for (size_t j = 0; j < n; j++)
			print(r, " %02x", data[i + j]);
		print(r, "%*s *", i ? (int)(DUMP_BYTES - n) * 3 : 0, "");
		for (size_t j = 0; j < n; j++)
			add_character(r, data[i + j]);
		add(r, "*", 1);
	}
}

/* --- data ---------------------------------------------------------------------------------- */

static size_t left(const struct run *r)
{
	return r->limit - r->at;
}

static void dump_rest(struct run *r)
{
	if (left(r))
		dump(r, r->record->data + r->at, left(r));
	r->at = r->limit;
}

/* In a repetition, after which the text continues, or at the end of the data. */
static enum outcome too_short(struct run *r)
{
	if (!r->depth)
		print(r, "<end of data>");
	else if (left(r) || !r->cut)
		print(r, "<%zu bytes left>", left(r));
	return SHORT;
}

static uint64_t integer(const struct run *r, size_t at, size_t bytes)
{
	uint64_t value = 0;
	for (size_t i = 0; i < bytes; i++)
		value = value << 8 |
			r->record->data[at + (r->record->big_endian ? i : bytes - 1 - i)];
	return value;
}

/* After a bad prefix the rest has no meaning. */
static enum outcome bad_prefix(struct run *r)
{
	r->limit = r->record->bytes;
	print(r, "<bad prefix>");
	new_line(r);
	dump_rest(r);
	return ENDED;
}

/* Tokens 0xff and 0xfe: the unreadable address, as a number of the length's bytes. The formatter
 * skips the control that belongs to the address. */
static enum outcome error_prefix(struct run *r, unsigned token, size_t length)
{
	const char *what = token == RPN_TOKEN_FAULT ? "fault at" : "bad selector";
	if (length < 1 || length > sizeof(uint64_t))
		return bad_prefix(r);
	if (left(r) < RPN_PREFIX_BYTES + length)
		return too_short(r);
	print(r, "<%s 0x%0*" PRIx64 ">", what, (int)length * 2,
	      integer(r, r->at + RPN_PREFIX_BYTES, length));
	r->at += RPN_PREFIX_BYTES + length;
	return GOES_ON;
}

/* True: length bytes of data follow. False: the replacement was printed, with that outcome. */
static bool take_prefix(struct run *r, size_t *length, enum outcome *outcome)
{
	if (left(r) < RPN_PREFIX_BYTES) {
		*outcome = too_short(r);
		return false;
	}
	const unsigned token = r->record->data[r->at];
	*length = (size_t)integer(r, r->at + 1, 2);
	switch (token) {
	case RPN_TOKEN_MEMORY:
	case RPN_TOKEN_STRING:
		break;
	case RPN_TOKEN_STACK:
	case RPN_TOKEN_LV:
	case RPN_TOKEN_GV:
	case RPN_TOKEN_WORDS: /* these count words */
		*length *= r->record->word_bytes;
		break;
	case RPN_TOKEN_FAULT:
	case RPN_TOKEN_SELECTOR:
		*outcome = error_prefix(r, token, *length);
		return false;
	default:
		*outcome = bad_prefix(r);
		return false;
	}
	r->at += RPN_PREFIX_BYTES;
	return true;
}

/* --- controls ------------------------------------------------------------------------------ */

static void print_signed(struct run *r, uint64_t value, size_t bytes)
{
	const uint64_t sign = (uint64_t)1 << (8 * bytes - 1) % 64;
	if (value & sign)
		print(r, "-%" PRIu64, (sign << 1) - value);
	else
		print(r, "%" PRIu64, value);
}

/* As many digits as it takes to read the same number back. */
static void print_float(struct run *r, uint64_t bits, size_t bytes)
{
	const uint32_t half = (uint32_t)bits;
	float narrow;
	double value;
	char text[40];
	memcpy(&narrow, &half, sizeof narrow);
	memcpy(&value, &bits, sizeof value);
	if (bytes == sizeof narrow)
		value = (double)narrow;
	if (isnan(value)) {
		print(r, "nan");
		return;
	}
	for (int digits = 6; digits <= 17; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, value);
		const double again = strtod(text, NULL);
		if (bytes == sizeof narrow ? (float)again == narrow : again == value)
			break;
	}
	print(r, "%s", text);
}

static void print_address(struct run *r, uint64_t address, size_t bytes)
{
	char text[DP_NAME_ROOM];
	if (dp_image_name(r->record->names, address, text))
		print(r, "%s", text);
	else
		print(r, "0x%0*" PRIx64, (int)bytes * 2, address);
}

/* Text up to a NUL, which is used too. Behind %p the length bounds it, and the rest of that is
 * skipped. */
static enum outcome print_string(struct run *r)
{
	const bool bounded = r->bounded && (r->at == r->from || r->at < r->to);
	const size_t end = bounded && r->to < r->limit ? r->to : r->limit;
	r->bounded = false;
	if (r->at == r->limit && !(bounded && r->to <= r->limit))
		return too_short(r);
	while (r->at < end && r->record->data[r->at])
		add_character(r, r->record->data[r->at++]);
	if (bounded) {
		r->at = end;
		return r->to <= r->limit ? GOES_ON : too_short(r);
	}
	if (r->at < end) {
		r->at++;
		return GOES_ON;
	}
	/* The end of a repetition ends a string too. */
	return r->depth ? GOES_ON : too_short(r);
}

static enum outcome print_control(struct run *r, const struct dph_item *item)
{
	if (item->control == 's')
		return print_string(r);
	if (item->control == 'z') {
		dump_rest(r);
		return GOES_ON;
	}
	if (left(r) < item->size)
		return too_short(r);
	const uint64_t value = item->size <= sizeof value ? integer(r, r->at, item->size) : 0;
	switch (item->control) {
	case 'c':
		for (size_t i = 0; i < item->size; i++)
			add_character(r, r->record->data[r->at + i]);
		break;
	case 'd':
		print_signed(r, value, item->size);
		break;
	case 'u':
		print(r, "%" PRIu64, value);
		break;
	case 'x':
		print(r, "%0*" PRIx64, (int)item->size * 2, value);
		break;
	case 'a':
		print_address(r, value, item->size);
		break;
	case 'f':
		print_float(r, value, item->size);
		break;
	default: /* i */
		break;
	}
	r->at += item->size;
	return GOES_ON;
}

static enum outcome print_prefixed(struct run *r, const struct dph_item *item)
{
	enum outcome outcome;
	size_t length = 0;
	if (!take_prefix(r, &length, &outcome))
		return outcome;
	r->bounded = true;
	r->from = r->at;
	r->to = r->at + length;
	return item->control == 'p' ? GOES_ON : print_control(r, item);
}

/* --- repetitions --------------------------------------------------------------------------- */

static enum outcome print_items(struct run *r, size_t from, size_t to);

/* Rounds until the limit. */
static enum outcome print_rounds(struct run *r, size_t index)
{
	const struct dph_item *item = &r->items[index];
	for (bool first = true; left(r); first = false) {
		enum outcome outcome;
		if (r->full)
			return ENDED;
		if (left(r) < item->least)
			return too_short(r);
		if (item->control == '(') {
			outcome = print_items(r, index + 1, item->after);
		} else {
			if (!first && item->control != 'i')
				add(r, " ", 1);
			outcome = print_control(r, item);
		}
		if (outcome != GOES_ON)
			return outcome;
	}
	return GOES_ON;
}

static enum outcome print_repeated(struct run *r, size_t index)
{
	const size_t limit = r->limit;
	enum outcome outcome;
	size_t length = 0;
	if (!take_prefix(r, &length, &outcome))
		return outcome;
	const bool cut = length > left(r), outer = r->cut;
	r->limit = cut ? limit : r->at + length;
	r->cut = cut && (outer || !r->depth);
	r->depth++;
	r->bounded = false;
	outcome = print_rounds(r, index);
	r->depth--;
	r->cut = outer;
	r->bounded = false;
	if (outcome == ENDED)
		return ENDED;
	r->at = r->limit; /* the rest is skipped */
	r->limit = limit;
	if (!cut)
		return GOES_ON;
	return outcome == SHORT && r->depth ? SHORT : too_short(r);
}

static enum outcome print_items(struct run *r, size_t from, size_t to)
{
	enum outcome outcome = GOES_ON;
	for (size_t i = from; i < to && outcome == GOES_ON;) {
		const struct dph_item *item = &r->items[i];
		if (r->full)
			return ENDED;
		if (item->repeated)
			outcome = print_repeated(r, i);
		else if (item->prefixed)
			outcome = print_prefixed(r, item);
		else if (item->control)
			outcome = print_control(r, item);
		else
			add(r, item->text, item->size);
		i = item->control == '(' ? item->after : i + 1;
	}
	return outcome;
}

/* --- a record ------------------------------------------------------------------------------ */

char *dp_template_text(const struct dp_templates *templates,
		       const struct dp_template_record *record)
{
	const struct dph_template *template =
		dph_template_of(templates, record->major, record->minor);
	struct run r = {.record = record, .limit = record->bytes};
	if (template && template->formatted) {
		r.items = template->items;
		print_items(&r, 0, template->count);
		if (record->leftover && !r.full && r.at < record->bytes) {
			r.limit = record->bytes;
			new_line(&r);
			print(&r, "<%zu bytes behind the template>", left(&r));
			new_line(&r);
			dump_rest(&r);
		}
	} else {
		dump_rest(&r);
	}
	if (r.full) {
		static const char cut[] = "\n<cut: the text is longer>";
		dph_bytes_add(&r.text, cut, strlen(cut));
	}
	dph_bytes_add(&r.text, "\n", 2); /* and the NUL */
	return (char *)r.text.data;
}

const char *dp_template_desc(const struct dp_templates *templates, uint16_t major, uint16_t minor)
{
	const struct dph_template *template = dph_template_of(templates, major, minor);
	return template ? template->desc : NULL;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Conversions of a printf format: how they are read, and how the C library prints them. */
#define _GNU_SOURCE
#include "conversion.h"

#include <ctype.h>
#include <string.h>
#include <time.h>

enum {
	NS_A_SECOND = 1000000000,
	DAY_TIME_ROOM = 80
};

static int read_width(const char **at, bool *star)
{
	*star = **at == '*';
	if (*star) {
		(*at)++;
		return -1;
	}
	if (!isdigit((unsigned char)**at))
		return -1;
	int width = 0;
	for (; isdigit((unsigned char)**at); (*at)++)
		width = width < DPH_WIDTH_MAX ? width * 10 + **at - '0' : DPH_WIDTH_MAX;
	return width < DPH_WIDTH_MAX ? width : DPH_WIDTH_MAX;
}

static bool read_flag(struct dph_conversion *c, char flag)
{
	switch (flag) {
	case '-':
		c->minus = true;
		return true;
	case '+':
		c->plus = true;
		return true;
	case ' ':
		c->space = true;
		return true;
	case '#':
		c->hash = true;
		return true;
	case '0':
		c->zero = true;
		return true;
	case '\'':
	case '?':
		c->quote = true;
		return true;
	case '@':
		c->aggregated = true;
		return true;
	default:
		return false;
	}
}

bool dph_conversion_next(const char **at, struct dph_conversion *c)
{
	*c = (struct dph_conversion){.text = *at, .bytes = strcspn(*at, "%")};
	c->width = c->precision = -1;
	*at += c->bytes;
	c->start = *at;
	if (!**at)
		return true;
	(*at)++;
	while (**at && read_flag(c, **at))
		(*at)++;
	c->width = read_width(at, &c->star_width);
	if (**at == '.') {
		(*at)++;
		c->precision = read_width(at, &c->star_precision);
		c->precision = c->precision < 0 && !c->star_precision ? 0 : c->precision;
	}
	*at += strspn(*at, "hlLw");
	c->kind = **at;
	if (!c->kind)
		return false;
	(*at)++;
	c->length = (size_t)(*at - c->start);
	return true;
}

void dph_put_padded(FILE *out, const struct dph_conversion *c, const char *text)
{
	const int precision = c->precision < 0 ? (int)strlen(text) : c->precision;
	if (c->minus)
		fprintf(out, "%-*.*s", c->width < 0 ? 0 : c->width, precision, text);
	else
		fprintf(out, "%*.*s", c->width < 0 ? 0 : c->width, precision, text);
}

/* The conversion as the C library reads it; width and precision are arguments, where a negative
 * precision is none. `size` is C's for the argument. */
static void make_format(char *format, size_t room, const struct dph_conversion *c, const char *size)
{
	snprintf(format, room, "%%%s%s%s%s%s*.*%s%c", c->minus ? "-" : "", c->plus ? "+" : "",
		 c->space ? " " : "", c->hash ? "#" : "", c->zero ? "0" : "", size,
		 c->kind == 'i' ? 'd' : c->kind);
}

static int width_of(const struct dph_conversion *c)
{
	return c->width < 0 ? 0 : c->width;
}

void dph_put_integer(FILE *out, const struct dph_conversion *c, uint64_t value)
{
	char format[24];
	make_format(format, sizeof(format), c, "ll");
	fprintf(out, format, width_of(c), c->precision, (long long)value);
}

void dph_put_float(FILE *out, const struct dph_conversion *c, double value)
{
	char format[24];
	make_format(format, sizeof(format), c, "");
	fprintf(out, format, width_of(c), c->precision, value);
}

void dph_put_day_time(FILE *out, const struct dph_conversion *c, int64_t ns)
{
	const time_t seconds = (time_t)(ns / NS_A_SECOND - (ns % NS_A_SECOND < 0));
	char text[DAY_TIME_ROOM] = "?";
	struct tm day;
	if (localtime_r(&seconds, &day))
		strftime(text, sizeof(text),
			 c->kind == 'Y' ? "%Y %b %e %H:%M:%S" : "%a, %d %b %Y %H:%M:%S %Z", &day);
	dph_put_padded(out, c, text);
}

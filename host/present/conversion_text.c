/* SPDX-License-Identifier: BSD-2-Clause */
/* Conversions of a printf format, as the C library prints them. */
#define _GNU_SOURCE
#include "conversion_text.h"

#include <string.h>
#include <time.h>

enum {
	NS_A_SECOND = 1000000000,
	DAY_TIME_ROOM = 80
};

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

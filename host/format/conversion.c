/* SPDX-License-Identifier: BSD-2-Clause */
/* Conversions of a printf format are read piece by piece. */
#define _GNU_SOURCE
#include "conversion.h"

#include <ctype.h>
#include <string.h>

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

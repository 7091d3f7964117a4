/* SPDX-License-Identifier: BSD-2-Clause */
#define _DEFAULT_SOURCE /* j0 and its kin */
#include "library.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch.h"
#include "checksum.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const double numbers[] = {
	0.0,  -0.0, 1.0,   -1.0,   0.5,   -0.75,  1.5,     2.718281828459045,
	3.25, -7.5, 10.25, 1e-310, 1e-9,  -1e-3,  123.456, -4567.875,
	1e6,  1e19, 3e38,  -1e200, 1e308, 0.9999, 33.125,  -0.1};

static uint32_t add_double(uint32_t crc, double value)
{
	if (isnan(value)) /* its sign is no result */
		return checksum_bytes(crc, "nan", 3);
	return checksum_bytes(crc, &value, sizeof(value));
}

static uint32_t one_argument(uint32_t crc)
{
	static double (*const functions[])(double) = {
		sin,   cos,   tan,   asin,   acos,      atan, sinh, cosh,  tanh,  asinh,
		acosh, atanh, exp,   exp2,   expm1,     log,  log2, log10, log1p, sqrt,
		cbrt,  erf,   erfc,  lgamma, tgamma,    j0,   j1,   y0,    y1,    ceil,
		floor, trunc, round, rint,   nearbyint, fabs, logb,
	};

	for (size_t f = 0; f < COUNT(functions); f++)
		for (size_t i = 0; i < COUNT(numbers); i++)
			crc = add_double(crc, functions[f](numbers[i]));
	return crc;
}

static uint32_t one_argument_float(uint32_t crc)
{
	static float (*const functions[])(float) = {
		sinf, cosf,    tanf,    asinf, acosf,  atanf,  sinhf,  coshf, tanhf,
		expf, exp2f,   expm1f,  logf,  log2f,  log10f, log1pf, sqrtf, cbrtf,
		erff, lgammaf, tgammaf, ceilf, floorf, truncf, roundf, rintf, logbf,
	};

	for (size_t f = 0; f < COUNT(functions); f++)
		for (size_t i = 0; i < COUNT(numbers); i++)
			crc = add_double(crc, functions[f]((float)numbers[i]));
	return crc;
}

static uint32_t two_arguments(uint32_t crc)
{
	static double (*const functions[])(double, double) = {
		pow, atan2, hypot, fmod, remainder, fdim, fmax, fmin, copysign, nextafter,
	};

	for (size_t f = 0; f < COUNT(functions); f++)
		for (size_t i = 0; i < COUNT(numbers); i++)
			for (size_t k = 0; k < COUNT(numbers); k += 5)
				crc = add_double(crc, functions[f](numbers[i], numbers[k]));
	return crc;
}

static uint32_t parts(uint32_t crc)
{
	for (size_t i = 0; i < COUNT(numbers); i++) {
		int exponent = 0, quotient = 0;
		double whole = 0;

		crc = add_double(crc, frexp(numbers[i], &exponent));
		crc = add_double(crc, modf(numbers[i], &whole));
		crc = add_double(add_double(crc, whole), exponent);
		crc = add_double(crc, ldexp(numbers[i], (int)i - 9));
		crc = add_double(crc, scalbn(numbers[i], 3 - (int)i));
		crc = add_double(crc, fma(numbers[i], 1.25, -3.5));
		crc = add_double(add_double(crc, remquo(numbers[i], 0.7, &quotient)), quotient & 7);
		crc = add_double(crc, (double)llrint(fmod(numbers[i], 1e9)));
		crc = add_double(crc, jn(2, fmod(numbers[i], 100)));
	}
	return crc;
}

static uint32_t formats(uint32_t crc)
{
	static const char *const forms[] = {"%f",    "%.0f", "%e",      "%.3e",   "%g",
					    "%#g",   "%a",   "%+12.4f", "%-12g|", "%012.2f",
					    "%.15g", "%G",   "%E"};
	char text[400];

	for (size_t f = 0; f < COUNT(forms); f++)
		for (size_t i = 0; i < COUNT(numbers); i++) {
			int n = snprintf(text, sizeof(text), forms[f], numbers[i]);

			crc = checksum_bytes(crc, text, strlen(text));
			crc = add_double(crc, n);
			crc = add_double(crc, strtod(text, NULL));
		}
	snprintf(text, sizeof(text), "%lld %llx %llo %jd %zu %hhd", -123456789012345ll,
		 0x123456789abcdefull, 01234567ull, (intmax_t)-5, (size_t)7, -3);
	crc = checksum_bytes(crc, text, strlen(text));
	return crc;
}

static uint32_t scans(uint32_t crc)
{
	char word[16] = "";
	int a = 0, b = 0;
	double d = 0;

	crc = add_double(crc,
			 sscanf("17 -0x1f 2.5e3 abc,def", "%d %i %lf %15[a-c],", &a, &b, &d, word));
	crc = add_double(add_double(add_double(crc, a), b), d);
	crc = checksum_bytes(crc, word, strlen(word));
	crc = add_double(crc, atof("-1.75e-4xyz"));
	crc = add_double(crc, (double)strtoll("-0x7fffffffffff", NULL, 0));
	crc = add_double(crc, (double)strtoull("777777777777", NULL, 8));
	return add_double(crc, (double)lldiv(-1234567890123ll, 97).rem);
}

static int compare_doubles(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static uint32_t sorts(uint32_t crc)
{
	double sorted[COUNT(numbers)];
	const double wanted = 33.125;
	const double *found;

	memcpy(sorted, numbers, sizeof(sorted));
	sorted[1] = 7.0; /* one zero: equal elements have no order */
	qsort(sorted, COUNT(sorted), sizeof(sorted[0]), compare_doubles);
	crc = checksum_bytes(crc, sorted, sizeof(sorted));
	found = bsearch(&wanted, sorted, COUNT(sorted), sizeof(sorted[0]), compare_doubles);
	return add_double(crc, found ? (double)(found - sorted) : -1);
}

static uint32_t heap(uint32_t crc)
{
	char *held[12] = {NULL};

	for (unsigned i = 0; i < 120; i++) {
		unsigned which = i * 7 % 12, bytes = 1 + i * i % 700;

		if (i % 4 == 0) {
			free(held[which]);
			held[which] = calloc(1 + i % 5, 1 + bytes / 5);
		} else {
			char *grown = realloc(held[which], bytes);

			held[which] = grown ? grown : held[which];
		}
		crc = add_double(crc, held[which] != NULL);
	}
	for (unsigned i = 0; i < 12; i++)
		free(held[i]);
	return crc;
}

uint32_t library_full(uint32_t crc)
{
	static uint32_t (*const steps[])(uint32_t) = {
		one_argument, one_argument_float, two_arguments, parts, formats, scans, sorts,
		heap};

	for (size_t i = 0; i < COUNT(steps); i++) {
		unsigned state = arch_irq_save();

		crc = steps[i](crc);
		arch_irq_restore(state);
	}
	return crc;
}

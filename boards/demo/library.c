/* SPDX-License-Identifier: BSD-2-Clause */
#include "library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch.h"
#include "checksum.h"
#include "libm.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const double numbers[] = {
	0.0,  -0.0, 1.0,   -1.0,   0.5,   -0.75,  1.5,     2.718281828459045,
	3.25, -7.5, 10.25, 1e-310, 1e-9,  -1e-3,  123.456, -4567.875,
	1e6,  1e19, 3e38,  -1e200, 1e308, 0.9999, 33.125,  -0.1};

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
			crc = libm_add(crc, n);
			crc = libm_add(crc, strtod(text, NULL));
		}
	snprintf(text, sizeof(text), "%lld %llx %llo %jd %zu %hhd", -123456789012345ll,
		 0x123456789abcdefull, 01234567ull, (intmax_t)-5, (size_t)7, (signed char)-3);
	crc = checksum_bytes(crc, text, strlen(text));
	return crc;
}

static uint32_t scans(uint32_t crc)
{
	char word[16] = "";
	int a = 0, b = 0;
	double d = 0;

	crc = libm_add(crc,
		       sscanf("17 -0x1f 2.5e3 abc,def", "%d %i %lf %15[a-c],", &a, &b, &d, word));
	crc = libm_add(libm_add(libm_add(crc, a), b), d);
	crc = checksum_bytes(crc, word, strlen(word));
	crc = libm_add(crc, atof("-1.75e-4xyz"));
	crc = libm_add(crc, (double)strtoll("-0x7fffffffffff", NULL, 0));
	crc = libm_add(crc, (double)strtoull("777777777777", NULL, 8));
	return libm_add(crc, (double)lldiv(-1234567890123ll, 97).rem);
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
	return libm_add(crc, found ? (double)(found - sorted) : -1);
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
		crc = libm_add(crc, held[which] != NULL);
	}
	for (unsigned i = 0; i < 12; i++)
		free(held[i]);
	return crc;
}

uint32_t library_full(uint32_t crc)
{
	static uint32_t (*const steps[])(uint32_t) = {formats, scans, sorts, heap};

	for (size_t i = 0; i < COUNT(steps); i++) {
		unsigned state = arch_irq_save();

		crc = steps[i](crc);
		arch_irq_restore(state);
	}
	return libm_full(crc);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Record headers: PROTOCOL.md section 4. */
#include "dp_record.h"

#include "check.h"

#include <string.h>

static size_t put_text(const struct dp_record *record, char *text)
{
	uint8_t digits[DP_RECORD_HEADER_DIGITS_MAX];
	size_t n = dp_record_put(record, digits);

	for (size_t i = 0; i < n; i++)
		text[i] = "0123456789ABCDEF"[digits[i]];
	text[n] = '\0';
	return n;
}

static bool writes(struct dp_record record, const char *expected)
{
	char text[DP_RECORD_HEADER_DIGITS_MAX + 1];

	put_text(&record, text);
	if (strcmp(text, expected) != 0)
		printf("wrote %s, expected %s\n", text, expected);
	return strcmp(text, expected) == 0;
}

static size_t reads(const char *text, struct dp_record *record)
{
	uint8_t digits[64];
	size_t n = strlen(text);

	for (size_t i = 0; i < n; i++)
		digits[i] = (uint8_t)(strchr("0123456789ABCDEF", text[i]) - "0123456789ABCDEF");
	return dp_record_get(digits, n, record);
}

/* proves: R4.5 R4.6 */
static void shortest_form(void)
{
	struct dp_record r = {.probe = 0xef, .ticks = 0x12345};

	CHECK(writes(r, "EF123450"));
	r.bytes = 14;
	CHECK(writes(r, "EF12345E"));
	r.bytes = 15;
	CHECK(writes(r, "EF12345F00F"));
	r.bytes = DP_RECORD_BODY_MAX;
	CHECK(writes(r, "EF12345FFFF"));
	r.bytes = 3;
	r.flags = DP_RECORD_EXCEPTION;
	CHECK(writes(r, "F001EF12345F003"));
	r.flags = DP_RECORD_CODES | DP_RECORD_BUDGET;
	r.major = 0xffff;
	r.minor = 0x0102;
	CHECK(writes(r, "F006EFFFFF010212345F003"));
	CHECK(writes((struct dp_record){.kind = DP_RECORD_WITHDRAW, .probe = 1}, "F20001"
										 "00000"
										 "F000"));
}

static bool equal(const struct dp_record *a, const struct dp_record *b)
{
	return a->kind == b->kind && a->flags == b->flags && a->probe == b->probe &&
	       a->major == b->major && a->minor == b->minor && a->ticks == b->ticks &&
	       a->bytes == b->bytes;
}

/* Every kind, flag combination, probe number and a boundary of each length: reads back equal, and
 * not one digit short. */
static void round_trip(void)
{
	static const uint16_t lengths[] = {0, 1, 13, 14, 15, 16, 255, 256, 4094, 4095};
	uint8_t digits[DP_RECORD_HEADER_DIGITS_MAX];
	struct dp_record back;

	for (uint8_t kind = 0; kind <= DP_RECORD_WITHDRAW; kind++) {
		for (uint8_t flags = 0; flags <= DP_RECORD_FLAGS; flags++) {
			for (unsigned i = 0; i < DP_RECORD_PROBES_MAX * 10u; i++) {
				struct dp_record r = {
					.kind = kind,
					.flags = flags,
					.probe = (uint8_t)(i / 10),
					.ticks = (i * 0x1357u) & 0xfffff,
					.bytes = lengths[i % 10],
				};
				size_t n;

				if (flags & DP_RECORD_CODES) {
					r.major = (uint16_t)(i * 31);
					r.minor = (uint16_t)~i;
				}
				n = dp_record_put(&r, digits);
				CHECK(n <= DP_RECORD_HEADER_DIGITS_MAX);
				CHECK(dp_record_get(digits, n, &back) == n && equal(&r, &back));
				CHECK(dp_record_get(digits, n + 1, &back) == n);
				for (size_t cut = 0; cut < n; cut++)
					CHECK(dp_record_get(digits, cut, &back) == 0);
			}
		}
	}
}

/* proves: R4.12 */
static void not_a_record(void)
{
	struct dp_record r;

	/* longer than needed */
	CHECK(reads("F0000112345F00F", &r) == 0);
	CHECK(reads("0112345F00E", &r) == 0);
	CHECK(reads("0112345F00F", &r) == 11);

	CHECK(reads("", &r) == 0);
	CHECK(reads("F", &r) == 0);
	CHECK(reads("F300"
		    "01"
		    "12345"
		    "F000",
		    &r) == 0); /* kind */
	CHECK(reads("F020"
		    "01"
		    "12345"
		    "F000",
		    &r) == 0); /* flag */
	CHECK(reads("F000"
		    "F0"
		    "12345"
		    "F000",
		    &r) == 0); /* probe number */
	CHECK(reads("F000"
		    "01"
		    "12345"
		    "0",
		    &r) == 0); /* extended has the long length only */
	CHECK(reads("F000"
		    "01"
		    "12345"
		    "F00",
		    &r) == 0); /* cut */
	CHECK(reads("01"
		    "12345"
		    "3"
		    "0A0B0C",
		    &r) == 8 &&
	      r.bytes == 3 && r.ticks == 0x12345);
}

int main(void)
{
	shortest_form();
	round_trip();
	not_a_record();
	return check_status();
}

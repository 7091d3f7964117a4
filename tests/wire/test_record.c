/* SPDX-License-Identifier: BSD-2-Clause */
/* Records of a line are read, and what is no record is refused: PROTOCOL.md section 4. */
#include "dp_record.h"

#include "check.h"

#include <string.h>

static uint8_t body[DP_RECORD_BODY_MAX];

/* A reader of digits as text; blanks are left out. */
static struct dp_record_reader reader_of(const char *text, bool big_endian)
{
	static uint8_t digits[DP_RECORD_DIGITS_MAX];
	struct dp_record_reader reader = {
		.digits = digits, .time = 0x1234567890, .big_endian = big_endian};

	for (; *text != '\0'; text++)
		if (*text != ' ')
			digits[reader.left++] =
				(uint8_t)(strchr("0123456789ABCDEF", *text) - "0123456789ABCDEF");
	return reader;
}

/* Does the text have exactly one record with this body, little-endian? */
static bool has_body(const char *text, const void *bytes, size_t count)
{
	struct dp_record_reader reader = reader_of(text, false);
	struct dp_record record;

	return dp_record_next(&reader, &record, body) && record.bytes == count &&
	       memcmp(body, bytes, count) == 0 && !dp_record_next(&reader, &record, body) &&
	       !reader.bad;
}

/* proves: R4.24 */
static void both_forms(void)
{
	CHECK(has_body("0 00 00", "\0\0\0\0", 4));
	CHECK(has_body("0 EF 7 8001F2A4", "\xa4\xf2\x01\x80", 4));
	CHECK(has_body("0 00 F8001F2A4 8 5 00", "\xa4\xf2\x01\x80\x05\0\0\0\0\0\0\0", 12));
	CHECK(has_body("84 00 0", "", 0));
	CHECK(has_body("84 00 3 0A0B0C", "\x0a\x0b\x0c", 3));
	CHECK(has_body("84 00 4 0A0B0C0D", "\x0a\x0b\x0c\x0d", 4));
	CHECK(has_body("84 00 F00F 000102030405060708090A0B0C0D0E",
		       "\0\1\2\3\4\5\6\7\x8\x9\xa\xb\xc\xd\xe", 15));
}

static void byte_order(void)
{
	struct dp_record_reader reader = reader_of("0 00 7 8001F2A4", true);
	struct dp_record record;

	CHECK(dp_record_next(&reader, &record, body));
	CHECK(memcmp(body, "\x80\x01\xf2\xa4", 4) == 0);
}

static void kinds_flags_and_codes(void)
{
	struct dp_record_reader reader =
		reader_of("87 EF 0 05 FFFF 0102 0  D5 1 10 123 0  C5 0 00 0", false);
	struct dp_record r;

	CHECK(dp_record_next(&reader, &r, body));
	CHECK(r.kind == DP_RECORD_LOG && r.probe == 0xef && r.major == 0xffff && r.minor == 0x102);
	CHECK(r.flags == (DP_RECORD_EXCEPTION | DP_RECORD_CODES) && r.bytes == 0);
	CHECK(reader.time == 0x1234567890 && r.ticks == 0x34567890);
	CHECK(dp_record_next(&reader, &r, body) && reader.time == 0x12345679b3);
	CHECK(r.kind == DP_RECORD_TRACE && r.probe == 0xef && r.flags == DP_RECORD_TRUNCATED);
	CHECK(!dp_record_next(&reader, &r, body) && reader.bad);
}

/* A fault belongs to a log record that an exception ended. */
/* proves: R4.35 */
static void flags_of_a_fault(void)
{
	static const struct {
		const char *digits;
		bool bad;
	} rows[] = {
		{"85 EF 0 21 4 01020304", false},
		{"85 EF 0 20 4 01020304", true},
		{"85 EF 1 21 4 01020304", true},
		{"85 EF 0 40 4 01020304", true},
	};
	struct dp_record r;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct dp_record_reader reader = reader_of(rows[i].digits, false);

		CHECK(dp_record_next(&reader, &r, body) == !rows[i].bad);
		CHECK(reader.bad == rows[i].bad);
	}
}

/* Three records of one line: a delta each, the same probe, another probe. */
static void deltas(void)
{
	struct dp_record_reader reader =
		reader_of("0 01 05  5 123 05  2 02 12345 05  7 80000000 05", false);
	static const struct {
		uint8_t probe;
		uint64_t time;
	} expected[] = {{1, 0x1234567890}, {1, 0x12345679b3}, {2, 0x1234579cf8}, {2, 0x12b4579cf8}};
	struct dp_record r;

	for (unsigned i = 0; i < 4; i++) {
		CHECK(dp_record_next(&reader, &r, body));
		CHECK(r.probe == expected[i].probe && reader.time == expected[i].time);
		CHECK(r.ticks == (uint32_t)expected[i].time);
	}
	CHECK(!dp_record_next(&reader, &r, body) && !reader.bad);
}

/* The longest body in each form, and one unit more. */
static void longest(void)
{
	static uint8_t digits[2 * DP_RECORD_DIGITS_MAX];
	struct dp_record_reader reader = {.digits = digits};
	struct dp_record r;
	const size_t units = DP_RECORD_BODY_MAX / DP_UNIT_BYTES;

	memset(digits, 0, sizeof digits);
	for (size_t i = 0; i < units; i++)
		digits[3 + 2 * i] = i + 1 < units ? DP_UNIT_MORE : 0;
	reader.left = 3 + 2 * units;
	CHECK(dp_record_next(&reader, &r, body) && r.bytes == 4 * units && reader.left == 0);
	digits[3 + 2 * (units - 1)] = DP_UNIT_MORE;
	reader = (struct dp_record_reader){.digits = digits, .left = 3 + 2 * (units + 1)};
	CHECK(!dp_record_next(&reader, &r, body) && reader.bad);

	memcpy(digits, "\x8\x4\0\0\xf\xf\xf\xf", 8);
	memset(digits + 8, 0, sizeof digits - 8);
	reader = (struct dp_record_reader){.digits = digits, .left = 8 + 2 * DP_RECORD_BODY_MAX};
	CHECK(dp_record_next(&reader, &r, body) && r.bytes == DP_RECORD_BODY_MAX);
	reader =
		(struct dp_record_reader){.digits = digits, .left = 8 + 2 * DP_RECORD_BODY_MAX - 1};
	CHECK(!dp_record_next(&reader, &r, body) && reader.bad);
}

/* Records before the bad one. */
static unsigned good(const char *text)
{
	struct dp_record_reader reader = reader_of(text, false);
	struct dp_record record;
	unsigned count = 0;

	while (dp_record_next(&reader, &record, body))
		count++;
	CHECK(reader.bad);
	return count;
}

/* proves: R4.6 R4.12 */
static void not_a_record(void)
{
	static const char *const first[] = {
		"0",                                       /* cut: probe, */
		"0 0",                                     /* probe, */
		"0 00",                                    /* W, */
		"0 00 7 8001F2A",                          /* a unit, */
		"0 00 9 12",                               /* the next unit, */
		"8",                                       /* X, */
		"81 00 0 0",                               /* flags, */
		"87 00 0 05 FFFF",                         /* codes, */
		"84 00 2 0A0",                             /* and the body */
		"0 F0 00",                                 /* probe number */
		"80 00 00",                                /* X without a bit */
		"88 00 00",                                /* unknown bit of X */
		"81 00 F 01 00",                           /* kind */
		"81 00 0 20 00",                           /* flag */
		"81 00 0 00 00",                           /* kind and flags of a plain record */
		"81 00 0 04 00",                           /* the flag CODES, and no codes */
		"83 00 0 01 FFFFFFFF 00",                  /* codes, and no flag */
		"82 00 FFFFFFFF 00",                       /* the same */
		"0 00 1 05",                               /* leading zero */
		"84 00 F00E 000102030405060708090A0B0C0D", /* longer length than needed */
		"4 00",                                    /* same probe as nothing */
		"1 00 123 00",                             /* delta to nothing */
	};
	static const char *const second[] = {
		"0 00 00  5 000 00",      /* a delta of 0 */
		"0 00 00  6 00FFF 00",    /* longer delta than needed */
		"0 00 00  7 000FFFFF 00", /* the same */
		"0 00 00  0",             /* digits left over */
	};

	for (size_t i = 0; i < sizeof first / sizeof first[0]; i++) {
		CHECK(good(first[i]) == 0);
		if (good(first[i]) != 0)
			printf("%s\n", first[i]);
	}
	for (size_t i = 0; i < sizeof second / sizeof second[0]; i++)
		CHECK(good(second[i]) == 1);
}

int main(void)
{
	both_forms();
	byte_order();
	kinds_flags_and_codes();
	flags_of_a_fault();
	deltas();
	longest();
	not_a_record();
	return check_status();
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Data to text: host/present/TEMPLATES.md, "Controls". D and F with a number, in names, are the
 * decisions of the template language; what one says stands behind it. What is said of a wrong file
 * is test_template.py. */
#define _GNU_SOURCE
#include "check.h"
#include <dprobes/host.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	DATA_MAX = 4096
};

/* Text of a record 1,1; the caller frees it. */
static char *formatted(const char *file, const struct dp_template_record *record)
{
	struct dp_messages messages = {0};
	struct dp_templates *templates =
		dp_templates_from_text(file, strlen(file), "test.tpl", &messages);
	char *text = NULL;

	if (templates)
		text = dp_template_text(templates, record);
	else
		dp_messages_print(&messages, stdout, false);
	dp_templates_free(templates);
	dp_messages_free(&messages);
	return text;
}

static int digit(char c)
{
	return c <= '9' ? c - '0' : c - 'a' + 10;
}

/* Pairs of hex digits; blanks are for the reader. */
static size_t bytes_of(const char *hex, uint8_t *data)
{
	size_t n = 0;

	for (; *hex; hex++)
		if (*hex != ' ') {
			data[n++] = (uint8_t)(digit(hex[0]) << 4 | digit(hex[1]));
			hex++;
		}
	return n;
}

enum form {
	LE = 1,
	BE = 2,
	BOTH = LE | BE,
	W8 = 4, /* words of 8 bytes, else 4 */
	LEFT = 8,
};

struct row {
	const char *name;
	unsigned form;
	const char *format; /* as it stands in the file */
	const char *hex;
	const char *text; /* without the newline that ends every record */
};

#define BLANKS_30 "                              "
#define BLANKS_90 BLANKS_30 BLANKS_30 BLANKS_30

static const struct row rows[] = {
	/* --- F1 to F8, little-endian --- */
	{"F1", LE, "%4x", "78563412", "12345678"},
	{"F2", LE, "%d", "ff", "-1"},
	{"F3", LE, "%ps", "01 0300 616263", "abc"},
	{"F4", LE, "%ps|%x", "00 0500 6162007a7a 41", "ab|41"},
	{"F5", LE, "%r(function=0x%2x return code=0x%2x\\n)",
	 "00 0c00 0000 0000 0000 0300 0200 0000",
	 "function=0x0000 return code=0x0000\nfunction=0x0000 return code=0x0003\n"
	 "function=0x0002 return code=0x0000\n"},
	{"F6", LE, "%p4x", "ff 0400 00200000", "<fault at 0x00002000>"},
	{"F7", LE, "%4us", "07000000", "7s"},
	{"F8", LE, "100%% %(a%)", "", "100% (a)"},
	/* --- addresses without an image; test_names.py has those with names --- */
	{"address", LE, "%4a", "04030201", "0x01020304"},
	{"address, big-endian", BE, "%p2a|", "00 0200 0304", "0x0304|"},
	{"addresses", LE, "%r4a", "07 0200 01000000 02000000", "0x00000001 0x00000002"},

	/* --- each control, each size, both orders --- */
	{"c default", BOTH, "%c", "41", "A"},
	{"c n", BOTH, "%5c", "41207e7f1b", "A ~.."},
	{"c all that is printed", BOTH, "%2c|%2c|%2c", "1f20 7e7f 80ff", ". |~.|.."},
	{"d default", BOTH, "%d", "80", "-128"},
	{"d 1", BOTH, "%1d %1d", "7f ff", "127 -1"},
	{"d 2", LE, "%2d %2d", "feff 0080", "-2 -32768"},
	{"d 2", BE, "%2d %2d", "fffe 8000", "-2 -32768"},
	{"d 3", LE, "%3d %3d", "000080 ffff7f", "-8388608 8388607"},
	{"d 3", BE, "%3d %3d", "800000 7fffff", "-8388608 8388607"},
	{"d 4", LE, "%4d %4d", "00000080 feffffff", "-2147483648 -2"},
	{"d 4", BE, "%4d %4d", "80000000 fffffffe", "-2147483648 -2"},
	{"d 5", LE, "%5d", "ffffffff80", "-545460846593"},
	{"d 5", BE, "%5d", "80ffffffff", "-545460846593"},
	{"d 6", LE, "%6d", "feffffffffff", "-2"},
	{"d 6", BE, "%6d", "fffffffffffe", "-2"},
	{"d 7", LE, "%7d", "00000000000080", "-36028797018963968"},
	{"d 7", BE, "%7d", "80000000000000", "-36028797018963968"},
	{"d 8", LE, "%8d %8d", "0000000000000080 ffffffffffffff7f",
	 "-9223372036854775808 9223372036854775807"},
	{"d 8", BE, "%8d %8d", "8000000000000000 7fffffffffffffff",
	 "-9223372036854775808 9223372036854775807"},
	{"u default", BOTH, "%u", "ff", "255"},
	{"u 1", BOTH, "%1u", "05", "5"},
	{"u 2", LE, "%2u", "0100", "1"},
	{"u 2", BE, "%2u", "0100", "256"},
	{"u 3", LE, "%3u", "010203", "197121"},
	{"u 3", BE, "%3u", "010203", "66051"},
	{"u 4", LE, "%4u", "ffffffff", "4294967295"},
	{"u 4", BE, "%4u", "80000001", "2147483649"},
	{"u 5", LE, "%5u", "0000000001", "4294967296"},
	{"u 5", BE, "%5u", "0100000000", "4294967296"},
	{"u 6", LE, "%6u", "ffffffffffff", "281474976710655"},
	{"u 6", BE, "%6u", "000000000007", "7"},
	{"u 7", LE, "%7u", "ffffffffffffff", "72057594037927935"},
	{"u 7", BE, "%7u", "00000000000000", "0"},
	{"u 8", LE, "%8u", "ffffffffffffffff", "18446744073709551615"},
	{"u 8", BE, "%8u", "000000000000000a", "10"},
	{"x default", BOTH, "%x", "0a", "0a"},
	{"x 1", BOTH, "%1x", "f0", "f0"},
	{"x 2", LE, "%2x", "0102", "0201"},
	{"x 2", BE, "%2x", "0102", "0102"},
	{"x 3", LE, "%3x", "010203", "030201"},
	{"x 3", BE, "%3x", "010203", "010203"},
	{"x 4", BE, "%4x", "12345678", "12345678"},
	{"x 5", LE, "%5x", "0102030405", "0504030201"},
	{"x 5", BE, "%5x", "0102030405", "0102030405"},
	{"x 6", LE, "%6x", "010203040506", "060504030201"},
	{"x 6", BE, "%6x", "010203040506", "010203040506"},
	{"x 7", LE, "%7x", "01020304050607", "07060504030201"},
	{"x 7", BE, "%7x", "01020304050607", "01020304050607"},
	{"x 8", LE, "%8x", "0102030405060708", "0807060504030201"},
	{"x 8", BE, "%8x", "0102030405060708", "0102030405060708"},
	{"f 4", LE, "%4f %4f", "0000c03f c3f54840", "1.5 3.14"},
	{"f 4", BE, "%4f %4f", "3fc00000 4048f5c3", "1.5 3.14"},
	{"f 8", LE, "%8f %8f", "9a9999999999b93f 0000000000005940", "0.1 100"},
	{"f 8", BE, "%8f %8f", "3fb999999999999a 4059000000000000", "0.1 100"},
	{"f that has no number", BE, "%4f %4f %4f %4f %8f",
	 "7f800000 ff800000 7fc00000 80000000 fff8000000000000", "inf -inf nan -0 nan"},
	{"f needs 8 digits", BE, "%4f", "3f800001", "1.0000001"},
	{"f needs 17 digits", BE, "%8f", "3fd3333333333334", "0.30000000000000004"},
	{"i", BOTH, "%i%2i%x", "010203 04", "04"},
	{"i large", BOTH, "%12i%c", "000000000000000000000000 41", "A"},
	{"s", BOTH, "<%s><%s>", "6100 00", "<a><>"},
	{"s prints no byte that could steer a terminal", BOTH, "%s", "1b5b32 4a0a09 7fc29b 00",
	 ".[2J....."},
	{"z", BOTH, "%x %z", "01 41427f", "01 +00000000 41 42 7f *AB.*"},
	{"z of nothing", BOTH, "a%zb", "", "ab"},
	{"z twice", LE, "%z%z%z;%z", "41", "+00000000 41 *A*;"},
	{"z twice, in and behind a group", LE, "%r(%z%z)%z", "00 0100 41 42",
	 "+00000000 41 *A*+00000000 42 *B*"},
	{"z in and behind a repetition", LE, "%rz%z", "00 0100 41 42",
	 "+00000000 41 *A*+00000000 42 *B*"},
	{"z behind pz, whose data is a fault", LE, "%pz%z", "ff 0100 07 42",
	 "<fault at 0x07>+00000000 42 *B*"},
	{"z of a whole line", BOTH, "%z",
	 "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
	 "+00000000 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10 11 12 13 14 15 16 17 18 19 "
	 "1a 1b 1c 1d 1e 1f *................................*"},
	{"D23 z of two lines: the characters are those of the bytes", BOTH, "%z",
	 "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f 4142",
	 "+00000000 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10 11 12 13 14 15 16 17 18 19 "
	 "1a 1b 1c 1d 1e 1f *................................*\n"
	 "+00000020 41 42" BLANKS_90 " *AB*"},
	{"signs", BOTH, "%%%(%)", "", "%()"},
	{"escapes", BOTH, "a\\tb\\n\\\\\\\"", "", "a\tb\n\\\""},
	{"text of the template is its user's", BOTH, "Größe %u", "05", "Größe 5"},

	/* --- prefixes --- */
	{"p alone, then inside the data", BE, "%p%2x,%x", "00 0003 010203", "0102,03"},
	{"p with each control", BE, "%pc%pd%p2x%p4f%pi%pz",
	 "00 0001 41 00 0001 ff 00 0002 0102 00 0004 3fc00000 00 0001 00 00 0002 6162",
	 "A-101021.5+00000000 61 62 *ab*"},
	{"p then s", BE, "%p%s|%x", "01 0003 616263 07", "abc|07"},
	{"p, a control, then s with what is left", BE, "%p%x %s|%x", "00 0004 09 610062 07",
	 "09 a|07"},
	{"p used up, then a string of its own", BE, "%px%s|%x", "00 0001 09 616200 07", "09ab|07"},
	{"ps of length 0", BE, "<%ps>%x", "01 0000 07", "<>07"},
	{"ps of length 0 where the data ends", BE, "<%ps>", "01 0000", "<>"},
	{"ps longer than the data", BE, "<%ps>", "01 0009 616263", "<abc<end of data>"},
	{"ps longer than the data, with NUL", BE, "<%ps>", "01 0009 610063", "<a<end of data>"},
	{"p then a literal letter", BE, "%ppid", "00 0000", "pid"},
	{"digits behind p that are literal", BE, "%p4 x", "00 0000", "4 x"},
	{"prefix cut", BOTH, "a%px", "00 01", "a<end of data>"},

	/* --- the decisions --- */
	{"D2 digits come first", LE, "%d10", "ff", "-110"},
	{"D3 instead of pu", LE, "%p%4u", "00 0400 05000000", "5"},
	{"D3 pz", LE, "%pz", "00 0200 4142", "+00000000 41 42 *AB*"},
	{"D4 words", LE, "%r4x", "07 0200 01000000 02000000", "00000001 00000002"},
	{"D4 words", BE, "%r4x", "07 0002 00000001 00000002", "00000001 00000002"},
	{"D4 words of 8 bytes", LE | W8, "%r8x|%c", "07 0100 0100000000000000 41",
	 "0000000000000001|A"},
	{"D4 words of 8 bytes", BE | W8, "%r8x|%c", "07 0001 0000000000000001 41",
	 "0000000000000001|A"},
	{"D4 words of 8 bytes, two at a time", LE | W8, "%r4x", "05 0100 0100000002000000",
	 "00000001 00000002"},
	{"D4 stack words", LE, "%r4u", "04 0100 07000000", "7"},
	{"D4 local variables", LE, "%r4u", "05 0200 07000000 08000000", "7 8"},
	{"D4 global variables", LE, "%r4u", "06 0100 07000000", "7"},
	{"D4 memory counts bytes", LE | W8, "%rx", "00 0200 0102", "01 02"},
	{"D4 strings count bytes", LE | W8, "%rc", "01 0200 4142", "A B"},
	{"D4 records of a stack trace", LE, "%r4x", "02 0100 07000000",
	 "<bad prefix>\n+00000000 02 01 00 07 00 00 00 *.......*"},
	{"D4 frames of a stack trace", LE, "a%px", "03 0000",
	 "a<bad prefix>\n+00000000 03 00 00 *...*"},
	{"D5 the rest is not skipped", LE, "%p2x %2x %x", "00 0400 0100 0200 09", "0001 0002 09"},
	{"D6 token 1 with a NUL", LE, "%ps|%x", "01 0500 6162007a7a 41", "ab|41"},
	{"D7 last element does not fit", LE, "%r2x|%x", "00 0500 0100 0400 09 41",
	 "0001 0004<1 bytes left>|41"},
	{"D7 in a group", LE, "%r(<%2x %x>)|%x", "00 0500 010002 0300 41",
	 "<0001 02><2 bytes left>|41"},
	{"D7 before a round that cannot fit", LE, "%r([%ps %2x])|%x",
	 "00 0a00 01 0100 61 0500 01 0000 09 41", "[a 0005]<4 bytes left>|41"},
	{"D7 in the middle of a round", LE, "%r([%ps %2x])|%x",
	 "00 0b00 01 0100 61 0500 01 0100 62 09 41", "[a 0005][b <1 bytes left>|41"},
	{"D7 nothing left in a round", LE, "%r([%ps %2x])|%x", "00 0500 01 0200 6162 41",
	 "[ab <0 bytes left>|41"},
	{"D7 a string longer than the repetition", LE, "%r(<%ps>)|%x", "00 0500 01 0900 6162 41",
	 "<ab<0 bytes left>|41"},
	{"D7 a string may be empty behind a prefix alone", LE, "%r(<%p%s>)|%x",
	 "00 0700 01 0100 61 01 0000 07", "<a><>|07"},
	{"D7 and in front of one, in the next round", LE, "%r(<%s>%p)|%x",
	 "00 0800 6100 01 0000 01 0000 07", "<a><>|07"},
	{"D8 one blank between simple ones", LE, "%r2x", "00 0400 0100 0400", "0001 0004"},
	{"D8 none in a group", LE, "%r(%2x)", "00 0400 0100 0400", "00010004"},
	{"D8 what prints nothing is not separated", LE, "%ri|%x", "00 0300 010203 04", "|04"},
	{"D9 length 0", LE, "a%r(b%x)c%rxd", "00 0000 00 0000", "acd"},
	{"D10 end of data", LE, "a%xb%xc", "01", "a01b<end of data>"},
	{"D10 too few bytes", LE, "a%4xb", "010203", "a<end of data>"},
	{"D10 with what is left", LE | LEFT, "a%4xb", "010203",
	 "a<end of data>\n<3 bytes behind the template>\n+00000000 01 02 03 *...*"},
	{"D10 leftover is not shown", LE, "%x", "010203", "01"},
	{"D10 leftover is shown", LE | LEFT, "%x", "010203",
	 "01\n<2 bytes behind the template>\n+00000000 02 03 *..*"},
	{"D10 nothing left over", LE | LEFT, "%x", "01", "01"},
	{"D10 a string that does not end", LE, "%s|", "6162", "ab<end of data>"},
	{"D10 a string where nothing is", LE, "|%s|", "", "|<end of data>"},
	{"D11 error under a group: once, skipped", LE, "%r(a%xb)|%x", "ff 0400 00200000 09",
	 "<fault at 0x00002000>|09"},
	{"D11 error under a simple repetition", LE, "%r2x|%x", "ff 0400 00200000 09",
	 "<fault at 0x00002000>|09"},
	{"D12 nested prefix", LE, "%r(<%ps>)|%x", "00 0900 01 0200 6162 01 0100 63 07",
	 "<ab><c>|07"},
	{"D12 nested repetition", LE, "%r(%x:%r2x;)|%x",
	 "00 0d00 01 00 0400 0100 0200 02 07 0000 07 41", "01:0001 0002;02:;<1 bytes left>|41"},
	{"D12 outer length bounds the nested one", LE, "%r(%r(%x,).)|%x", "00 0500 00 0900 0102 41",
	 "01,02,<0 bytes left>|41"},
	{"D12 the nested one ends in an element", LE, "%r(%r(%2x,).)|%x",
	 "00 0600 00 0900 010203 41", "0201,<1 bytes left>|41"},
	{"D12 eight deep", LE, "%r(%r(%r(%r(%r(%r(%r(%r(%x))))))))",
	 "00 1600 00 1300 00 1000 00 0d00 00 0a00 00 0700 00 0400 00 0100 41", "41"},
	{"D13 bare parentheses", LE, "f(%x) )", "01", "f(01) )"},
	{"D13 a parenthesis in a group closes it", LE, "%r(%x)) ", "00 0200 0102", "0102) "},
	{"D13 signs in a group", LE, "%r(%(%x%))", "00 0200 0102", "(01)(02)"},
	{"D15 12 bytes are three times 2 x 2", LE, "%r(%2x-%2x\\n)",
	 "00 0c00 0000 0000 0000 0300 0200 0000", "0000-0000\n0000-0003\n0002-0000\n"},
	{"D16 table of pointers to strings", LE, "%r(pointer=0x%4x, string='%ps'\\n)",
	 "00 1300 44332211 01 0200 6162 55443322 01 0300 636465",
	 "pointer=0x11223344, string='ab'\npointer=0x22334455, string='cde'\n"},
	{"D17 0x7f is a dot", LE, "%2c%z", "7e7f 7e7f", "~.+00000000 7e 7f *~.*"},
	{"D24 order of the prefix's length", LE, "%ps", "01 0100 61", "a"},
	{"D24 order of the prefix's length", BE, "%ps", "01 0001 61", "a"},

	/* --- error tokens --- */
	{"fault, word of 8 bytes", LE | W8, "%p8x|%x", "ff 0800 0020000000000000 09",
	 "<fault at 0x0000000000002000>|09"},
	{"fault, big-endian", BE, "%ps|%x", "ff 0004 00002000 09", "<fault at 0x00002000>|09"},
	{"fault under p alone", BE, "%p|%x", "ff 0004 00002000 09", "<fault at 0x00002000>|09"},
	{"fault under p alone, and what belongs to it", LE, "%p%4u|%4u",
	 "ff 0400 00200000 07000000", "<fault at 0x00002000>7|<end of data>"},
	{"fault under r, which skips", LE, "%r4u|%4u", "ff 0400 00200000 07000000",
	 "<fault at 0x00002000>|7"},
	{"bad selector", LE, "%p4x|%x", "fe 0200 3412 09", "<bad selector 0x1234>|09"},
	{"bad selector", BE, "%rx|%x", "fe 0002 1234 09", "<bad selector 0x1234>|09"},
	{"bad prefix", LE, "%x %p4x|%x", "01 08 0400 01020304",
	 "01 <bad prefix>\n+00000000 08 04 00 01 02 03 04 *.......*"},
	{"bad prefix in a group ends all", LE, "%r(%ps)|%x", "00 0300 090000 0a",
	 "<bad prefix>\n+00000000 09 00 00 0a *....*"},
	{"fault without an address", LE, "%p4x", "ff 0000",
	 "<bad prefix>\n+00000000 ff 00 00 *...*"},
	{"fault with too long an address", LE, "%p4x", "ff 0900 010203040506070809",
	 "<bad prefix>\n+00000000 ff 09 00 01 02 03 04 05 06 07 08 09 *............*"},
	{"fault cut", LE | LEFT, "%p4x", "ff 0400 0102",
	 "<end of data>\n<5 bytes behind the template>\n+00000000 ff 04 00 01 02 *.....*"},

	/* --- repetitions --- */
	{"repeated c", LE, "%r2c", "00 0400 41424344", "AB CD"},
	{"repeated d", LE, "%rd", "00 0200 01ff", "1 -1"},
	{"repeated f", LE, "%r4f", "00 0800 0000c03f 0000c0bf", "1.5 -1.5"},
	{"repeated s", LE, "%rs|%x", "00 0500 6100 626300 07", "a bc|07"},
	{"repeated s, the last without NUL", LE, "%rs|%x", "01 0300 610062 07", "a b|07"},
	{"repeated u", LE, "%r2u", "00 0400 0100 0200", "1 2"},
	{"repeated z is the rest of the repetition", LE, "%rz|%x", "00 0200 4142 07",
	 "+00000000 41 42 *AB*|07"},
	{"repetition longer than the data", LE, "%rx|", "00 0900 0102", "01 02<end of data>"},
	{"repetition longer than the data, cut in an element", LE, "%r2x|", "00 0900 010203",
	 "0201<1 bytes left><end of data>"},
	{"repetition longer than the data, cut before an element", LE, "%r([%ps %2x])|",
	 "00 0900 01 0200 6162", "[ab <end of data>"},
	{"repetition longer than the data, cut in a nested one", LE, "%r(%r(%x,).)|%x",
	 "00 0900 00 0900 0102", "01,02,<end of data>"},
	{"repetition longer than the data, cut in an element of a nested one", LE,
	 "%r(%r(%2x,).)|%x", "00 0900 00 0900 010203", "0201,<1 bytes left><end of data>"},
	{"repetition longer than the data, cut behind a nested one", LE, "%r(%r(%2x,)%x.)|%x",
	 "00 0900 00 0200 0102", "0201,<end of data>"},
	{"string in a group", LE, "%r(%x=%s,)", "00 0600 01 6100 02 6200", "01=a,02=b,"},
	{"z in a group", LE, "%r(%x=%z)|%x", "00 0300 016162 07", "01=+00000000 61 62 *ab*|07"},
	{"z in a group, of nothing", LE, "%r(%x=%z)", "00 0100 01", "01="},
	{"group in a group uses all", LE, "%r(%r(%x)%r(%x))", "00 0a00 00 0200 0102 00 0200 0304",
	 "01020304"},
	{"no format", BOTH, "", "41", ""},
};

/* --- stack traces: RPN.md 9, and what is none --------------------------------------- */

#define TRACE_HEAD    "01 0200 6162 4000000000000000 07000000 0100 0200 "
#define TRACE_TEXT    "stack trace of ab, id 7, codes 1,2, probe at 0x40\n"
#define TRACE_NOTHING "00000000 ffffffff 00000000 00000000 03 0000 "
#define TRACE_FRAME   "00000000 ffffffff 00000000 00000000 03 0100 10000000 20000000 "

static const struct row traces[] = {
	{"nothing", BOTH, NULL, "", ""},
	{"the example", LE, NULL, TRACE_HEAD "02 0100" TRACE_NOTHING, TRACE_TEXT "no exception"},
	{"the example", BE, NULL,
	 "01 0002 6162 0000000000000040 00000007 0001 0002 02 0001"
	 "00000000 ffffffff 00000000 00000000 03 0000",
	 TRACE_TEXT "no exception"},
	{"the example with 8-byte words", LE | W8, NULL,
	 TRACE_HEAD "02 0100 0000000000000000 ffffffffffffffff 0000000000000000 0000000000000000"
		    "03 0000",
	 TRACE_TEXT "no exception"},
	{"with a frame", LE, NULL,
	 TRACE_HEAD "02 0100" TRACE_FRAME "04 0000 05 0100 11000000 06 0000",
	 TRACE_TEXT "no exception\n  procedure at 0x10, returns to 0x20\n    lv 0x11"},
	{"two records, all lists", LE, NULL,
	 TRACE_HEAD "02 0200" TRACE_NOTHING "01000000 30000000 00200000 05000000 03 0200"
		    "10000000 20000000 04 0200 01000000 02000000 05 0100 11000000 06 0100 12000000"
		    "40000000 50000000 04 0000 05 0000 06 0000",
	 TRACE_TEXT "no exception\nexception INVALID_ADDR (0x2000, 0x5), handler at 0x30\n"
		    "  procedure at 0x10, returns to 0x20\n    stack 0x1 0x2\n    lv 0x11\n"
		    "    gv 0x12\n  procedure at 0x40, returns to 0x50"},
	{"name that would steer a terminal", LE, NULL,
	 "01 0200 1b7f 4000000000000000 07000000 0100 0200 02 0000",
	 "stack trace of .., id 7, codes 1,2, probe at 0x40"},
	{"cut in the head", LE, NULL, "01 0200 6162 4000",
	 "<end of data>\n+00000000 01 02 00 61 62 40 00 *...ab@.*"},
	{"no trace", LE, NULL, "00 0200 6162", "<bad prefix>\n+00000000 00 02 00 61 62 *...ab*"},
	{"cut in a list", LE, NULL, TRACE_HEAD "02 0100" TRACE_FRAME "04 0200 01000000 0200",
	 TRACE_TEXT "no exception\n  procedure at 0x10, returns to 0x20\n    stack 0x1\n"
		    "<end of data>\n+00000000 02 00 *..*"},
	{"other token", LE, NULL, TRACE_HEAD "02 0100" TRACE_FRAME "07 0000",
	 TRACE_TEXT "no exception\n  procedure at 0x10, returns to 0x20\n"
		    "<bad prefix>\n+00000000 07 00 00 *...*"},
	{"fewer records than said", LE, NULL, TRACE_HEAD "02 0200" TRACE_NOTHING,
	 TRACE_TEXT "no exception\n<end of data>"},
	{"more than said", LE, NULL, TRACE_HEAD "02 0000 2a",
	 TRACE_TEXT "<bytes behind the trace>\n+00000000 2a ***"},
};

static void run_row(const struct row *row, bool big_endian)
{
	uint8_t data[DATA_MAX];
	char *file, *text, *wanted;
	struct dp_template_record record = {
		.major = 1,
		.minor = 1,
		.word_bytes = row->form & W8 ? 8 : 4,
		.big_endian = big_endian,
		.leftover = row->form & LEFT,
	};
	uint8_t *exact;
	const bool trace = row->format == NULL;
	const char *format = trace ? "" : row->format;

	record.bytes = bytes_of(row->hex, data);
	exact = malloc(record.bytes ? record.bytes : 1); /* the sanitizer sees one byte more */
	memcpy(exact, data, record.bytes);
	record.data = exact;
	if (asprintf(&file, "major = 1\nminor = 1, desc = \"d\", fmt = \"%s\"\n", format) < 0 ||
	    asprintf(&wanted, "%s\n", row->text) < 0)
		abort();
	text = trace ? dp_template_trace(&record) : formatted(file, &record);
	if (!text || strcmp(text, wanted) != 0) {
		printf("%s (%s): \"%s\" of %s is\n%s\nnot\n%s\n", row->name,
		       big_endian ? "big-endian" : "little-endian", format, row->hex,
		       text ? text : "nothing", wanted);
		check_failures++;
	}
	free(text);
	free(wanted);
	free(file);
	free(exact);
}

static void run_rows(const struct row *row, size_t count)
{
	for (; count > 0; count--, row++) {
		if (row->form & LE)
			run_row(row, false);
		if (row->form & BE)
			run_row(row, true);
	}
}

/* --- which template ------------------------------------------------------------------------ */

static const char several[] = "major = 3\n"
			      "minor = 65535, desc = \"last\", fmt = \"last %x\"\n"
			      "minor = 2, desc = \"no fmt\"\n"
			      "minor = 0, desc = \"concatenated\", fmt = \"%\", fmt = \"2\"\n"
			      "fmt = \"x\" fmt = \";\"\n"
			      "minor = 7, desc = \"empty\", fmt = \"\"\n";

static bool gives(const struct dp_templates *templates, uint16_t major, uint16_t minor,
		  const char *wanted)
{
	static const uint8_t data[] = {0x41, 0x42};
	const struct dp_template_record record = {.major = major,
						  .minor = minor,
						  .data = data,
						  .bytes = sizeof data,
						  .word_bytes = 4};
	char *text = dp_template_text(templates, &record);
	const bool same = strcmp(text, wanted) == 0;

	if (!same)
		printf("%u,%u is %s", major, minor, text);
	free(text);
	return same;
}

/* D14, D18, D21: both codes choose; without fmt, and without a template, all data is dumped. */
static void chosen_by_codes(void)
{
	struct dp_messages messages = {0};
	struct dp_templates *templates =
		dp_templates_from_text(several, strlen(several), "several.tpl", &messages);
	const struct dp_template_record nothing = {.major = 3, .minor = 2, .word_bytes = 4};
	char *text;

	CHECK(templates != NULL && messages.count == 0);
	CHECK(dp_templates_count(templates) == 4);
	CHECK(gives(templates, 3, 0, "4241;\n"));
	CHECK(gives(templates, 3, 65535, "last 41\n"));
	CHECK(gives(templates, 3, 7, "\n"));
	CHECK(gives(templates, 3, 2, "+00000000 41 42 *AB*\n"));
	CHECK(gives(templates, 3, 1, "+00000000 41 42 *AB*\n"));
	CHECK(gives(templates, 2, 0, "+00000000 41 42 *AB*\n"));
	CHECK(gives(NULL, 3, 0, "+00000000 41 42 *AB*\n"));
	CHECK(strcmp(dp_template_desc(templates, 3, 2), "no fmt") == 0);
	CHECK(strcmp(dp_template_desc(templates, 3, 0), "concatenated") == 0);
	CHECK(dp_template_desc(templates, 3, 1) == NULL && dp_template_desc(NULL, 3, 0) == NULL);
	text = dp_template_text(templates, &nothing);
	CHECK(strcmp(text, "\n") == 0);
	free(text);
	dp_templates_free(templates);
	dp_templates_free(NULL);
	dp_messages_free(&messages);
}

/* --- bounds -------------------------------------------------------------------------------- */

/* A record of 4095 bytes, all of them under a prefix and in rounds of a group: `letters` characters
 * and a control of one byte. */
static char *rounds(int letters, const char *control, uint16_t length)
{
	static uint8_t data[DATA_MAX - 1];
	static char text[1000], file[2000];
	const struct dp_template_record record = {
		.major = 1, .minor = 1, .data = data, .bytes = sizeof data, .word_bytes = 4};

	data[1] = (uint8_t)length;
	data[2] = (uint8_t)(length >> 8);
	memset(text, 'a', sizeof text);
	snprintf(file, sizeof file, "major = 1 minor = 1 desc = \"d\" fmt = \"%%r(%.*s%s)\"\n",
		 letters, text, control);
	return formatted(file, &record);
}

/* DP_TEMPLATE_TEXT_MAX is where it says. */
static void long_text_is_cut(void)
{
	static const char cut[] = "\n<cut: the text is longer>\n";
	char *text = rounds(1000, "%x", 4092);

	CHECK(text && strlen(text) == DP_TEMPLATE_TEXT_MAX + strlen(cut));
	CHECK(text && strcmp(text + DP_TEMPLATE_TEXT_MAX, cut) == 0);
	free(text);
	text = rounds(16, "%i", 4092); /* as much as fits is not cut */
	CHECK(text && strlen(text) == 16 * 4092 + 1);
	free(text);
	text = rounds(13, "%i", 5039); /* nor is what the data ends before */
	CHECK(text && strlen(text) == 13 * 4092 + strlen("<end of data>\n"));
	free(text);
}

/* A character is not cut in two. */
static void cut_between_characters(void)
{
	static const char cut[] = "\n<cut: the text is longer>\n";
	char *text = rounds(15, "ö%xa", 4092); /* 65540 is a multiple of 20, and ö ends 3 before */
	const size_t bytes = text ? strlen(text) - strlen(cut) : 0;

	CHECK(bytes == DP_TEMPLATE_TEXT_MAX - 1);
	CHECK(text && strcmp(text + bytes, cut) == 0 && text[bytes - 1] == 'a');
	free(text);
}

/* What uses no data and prints nothing costs no time in each round. */
static void a_million_dumps_of_nothing(void)
{
	enum {
		DUMPS = 1000000,
		SECONDS = 3,
	};
	static const char head[] = "major=1 minor=1 desc=\"d\" fmt=\"%r(%r(%i", tail[] = "))\"";
	static uint8_t data[DATA_MAX];
	const struct dp_template_record record = {
		.major = 1, .minor = 1, .data = data, .bytes = sizeof data, .word_bytes = 4};
	struct dp_messages messages = {0};
	char *file = malloc(sizeof head + 2 * DUMPS + sizeof tail), *end = stpcpy(file, head),
	     *text;
	struct dp_templates *templates;
	clock_t begin;

	for (int i = 0; i < DUMPS; i++)
		end = stpcpy(end, "%z");
	stpcpy(end, tail);
	data[1] = data[2] = 0x0f;
	for (size_t i = 3; i + 4 <= sizeof data; i += 4)
		data[i + 1] = 1; /* rounds of one byte */
	templates = dp_templates_from_text(file, strlen(file), "dumps.tpl", &messages);
	begin = clock();
	text = dp_template_text(templates, &record);
	CHECK(clock() - begin < SECONDS * CLOCKS_PER_SEC);
	CHECK(templates && strstr(text, "<end of data>") == NULL);
	free(text);
	free(file);
	dp_templates_free(templates);
	dp_messages_free(&messages);
}

/* Memory of a file that goes away is not used. */
static void keeps_its_own_copy(void)
{
	static const uint8_t data[] = {1};
	const struct dp_template_record record = {
		.major = 1, .minor = 1, .data = data, .bytes = 1, .word_bytes = 4};
	static const char text[] = "major=1 minor=1 desc=\"word\" fmt=\"a%xb\"";
	struct dp_messages messages = {0};
	char *file = strdup(text), *said;
	struct dp_templates *templates =
		dp_templates_from_text(file, strlen(file), "gone.tpl", &messages);

	memset(file, 'z', strlen(file));
	free(file);
	CHECK(strcmp(dp_template_desc(templates, 1, 1), "word") == 0);
	said = dp_template_text(templates, &record);
	CHECK(strcmp(said, "a01b\n") == 0);
	free(said);
	dp_templates_free(templates);
	dp_messages_free(&messages);
}

int main(void)
{
	run_rows(rows, sizeof rows / sizeof rows[0]);
	run_rows(traces, sizeof traces / sizeof traces[0]);
	chosen_by_codes();
	long_text_is_cut();
	cut_between_characters();
	a_million_dumps_of_nothing();
	keeps_its_own_copy();
	return check_status();
}

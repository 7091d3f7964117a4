/* SPDX-License-Identifier: BSD-2-Clause */
/* The commands of gdb's dprintf.
 * source: Debugging with GDB, appendix F.2 (printf), section 5.1.8 */
#include "print.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	PRINTF = 0x34, /* the instruction: u8 arguments, u16 bytes of the format with its NUL */
	PRINTF_HEAD = 4,
	END = 0x27,
	STRING_BYTES = 80, /* that a %s without a precision prints at most */
	TOKEN_BYTES = 3,   /* before a string: a token, and 16 bits of a length */
	TOKEN_TEXT = 1,
	FIELD_MAX = 512, /* of a width and of a precision */
	FLAGS_MAX = 8,
	ESCAPE = 0x1b,
	HALF_BITS = 16
};

#define NOT_READ "<not read>"

/* A conversion of a format: "%-08lx". */
struct conversion {
	char flags[FLAGS_MAX];
	int width, precision; /* -1: none */
	unsigned bits;        /* of a number */
	char letter;
};

/* --- the format ------------------------------------------------------------------------------ */

static bool refuse(struct dph_gdb_why *why, const char *sentence)
{
	snprintf(why->text, sizeof why->text, "%s", sentence);
	return false;
}

static int take_field(const char **at, const char *end)
{
	int field = 0;

	for (; *at < end && **at >= '0' && **at <= '9'; ++*at)
		field = field > FIELD_MAX ? field : field * 10 + (**at - '0');
	return field;
}

/* Read what gdb may write between flags and letter. Returns the bits of a number. */
static unsigned take_length(const struct dph_gdb_target *target, const char **at, const char *end)
{
	const unsigned word = target->word_bytes * CHAR_BIT;
	unsigned bits = sizeof(int32_t) * CHAR_BIT;

	for (; *at < end && strchr("hlzjt", **at) != NULL; ++*at)
		switch (**at) {
		case 'h':
			bits = bits > HALF_BITS ? HALF_BITS : CHAR_BIT;
			break;
		case 'l':
			bits = (*at)[-1] == 'l' ? sizeof(int64_t) * CHAR_BIT : word;
			break;
		case 'j':
			bits = sizeof(int64_t) * CHAR_BIT;
			break;
		default:
			bits = word;
			break;
		}
	return bits;
}

/* Read a conversion behind its '%'. Returns false: why has the reason. */
static bool take_conversion(const struct dph_gdb_target *target, const char **at, const char *end,
			    struct conversion *found, struct dph_gdb_why *why)
{
	size_t flags = 0;

	*found = (struct conversion){.precision = -1};
	for (; *at < end && strchr("-+ #0", **at) != NULL; ++*at)
		if (flags < FLAGS_MAX - 1 && memchr(found->flags, **at, flags) == NULL)
			found->flags[flags++] = **at;
	found->width = take_field(at, end);
	if (*at < end && **at == '.') {
		++*at;
		found->precision = take_field(at, end);
	}
	found->bits = take_length(target, at, end);
	found->letter = *at < end ? *(*at)++ : '\0';
	if (found->letter == 'p')
		found->bits = target->word_bytes * CHAR_BIT;
	if (found->letter == '\0' || strchr("diouxXcps", found->letter) == NULL) {
		snprintf(why->text, sizeof why->text,
			 "the agent's style of dprintf prints integers, %%c, %%p and %%s, and not "
			 "'%%%c': use another dprintf-style",
			 found->letter != '\0' ? found->letter : ' ');
		return false;
	}
	if (found->width > FIELD_MAX || found->precision > FIELD_MAX)
		return refuse(why, "a field of a dprintf has more than 512 characters");
	return found->bits <= target->word_bytes * CHAR_BIT ||
	       refuse(why, "a dprintf prints a number that needs more than a word");
}

/* Find the next conversion, which takes an argument. Returns false: there is none, or it is none
 * that is printed here, for which *good is false. */
static bool next_conversion(const struct dph_gdb_target *target, const char **at, const char *end,
			    struct conversion *found, bool *good, struct dph_gdb_why *why)
{
	while (*at < end) {
		if (*(*at)++ != '%')
			continue;
		if (*at < end && **at == '%') {
			++*at;
			continue;
		}
		*good = take_conversion(target, at, end, found, why);
		return *good;
	}
	return false;
}

/* --- instructions ---------------------------------------------------------------------------- */

bool dph_gdb_read_print(const uint8_t *bytes, size_t count, struct dph_gdb_print *print,
			struct dph_gdb_why *why)
{
	static const char other[] = "the agent runs no other command of a breakpoint than dprintf "
				    "in the agent's style";
	size_t at = 0, length;

	while (at < count && bytes[at] != PRINTF)
		at += 1 + dph_gdb_operand_bytes(bytes[at]);
	if (count < PRINTF_HEAD || at > count - PRINTF_HEAD)
		return refuse(why, other);
	length = (size_t)bytes[at + 2] << CHAR_BIT | bytes[at + 3];
	if (length == 0 || at + PRINTF_HEAD + length + 1 != count ||
	    bytes[at + PRINTF_HEAD + length - 1] != '\0' || bytes[count - 1] != END)
		return refuse(why, other);
	*print = (struct dph_gdb_print){
		.bytes = bytes,
		.before = at,
		.arguments = bytes[at + 1],
		.format = (const char *)bytes + at + PRINTF_HEAD,
		.length = length - 1,
	};
	return true;
}

/* A string's longest part: that of its precision, and what the record has room for. */
static uint64_t room_of(const struct dph_gdb_code *code, const struct conversion *conversion)
{
	const uint64_t wanted =
		conversion->precision >= 0 ? (unsigned)conversion->precision : STRING_BYTES;
	const uint64_t used = code->collects + TOKEN_BYTES;
	const uint64_t left = code->target->log_max > used ? code->target->log_max - used : 0;

	return wanted < left ? wanted : left;
}

static void write_argument(struct dph_gdb_code *code, const struct conversion *conversion)
{
	if (conversion->letter != 's') {
		fputs("log 1\n", code->out);
		code->collects += code->target->word_bytes;
		return;
	}
	const uint64_t room = room_of(code, conversion);

	fprintf(code->out, "push %" PRIu64 "\nxchg\nlog str\n", room);
	code->collects += TOKEN_BYTES + room;
}

bool dph_gdb_write_print(struct dph_gdb_code *code, const struct dph_gdb_print *print)
{
	const char *at = print->format, *end = at + print->length;
	struct conversion conversion;
	unsigned arguments = 0;
	bool good = true;

	if (!dph_gdb_write_expression(code, print->bytes, print->before))
		return false;
	fputs("ros 2\n", code->out); /* the function and the channel, which are gdb's */
	while (next_conversion(code->target, &at, end, &conversion, &good, code->why)) {
		arguments++;
		write_argument(code, &conversion);
	}
	if (!good)
		return false;
	if (arguments != print->arguments)
		return refuse(code->why, "a dprintf has another number of arguments than its "
					 "format");
	if (code->collects <= code->target->log_max)
		return true;
	snprintf(code->why->text, sizeof code->why->text,
		 "the arguments of dprintf have %" PRIu64
		 " bytes, and a record of this agent has at most %" PRIu32 ": print less",
		 code->collects, code->target->log_max);
	return false;
}

/* --- text ------------------------------------------------------------------------------------ */

struct reader {
	const struct dph_gdb_target *target;
	const uint8_t *at;
	size_t left;
};

static bool take(struct reader *r, unsigned bytes, uint64_t *value)
{
	*value = 0;
	if (r->left < bytes) {
		r->left = 0;
		return false;
	}
	for (unsigned i = 0; i < bytes; i++)
		*value = *value << CHAR_BIT | r->at[r->target->big_endian ? i : bytes - 1 - i];
	r->at += bytes;
	r->left -= bytes;
	return true;
}

static void add(struct dph_bytes *text, const char *added)
{
	dph_bytes_add(text, added, strlen(added));
}

/* "%-08", and what the function adds. */
static void directive(const struct conversion *conversion, const char *behind, char *text,
		      size_t room)
{
	size_t used = (size_t)snprintf(text, room, "%%%s", conversion->flags);

	if (conversion->width > 0)
		used += (size_t)snprintf(text + used, room - used, "%d", conversion->width);
	if (conversion->precision >= 0)
		used += (size_t)snprintf(text + used, room - used, ".%d", conversion->precision);
	snprintf(text + used, room - used, "%s", behind);
}

/* The number in the bits of its conversion, with its sign where it has one. */
static uint64_t cut(uint64_t value, unsigned bits, bool with_sign)
{
	const uint64_t above = bits < sizeof value * CHAR_BIT ? UINT64_MAX << bits : 0;
	const uint64_t sign = ~above ^ (~above >> 1);

	value &= ~above;
	return with_sign && (value & sign) != 0 ? value | above : value;
}

static void format_number(const struct conversion *conversion, uint64_t value,
			  struct dph_bytes *text)
{
	const bool with_sign = conversion->letter == 'd' || conversion->letter == 'i';
	const char letters[] = {'j', conversion->letter, '\0'};
	char form[64], out[2 * FIELD_MAX + 64];

	value = cut(value, conversion->bits, with_sign);
	if (conversion->letter == 'c') {
		directive(conversion, "c", form, sizeof form);
		snprintf(out, sizeof out, form, (int)(uint8_t)value);
	} else if (conversion->letter == 'p') {
		directive(conversion, "s", form, sizeof form);
		char number[32];

		snprintf(number, sizeof number, "0x%" PRIx64, value);
		snprintf(out, sizeof out, form, number);
	} else {
		directive(conversion, letters, form, sizeof form);
		snprintf(out, sizeof out, form, value);
	}
	add(text, out);
}

static void format_string(const struct conversion *conversion, const char *string,
			  struct dph_bytes *text)
{
	char form[64], out[2 * FIELD_MAX + UINT8_MAX];

	directive(conversion, "s", form, sizeof form);
	snprintf(out, sizeof out, form, string);
	add(text, out);
}

static void take_string(struct reader *r, const struct conversion *conversion,
			struct dph_bytes *text)
{
	uint64_t token, bytes = 0;
	char *string;

	if (!take(r, 1, &token) || !take(r, TOKEN_BYTES - 1, &bytes) || bytes > r->left ||
	    token != TOKEN_TEXT) {
		if (bytes <= r->left) {
			r->at += bytes;
			r->left -= bytes;
		}
		add(text, NOT_READ);
		return;
	}
	string = dph_print("%.*s", (int)bytes, (const char *)r->at);
	r->at += bytes;
	r->left -= bytes;
	format_string(conversion, string, text);
	free(string);
}

static void take_argument(struct reader *r, const struct conversion *conversion,
			  struct dph_bytes *text)
{
	uint64_t value;

	if (conversion->letter == 's')
		take_string(r, conversion, text);
	else if (take(r, r->target->word_bytes, &value))
		format_number(conversion, value, text);
	else
		add(text, NOT_READ);
}

/* A character of the format, or two for one that gdb writes so. */
static const char *take_character(const char *at, const char *end, struct dph_bytes *text)
{
	static const char letters[] = "abfnrtve", meant[] = "\a\b\f\n\r\t\v";
	char character = *at++;

	if (character == '%' && at < end && *at == '%') {
		at++;
	} else if (character == '\\' && at < end) {
		const char *letter = strchr(letters, *at);

		character = *at++;
		if (letter != NULL && character == 'e')
			character = ESCAPE;
		else if (letter != NULL && character != '\0')
			character = meant[letter - letters];
	}
	dph_bytes_add(text, &character, 1);
	return at;
}

void dph_gdb_format_print(const struct dph_gdb_target *target, const struct dph_gdb_print *print,
			  const uint8_t **data, size_t *count, struct dph_bytes *text)
{
	const char *at = print->format, *end = at + print->length;
	struct reader r = {target, *data, *count};
	struct conversion conversion;
	struct dph_gdb_why why;

	while (at < end) {
		if (*at != '%' || (at + 1 < end && at[1] == '%')) {
			at = take_character(at, end, text);
			continue;
		}
		at++;
		if (take_conversion(target, &at, end, &conversion, &why))
			take_argument(&r, &conversion, text);
	}
	*data = r.at;
	*count = r.left;
}

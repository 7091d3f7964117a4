/* SPDX-License-Identifier: BSD-2-Clause */
/* D programs with tokens that are deleted, doubled, exchanged, or taken from other programs. Each
 * is compiled or refused with a message. A crash, a mistake of the front end, an object that the
 * verifier or the reader of formats refuses, and a second of computing are failures: the program
 * is printed with its seed. Each operator meets each kind of operands first. With an ELF file the
 * programs have names of its firmware (d/firmware.c). usage:
 * test_d_mutations [PROGRAMS [FIRST_SEED [ELF]]] */
#define _GNU_SOURCE
#include "reference/random.h"

#include "object/object_read.h"

#include <dprobes/formats.h>
#include <dprobes/host.h>

#include <ctype.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum {
	PROGRAMS_USUAL = 10000, /* as many with an ELF file: d/test_d_mutated.py */
	TOKENS_MAX = 512,
	POOL_MAX = 4096,
	TEXT_MAX = 8192,
	CHANGES_MAX = 4,
	SECONDS_MAX = 1
};

#define AT "int x; long long y; char *p;\naddr:::0x1000 "

static const char *const seeds[] = {
	AT "{ x = 5; y = x++ + --x; printf(\"%d %5d %-6x\", x, y, x << 3); }",
	AT "/ x > 3 && !y || z ^^ 1 / { x += 2; y = x ? -1 : 1u; z = ~x; trace(y); }",
	AT "{ c = \"abc\"; d = execname; trace(c == d); trace(d < \"x\"); printf(\"%s\", c); }",
	AT "{ this->x = (uint8_t)250; this->x += 10; self->y = this->x; trace(self->y); }",
	AT "{ a[1, 2] = 3; a[x, 'c'] = 4ll; trace(a[1, 2]); b[\"k\"]++; b[execname] = 5; }",
	AT "{ @ = count(); @a[x] = sum(x * 2); @b[\"s\", pid] = avg(5); @c = max(x); }",
	AT "{ @q = quantize(x); @l = lquantize(x, 0, 100, 10); @m = llquantize(x, 10, 0, 3, 2); }",
	AT "{ @a = count(); printa(\"%@d\\n\", @a); printa(@a); clear(@a); trunc(@a, 5); }",
	AT "{ @s[stringof((char *)0x2000)] = stddev(timestamp); normalize(@s, 1000); }",
	AT "{ if (x == 1) { trace(1); } else { x = 7; } trace(sizeof(x) + sizeof(int)); }",
	AT "{ p = (char *)0x2000; trace(*p); trace(p[3]); trace(*(uint32_t *)(p + 4)); p++; }",
	AT "{ tracemem(0x2000, 16); print(*(int *)0x2000); exit(3); }",
	"struct s { int a; char b[4]; unsigned c : 3; struct s *next; };\n" AT
	"{ v = *(struct s *)0x2000; trace(v.a); print(v); trace(v.b[1]); w = v.next; trace(v.c); }",
	"struct s { int a; char b[4]; unsigned c : 3; long long d; };\nstruct s v;\nthis struct s "
	"u;\n" AT "{ v.a = 5; v.b[2] = 'c'; v.c++; this->u.d -= 3; v = this->u; "
	"trace(copyinstr(v.a)); print(v); }",
	"union u { int a; short b[2]; };\nenum e { ONE = 1, TWO };\ntypedef int number;\n" AT
	"{ trace((enum e)1); trace(((union u *)0x2000)->b[1]); trace((number)TWO); }",
	"int g; self int t; this string s; long long w; int m[int, char]; int k[8];\n" AT
	"{ g = 1; self->t = g; this->s = execname; w = g * 3ll; m[1, 'a'] = 2; k[g & 7] = 4; }",
	"inline int twice[int n] = n * 2;\n" AT "{ trace(twice[4]); trace(sizeof(x) * twice[1]); }",
	"BEGIN { start = timestamp; }\nEND { trace(start); }\nERROR { trace(arg4); }\n" AT
	"{ trace(timestamp - start); trace(ticks); trace(probefunc); trace(probename); trace(id); "
	"}",
	AT "{ trace(strlen(stringof((char *)0x2000))); trace(strjoin(\"a\", \"b\")); "
	   "trace(index(\"ab\", "
	   "\"b\")); }",
	AT "{ trace(htonl(x) >> 8); trace(rand() % 10); trace(ntohll(y)); trace(pid); func(x); }",
	AT "{ printf(\"%s %c %p %a %Y\", copyinstr((char *)0x2000), 65, p, x, walltimestamp); }",
	AT "{ trace(-1ull / 3 > 0x80000000 % 7l ? 'ab' : 010); trace((int64_t)x * y / 1000); }",
	"addr:::0x1000, addr:::0x2000 { trace(curthread); trace(probename); trace(cpu); }",
};

/* Names, types, members, lines, instructions, returns and C++ of a firmware. */
static const char *const of_firmware[] = {
	"take:entry { trace(thing->name); trace(thing->at.x + n); print(*thing); }",
	"take:entry /thing->color == BLUE && thing->next/ { this->sum = thing->at.x + "
	"thing->next->x; printf(\"%s: %d\", thing->name, this->sum); }",
	"take:return { trace(retval); trace(arg1); trace(probename); }",
	"fbt::t*:entry, fbt:arm:take:return, tail:entry { @[probefunc, caller] = count(); }",
	"insn::take:0, insn::take:*, insn::take:4-after { hits++; }",
	"line::take:*, line:firmware.c::*, line:firmware.c:main:* { hits++; }",
	"take:entry { trace(args[0]->small); trace(args[1] * 2); trace(`things[0].tiny); "
	"trace(firmware.c`counter); trace(`sink); }",
	"take:entry { this->at = thing->at; this->at.x = 5; v = thing->flags; trace(this->at.y); "
	"trace(v.level); }",
	"take:entry { x = thing->small; x += n; trace(x); c = thing->color; trace(c == BLUE); }",
	"take:entry { trace(sizeof(struct thing)); trace(offsetof(struct thing, at.y)); "
	"trace(((struct point *)thing->next)->y); trace(thing->list[n & 3]); }",
	"take:entry { printf(\"%s %a\", stringof(thing->title), take); trace(copyin(thing, 4)[1]); "
	"}",
	"net::Queue::put:entry, net::*:return, net::Queue::*:entry { trace(probefunc); "
	"@[arg1] = count(); }",
	"take:entry { self->t = thing->wide; @[thing->name] = quantize(thing->small); "
	"a[thing->color, c] = thing->tiny; trace(thing->ratio); trace(flag); }",
};

/* Each token has the blank in front of it, if there is one. */
struct tokens {
	const char *list[TOKENS_MAX];
	unsigned count;
};

static const char *pool[POOL_MAX];
static unsigned pool_count;
static struct tokens parts[sizeof seeds / sizeof *seeds + sizeof of_firmware / sizeof *of_firmware];
static unsigned first_part, last_part; /* those that are changed; all give tokens */
static const char *elf;                /* null: none */
static char text[TEXT_MAX];
static uint64_t running;

static size_t token_bytes(const char *at)
{
	static const char *const pairs[] = {"->", "++", "--", "<<", ">>", "<=", ">=", "==",
					    "!=", "&&", "||", "^^", "+=", "-=", ":::"};
	size_t bytes = 1;

	if (*at == '"' || *at == '\'') {
		while (at[bytes] != *at)
			bytes += at[bytes] == '\\' ? 2 : 1;
		return bytes + 1;
	}
	if (isalnum((unsigned char)*at) || *at == '_' || *at == '@') {
		while (isalnum((unsigned char)at[bytes]) || at[bytes] == '_')
			bytes++;
		return bytes;
	}
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		if (strncmp(at, pairs[i], strlen(pairs[i])) == 0)
			return strlen(pairs[i]);
	return 1;
}

static void split(struct tokens *to, const char *at)
{
	for (;;) {
		const size_t blanks = strspn(at, " \n"), front = blanks > 0;
		const char *token = at + blanks;

		if (!*token)
			return;
		const size_t bytes = token_bytes(token);
		to->list[to->count] = strndup(token - front, front + bytes);
		pool[pool_count++] = to->list[to->count++];
		at = token + bytes;
	}
}

static void put(struct tokens *t, unsigned at, const char *token)
{
	if (t->count == TOKENS_MAX)
		return;
	memmove(&t->list[at + 1], &t->list[at], (t->count - at) * sizeof *t->list);
	t->list[at] = token;
	t->count++;
}

/* Brackets and separators, operands, operators: another of its kind often keeps the syntax. */
static unsigned kind_of(const char *token)
{
	token += strspn(token, " \n");
	if (strchr("(){}[];,:", *token))
		return 0;
	return isalnum((unsigned char)*token) || strchr("\"'_@", *token) ? 1 : 2;
}

static const char *another(const char *token, struct random *random)
{
	const unsigned kind = kind_of(token);

	for (;;) {
		const char *found = pool[random_below(random, pool_count)];

		if (kind_of(found) == kind)
			return kind ? found : token;
	}
}

static void change(struct tokens *t, struct random *random)
{
	const unsigned at = random_below(random, t->count), other = random_below(random, t->count);
	const char *token = t->list[at];

	switch (random_below(random, 12)) {
	case 0:
		memmove(&t->list[at], &t->list[at + 1], (t->count - at - 1) * sizeof *t->list);
		t->count--;
		break;
	case 1:
		put(t, at, token);
		break;
	case 2:
		t->list[at] = t->list[other];
		t->list[other] = token;
		break;
	case 3:
		put(t, at, pool[random_below(random, pool_count)]);
		break;
	case 4:
		t->list[at] = pool[random_below(random, pool_count)];
		break;
	default:
		t->list[at] = another(token, random);
		break;
	}
}

/* Write the program with this seed into `text`. */
static void make(uint64_t seed)
{
	struct random random = {seed};
	struct tokens t = parts[first_part + random_below(&random, last_part - first_part)];
	size_t bytes = 0;

	for (unsigned n = 1 + random_below(&random, CHANGES_MAX); n > 0 && t.count > 1; n--)
		change(&t, &random);
	for (unsigned i = 0; i < t.count && bytes < sizeof text - 64; i++)
		bytes += (size_t)snprintf(text + bytes, sizeof text - bytes, "%s", t.list[i]);
}

/* What is wrong with an object that was made; null: nothing. */
static const char *object_fault(const struct dp_object_file *object)
{
	struct dp_target target;
	struct dp_layout layout;
	struct dp_verdict verdict;
	struct dp_formats *formats = dp_formats_open(object, NULL);

	dp_formats_close(formats);
	if (!formats)
		return "the reader of formats refuses it";
	if (!dph_target_of(object, &target) ||
	    dph_verify(object, &target, &layout, &verdict) != DP_ERR_OK)
		return "the verifier refuses it";
	return NULL;
}

static const char *compile(unsigned form, bool *made)
{
	const struct dp_build_options sim = {.cpu = "sim",
					     .word_bits = form & 1 ? 64 : 32,
					     .endian = form & 2 ? "big" : "little",
					     .opcode_optional = true};
	const struct dp_build_options of_elf = {.elf = elf, .opcode_optional = true};
	const struct dp_build_options options = elf ? of_elf : sim;
	struct dp_messages messages = {0};
	struct dp_object_file *object = dp_compile_text(text, "t.d", &options, &messages);
	const char *what = object            ? object_fault(object)
			   : messages.errors ? NULL
					     : "it is refused without a word";

	for (size_t i = 0; i < messages.count; i++)
		if (strstr(messages.list[i].text, "made a mistake"))
			what = "the front end made a mistake";
	*made = object;
	dp_object_free(object);
	dp_messages_free(&messages);
	return what;
}

static void limit_time(void)
{
	const struct itimerval second = {.it_value.tv_sec = SECONDS_MAX};

	setitimer(ITIMER_PROF, &second, NULL);
}

/* Each operator with each two kinds of operands: a constant, variables, a member, a string, an
 * aggregation, an array, pointers, a struct. Returns the number of failures. */
static unsigned try_operators(void)
{
	static const char *const operands[] = {
		"5",  "1ull", "x",    "y", "self->t", "this->c", "v.a", "s",        "\"abc\"",
		"@g", "k",    "k[1]", "p", "q",       "*p",      "v",   "execname", "timestamp"};
	static const char *const operators[] = {
		"+",  "-",     "*",    "/",    "%",    "&",    "|",      "^",    "<<",  ">>",
		"<",  "<=",    ">",    ">=",   "==",   "!=",   "&&",     "||",   "^^",  "=",
		"+=", "-=",    "*=",   "/=",   "%=",   "&=",   "|=",     "^=",   "<<=", ">>=",
		",",  "? 1 :", "++ -", "-- +", "+ ++", "- --", "->a + ", ".a + "};
	const size_t kinds = sizeof operands / sizeof *operands;
	unsigned wrong = 0;

	for (size_t i = 0; i < kinds * kinds * (sizeof operators / sizeof *operators); i++) {
		const char *a = operands[i % kinds], *b = operands[i / kinds % kinds];
		bool made;

		snprintf(
			text, sizeof text,
			"struct s { int a; char b[4]; };\nint x; long long y; char *p; void *q; "
			"self int t; int k[8]; string s;\naddr:::0x1000 { v = *(struct s *)0x2000; "
			"this->c = 'c'; @g = count(); %s %s %s; }",
			a, operators[i / kinds / kinds], b);
		limit_time();
		const char *what = compile((unsigned)i & 3, &made);
		if (!what)
			continue;
		printf("%s:\n%s\n", what, text);
		wrong++;
	}
	return wrong;
}

static void too_long(int signal_number)
{
	(void)signal_number;
	static const char said[] = "\nit takes longer than a second\n";
	ssize_t written = write(1, text, strlen(text));
	written = write(1, said, sizeof said - 1);
	_exit(written < 0 ? 3 : 2);
}

/* A sanitizer ends the program: its seed is told before. */
static void tell_seed(void)
{
	fprintf(stderr, "seed %" PRIu64 ":\n%s\n", running, text);
}

/* Split all programs; those for the ELF file, or for none, are changed. */
static void split_all(void)
{
	const unsigned plain = sizeof seeds / sizeof *seeds;

	for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++)
		split(&parts[i], i < plain ? seeds[i] : of_firmware[i - plain]);
	first_part = elf ? plain : 0;
	last_part = elf ? sizeof parts / sizeof *parts : plain;
}

/* Every program is compiled as it is. Returns the number of failures. */
static unsigned try_unchanged(void)
{
	unsigned wrong = 0;

	for (unsigned i = first_part; i < last_part; i++) {
		bool made;

		snprintf(text, sizeof text, "%s", elf ? of_firmware[i - first_part] : seeds[i]);
		limit_time();
		const char *what = compile(0, &made);
		if (!what && made)
			continue;
		printf("%s: %s\n", what ? what : "it is not compiled as it is", text);
		wrong++;
	}
	return wrong;
}

/* Weak: scons coverage links this program without a sanitizer. */
__attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)(void));

int main(int argc, char **argv)
{
	const unsigned long programs = argc > 1 ? strtoul(argv[1], NULL, 0) : PROGRAMS_USUAL;
	const uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
	unsigned long compiled = 0, wrong = 0;

	signal(SIGPROF, too_long);
	if (__sanitizer_set_death_callback)
		__sanitizer_set_death_callback(tell_seed);
	elf = argc > 3 ? argv[3] : NULL;
	split_all();
	wrong = elf ? 0 : try_operators();
	for (unsigned long i = 0; i < programs && wrong < 10; i++) {
		bool made;

		running = first + i;
		make(running);
		limit_time();
		const char *what = compile((unsigned)running & 3, &made);
		compiled += made;
		if (!what)
			continue;
		printf("seed %" PRIu64 ", %s:\n%s\n", running, what, text);
		wrong++;
	}
	wrong += try_unchanged();
	printf("%lu programs, %lu are compiled, %lu are wrong\n", programs, compiled, wrong);
	return wrong != 0;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* A second front end needs nothing but the IR: programs of tests/language/tiny/ become objects that
 * run, with complaints at their places; and which front end a program gets. */
#define _GNU_SOURCE
#include "compile/compile.h"
#include "object/object_read.h"
#include "tiny/tiny.h"

#include "check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct dph_front_end rows[] = {
	{"tiny", ".tiny", tiny_recognises, tiny_compile, false},
};
static const struct dph_front_ends tiny = {rows, 1};

static const struct dp_build_options forms[] = {
	{.word_bits = 32, .endian = "little", .opcode_optional = true},
	{.word_bits = 32, .endian = "big", .opcode_optional = true},
	{.word_bits = 64, .endian = "little", .opcode_optional = true},
	{.word_bits = 64, .endian = "big", .opcode_optional = true},
};

static struct dp_object_file *compile(const char *text, const struct dp_build_options *options,
				      struct dp_messages *messages)
{
	return dph_compile(&tiny, text, strlen(text), "test.tiny", options, messages);
}

static struct dp_object_file *compiled(const char *text, const struct dp_build_options *options)
{
	struct dp_messages messages = {0};
	struct dp_object_file *object = compile(text, options, &messages);
	dp_messages_print(&messages, stdout, false);
	dp_messages_free(&messages);
	CHECK(object);
	return object;
}

/* --- it runs ------------------------------------------------------------------------------- */

static uint64_t word_at(const uint8_t *bytes, const struct dp_build_options *form)
{
	const unsigned count = form->word_bits / 8;
	uint64_t value = 0;
	for (unsigned i = 0; i < count; i++)
		value = value << 8 | bytes[form->endian[0] == 'b' ? i : count - 1 - i];
	return value;
}

static void set(struct dp_simulation *simulation, const char *name, uint64_t value)
{
	CHECK(dp_simulation_register(simulation, name, &value, 1));
}

/* Hit the point: r0 and r1 are logged in this order, or nothing when r2 is not 3. */
static void hit(struct dp_simulation *simulation, unsigned point, uint64_t r2,
		const struct dp_build_options *form)
{
	struct dp_simulated result;
	set(simulation, "r2", r2);
	CHECK(dp_simulation_hit(simulation, point, &result) == DP_SIMULATED_RAN);
	if (r2 != 3) {
		CHECK(result.end == RPN_END_ABORT);
		return;
	}
	CHECK(result.end == RPN_END_EXIT && result.minor == point);
	CHECK(result.log_bytes == form->word_bits / 4);
	CHECK(word_at(result.log, form) == 0x1234);
	CHECK(word_at(result.log + form->word_bits / 8, form) == 0x5678);
}

static void records(const struct dp_build_options *form)
{
	struct dp_messages messages = {0};
	struct dp_object_file *object =
		compiled("firmware demo\nat 0x1000, 0x2000 log r0, r1 when r2 == 3\n", form);
	struct dp_simulation *simulation =
		object ? dp_simulation_open(object, false, &messages) : NULL;
	CHECK(simulation);
	if (simulation) {
		set(simulation, "r0", 0x1234);
		set(simulation, "r1", 0x5678);
		for (unsigned point = 0; point < 2; point++) {
			hit(simulation, point, 3, form);
			hit(simulation, point, 4, form);
		}
	}
	dp_simulation_close(simulation);
	dp_object_free(object);
	dp_messages_free(&messages);
}

/* --- what the object says ------------------------------------------------------------------ */

static void points_share_a_handler(void)
{
	struct dp_object_file *object =
		compiled("firmware demo\nat 0x1000, 0x2000 log r0\nat 0x3000 log r1\n", &forms[0]);
	struct dp_point_info first = {0}, second = {0}, third = {0};
	CHECK(dp_object_point(object, 0, &first) && dp_object_point(object, 1, &second) &&
	      dp_object_point(object, 2, &third));
	CHECK(first.address == 0x1000 && second.address == 0x2000 && third.address == 0x3000);
	CHECK(first.entry == second.entry && first.entry != third.entry);
	dp_object_free(object);
}

static void formats_arrive(void)
{
	static const char wanted[] = "r0,lr\0r1";
	struct dp_object_file *object =
		compiled("firmware demo\nat 0x1000 log r0, lr\nat 0x3000 log r1\n", &forms[0]);
	struct dp_messages messages = {0};
	struct dp_object_file *read =
		dp_object_from_bytes(object->data, object->bytes, "test.ppdf", &messages);
	struct dph_section section;
	CHECK(read && dph_section(read, DP_SECTION_FORMATS, &section));
	CHECK(read && section.count == sizeof wanted &&
	      memcmp(section.data, wanted, sizeof wanted) == 0);
	dp_object_free(read);
	dp_object_free(object);
	dp_messages_free(&messages);
}

/* The disassembler and the RPN front end make the same of it. */
static void same_as_rpn(const struct dp_build_options *form)
{
	struct dp_messages messages = {0};
	struct dp_object_file *object = compiled(
		"firmware demo\nat 0x1000 log r0, r1 when r2 == 3\nat 0x2000 log pc\n", form);
	char *source = NULL;
	size_t size;
	FILE *out = open_memstream(&source, &size);
	CHECK(out && dp_disassemble(object, out, &messages));
	if (out)
		fclose(out);
	struct dp_object_file *again = dp_compile_text(source, "again.dp", form, &messages);
	CHECK(again && again->travelling == object->travelling &&
	      memcmp(again->data, object->data, object->travelling) == 0);
	dp_object_free(again);
	dp_object_free(object);
	free(source);
	dp_messages_free(&messages);
}

/* --- places -------------------------------------------------------------------------------- */

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");
	CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

struct complaint {
	const char *text, *said, *file;
	unsigned line, column, width;
};

static const struct complaint complaints[] = {
	{"firmware demo\nat 0x1000 log r0, r99\n", "sim has no register 'r99'", "test.tiny", 2, 19,
	 3},
	{"firmware demo\nat nowhere log r0\n", "unknown symbol 'nowhere'", "test.tiny", 2, 4, 7},
	{"firmware demo\nat 4 log r0 when r1 = 3\n", "expected '=='", "test.tiny", 2, 23, 1},
	{"firmware demo\nat 4\n", "expected 'log'", "test.tiny", 2, 5, 1},
	{"at 4 log r0\n", "there is no line 'firmware NAME'", "test.tiny", 0, 0, 0},
	{"firmware demo\n#define R r98\nat 4 log R, r1\n", "sim has no register 'r98'", "test.tiny",
	 3, 10, 1},
	{"firmware demo\nat 4 log r0\n#include \"more.tiny\"\n", "sim has no register 'r97'",
	 "more.tiny", 2, 10, 3},
	{"firmware demo\nat 4, 4 log r0\nat 4 log r1, r0 oops\n", "expected the end of the line",
	 "test.tiny", 3, 17, 4},
};

static void complain(const struct complaint *c)
{
	struct dp_messages messages = {0};
	CHECK(!compile(c->text, &forms[0], &messages));
	CHECK(messages.errors == 1 && messages.count >= 1);
	const struct dp_message *m = messages.list;
	if (messages.count &&
	    (strcmp(m->text, c->said) != 0 || strcmp(m->file, c->file) != 0 || m->line != c->line ||
	     m->column != c->column || m->width != c->width)) {
		printf("%s:%u:%u (%u): %s; wanted %s:%u:%u (%u): %s\n", m->file, m->line, m->column,
		       m->width, m->text, c->file, c->line, c->column, c->width, c->said);
		check_failures++;
	}
	dp_messages_free(&messages);
}

/* What is printed, with the caret. */
static void prints_a_caret(void)
{
	static const char wanted[] = "test.tiny:2:10: error: sim has no register 'bogus'\n"
				     "at 4 log bogus\n"
				     "         ^~~~~\n";
	struct dp_messages messages = {0};
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);
	CHECK(!compile("firmware demo\nat 4 log bogus\n", &forms[0], &messages));
	if (out) {
		dp_messages_print(&messages, out, false);
		fclose(out);
	}
	CHECK(text && strcmp(text, wanted) == 0);
	free(text);
	dp_messages_free(&messages);
}

/* The line table knows in which file each instruction was written. */
static void lines_of_two_files(void)
{
	struct dp_point_info point;
	const char *file;
	unsigned line;
	write_file("good.tiny", "// in another file\nat 0x2000 log r1\n");
	struct dp_object_file *object =
		compiled("firmware demo\nat 0x1000 log r0\n#include \"good.tiny\"\n", &forms[0]);
	CHECK(object && dp_object_point(object, 0, &point) &&
	      dp_object_line(object, point.entry + 2, &file, &line) && line == 2 &&
	      strcmp(file, "test.tiny") == 0);
	CHECK(object && dp_object_point(object, 1, &point) &&
	      dp_object_line(object, point.entry + 2, &file, &line) && line == 2 &&
	      strcmp(file, "good.tiny") == 0);
	dp_object_free(object);
}

/* --- a front end that is wrong ------------------------------------------------------------- */

static void hand_over_nothing(struct dph_compilation *compilation)
{
	(void)compilation;
}

static void hand_over_half(struct dph_compilation *compilation)
{
	const struct dph_place first = {.line = &compilation->source.lines[0], .bytes = 2};
	struct dph_program *p = &compilation->program;
	const size_t handler = dph_ir_routine(p, NULL, first);
	dph_ir_header(p, &(struct dph_header){.name = "x"});
	dph_ir_point(p, &(struct dph_point){.place = first, .routine = handler});
	dph_ir_insn(p, handler, &(struct dph_insn){.op = dph_op_find(RPN_NOP), .place = first});
}

/* A front end's mistake is an error with a sentence, never an object. */
static void is_caught(void (*compile_wrongly)(struct dph_compilation *), const char *said,
		      unsigned line)
{
	const struct dph_front_end row = {"wrong", ".w", tiny_recognises, compile_wrongly, false};
	const struct dph_front_ends wrong = {&row, 1};
	struct dp_messages messages = {0};
	CHECK(!dph_compile(&wrong, "at\n", 3, "x.w", &forms[0], &messages));
	CHECK(messages.count == 1 && strstr(messages.list[0].text, said) &&
	      strstr(messages.list[0].text, "the front end for wrong"));
	CHECK(messages.count == 1 && messages.list[0].line == line);
	dp_messages_free(&messages);
}

/* --- which front end ----------------------------------------------------------------------- */

static const char *chosen(const char *name, const char *text)
{
	struct dph_front_end list[2] = {dph_front_ends.row[0], rows[0]};
	const struct dph_front_ends both = {list, 2};
	const struct dph_cpp_options cpp = {0};
	struct dph_source source = {0};
	struct dp_messages messages = {0};
	CHECK(dph_source_prepare(&source, text, strlen(text), name, &cpp, &messages));
	const char *language = dph_front_end_for(&both, &source)->name;
	dph_source_free(&source);
	dp_messages_free(&messages);
	return language;
}

static void right_one(void)
{
	CHECK(strcmp(chosen("a.dp", "at 4 log r0\n"), "RPN") == 0);
	CHECK(strcmp(chosen("a.tiny", "name = x\n"), "tiny") == 0);
	CHECK(strcmp(chosen("<stdin>", "// at\n\n at 4 log r0\n"), "tiny") == 0);
	CHECK(strcmp(chosen("<stdin>", "\nname = x\n"), "RPN") == 0);
	CHECK(strcmp(chosen("program", "proc firmware\n"), "RPN") == 0);
	CHECK(strcmp(chosen("program", "nonsense\n"), "RPN") == 0);
	CHECK(strcmp(chosen("program", ""), "RPN") == 0);
	CHECK(strcmp(dph_front_ends.row[0].name, "RPN") == 0);
}

/* The files of the programs stand in a folder of their own, wherever the test is started. */
static bool enter_folder(char *path, size_t size)
{
	const char *top = getenv("TMPDIR");

	snprintf(path, size, "%s/front-end-XXXXXX", top ? top : "/tmp");
	return mkdtemp(path) && chdir(path) == 0;
}

static void remove_folder(const char *path)
{
	CHECK(unlink("more.tiny") == 0 && unlink("good.tiny") == 0);
	CHECK(chdir("/") == 0 && rmdir(path) == 0);
}

int main(void)
{
	char folder[256];

	if (!enter_folder(folder, sizeof folder)) {
		perror("temporary folder");
		return 1;
	}
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		records(&forms[i]);
		same_as_rpn(&forms[i]);
	}
	points_share_a_handler();
	formats_arrive();
	write_file("more.tiny", "// broken\nat 8 log r97\n");
	for (size_t i = 0; i < sizeof complaints / sizeof *complaints; i++)
		complain(&complaints[i]);
	prints_a_caret();
	lines_of_two_files();
	is_caught(hand_over_nothing, "the program has no header", 0);
	is_caught(hand_over_half, "a routine continues behind its last instruction", 1);
	right_one();
	remove_folder(folder);
	return check_status();
}

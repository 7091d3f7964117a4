/* SPDX-License-Identifier: BSD-2-Clause */
/* Debug information: what needs no ELF file is checked here; with arguments the program prints what
 * the library finds in one, and the Python tests compare it with what gdb and the compiler say.
 *
 *   test_debuginfo missing ELF [SEPARATE]  why there is nothing, or an empty line
 *   test_debuginfo statements ELF          each statement: address, file, line, functions,
 * variables test_debuginfo at ELF PLACE...         the same of addresses and FILE:LINE
 *   test_debuginfo type ELF NAME...        sizes, members, enumerators
 *   test_debuginfo global ELF [FILE:]NAME...
 *   test_debuginfo variable ELF ADDRESS:NAME...
 *   test_debuginfo function ELF FILE:NAME...
 *   test_debuginfo prototype ELF ADDRESS...
 *   test_debuginfo frame ELF ADDRESS...    CFA, return address, saved registers */
#include "debuginfo/reader.h"
#include "debuginfo/frame.h"
#include "debuginfo/line.h"
#include "debuginfo/type_source.h"
#include "debuginfo/variable.h"
#include "debuginfo/steps_run.h"
#include "debuginfo/unwind.h"

#include <dprobes/host.h>

#include <stdlib.h>
#include <string.h>

#include "check.h"

/* --- without a file ------------------------------------------------------------------------ */

static void numbers(void)
{
	static const uint8_t bytes[] = {0xe5, 0x8e, 0x26, 0x9b, 0xf1, 0x59,
					0x80, 0x01, 0xff, 'a',  0};
	struct dph_reader reader = dph_reader(bytes, sizeof bytes, false);
	CHECK(dph_reader_uleb(&reader) == 624485); /* DWARF 5, figure C.1 */
	CHECK(dph_reader_sleb(&reader) == -624485);
	CHECK(dph_reader_number(&reader, 2) == 0x0180);
	CHECK(dph_reader_signed(&reader, 1) == -1);
	CHECK(strcmp(dph_reader_text(&reader), "a") == 0);
	CHECK(!dph_reader_more(&reader) && !reader.bad);
	CHECK(dph_reader_number(&reader, 1) == 0 && reader.bad);
	reader = dph_reader(bytes, 3, true);
	CHECK(dph_reader_number(&reader, 2) == 0xe58e);
	struct dph_reader part = dph_reader_part(&reader, 2);
	CHECK(part.bad && reader.bad);
}

static void paths(void)
{
	CHECK(dph_path_ends("boards/demo/queue.c", "queue.c"));
	CHECK(dph_path_ends("boards/demo/queue.c", "demo/queue.c"));
	CHECK(dph_path_ends("boards/demo/queue.c", "./boards/demo/queue.c"));
	CHECK(!dph_path_ends("boards/demo/queue.c", "./queue.c"));
	CHECK(!dph_path_ends("boards/demo/queue.c", "ueue.c"));
	CHECK(!dph_path_ends("queue.c", "demo/queue.c"));
	CHECK(!dph_path_ends("queue.c", ""));
	CHECK(dph_path_ends("C:\\proj\\src\\win.c", "win.c"));
	CHECK(dph_path_ends("/my/C:\\proj\\src\\win.c", "src/win.c"));
	CHECK(dph_path_ends("/my/C:\\proj\\src\\win.c", "C:/proj/src/win.c"));
	CHECK(dph_path_ends("..\\lib/drv.c", "lib\\drv.c"));
	CHECK(dph_path_ends("src/./queue.c", "src/queue.c"));
	CHECK(dph_path_ends("src//queue.c", "src/queue.c"));
	CHECK(dph_path_ends("/src/queue.c", "/src/queue.c"));
	CHECK(!dph_path_ends("/my/src/queue.c", "/src/queue.c"));
	CHECK(!dph_path_ends("C:\\proj\\win.c", "in.c"));
	CHECK(!dph_path_ends("C:\\proj\\src\\win.c", "./win.c"));
	CHECK(!dph_path_ends("D:\\proj\\win.c", "C:\\proj\\win.c"));
	CHECK(dph_drive_bytes("C:\\win.c") == 2 && dph_drive_bytes("C:/win.c") == 2);
	CHECK(!dph_drive_bytes("C:win.c") && !dph_drive_bytes("ab:/win.c"));
}

static void paths_told_apart(void)
{
	static const char *const files[] = {"x/a/main.c",    "y/a/main.c", "b/main.c",
					    "C:\\q\\main.c", "main.c",     "other.c"};
	static const char *const alone[] = {"x/a/main.c", "y/a/main.c", "b/main.c",
					    "q/main.c",   "./main.c",   "other.c"};
	for (size_t i = 0; i < 6; i++) {
		char *text = dph_path_alone(files[i], files, 6);
		CHECK(strcmp(text, alone[i]) == 0);
		for (size_t k = 0; k < 6; k++)
			CHECK(dph_path_ends(files[k], text) == (i == k));
		free(text);
	}
}

static void base_types(void)
{
	CHECK(dph_base_type_words("long unsigned int") == dph_base_type_words("unsigned long"));
	CHECK(dph_base_type_words("unsigned") == dph_base_type_words("unsigned int"));
	CHECK(dph_base_type_words("long") != dph_base_type_words("long long"));
	CHECK(dph_base_type_words("char") != dph_base_type_words("signed char"));
	CHECK(dph_base_type_words("short") == dph_base_type_words("signed short int"));
	CHECK(dph_base_type_words("queue_t") == 0 && dph_base_type_words("") == 0);
}

/* The field's bits, taken from a struct as its place says. */
static uint64_t field_of(const struct dph_member *member, const uint8_t *bytes, bool big)
{
	struct dph_reader reader = dph_reader(bytes + member->offset, member->load_bytes, big);
	uint64_t value = dph_reader_number(&reader, member->load_bytes) >> member->shift;
	return member->bits < 64 ? value & (((uint64_t)1 << member->bits) - 1) : value;
}

/* Each width at each place, in both byte orders, in a struct of eight bytes. */
static void bit_fields(void)
{
	static const uint64_t storages[] = {1, 2, 4, 8, 3};
	for (unsigned big = 0; big < 2; big++)
		for (unsigned at = 0; at < 64; at++)
			for (unsigned bits = 1; at + bits <= 64; bits++)
				for (unsigned s = 0; s < 5; s++) {
					struct dph_member member = {0};
					uint8_t bytes[8] = {0};
					for (unsigned b = at; b < at + bits; b++)
						bytes[b / 8] |=
							(uint8_t)(1u << (big ? 7 - b % 8 : b % 8));
					dph_bit_field(&member, at, bits, storages[s], 8, big);
					CHECK(member.bits == bits && member.load_bytes);
					CHECK(member.offset + member.load_bytes <= 8);
					CHECK(field_of(&member, bytes, big) ==
					      (bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX));
				}
	struct dph_member nine = {0};
	dph_bit_field(&nine, 3, 64, 8, 9, false);
	CHECK(nine.load_bytes == 0);
}

static void linear_steps(void)
{
	const struct dph_step sum[] = {
		{DPH_STEP_REG, 13}, {DPH_STEP_CONST, -8}, {DPH_STEP_ADD, 0}, {DPH_STEP_LOAD, 4}};
	const struct dph_step number[] = {{DPH_STEP_CONST, 0x1000}};
	uint32_t reg;
	int64_t offset;
	CHECK(dph_steps_linear((struct dph_steps){sum, 3}, &reg, &offset));
	CHECK(reg == 13 && offset == -8);
	CHECK(dph_steps_linear((struct dph_steps){sum, 1}, &reg, &offset));
	CHECK(reg == 13 && offset == 0);
	CHECK(dph_steps_linear((struct dph_steps){number, 1}, &reg, &offset));
	CHECK(reg == UINT32_MAX && offset == 0x1000);
	CHECK(!dph_steps_linear((struct dph_steps){sum, 4}, &reg, &offset));
	CHECK(!dph_steps_linear((struct dph_steps){sum, 2}, &reg, &offset));
	CHECK(!dph_steps_linear((struct dph_steps){sum, 0}, &reg, &offset));
}

/* The rows have the expected value, and steps on r1 = 7 and r2 = 0xfffffff0. */
static void run_steps(void)
{
	enum {
		MISSING = 1 /* no value: what is needed is not recorded */
	};
	static const uint8_t memory[] = {0x11, 0x22, 0x33, 0x44};
	static struct dp_debuginfo target = {.word_bytes = 4};
	static const struct {
		uint64_t value;
		int fails;
		struct dph_step steps[8];
	} rows[] = {
		{7, 0, {{DPH_STEP_REG, 1}}},
		{0, MISSING, {{DPH_STEP_REG, 3}}},
		{0, MISSING, {{DPH_STEP_REG, 1 << 20}}},
		{0, MISSING, {{DPH_STEP_ENTRY, 1}}},
		{0xffffffff, 0, {{DPH_STEP_CONST, -1}}},
		{0x44332211, 0, {{DPH_STEP_CONST, 0x100}, {DPH_STEP_LOAD, 4}}},
		{0x3322, 0, {{DPH_STEP_CONST, 0x101}, {DPH_STEP_LOAD, 2}}},
		{0, MISSING, {{DPH_STEP_CONST, 0x102}, {DPH_STEP_LOAD, 4}}},
		{0, MISSING, {{DPH_STEP_CONST, 0xff}, {DPH_STEP_LOAD, 1}}},
#define TWO(op, value)                                                                             \
	{                                                                                          \
		value, 0,                                                                          \
		{                                                                                  \
			{DPH_STEP_REG, 2}, {DPH_STEP_REG, 1},                                      \
			{                                                                          \
				DPH_STEP_##op, 0                                                   \
			}                                                                          \
		}                                                                                  \
	}
		TWO(ADD, 0xfffffff7),
		TWO(SUB, 0xffffffe9),
		TWO(MUL, 0xffffff90),
		TWO(DIV, 0xfffffffe),
		TWO(MOD, 0xfffffff0 % 7),
		TWO(AND, 0),
		TWO(OR, 0xfffffff7),
		TWO(XOR, 0xfffffff7),
		TWO(SHL, 0xfffff800),
		TWO(SHR, 0x1ffffff),
		TWO(SAR, 0xffffffff),
		TWO(EQ, 0),
		TWO(NE, 1),
		TWO(LT, 1),
		TWO(LE, 1),
		TWO(GT, 0),
		TWO(GE, 0),
		TWO(SWAP, 0xfffffff0),
#undef TWO
		{0, MISSING, {{DPH_STEP_REG, 1}, {DPH_STEP_CONST, 0}, {DPH_STEP_DIV, 0}}},
		{0x80000000,
		 0,
		 {{DPH_STEP_CONST, 0x80000000}, {DPH_STEP_CONST, -1}, {DPH_STEP_DIV, 0}}},
		{0, 0, {{DPH_STEP_REG, 1}, {DPH_STEP_CONST, 32}, {DPH_STEP_SHR, 0}}},
		{0xffffffff, 0, {{DPH_STEP_REG, 2}, {DPH_STEP_CONST, 99}, {DPH_STEP_SAR, 0}}},
		{0xfffffff8, 0, {{DPH_STEP_REG, 1}, {DPH_STEP_NOT, 0}}},
		{0xfffffff9, 0, {{DPH_STEP_REG, 1}, {DPH_STEP_NEG, 0}}},
		{16, 0, {{DPH_STEP_REG, 2}, {DPH_STEP_ABS, 0}}},
		{0xf0, 0, {{DPH_STEP_REG, 2}, {DPH_STEP_ZEXT, 8}}},
		{0xffffffff, 0, {{DPH_STEP_REG, 1}, {DPH_STEP_SEXT, 3}}},
		{7, 0, {{DPH_STEP_REG, 1}, {DPH_STEP_REG, 2}, {DPH_STEP_DROP, 0}}},
		{7, 0, {{DPH_STEP_REG, 1}, {DPH_STEP_REG, 2}, {DPH_STEP_PICK, 1}}},
		{1,
		 0, /* 3 1 2 */
		 {{DPH_STEP_CONST, 1},
		  {DPH_STEP_CONST, 2},
		  {DPH_STEP_CONST, 3},
		  {DPH_STEP_ROT, 0},
		  {DPH_STEP_DROP, 0}}},
		{5,
		 0,
		 {{DPH_STEP_REG, 1},
		  {DPH_STEP_BRANCH, 3},
		  {DPH_STEP_SKIP, 4},
		  {DPH_STEP_CONST, 5}}},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct dph_unwind u = {
			.debug = &target, .memory = memory, .base = 0x100, .bytes = 4};
		uint64_t value = 0;
		size_t count = 8;
		u.known[1] = u.known[2] = true;
		u.values[1] = 7;
		u.values[2] = 0xfffffff0;
		while (!rows[i].steps[count - 1].op && !rows[i].steps[count - 1].value)
			count--;
		const bool ran =
			dph_steps_run(&u, (struct dph_steps){rows[i].steps, count}, &value);
		if (ran != !rows[i].fails || value != rows[i].value || ran != !u.why[0])
			printf("row %zu: 0x%llx %s\n", i, (unsigned long long)value, u.why);
		CHECK(ran == !rows[i].fails && value == rows[i].value && ran == !u.why[0]);
	}
}

/* --- of a file ----------------------------------------------------------------------------- */

static struct dp_debuginfo *debug;

static const char *const kinds[] = {
	[DPH_TYPE_VOID] = "void",         [DPH_TYPE_INTEGER] = "integer",
	[DPH_TYPE_CHAR] = "char",         [DPH_TYPE_BOOL] = "bool",
	[DPH_TYPE_FLOAT] = "float",       [DPH_TYPE_ENUM] = "enum",
	[DPH_TYPE_POINTER] = "pointer",   [DPH_TYPE_ARRAY] = "array",
	[DPH_TYPE_STRUCT] = "struct",     [DPH_TYPE_UNION] = "union",
	[DPH_TYPE_FUNCTION] = "function", [DPH_TYPE_TYPEDEF] = "typedef",
	[DPH_TYPE_CONST] = "const",       [DPH_TYPE_VOLATILE] = "volatile",
	[DPH_TYPE_RESTRICT] = "restrict", [DPH_TYPE_ATOMIC] = "atomic",
	[DPH_TYPE_OTHER] = "other",
};

static const char *const pieces[] = {
	[DPH_PIECE_ABSENT] = "absent",   [DPH_PIECE_REGISTER] = "register",
	[DPH_PIECE_MEMORY] = "memory",   [DPH_PIECE_VALUE] = "value",
	[DPH_PIECE_BYTES] = "bytes",     [DPH_PIECE_POINTER] = "pointer",
	[DPH_PIECE_REFUSED] = "refused",
};

static const char *const step_names[] = {
#define STEP(name, text, pops, pushes) #name,
#include "debuginfo/steps.def"
};

/* A piece as it is, for an evaluator: KIND:BITS:REGISTER:BYTES:STEP VALUE;STEP VALUE */
static void print_piece(const struct dph_piece *piece)
{
	printf("\t%s:%llu:%u:", pieces[piece->kind], (unsigned long long)piece->bits, piece->reg);
	for (size_t i = 0; i < piece->byte_count; i++)
		printf("%02x", piece->bytes[i]);
	printf(":");
	for (size_t i = 0; i < piece->steps.count; i++)
		printf("%s%s %lld", i ? ";" : "", step_names[piece->steps.list[i].op],
		       (long long)piece->steps.list[i].value);
}

static void print_variable(const struct dph_variable *v)
{
	printf("variable\t%s\t%s\t%u\t%s\t%s\t%s\t%s", v->name, dph_type_text(v->type), v->depth,
	       v->parameter ? "parameter" : "local",
	       v->location.count == 1 ? pieces[v->location.pieces[0].kind] : "pieces",
	       dph_location_readable(&v->location) ? "readable" : "not",
	       dph_location_text(debug, &v->location));
	for (size_t i = 0; i < v->location.count; i++)
		print_piece(&v->location.pieces[i]);
	printf("\n");
}

static void print_address(uint64_t address, unsigned outer)
{
	struct dp_code_frame frames[8];
	const struct dph_variable *variables;
	const char *why;
	uint64_t from;
	char *text = dp_debuginfo_address_text(debug, address);
	size_t count = dp_debuginfo_frames(debug, address, frames, 8);
	printf("address\t0x%llx\t%s\n", (unsigned long long)address, text);
	free(text);
	for (size_t i = 0; i < count; i++)
		printf("frame\t%s\t%s\t%u\t%llu\t%s\n",
		       frames[i].function ? frames[i].function : "",
		       frames[i].file ? frames[i].file : "", frames[i].line,
		       (unsigned long long)frames[i].offset, frames[i].inlined ? "inlined" : "");
	count = dph_variables_at(debug, address, outer, &variables, &why);
	if (why)
		printf("why\t%s\n", why);
	for (size_t i = 0; i < count; i++) {
		print_variable(&variables[i]);
		if (dph_variable_set_from(debug, &variables[i], address, &from))
			printf("from\t%s\t0x%llx\n", variables[i].name, (unsigned long long)from);
	}
}

struct statements {
	uint64_t *list;
	size_t count, room;
};

static void take_statement(void *context, uint64_t address, const char *file, unsigned line)
{
	struct statements *statements = context;
	(void)file;
	(void)line;
	statements->list = dph_grow(statements->list, &statements->room, statements->count,
				    sizeof(*statements->list));
	statements->list[statements->count++] = address;
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

static void print_statements(void)
{
	struct statements statements = {0};
	dph_statements(debug, take_statement, &statements);
	if (statements.count)
		qsort(statements.list, statements.count, sizeof(*statements.list), by_value);
	for (size_t i = 0; i < statements.count; i++)
		if (i == 0 || statements.list[i] != statements.list[i - 1])
			print_address(statements.list[i], 0);
	free(statements.list);
}

static void print_place(char *argument)
{
	char *colon = strrchr(argument, ':');
	struct dp_code_place *places;
	const char *why = NULL;
	if (!colon) {
		print_address(strtoull(argument, NULL, 0), 0);
		return;
	}
	*colon = 0;
	size_t count =
		dp_debuginfo_places(debug, argument, (unsigned)atoi(colon + 1), &places, &why);
	if (!count)
		printf("why\t%s\n", why);
	for (size_t i = 0; i < count; i++) {
		printf("place\t0x%llx\t%s\t%s\n", (unsigned long long)places[i].address,
		       places[i].function ? places[i].function : "",
		       places[i].within ? places[i].within : "");
		print_address(places[i].address, places[i].outer);
	}
	free(places);
}

static void print_type(const struct dph_type *type)
{
	const struct dph_member *members;
	const struct dph_enumerator *enumerators;
	const struct dph_type *plain = dph_type_plain(type);
	uint64_t bytes;
	bool sized = dph_type_bytes(type, &bytes);
	printf("type\t%s\t%s\t%s\t%lld\n", dph_type_text(type), plain ? kinds[plain->kind] : "void",
	       plain && plain->is_signed ? "signed" : "", sized ? (long long)bytes : -1);
	if (!plain)
		return;
	size_t count = dph_type_members(plain, &members);
	for (size_t i = 0; i < count; i++)
		printf("member\t%s\t%s\t%llu\t%u\t%u\t%u\n", members[i].name ? members[i].name : "",
		       dph_type_text(members[i].type), (unsigned long long)members[i].offset,
		       members[i].bits, members[i].load_bytes, members[i].shift);
	count = dph_type_enumerators(plain, &enumerators);
	for (size_t i = 0; i < count; i++)
		printf("enumerator\t%s\t%lld\n", enumerators[i].name,
		       (long long)enumerators[i].value);
}

/* NAME, NAME@ADDRESS, or NAME.MEMBER: its offset. */
static void print_named(char *argument)
{
	const char *why = NULL;
	struct dph_meanings meanings = {NULL, NULL};
	uint64_t offset;
	char *dot = strchr(argument, '.'), *at = strchr(argument, '@');
	if (at)
		*at = 0;
	if (dot)
		*dot = 0;
	const struct dph_within within = {at ? strtoull(at + 1, NULL, 0) : 0, NULL};
	const struct dph_type *type = dph_type_named(debug, argument, &within, &meanings, &why);
	if (!type) {
		printf("why\t%s\n", why);
	} else if (dot) {
		if (dph_type_offset(type, dot + 1, &offset))
			printf("offset\t%llu\n", (unsigned long long)offset);
		else
			printf("offset\tnone\n");
	} else {
		print_type(type);
		printf("others\t%s\n", meanings.other ? "differ" : "");
	}
}

static void print_global(char *argument)
{
	struct dph_variable variable;
	const char *why = NULL;
	char *colon = strrchr(argument, ':');
	if (colon)
		*colon = 0;
	const struct dph_within within = {0, colon ? argument : NULL};
	if (dph_variable_global(debug, &within, colon ? colon + 1 : argument, &variable, &why))
		print_variable(&variable);
	else
		printf("why\t%s\n", why);
}

/* ADDRESS:NAME; of a pointer to what has no address, the pointee too. */
static void print_by_name(char *argument)
{
	struct dph_variable variable, pointee;
	const char *why = NULL;
	char *colon = strrchr(argument, ':');
	uint64_t address = strtoull(argument, NULL, 0);
	if (!colon)
		exit(2);
	if (!dph_variable_at(debug, address, 0, colon + 1, &variable, &why)) {
		printf("why\t%s\n", why);
		return;
	}
	print_variable(&variable);
	if (dph_variable_pointee(debug, &variable.location.pieces[0], address, &pointee))
		print_variable(&pointee);
}

static void print_function(char *argument)
{
	uint64_t address;
	const char *why = NULL;
	char *colon = strrchr(argument, ':');
	if (!colon)
		exit(2);
	*colon = 0;
	if (dp_debuginfo_function(debug, argument, colon + 1, &address, &why))
		printf("function\t0x%llx\n", (unsigned long long)address);
	else
		printf("why\t%s\n", why);
}

static void print_prototype(char *argument)
{
	const struct dph_type *type = dph_function_type(debug, strtoull(argument, NULL, 0));
	if (type)
		print_type(type);
	else
		printf("why\tnone\n");
}

static void print_frame(char *argument)
{
	static const char *const rules[] = {"unknown", "undefined", "same",   "saved",
					    "offset",  "register",  "memory", "value"};
	uint64_t address = strtoull(argument, NULL, 0);
	struct dph_frame frame;
	struct dph_location location;
	const char *why = NULL;
	if (!dph_frame_at(debug, address, &frame, &why)) {
		printf("why\t%s\n", why);
		return;
	}
	struct dph_piece cfa = {.kind = DPH_PIECE_VALUE, .steps = frame.cfa};
	location = (struct dph_location){&cfa, 1};
	printf("cfa\t%s", dph_location_text(debug, &location));
	print_piece(&cfa);
	printf("\n");
	for (unsigned i = 0; i < DPH_FRAME_REGISTERS; i++)
		if (frame.rules[i].kind != DPH_FRAME_UNKNOWN)
			printf("rule\t%u\t%s\t%lld\n", i, rules[frame.rules[i].kind],
			       (long long)frame.rules[i].offset);
	if (dph_frame_caller(debug, address, &location, &why))
		printf("caller\t%s\n", dph_location_text(debug, &location));
	else
		printf("why\t%s\n", why);
}

static const struct {
	const char *name;
	void (*print)(char *argument);
} commands[] = {
	{"at", print_place},          {"type", print_named},          {"global", print_global},
	{"function", print_function}, {"prototype", print_prototype}, {"frame", print_frame},
	{"variable", print_by_name},
};

static void of_file(int argc, char **argv)
{
	struct dp_messages messages = {0};
	struct dp_image *image = dp_image_open(argv[2], &messages);
	bool missing = strcmp(argv[1], "missing") == 0;
	if (!image) {
		dp_messages_print(&messages, stdout, false);
		exit(1);
	}
	debug = dp_debuginfo_open(image, missing && argc > 3 ? argv[3] : NULL);
	if (missing)
		printf("%s\n", dp_debuginfo_missing(debug) ? dp_debuginfo_missing(debug) : "");
	if (strcmp(argv[1], "statements") == 0)
		print_statements();
	for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
		if (strcmp(argv[1], commands[i].name) == 0)
			for (int k = 3; k < argc; k++)
				commands[i].print(argv[k]);
	dp_debuginfo_close(debug);
	dp_image_close(image);
	dp_messages_free(&messages);
}

int main(int argc, char **argv)
{
	if (argc > 2) {
		of_file(argc, argv);
		return 0;
	}
	numbers();
	paths();
	paths_told_apart();
	base_types();
	bit_fields();
	linear_steps();
	run_steps();
	return check_status();
}

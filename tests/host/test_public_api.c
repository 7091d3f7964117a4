/* SPDX-License-Identifier: BSD-2-Clause */
/* A program that uses libdprobes as anybody would: nothing but <dprobes/host.h> and the library
 * (test_public_api.py compiles it against what scons installs).
 *
 *   test_public_api             compile a program and simulate it
 *   test_public_api URL MAP     the same program on a target: insert, read records, remove. MAP:
 *                               symbols of its firmware. */
#include <dprobes/host.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char program[] = "name = example\n"
			      "id = 77\n"
			      "vars = 1\n"
			      "major = 5\n"
			      "offset = hot\n"
			      "minor = 6\n"
			      "inc lv, 0\n"
			      "push lv, 0\n"
			      "log 1\n"
			      "exit\n";

enum {
	WANTED = 5,
	PATIENCE_MS = 10000,
	HOLD_MS = 50,
};

#define REQUIRE(what) ((what) ? (void)0 : fail(__LINE__, #what))

static void fail(int line, const char *what)
{
	printf("test_public_api.c:%d: %s\n", line, what);
	exit(1);
}

static struct dp_object_file *compiled(const char *sym, struct dp_messages *messages)
{
	struct dp_build_options options = {.sym = sym, .opcode_optional = true};
	char text[sizeof program + 32];
	struct dp_object_file *object;

	/* no symbols: say where it is */
	snprintf(text, sizeof text, "%s%s", sym ? "" : "#define hot 0x1000\n", program);
	object = dp_compile_text(text, "example.dp", &options, messages);
	dp_messages_print(messages, stdout, false);
	REQUIRE(object != NULL);
	return object;
}

/* --- a program that prints its records ------------------------------------------------------ */

/* Values come without a text; each text is made when it is asked for. */
static void values_are_read(const struct dp_formats *formats)
{
	const uint8_t data[4] = {42};
	const struct dp_probe_meaning probe = {.known = true};
	const struct dp_log_record record = {.probe = &probe, .data = data, .bytes = sizeof data};
	const struct dp_record_style style = {.word_bytes = 4, .formats = formats, .bare = true};
	struct dp_record_view view;
	uint64_t number;
	bool is_signed;
	size_t count;
	const struct dp_field *fields = dp_formats_fields(formats, 0, &count);

	REQUIRE(count == 1 && fields->form == DP_VALUE_SIGNED && fields->size == 4);
	REQUIRE(strcmp(fields->name, "6 * 7") == 0 && strcmp(fields->type, "int") == 0);
	dp_record_view_read(&view, &style, &record);
	REQUIRE(view.own && view.value_count == 1 && view.text == NULL && view.args == NULL);
	REQUIRE(view.values[0]->number == 42 && view.values[0]->field == fields->number);
	REQUIRE(dp_value_enumerator(view.values[0], 0, &number, &is_signed) == NULL);
	REQUIRE(strcmp(dp_record_view_text(&view), "42\n") == 0);
	REQUIRE(strcmp(dp_record_view_args(&view),
		       "[{\"name\":\"6 * 7\",\"type\":\"int\",\"value\":42}]") == 0);
	dp_record_view_free(&view);
}

static void formats_are_read(void)
{
	const struct dp_build_options options = {.opcode_optional = true};
	struct dp_messages messages = {0};
	struct dp_object_file *object = dp_compile_text(
		"addr:::0x1000 { printf(\"%d\\n\", 6 * 7); }\n", "<text>", &options, &messages);
	REQUIRE(object != NULL);
	struct dp_formats *formats = dp_formats_open(object, NULL);
	const uint8_t data[4] = {42};
	int status = -1;
	REQUIRE(formats != NULL && !dp_formats_quiet(formats));
	REQUIRE(strcmp(dp_formats_probe(formats, 0, true), "addr:firmware::0x1000") == 0);
	char *text = dp_formats_text(
		formats, &(struct dp_formats_record){.data = data, .bytes = sizeof data}, &status);
	REQUIRE(text != NULL && strcmp(text, "42\n") == 0 && status == -1);
	free(text);
	values_are_read(formats);
	dp_formats_close(formats);
	dp_object_free(object);
	dp_messages_free(&messages);
}

/* --- without a target ---------------------------------------------------------------------- */

static void messages_have_a_place(void)
{
	struct dp_build_options options = {.opcode_optional = true};
	struct dp_messages messages = {0};

	REQUIRE(dp_compile_text("name = x\noffset = 4\npush r, r99\n", "bad.dp", &options,
				&messages) == NULL);
	REQUIRE(messages.errors == 1 && messages.list[0].line == 3 && messages.list[0].column == 9);
	REQUIRE(strcmp(messages.list[0].file, "bad.dp") == 0);
	dp_messages_free(&messages);
}

static void look_inside(const struct dp_object_file *object)
{
	struct dp_messages messages = {0};
	struct dp_check_options limits = {0};
	struct dp_program_info info;
	struct dp_point_info point;
	struct dp_check_result result;
	char name[DP_NAME_ROOM];

	dp_object_program(object, &info);
	REQUIRE(strcmp(info.name, "example") == 0 && info.id == 77 && info.points == 1);
	REQUIRE(info.cpu == DP_CPU_SIM && info.major == 5 && info.vars == 1);
	REQUIRE(dp_object_point(object, 0, &point) && point.minor == 6);
	REQUIRE(!dp_object_point(object, 1, &point));
	REQUIRE(dp_object_words(object, 0) && !dp_object_words(object, 1));
	REQUIRE(dp_image_name(NULL, 0x1000, name) == NULL && !dp_image_word_named(NULL, 0x1000));
	REQUIRE(strcmp(dp_image_word(NULL, 4096, name), "4096") == 0);
	REQUIRE(dp_check_object(object, &limits, &result, &messages));
	REQUIRE(result.accepted && !result.loops && result.log_max == info.word_bytes);
	REQUIRE(dp_disassemble(object, stdout, &messages));
	REQUIRE(strcmp(dp_error_name(DP_ERR_OK), "OK") == 0);
	dp_messages_free(&messages);
}

static void simulate(const struct dp_object_file *object)
{
	static const uint8_t memory[4] = {1, 2, 3, 4};
	const uint64_t value = 0x1234;
	struct dp_messages messages = {0};
	struct dp_simulation *simulation = dp_simulation_open(object, false, &messages);
	struct dp_simulated hit;
	struct dp_simulated_write write;
	uint64_t words[4];

	REQUIRE(simulation != NULL);
	REQUIRE(dp_simulation_memory(simulation, 0x2000, memory, sizeof memory, true));
	REQUIRE(!dp_simulation_memory(simulation, 0x2003, memory, sizeof memory, true));
	REQUIRE(dp_simulation_register(simulation, "arg0", &value, 1));
	REQUIRE(!dp_simulation_register(simulation, "r99", &value, 1));
	REQUIRE(dp_simulation_point(simulation, 6) == 0);
	REQUIRE(dp_simulation_point(simulation, 7) == -1);
	for (unsigned n = 1; n <= 3; n++) {
		REQUIRE(dp_simulation_hit(simulation, 0, &hit) == DP_SIMULATED_RAN);
		REQUIRE(hit.end == RPN_END_EXIT && hit.major == 5 && hit.minor == 6);
		REQUIRE(hit.log_bytes == 4 && hit.log[0] == n && hit.trace_bytes == 0);
		printf("simulated: DProbes(%u,%u) %u, %u steps\n", hit.major, hit.minor, hit.log[0],
		       (unsigned)hit.steps);
	}
	REQUIRE(dp_simulation_variables(simulation, false) == 1);
	REQUIRE(dp_simulation_variable(simulation, false, 0) == 3);
	REQUIRE(dp_simulation_stack(simulation, words, 4) == 0);
	REQUIRE(dp_simulation_register_after(simulation, "r0", words) && words[0] == 0x1234);
	REQUIRE(!dp_simulation_write(simulation, 0, &write));
	dp_simulation_close(simulation);
	dp_messages_free(&messages);
}

/* Two simulations at once: memory, registers, variables and hits of one are not the other's. */
static void two_simulations(const struct dp_object_file *object)
{
	static const char reader[] = "name = reader\noffset = 8\npush r, r0\npush mem, u8\nlog 1\n";
	static const uint8_t first[1] = {11}, second[1] = {22};
	struct dp_build_options options = {.opcode_optional = true};
	struct dp_messages messages = {0};
	struct dp_object_file *other = dp_compile_text(reader, "reader.dp", &options, &messages);
	struct dp_simulation *a, *b, *c;
	const uint64_t at = 0x2000;
	struct dp_simulated hit;

	REQUIRE(other != NULL);
	a = dp_simulation_open(other, false, &messages);
	b = dp_simulation_open(other, false, &messages);
	c = dp_simulation_open(object, false, &messages);
	REQUIRE(a && b && c);
	REQUIRE(dp_simulation_memory(a, at, first, sizeof first, false));
	REQUIRE(dp_simulation_memory(b, at, second, sizeof second, false));
	REQUIRE(dp_simulation_register(a, "r0", &at, 1) && dp_simulation_register(b, "r0", &at, 1));
	for (unsigned n = 1; n <= 2; n++) {
		REQUIRE(dp_simulation_hit(a, 0, &hit) == DP_SIMULATED_RAN && hit.log[0] == 11);
		REQUIRE(dp_simulation_hit(c, 0, &hit) == DP_SIMULATED_RAN && hit.log[0] == n);
		REQUIRE(dp_simulation_hit(b, 0, &hit) == DP_SIMULATED_RAN && hit.log[0] == 22);
		REQUIRE(hit.exception[0] == 0);
	}
	dp_simulation_close(a);
	REQUIRE(dp_simulation_hit(b, 0, &hit) == DP_SIMULATED_RAN && hit.log[0] == 22);
	dp_simulation_close(b);
	REQUIRE(dp_simulation_hit(c, 0, &hit) == DP_SIMULATED_RAN && hit.log[0] == 3);
	dp_simulation_close(c);
	dp_object_free(other);
	dp_messages_free(&messages);
}

/* A program that writes memory is refused without the right to, and its write is seen with it. */
static void simulate_write(void)
{
	struct dp_build_options options = {.write = true, .opcode_optional = true};
	struct dp_messages messages = {0};
	struct dp_object_file *object =
		dp_compile_text("name = w\noffset = 4\npush 0x2000\npush 7\npop mem, u8\n", "w.dp",
				&options, &messages);
	struct dp_simulation *simulation;
	struct dp_simulated hit;
	struct dp_simulated_write write;

	REQUIRE(object != NULL);
	REQUIRE(dp_simulation_open(object, false, &messages) == NULL && messages.errors == 1);
	simulation = dp_simulation_open(object, true, &messages);
	REQUIRE(simulation != NULL);
	REQUIRE(dp_simulation_memory(simulation, 0x2000, "x", 1, true));
	REQUIRE(dp_simulation_hit(simulation, 0, &hit) == DP_SIMULATED_RAN);
	REQUIRE(dp_simulation_write(simulation, 0, &write));
	REQUIRE(write.address == 0x2000 && write.count == 1 && write.bytes[0] == 7);
	REQUIRE(!dp_simulation_write(simulation, 1, &write));
	dp_simulation_close(simulation);
	dp_object_free(object);
	dp_messages_free(&messages);
}

/* The data of a record as text of our own, and what is said of a wrong file. */
static void format_data(void)
{
	static const char file[] = "major = 5\nminor = 6, desc = \"counter\", fmt = \"is %4u\"\n";
	static const uint8_t data[] = {0, 0, 0, 7};
	const struct dp_template_record record = {.major = 5,
						  .minor = 6,
						  .data = data,
						  .bytes = sizeof data,
						  .word_bytes = 4,
						  .big_endian = true};
	struct dp_messages messages = {0};
	struct dp_templates *templates =
		dp_templates_from_text(file, sizeof file - 1, "example.tpl", &messages);
	char *text;

	REQUIRE(templates != NULL && dp_templates_count(templates) == 1);
	REQUIRE(strcmp(dp_template_desc(templates, 5, 6), "counter") == 0);
	text = dp_template_text(templates, &record);
	REQUIRE(strcmp(text, "is 7\n") == 0);
	free(text);
	dp_templates_free(templates);
	REQUIRE(dp_templates_read("none.tpl", &messages) == NULL && messages.errors == 1);
	dp_messages_free(&messages);
}

/* Errors that a list has already do not end the reading of a good file; a hundred of its own do. */
static void errors_of_earlier_files(void)
{
	enum {
		EARLIER = 104,
		MOST = 20,
		WRONG = 150,
	};
	static const char good[] =
		"major = 5 minor = 6 desc = \"counter\" minor = 7 desc = \"other\"";
	char wrong[sizeof "major = 5\n" + WRONG * sizeof "desc\n"];
	struct dp_messages messages = {0};
	struct dp_templates *templates;
	char *end = wrong;

	for (int i = 0; i < EARLIER; i++)
		REQUIRE(dp_templates_read("none.tpl", &messages) == NULL);
	REQUIRE(messages.errors == EARLIER);
	templates = dp_templates_from_text(good, sizeof good - 1, "good.tpl", &messages);
	REQUIRE(templates != NULL && dp_templates_count(templates) == 2);
	REQUIRE(messages.errors == EARLIER);
	dp_templates_free(templates);
	end += sprintf(end, "major = 5\n");
	for (int i = 0; i < WRONG; i++)
		end += sprintf(end, "desc\n");
	REQUIRE(dp_templates_from_text(wrong, strlen(wrong), "wrong.tpl", &messages) == NULL);
	REQUIRE(messages.errors == EARLIER + MOST);
	dp_messages_free(&messages);
}

/* A sink of our own: it adds up the numbers of all fields and counts readings. */
struct sum {
	uint64_t numbers;
	unsigned readings;
};

static void add_number(void *context, const char *name, const struct dp_value *value)
{
	struct sum *sum = context;

	if (value->form == DP_VALUE_NUMBER && strcmp(name, "value") == 0)
		sum->numbers += value->number;
}

static void ignore_open(void *context, const char *name, enum dp_reading_kind kind, char bracket)
{
	(void)context;
	(void)name;
	(void)kind;
	(void)bracket;
}

static void ignore_close(void *context, char bracket)
{
	(void)context;
	(void)bracket;
}

static bool add_reading(struct dp_sink *sink, enum dp_reading_kind kind, const void *view)
{
	const struct dp_field_visitor visitor = {sink->state, add_number, ignore_open,
						 ignore_close};

	((struct sum *)sink->state)->readings++;
	dp_reading_visit(kind, view, &visitor);
	return true;
}

static bool print_sum(struct dp_sink *sink)
{
	const struct sum *sum = sink->state;

	fprintf(sink->options.out, "%u: %u\n", sum->readings, (unsigned)sum->numbers);
	return true;
}

static void through(const struct dp_sink_kind *kind, const char *expected)
{
	static const struct dp_variable_view variables[] = {
		{.program = "net", .value = 5, .word_bytes = 4},
		{.index = 1, .value = 7, .word_bytes = 8},
	};
	char text[256] = "";
	FILE *out = tmpfile();
	const struct dp_sink_options options = {.out = out, .table = DP_TABLE_VARIABLES};
	struct dp_sink *sink;

	REQUIRE(out != NULL && kind != NULL && dp_sink_shows(kind, DP_TABLE_VARIABLES));
	sink = dp_sink_open(kind, &options);
	REQUIRE(sink != NULL);
	for (int i = 0; i < 2; i++)
		REQUIRE(dp_sink_reading(sink, DP_READING_VARIABLE, &variables[i]));
	REQUIRE(dp_sink_console(sink, (const uint8_t *)"tick\n", 5));
	REQUIRE(dp_sink_close(sink));
	rewind(out);
	REQUIRE(fread(text, 1, sizeof text - 1, out) == strlen(expected));
	REQUIRE(strcmp(text, expected) == 0);
	fclose(out);
}

static void sinks(void)
{
	static const struct dp_sink_kind sum = {
		.name = "sum",
		.tables = 1u << DP_TABLE_VARIABLES,
		.state_bytes = sizeof(struct sum),
		.reading = add_reading,
		.end = print_sum,
	};

	through(dp_sink_kind_named("text"),
		"net lv 0 = 0x00000005 (5)\ngv 1 = 0x0000000000000007 (7)\n");
	through(dp_sink_kind_named("csv"),
		"kind,program,index,value,symbol,name,keys,text\nlocal,net,0,5,,,,\n"
		"global,,1,7,,,,\n");
	through(dp_sink_kind_named("json"),
		"{\"kind\":\"local\",\"program\":\"net\",\"index\":0,\"value\":5,\"schema\":1}\n"
		"{\"kind\":\"global\",\"index\":1,\"value\":7}\n");
	through(&sum, "2: 12\n");
	REQUIRE(dp_sink_kind_named("xml") == NULL && dp_sink_kind_count >= 4);
	REQUIRE(!dp_sink_shows(dp_sink_kind_named("csv"), DP_TABLE_INFO));
}

/* --- with a target ------------------------------------------------------------------------- */

struct reader {
	struct dp_records *records;
	struct dp_record_style style;
	unsigned count;
	uint64_t last;
};

static void on_stream(void *context, const struct dp_frame_in *frame, const char *text,
		      size_t count)
{
	struct reader *reader = context;

	(void)text;
	(void)count;
	if (reader->records)
		dp_records_line(reader->records, frame, dp_clock_ms());
}

static void on_record(void *context, const struct dp_log_record *record)
{
	struct reader *reader = context;

	if (record->head.kind != DP_RECORD_LOG || record->probe == NULL)
		return;
	REQUIRE(record->major == 5 && record->minor == 6 && record->bytes == 4);
	REQUIRE(strcmp(record->probe->name, "example") == 0);
	dp_print_record(&reader->style, record);
	reader->count++;
}

static void on_gap(void *context, const struct dp_gap *gap)
{
	dp_print_gap(&((struct reader *)context)->style, gap);
}

static void on_notice(void *context, const struct dp_notice_in *notice)
{
	dp_print_notice(&((struct reader *)context)->style, notice);
}

static bool count_probe(void *context, const struct dp_program_answer *in,
			const struct dp_probe_answer *probe)
{
	if (strcmp(in->name, "example") == 0 && probe->minor == 6)
		(*(unsigned *)context)++;
	return true;
}

static unsigned probes_there(struct dp_session *session)
{
	unsigned count = 0;
	const struct dp_walk walk = {.context = &count, .probe = count_probe};

	REQUIRE(dp_session_walk(session, &walk));
	return count;
}

static void need(struct dp_session *session, bool done)
{
	if (done)
		return;
	printf("%s\n", dp_session_failure(session)->text);
	exit(1);
}

static void read_records(struct dp_session *session, struct reader *reader)
{
	const uint64_t start = dp_clock_ms();
	struct dp_gap full;

	while (reader->count < WANTED && dp_clock_ms() - start < PATIENCE_MS) {
		need(session, dp_session_listen(session, HOLD_MS));
		dp_records_flush(reader->records, dp_clock_ms() - HOLD_MS);
	}
	REQUIRE(reader->count >= WANTED);
	REQUIRE(dp_records_totals(reader->records)->records >= WANTED);
	REQUIRE(!dp_records_lossy(reader->records));
	REQUIRE(!dp_records_full(reader->records, &full) && full.kind == DP_GAP_FULL);
}

enum {
	RAM = 0x20000000, /* of the simulated firmware */
	RAM_BYTES = 0x2000,
};

/* Two places, of which the second one passes the end of memory, and a number stored. */
static void memory(struct dp_session *session)
{
	uint8_t first[100], second[20];
	const uint8_t number[] = {1, 2, 3, 4};
	struct dp_read_place places[] = {
		{.address = RAM, .bytes = sizeof first, .data = first},
		{.address = RAM + RAM_BYTES - 16, .bytes = sizeof second, .data = second},
	};
	struct dp_module_answer image;
	size_t stored;

	need(session, dp_session_store(session, RAM + 4, number, sizeof number, &stored));
	REQUIRE(stored == sizeof number);
	need(session, dp_session_read(session, places, 2, 0, &image));
	REQUIRE(places[0].have == sizeof first && places[1].have < sizeof second);
	REQUIRE(memcmp(first + 4, number, sizeof number) == 0 && image.bytes > 0);
	need(session, dp_session_store(session, 0, number, sizeof number, &stored));
	REQUIRE(stored == 0);
}

static void on_target(const char *url, const struct dp_object_file *object)
{
	struct reader reader = {.style = {.out = stdout}};
	const struct dp_records_listener listener = {&reader, on_record, on_gap, on_notice};
	const struct dp_session_options options = {
		.url = url,
		.rights = DP_RIGHT_LOOK | DP_RIGHT_LOG | DP_RIGHT_INSERT | DP_RIGHT_WRITE,
		.listener = {.context = &reader, .stream = on_stream},
	};
	const struct dp_choice choice = {
		.options = DP_INSERT_ANY_OPCODE | DP_INSERT_NO_IDENTITY,
		.items = DP_ITEM_PC,
	};
	struct dp_failure failure;
	struct dp_session *session = dp_session_open(&options, &failure);
	struct dp_inserted inserted;
	uint64_t variable;
	size_t count, there;
	uint16_t transaction;
	uint8_t target, mode, removed;

	if (session == NULL) {
		printf("%s\n", failure.text);
		exit(1);
	}
	reader.style.word_bytes = dp_session_target(session)->word_bytes;
	reader.style.hz = dp_session_target(session)->hz;
	reader.records = dp_records_new(dp_session_target(session)->word_bytes,
					dp_session_target(session)->big_endian, &listener);
	REQUIRE(reader.records != NULL);
	need(session, dp_session_upload(session, object->data, object->travelling, &transaction));
	need(session, dp_session_commit(session, transaction, &choice, &inserted));
	REQUIRE(inserted.verdict.error == DP_ERR_OK && inserted.armed == 1);
	need(session, dp_session_learn(session, reader.records));
	need(session, dp_session_log(session, DP_LOG_LEAVE, DP_LOG_LEAVE, &target, &mode));
	REQUIRE(probes_there(session) == 1);
	read_records(session, &reader);
	need(session,
	     dp_session_vars(session, inserted.program, 0, false, &variable, 1, &count, &there));
	REQUIRE(count == 1 && there == 1 && variable >= WANTED);
	memory(session);
	need(session, dp_session_remove(session, inserted.program, &removed));
	REQUIRE(removed == 1 && probes_there(session) == 0);
	dp_session_close(session);
	dp_records_free(reader.records);
}

int main(int argc, char **argv)
{
	struct dp_messages messages = {0};
	struct dp_object_file *object = compiled(argc > 2 ? argv[2] : NULL, &messages);

	if (argc > 2) {
		on_target(argv[1], object);
	} else {
		formats_are_read();
		messages_have_a_place();
		look_inside(object);
		simulate(object);
		two_simulations(object);
		simulate_write();
		format_data();
		sinks();
		errors_of_earlier_files();
	}
	dp_object_free(object);
	dp_messages_free(&messages);
	printf("good\n");
	return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The record stream reads any source of lines. The lines of a session are recorded in a file; the
 * stream prints the same from the file as from the session. */
#define _GNU_SOURCE
#include "bench_child.h"
#include "check.h"

#include "command/cmd_stream.h"

#include <dprobes/host.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define PATH  "lines.sock"
#define LINES "lines.txt"
#define PROGRAM                                                                                    \
	"addr:::0x08000100 { n++; printf(\"%d of %s\\n\", n, probename); }\n"                      \
	"addr:::0x08000108 /n % 2 == 0/ { trace(n * 2); }\n"

enum {
	FIRST = FIRMWARE_TEXT + 0x100,
	WANTED = 30 /* records */
};

/* --- recording ------------------------------------------------------------------------------- */

/* Hands everything on, and writes lines and counts to the file. */
struct recorder {
	const struct dp_listener *to;
	FILE *file;
};

static void on_stream(void *context, const struct dp_frame_in *frame, const char *text,
		      size_t count)
{
	const struct recorder *r = context;

	fprintf(r->file, "%.*s\n", (int)count, text);
	r->to->stream(r->to->context, frame, text, count);
}

static void on_counts(void *context, const struct dp_record_counts *c)
{
	const struct recorder *r = context;

	fprintf(r->file, "counts %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 " %d\n", c->sent,
		c->dropped, c->missed, c->withdrawn, c->stored);
	r->to->counts(r->to->context, c);
}

static void on_console(void *context, const uint8_t *bytes, size_t count)
{
	const struct recorder *r = context;

	r->to->console(r->to->context, bytes, count);
}

static void on_progress(void *context, uint32_t done, uint32_t total)
{
	(void)context;
	(void)done;
	(void)total;
}

/* --- a source: the file ---------------------------------------------------------------------- */

struct file_lines {
	struct dph_lines lines;
	const struct dp_listener *to;
	FILE *file;
	struct dp_probe_meaning meanings[2];
	uint8_t numbers[2]; /* of the probes */
};

static void deliver_counts(const struct file_lines *f, const char *text)
{
	struct dp_record_counts c;
	int stored;

	CHECK(sscanf(text, "counts %" SCNu32 " %" SCNu32 " %" SCNu32 " %" SCNu32 " %d", &c.sent,
		     &c.dropped, &c.missed, &c.withdrawn, &stored) == 5);
	c.stored = stored != 0;
	f->to->counts(f->to->context, &c);
}

static bool file_next(struct dph_lines *lines, int timeout_ms)
{
	const struct file_lines *f = (const struct file_lines *)lines;
	char text[2 * DP_LINE_MAX];
	struct dp_frame_in frame;

	(void)timeout_ms;
	if (fgets(text, sizeof text, f->file) == NULL)
		return false;
	if (text[0] != DP_FRAME_MARK) {
		deliver_counts(f, text);
		return true;
	}
	CHECK(dp_frame_check((const uint8_t *)text, strlen(text), 0, &frame));
	f->to->stream(f->to->context, &frame, text, strlen(text) - 1);
	return true;
}

static enum dph_lines_state file_state(const struct dph_lines *lines)
{
	(void)lines;
	return DPH_LINES_ENDED;
}

static bool file_learn(struct dph_lines *lines, struct dp_records *records)
{
	const struct file_lines *f = (const struct file_lines *)lines;

	for (size_t i = 0; i < 2; i++)
		dp_records_tell(records, f->numbers[i], &f->meanings[i]);
	return true;
}

/* --- the stream ------------------------------------------------------------------------------ */

struct printed {
	struct dph_cli cli;
	struct dph_stream stream;
	FILE *out;
	char *text;
	size_t bytes;
};

static void begin(struct printed *p, const char *format, unsigned long count)
{
	int status;

	*p = (struct printed){
		.cli = {.quiet = true, .count = count, .format = dp_sink_kind_named(format)}};
	CHECK(dph_stream_init(&p->stream, &p->cli, &status));
	p->out = tmpfile();
	CHECK(p->out != NULL && dph_stream_output(&p->stream, p->out, DP_TABLE_RECORDS));
}

static void use_object(struct printed *p, const struct dp_object_file *object, uint8_t program)
{
	struct dph_stream *s = &p->stream;

	s->object = object;
	s->own_only = true;
	s->program = s->style.program = program;
	dph_stream_formats(s, object);
	s->style.formats = s->formats;
}

/* The text, from the heap. */
static char *end(struct printed *p)
{
	size_t bytes;
	char *text;

	dph_stream_free(&p->stream);
	bytes = (size_t)ftell(p->out);
	text = calloc(1, bytes + 1);
	rewind(p->out);
	CHECK(fread(text, 1, bytes, p->out) == bytes);
	fclose(p->out);
	return text;
}

/* --- live ------------------------------------------------------------------------------------ */

static bool keep_probe(void *context, const struct dp_program_answer *program,
		       const struct dp_probe_answer *probe)
{
	struct file_lines *f = context;
	struct dp_probe_meaning meaning = {.known = true,
					   .items = program->items,
					   .program = program->index,
					   .point = probe->point,
					   .major = program->major,
					   .minor = probe->minor,
					   .address = probe->address};

	memcpy(meaning.name, program->name, sizeof meaning.name - 1);
	f->meanings[probe->point % 2] = meaning;
	f->numbers[probe->point % 2] = probe->number;
	return true;
}

static uint8_t insert(struct dp_session *session, const struct dp_object_file *object)
{
	const struct dp_choice choice = {.options = DP_INSERT_NO_IDENTITY | DP_INSERT_ANY_OPCODE};
	struct dp_inserted inserted = {.program = UINT8_MAX};
	uint16_t transaction;

	CHECK(dp_session_upload(session, object->data, object->travelling, &transaction));
	CHECK(dp_session_commit(session, transaction, &choice, &inserted));
	CHECK(inserted.armed == 2);
	return inserted.program;
}

/* Print the records of a session, and record its lines. */
static char *live(const struct dp_object_file *object, const char *format, struct file_lines *f)
{
	struct printed p;
	struct recorder recorder = {.file = fopen(LINES, "w")};
	struct dp_failure failure;
	const struct dp_walk walk = {.context = f, .probe = keep_probe};
	const struct dp_session_options options = {
		.url = "unix:" PATH,
		.rights = DP_RIGHT_LOOK | DP_RIGHT_LOG | DP_RIGHT_INSERT | DP_RIGHT_TAKE,
		.listener = {&recorder, on_console, on_stream, on_progress, on_counts, NULL},
	};
	struct dp_session *session;
	uint8_t removed;

	begin(&p, format, WANTED);
	recorder.to = &p.stream.listener;
	session = dp_session_open(&options, &failure);
	CHECK(session != NULL && recorder.file != NULL);
	if (session == NULL || recorder.file == NULL)
		return end(&p);
	CHECK(dph_stream_attach(&p.stream, session));
	use_object(&p, object, insert(session, object));
	CHECK(dp_session_walk(session, &walk));
	CHECK(dph_stream_learn(&p.stream));
	CHECK(dph_stream_follow(&p.stream) == DPH_STREAM_ENOUGH);
	f->lines = p.stream.its_lines.lines;
	CHECK(dp_session_remove(session, DP_REMOVE_ALL, &removed) && removed == 1);
	dp_session_follow(session, NULL);
	fclose(recorder.file);
	dp_session_close(session);
	return end(&p);
}

/* --- recorded -------------------------------------------------------------------------------- */

static char *recorded(const struct dp_object_file *object, const char *format, unsigned long count,
		      struct file_lines *f, enum dph_stream_end expected)
{
	struct printed p;

	begin(&p, format, count);
	f->lines.next = file_next;
	f->lines.state = file_state;
	f->lines.learn = file_learn;
	f->lines.ask = NULL;
	f->lines.follow = NULL;
	f->to = &p.stream.listener; /* cppcheck-suppress autoVariables; both end with the test */
	f->file = fopen(LINES, "r");
	CHECK(f->file != NULL && dph_stream_read(&p.stream, &f->lines));
	use_object(&p, object, f->meanings[0].program);
	CHECK(dph_stream_learn(&p.stream));
	CHECK(dph_stream_follow(&p.stream) == expected);
	CHECK(dph_stream_status(&p.stream, expected) == 0);
	fclose(f->file);
	return end(&p);
}

static unsigned lines_of(const char *text)
{
	unsigned lines = 0;

	for (; *text != '\0'; text++)
		lines += *text == '\n';
	return lines;
}

/* The notice of the agent's start is no news to the session whose HELLO it follows. */
static void drop_start(char *text)
{
	const char *said = strstr(text, "the agent started");
	char *begin, *end;

	if (!said)
		return;
	begin = text + (said - text);
	while (begin > text && begin[-1] != '\n')
		begin--;
	end = strchr(begin, '\n') + 1;
	memmove(begin, end, strlen(end) + 1);
}

/* The first line of an output of JSON has the number of the schema: FORMATS.md, JSON. */
static void drop_schema(char *text)
{
	const char schema[] = ",\"schema\":1";
	char *at = strstr(text, schema);

	if (at != NULL)
		memmove(at, at + sizeof schema - 1, strlen(at + sizeof schema - 1) + 1);
}

static void compare(const struct dp_object_file *object, const char *format)
{
	struct file_lines f = {.file = NULL};
	char *of_session = live(object, format, &f);
	char *of_file = recorded(object, format, WANTED, &f, DPH_STREAM_ENOUGH);
	char *all = recorded(object, format, 0, &f, DPH_STREAM_ENDED);

	drop_schema(of_session);
	drop_schema(of_file);
	drop_schema(all);
	drop_start(of_file);
	drop_start(all);
	CHECK(lines_of(of_session) >= WANTED && strstr(of_session, "addr:firmware::") != NULL);
	CHECK(strcmp(of_session, of_file) == 0);
	/* Without --count the stream ends with the file. */
	CHECK(strncmp(all, of_file, strlen(of_file)) == 0 && strlen(all) >= strlen(of_file));
	free(of_session);
	free(of_file);
	free(all);
}

int main(void)
{
	const struct dp_build_options build = {.cpu = "sim", .opcode_optional = true};
	struct dp_messages messages = {0};
	struct dp_object_file *object = dp_compile_text(PROGRAM, "t.d", &build, &messages);
	pid_t child = bench_child(PATH, FIRST);

	dp_messages_print(&messages, stdout, false);
	dp_messages_free(&messages);
	CHECK(object != NULL);
	if (object != NULL) {
		compare(object, "json");
		compare(object, "csv");
	}
	dp_object_free(object);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	unlink(PATH);
	unlink(LINES);
	return check_status();
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs conformance cases on a board whose firmware is tests/guests/conformance, over one session:
 *
 *   board_cases COM1-URL COM2-URL CPU WORD ENDIAN [state] < cases
 *
 * Each program goes the whole way: compiler, upload, verifier, arming, hits, records, removal.
 * Standard input, a case:
 *   case NAME
 *   text N             and N bytes of program
 *   sym PATH           its symbols
 *   define KEY=VALUE   -D
 *   guest LINE ...     for the guest, before the hits: mem, mem-ro, reg
 *   hit MINOR N ...    or "hit - N": the first probe
 *   end
 * Standard output, a case: "case NAME", lines "MAJOR MINOR END HEX" as simulate --format raw prints
 * them, lines "failed WHY", "end". With `state` also the guest's answers: "state ..." and "plans
 * ...". Status 3: the target cannot be used any more.
 */
#define _GNU_SOURCE
#include <dprobes/host.h>
#include <dprobes/records.h>
#include <dprobes/session.h>
#include "wire/transport.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	LINE = 4096,
	TURN_MS = 20,
	ANSWER_MS = 60000,
	GREETING_MS = 5000,
	TRIES = 50,
	STATUS_DEAD = 3,
};

static struct dp_session *session;
static struct dp_records *records;
static struct dph_transport *guest;
static struct dp_build_options build;
static bool with_state;

static void failed(const char *why)
{
	printf("failed %s\n", why);
}

/* The line or the guest is gone: what is left needs another board. */
static void dead(const char *why)
{
	failed(why);
	fflush(stdout);
	exit(STATUS_DEAD);
}

/* --- the guest --- */

/* One line from com2; meanwhile com1 is read, so that nobody waits for us. False: the line is dead.
 */
static bool guest_line(char *line, size_t room, unsigned limit_ms)
{
	const uint64_t start = dp_clock_ms();
	size_t used = 0;

	for (;;) {
		char c;
		long n = dph_transport_read(guest, &c, 1, TURN_MS);

		if (n < 0)
			return false;
		if (n == 0) {
			if (session != NULL && !dp_session_listen(session, 0))
				dead(dp_session_failure(session)->text);
			if (dp_clock_ms() - start > limit_ms)
				return false;
			continue;
		}
		if (c == '\n')
			break;
		if (used + 1 < room)
			line[used++] = c;
	}
	line[used] = '\0';
	return true;
}

static bool send_line(const char *line)
{
	return dph_transport_write(guest, line, strlen(line)) &&
	       dph_transport_write(guest, "\n", 1);
}

static void ask(const char *line, char *answer, size_t room)
{
	if (!send_line(line) || !guest_line(answer, room, ANSWER_MS))
		dead("the guest does not answer");
}

__attribute__((format(printf, 1, 2))) static bool tell(const char *format, ...)
{
	char line[LINE], answer[LINE];
	va_list list;

	va_start(list, format);
	vsnprintf(line, sizeof line, format, list);
	va_end(list);
	ask(line, answer, sizeof answer);
	if (strcmp(answer, "ok") == 0)
		return true;
	printf("failed %s: %s\n", line, answer);
	return false;
}

/* Does the text hold traps, seen from the firmware's side? */
static bool patched(void)
{
	char answer[LINE];

	ask("intact", answer, sizeof answer);
	return strcmp(answer, "no: text changed") == 0;
}

/* --- records --- */

static const char *end_name(const struct dp_log_record *record)
{
	if (record->head.kind == DP_RECORD_TRACE)
		return "trace";
	if (record->head.kind == DP_RECORD_CORE)
		return "core";
	if (record->head.flags & DP_RECORD_EXCEPTION)
		return "exception";
	return record->head.flags & DP_RECORD_BUDGET ? "budget" : "exit";
}

static void on_record(void *context, const struct dp_log_record *record)
{
	(void)context;
	printf("%u %u %s ", record->major, record->minor, end_name(record));
	for (size_t i = 0; i < record->bytes; i++)
		printf("%02x", record->data[i]);
	printf("%s\n", record->bytes == 0 ? "-" : "");
}

static void on_gap(void *context, const struct dp_gap *gap)
{
	(void)context;
	printf("failed records lost: kind %d, %" PRIu32 "\n", (int)gap->kind, gap->count);
}

/* A request that was lost is repeated: it happens when QEMU gets no time. The notice of the start
 * follows the answer to the first HELLO, and may come in a case; a restart ends the session. */
static void on_notice(void *context, const struct dp_notice_in *notice)
{
	(void)context;
	if (notice->number == DP_NOTICE_LINE_LOST || notice->number == DP_NOTICE_BOOT)
		return;
	printf("failed notice: %s", dp_notice_sentence(notice->number));
	for (size_t i = 0; i < notice->bytes; i++)
		printf(" %02x", notice->arguments[i]);
	printf("\n");
}

static void on_stream(void *context, const struct dp_frame_in *frame, const char *text,
		      size_t count)
{
	(void)context;
	(void)text;
	(void)count;
	if (records != NULL) /* hello's own lines come before we know the word size */
		dp_records_line(records, frame, dp_clock_ms());
}

/* --- one case --- */

static bool learn(uint8_t index, unsigned points)
{
	struct dp_program_answer program;
	bool used;

	if (!dp_session_program(session, index, &program, &used) || !used)
		return false;
	for (unsigned i = 0; i < points; i++) {
		struct dp_probe_answer probe;
		struct dp_probe_meaning meaning = {.items = program.items, .program = index};

		if (!dp_session_probe(session, index, (uint8_t)i, &probe))
			return false;
		meaning.point = probe.point;
		meaning.major = program.major;
		meaning.minor = probe.minor;
		meaning.address = probe.address;
		dp_records_tell(records, probe.number, &meaning);
	}
	return true;
}

static bool clear_globals(unsigned count)
{
	uint64_t words[8];
	size_t got = 1, there;

	for (size_t first = 0; first < count && got > 0; first += got)
		if (!dp_session_vars(session, DP_VARS_GLOBAL, (uint16_t)first, true, words,
				     sizeof words / sizeof words[0], &got, &there))
			return false;
	return true;
}

static bool insert(const struct dp_object_file *object, struct dp_inserted *inserted)
{
	const struct dp_choice choice = {.options = DP_INSERT_NO_IDENTITY | DP_INSERT_ANY_OPCODE};
	struct dp_program_info info;
	uint16_t transaction;

	dp_object_program(object, &info);
	return clear_globals(info.gvars) &&
	       dp_session_upload(session, object->data, object->travelling, &transaction) &&
	       dp_session_check(session, transaction, &choice, &inserted->verdict) &&
	       dp_session_commit(session, transaction, &choice, inserted) &&
	       learn(inserted->program, info.points);
}

/* What session functions mean by false: a refusal is the case's result, all else the end. */
static void session_failed(void)
{
	const struct dp_failure *failure = dp_session_failure(session);

	if (failure->kind == DP_FAILED_LINK)
		dead(failure->text);
	failed(failure->text);
}

static bool sites(const struct dp_object_file *object)
{
	struct dp_point_info point;

	for (unsigned i = 0; dp_object_point(object, i, &point); i++)
		if (!tell("site %" PRIx64, point.address))
			return false;
	return true;
}

/* "hit MINOR N" or "hit - N": one command for the guest. */
static bool hit(const struct dp_object_file *object, const char *line)
{
	struct dp_point_info point;
	char minor[16];
	unsigned count;

	if (sscanf(line, "hit %15s %u", minor, &count) != 2)
		dead("bad hit line");
	for (unsigned i = 0; dp_object_point(object, i, &point); i++)
		if (minor[0] == '-' || strtoul(minor, NULL, 0) == point.minor)
			return tell("hit %" PRIx64 " %x", point.address, count);
	dead("no probe of that minor code");
	return false;
}

/* What the hits have left behind. */
static void show_state(void)
{
	char answer[LINE];

	ask("state", answer, sizeof answer);
	printf("state %s\n", answer);
	ask("plans", answer, sizeof answer);
	printf("plans %s\n", answer);
}

static void run_program(const struct dp_object_file *object, char **lines, size_t count)
{
	struct dp_inserted inserted;
	uint8_t removed;
	bool good = tell("reset") && sites(object);

	for (size_t i = 0; i < count && good; i++)
		if (strncmp(lines[i], "guest ", 6) == 0)
			good = tell("%s", lines[i] + 6);
	if (!good)
		return;
	if (!insert(object, &inserted)) {
		session_failed();
		return;
	}
	if (!patched())
		failed("armed, but the text is as before");
	for (size_t i = 0; i < count && good; i++)
		if (strncmp(lines[i], "hit ", 4) == 0)
			good = hit(object, lines[i]);
	if (with_state)
		show_state();
	/* The answer comes behind all records, and the removal sends a sync that counts them. */
	if (!dp_session_remove(session, inserted.program, &removed))
		session_failed();
	dp_records_flush(records, UINT64_MAX);
	tell("intact");
}

static char *read_line(void)
{
	static char line[LINE];

	if (fgets(line, sizeof line, stdin) == NULL)
		return NULL;
	line[strcspn(line, "\n")] = '\0';
	return line;
}

static void run_case(const char *name)
{
	struct dp_messages messages = {0};
	struct dp_object_file *object = NULL;
	char *lines[64], *defines[16], *line, *text = NULL, sym[LINE] = "";
	size_t count = 0, define_count = 0, bytes;

	printf("case %s\n", name);
	while ((line = read_line()) != NULL && strcmp(line, "end") != 0) {
		if (sscanf(line, "text %zu", &bytes) == 1) {
			text = calloc(1, bytes + 1);
			if (text == NULL || fread(text, 1, bytes, stdin) != bytes)
				dead("no program");
		} else if (strncmp(line, "sym ", 4) == 0) {
			snprintf(sym, sizeof sym, "%s", line + 4);
		} else if (strncmp(line, "define ", 7) == 0) {
			if (define_count == sizeof defines / sizeof defines[0])
				dead("too many definitions");
			defines[define_count++] = strdup(line + 7);
		} else if (count < sizeof lines / sizeof lines[0]) {
			lines[count++] = strdup(line);
		}
	}
	build.sym = *sym ? sym : NULL;
	build.defines = (const char *const *)defines;
	build.define_count = define_count;
	if (text != NULL)
		object = dp_compile_text(text, "case.dp", &build, &messages);
	if (object != NULL)
		run_program(object, lines, count);
	else
		failed("does not compile");
	if (object == NULL)
		dp_messages_print(&messages, stdout, false);
	printf("end\n");
	fflush(stdout);
	while (count > 0)
		free(lines[--count]);
	while (define_count > 0)
		free(defines[--define_count]);
	dp_messages_free(&messages);
	dp_object_free(object);
	free(text);
}

/* What came before is skipped: the guest's greeting, its answer to whoever was here before. */
static bool greet(unsigned word)
{
	char line[LINE], text[16];

	snprintf(text, sizeof text, "\necho %u", word);
	if (!send_line(text))
		return false;
	while (guest_line(line, sizeof line, GREETING_MS))
		if (strtoul(line, NULL, 10) == word)
			return true;
	return false;
}

/* Whoever was connected before may not be gone yet as QEMU sees it: then the line breaks at once.
 */
static void find_guest(const char *url)
{
	char why[LINE] = "the guest does not answer";

	for (unsigned word = 1; word <= TRIES; word++) {
		guest = dph_transport_open(url, NULL, why, sizeof why);
		if (guest != NULL && greet(word))
			return;
		dph_transport_close(guest);
		usleep(TURN_MS * 1000);
	}
	dead(why);
}

static void find_agent(const char *url)
{
	const struct dp_records_listener listener = {NULL, on_record, on_gap, on_notice};
	const struct dp_session_options options = {
		.url = url,
		.rights = DP_RIGHT_WRITE | DP_RIGHT_LOOK | DP_RIGHT_LOG | DP_RIGHT_INSERT,
		.listener = {.stream = on_stream},
	};
	struct dp_failure failure;

	for (unsigned i = 0; i < TRIES && session == NULL; i++) {
		session = dp_session_open(&options, &failure);
		if (session == NULL)
			usleep(TURN_MS * 1000);
	}
	if (session == NULL)
		dead(failure.text);
	records = dp_records_new(dp_session_target(session)->word_bytes,
				 dp_session_target(session)->big_endian, &listener);
}

int main(int argc, char **argv)
{
	const char *line;

	if (argc < 6) {
		fprintf(stderr,
			"usage: board_cases COM1-URL COM2-URL CPU WORD ENDIAN [state] < cases\n");
		return 1;
	}
	build = (struct dp_build_options){
		.cpu = argv[3],
		.word_bits = (unsigned)atoi(argv[4]),
		.endian = argv[5],
		.write = true,
		.opcode_optional = true,
	};
	with_state = argc > 6;
	find_guest(argv[2]);
	find_agent(argv[1]);
	while ((line = read_line()) != NULL)
		if (strncmp(line, "case ", 5) == 0)
			run_case(line + 5);
	dp_session_close(session); /* lines may still come meanwhile */
	dp_records_free(records);
	dph_transport_close(guest);
	return 0;
}

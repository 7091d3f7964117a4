/* SPDX-License-Identifier: BSD-2-Clause */
/* A capture that is cut anywhere gives all whole records before the cut. A damaged one gives no
 * record that the whole one has not.   usage: test_capture [DAMAGED [SEED]] */
#define _GNU_SOURCE
#include "bench_child.h"
#include "check.h"

#include "base/pool.h"
#include "command/cli.h"
#include "command/cli_parse.h"
#include "stream/record_line.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define PATH    "capture.sock"
#define WHOLE   "whole.capture"
#define CUT     "cut.capture"
#define ROWS    "rows.csv"
#define MANY    "1000000" /* of records */
#define PROGRAM "addr:::0x08000100 { n++; printf(\"%d of %s\\n\", n, probename); }"

static const char port[] = "unix:" PATH;

enum {
	FIRST = FIRMWARE_TEXT + 0x100,
	WANTED = 24,   /* records */
	DAMAGED = 300, /* captures */
	ROWS_MAX = 4096,
	COLUMNS_MAX = 64,
};

/* --- files ----------------------------------------------------------------------------------- */

static char *load(const char *path, size_t *bytes)
{
	FILE *file = fopen(path, "r");
	char *text = NULL;

	*bytes = 0;
	CHECK(file != NULL);
	if (file == NULL)
		return dph_strdup("");
	fseek(file, 0, SEEK_END);
	*bytes = (size_t)ftell(file);
	rewind(file);
	text = dph_malloc(*bytes + 1);
	CHECK(fread(text, 1, *bytes, file) == *bytes);
	text[*bytes] = '\0';
	fclose(file);
	return text;
}

static void store(const char *path, const char *text, size_t bytes)
{
	FILE *file = fopen(path, "w");

	CHECK(file != NULL && fwrite(text, 1, bytes, file) == bytes);
	fclose(file);
}

/* --- rows ------------------------------------------------------------------------------------ */

/* What of a row of the table says which record it is. */
struct row {
	char *data, *ticks, *text;
};

struct rows {
	char *content;
	struct row list[ROWS_MAX];
	size_t count;
};

/* Split a line at its commas. Returns the line behind it. */
static char *split(char *line, char **cells)
{
	size_t count = 1;
	bool quoted = false;

	memset(cells, 0, COLUMNS_MAX * sizeof *cells);
	cells[0] = line;
	for (; *line != '\0' && (quoted || *line != '\n'); line++) {
		quoted ^= *line == '"';
		if (*line == ',' && !quoted && count < COLUMNS_MAX) {
			*line = '\0';
			cells[count++] = line + 1;
		}
	}
	if (*line == '\n')
		*line++ = '\0';
	return line;
}

static size_t column(char **names, const char *name)
{
	for (size_t i = 0; i < COLUMNS_MAX && names[i] != NULL; i++)
		if (strcmp(names[i], name) == 0)
			return i;
	return 0;
}

static void read_rows(struct rows *rows)
{
	char *names[COLUMNS_MAX], *cells[COLUMNS_MAX], *at;
	size_t bytes, data, ticks, text;

	rows->content = load(ROWS, &bytes);
	rows->count = 0;
	at = split(rows->content, names);
	data = column(names, "data");
	ticks = column(names, "ticks");
	text = column(names, "text");
	while (*at != '\0' && rows->count < ROWS_MAX) {
		at = split(at, cells);
		if (strcmp(cells[0], "log") == 0)
			rows->list[rows->count++] =
				(struct row){cells[data], cells[ticks], cells[text]};
	}
}

/* Run the command. words: ends with a null pointer. Returns its exit status. */
static int command(const char *const *words)
{
	int count = 0;

	while (words[count] != NULL)
		count++;
	return dph_cli_main(count, (char **)(uintptr_t)words);
}

#define COMMAND(...) command((const char *const[]){"dprobes", __VA_ARGS__, NULL})

/* Report the first records of a capture. */
static void report(const char *text, size_t bytes, const char *count, struct rows *rows)
{
	int status;

	store(CUT, text, bytes);
	store(ROWS, "", 0);
	status = COMMAND("report", CUT, "--count", count, "--format", "csv", "-o", ROWS, "--quiet");
	CHECK(status == DPH_EXIT_DONE || status == DPH_EXIT_LOST || status == DPH_EXIT_USAGE);
	read_rows(rows);
}

/* --- cut ------------------------------------------------------------------------------------- */

/* The number of records of a line of the capture. */
static unsigned records_of(const char *line)
{
	const struct dph_kept like = {.synced = false};
	struct dp_record_reader form = {.big_endian = false};
	struct dph_kept *kept[DPH_LINE_RECORDS_MAX];
	const char *text = strchr(line, ' ');
	const char *end = strchr(line, '\n');
	struct dp_frame_in frame;
	unsigned count;

	if (text == NULL || end == NULL || *line < '0' || *line > '9' ||
	    !dp_frame_check((const uint8_t *)text + 1, (size_t)(end - text), 0, &frame) ||
	    (frame.type != DP_FRAME_RECORDS && frame.type != DP_FRAME_TIMED))
		return 0;
	form.compact = frame.compact;
	count = dph_line_records(
		frame.payload + DP_STREAM_HEAD, frame.bytes - (size_t)DP_STREAM_HEAD, &form,
		frame.type == DP_FRAME_TIMED ? DPH_TOLD_WHOLE : DPH_TOLD_LOW, &like, kept);
	for (unsigned i = 0; i < count; i++)
		free(kept[i]);
	return count;
}

/* The number of whole records before the cut. */
static size_t records_before(const char *text, size_t bytes)
{
	size_t count = 0;

	for (size_t at = 0; at < bytes;) {
		const char *end = memchr(text + at, '\n', bytes - at);

		if (end == NULL)
			break;
		count += records_of(text + at);
		at = (size_t)(end + 1 - text);
	}
	return count;
}

static void cut_anywhere(const char *text, size_t bytes, const char *wanted,
			 const struct rows *whole)
{
	static struct rows rows;
	const size_t first = strchr(text, '\n') + 1 - text;

	for (size_t cut = first; cut < bytes; cut++) {
		size_t there = records_before(text, cut);

		if (there > whole->count) /* --count ended the output */
			there = whole->count;
		report(text, cut, wanted, &rows);
		CHECK(rows.count == there);
		for (size_t i = 0; i < rows.count && i < whole->count; i++)
			CHECK(strcmp(rows.list[i].data, whole->list[i].data) == 0);
		free(rows.content);
	}
}

/* --- damaged --------------------------------------------------------------------------------- */

static uint32_t seed = 1;

/* xorshift32: Marsaglia, "Xorshift RNGs", 2003. */
static uint32_t next_random(uint32_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed % below;
}

/* The begin of a line. */
static size_t some_line(const char *text, size_t bytes)
{
	size_t at = next_random((uint32_t)bytes);

	while (at > 0 && text[at - 1] != '\n')
		at--;
	return at;
}

static size_t line_bytes(const char *text, size_t bytes, size_t at)
{
	const char *end = memchr(text + at, '\n', bytes - at);

	return end != NULL ? (size_t)(end + 1 - (text + at)) : bytes - at;
}

/* Damage a text once. It has room for one more of its lines. Returns its length. */
static size_t damage(char *text, size_t bytes)
{
	const size_t at = next_random((uint32_t)bytes), line = some_line(text, bytes);
	const size_t count = line_bytes(text, bytes, line), to = some_line(text, bytes);
	char *copy;

	switch (next_random(6)) {
	case 0:
		text[at] = (char)next_random(256);
		return bytes;
	case 1:
		text[at] = (char)(text[at] ^ 1 << next_random(8));
		return bytes;
	case 2: /* a byte is missing */
		memmove(text + at, text + at + 1, bytes - at - 1);
		return bytes - 1;
	case 3: /* a line is missing */
		memmove(text + line, text + line + count, bytes - line - count);
		return bytes - count;
	case 4: /* a digit is another one */
		if (text[at] >= '0' && text[at] <= '9')
			text[at] = (char)('0' + next_random(10));
		return bytes;
	default: /* a line stands in another place too */
		copy = dph_strndup(text + line, count);
		memmove(text + to + count, text + to, bytes - to);
		memcpy(text + to, copy, count);
		free(copy);
		return bytes + count;
	}
}

/* Has the whole capture the record? Its text and its time may be unknown. */
static bool is_one_of(const struct row *row, const struct rows *whole)
{
	for (size_t i = 0; i < whole->count; i++)
		if (strcmp(row->data, whole->list[i].data) == 0)
			return (*row->text == '\0' ||
				strcmp(row->text, whole->list[i].text) == 0) &&
			       (*row->ticks == '\0' ||
				strcmp(row->ticks, whole->list[i].ticks) == 0);
	return false;
}

static void damage_often(const char *text, size_t bytes, const struct rows *whole,
			 unsigned long rounds)
{
	static struct rows rows;
	size_t longest = 0, found = 0;

	for (size_t at = 0; at < bytes; at += line_bytes(text, bytes, at))
		if (line_bytes(text, bytes, at) > longest)
			longest = line_bytes(text, bytes, at);
	for (unsigned long round = 0; round < rounds; round++) {
		char *copy = dph_malloc(bytes + 8 * longest);
		const uint32_t begun = seed;
		size_t left = bytes;

		memcpy(copy, text, bytes);
		for (uint32_t n = 1 + next_random(3); n > 0; n--)
			left = damage(copy, left);
		report(copy, left, MANY, &rows);
		for (size_t i = 0; i < rows.count; i++)
			if (!is_one_of(&rows.list[i], whole))
				printf("seed %" PRIu32 ": a record of no capture: %s %s %s\n",
				       begun, rows.list[i].data, rows.list[i].ticks,
				       rows.list[i].text),
					CHECK(false);
		found += rows.count;
		free(rows.content);
		free(copy);
	}
	CHECK(found > rounds); /* damage leaves most of the rest */
}

/* Remove the line around a place. */
static void remove_line(char *text, size_t *bytes, size_t at)
{
	size_t count;

	while (at > 0 && text[at - 1] != '\n')
		at--;
	count = line_bytes(text, *bytes, at);
	memmove(text + at, text + at + count, *bytes - at - count + 1);
	*bytes -= count;
}

int main(int argc, char **argv)
{
	static struct rows whole, all;
	pid_t child = bench_child(PATH, FIRST);
	char count[16], *text, *closed, *limit;
	size_t bytes;

	setenv("XDG_CACHE_HOME", "/dev/null", 1);
	if (argc > 2)
		seed = (uint32_t)strtoul(argv[2], NULL, 10);
	snprintf(count, sizeof count, "%d", WANTED);
	CHECK(COMMAND("trace", "--clause", PROGRAM, "--cpu", "sim", "--dont-verify-opcodes",
		      "--port", port, "--count", count, "--record", WHOLE, "--format", "csv", "-o",
		      ROWS, "--quiet") == DPH_EXIT_DONE);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	read_rows(&whole);
	CHECK(whole.count == WANTED);
	if (freopen("/dev/null", "w", stderr) == NULL) /* thousands of sentences follow */
		return 1;
	text = load(WHOLE, &bytes);
	report(text, bytes, count, &all);
	CHECK(all.count == whole.count);
	free(all.content);
	if (argc < 2)
		cut_anywhere(text, bytes, count, &whole);
	/* Records may have come behind the last one that was wanted. */
	closed = strstr(text, " closed ");
	limit = strstr(text, "# count ");
	CHECK(closed != NULL && limit != NULL && limit < closed);
	if (closed == NULL || limit == NULL)
		return check_status();
	remove_line(text, &bytes, (size_t)(closed - text));
	remove_line(text, &bytes, (size_t)(limit - text));
	report(text, bytes, MANY, &all);
	CHECK(all.count >= whole.count);
	damage_often(text, bytes, &all, argc > 1 ? strtoul(argv[1], NULL, 10) : DAMAGED);
	printf("%zu bytes, %zu records\n", bytes, whole.count);
	free(text);
	free(whole.content);
	free(all.content);
	return check_status();
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Which bytes are shown as console text, and when: host/stream/frame_hold.h. The line is a fake one
 * with a pace, and time is what the test says: the machine's clock has no say. */
#include "check.h"
#include "stream/frame_hold.h"

#include <stdlib.h>
#include <string.h>

#define SYNC "~Y02A00000001DCD65000000F424000030000012C000000050000000000000001981B\n"
enum {
	ROOM = 1 << 16,
	LOOK_MS = 10, /* a look that finds nothing */
	BYTES_PER_MS = 11,
	ROUNDS = 3000,
	PARTS = 12, /* of one round's stream */
};

/* What came out. */
struct heard {
	char console[ROOM], settled[ROOM];
	size_t console_bytes, settled_bytes;
	unsigned frames;
	uint64_t first_ms; /* when the console heard its first byte; 0: never */
};

struct line {
	struct dph_hold hold;
	struct heard heard;
	uint64_t now_ms;
};

static void on_console(void *context, const uint8_t *bytes, size_t count)
{
	struct line *line = context;

	CHECK(line->heard.console_bytes + count <= ROOM);
	memcpy(line->heard.console + line->heard.console_bytes, bytes, count);
	line->heard.console_bytes += count;
	if (line->heard.first_ms == 0)
		line->heard.first_ms = line->now_ms;
}

static void on_settled(void *context, const uint8_t *bytes, size_t count)
{
	struct line *line = context;

	CHECK(line->heard.settled_bytes + count <= ROOM);
	memcpy(line->heard.settled + line->heard.settled_bytes, bytes, count);
	line->heard.settled_bytes += count;
	CHECK(line->heard.settled_bytes <= line->heard.console_bytes);
}

static bool on_line(void *context, const uint8_t *bytes, size_t count)
{
	struct line *line = context;
	struct dp_frame_in frame;
	const bool good = dp_frame_check(bytes, count, 0, &frame);

	line->heard.frames += good;
	return good;
}

/* A line that has just been opened. behind: not in the middle of a frame. */
static void open_line(struct line *line, bool behind)
{
	memset(line, 0, sizeof *line);
	line->hold.listener = (struct dph_hold_listener){line, on_console, on_settled, on_line};
	line->hold.begun = behind;
}

/* Bytes at the pace of the line, as a host reads them: some at a time. */
static void send(struct line *line, const char *text, size_t count)
{
	for (size_t i = 0; i < count; i += BYTES_PER_MS) {
		line->now_ms++;
		dph_hold_bytes(&line->hold, (const uint8_t *)text + i,
			       count - i < BYTES_PER_MS ? count - i : BYTES_PER_MS);
	}
}

static void say(struct line *line, const char *text)
{
	send(line, text, strlen(text));
}

static void pause(struct line *line, unsigned ms)
{
	for (; ms > 0; ms -= ms < LOOK_MS ? ms : LOOK_MS) {
		line->now_ms += ms < LOOK_MS ? ms : LOOK_MS;
		dph_hold_quiet(&line->hold, ms < LOOK_MS ? ms : LOOK_MS);
	}
}

static bool console_is(const struct line *line, const char *text)
{
	return line->heard.console_bytes == strlen(text) &&
	       memcmp(line->heard.console, text, strlen(text)) == 0;
}

static bool settled_is(const struct line *line, const char *text)
{
	return line->heard.settled_bytes == strlen(text) &&
	       memcmp(line->heard.settled, text, strlen(text)) == 0;
}

/* --- a frame in two pieces ------------------------------------------------------------------- */

/* A pause below a second shows nothing, wherever it comes; a marker alone may be a prompt. */
static void a_pause_in_a_frame(struct line *line)
{
	for (size_t cut = 2; cut < strlen(SYNC); cut++) {
		open_line(line, true);
		send(line, SYNC, cut);
		pause(line, DPH_HOLD_FRAME_MS - 1);
		CHECK(console_is(line, ""));
		CHECK(dph_hold_waits(&line->hold));
		say(line, SYNC + cut);
		CHECK(line->heard.frames == 1 && console_is(line, ""));
	}
}

/* Pauses add up only without a byte between them. */
static void many_pauses_in_a_frame(struct line *line)
{
	open_line(line, true);
	for (size_t i = 0; i < strlen(SYNC); i++) {
		send(line, SYNC + i, 1);
		pause(line, i == 0 ? DPH_HOLD_PROMPT_MS - 1 : DPH_HOLD_FRAME_MS - 1);
	}
	CHECK(line->heard.frames == 1 && console_is(line, ""));
}

/* A longer one shows what there is, once; the frame comes all the same, and no piece is settled. */
static void a_long_pause_in_a_frame(struct line *line)
{
	for (size_t cut = 2; cut < strlen(SYNC); cut++) {
		open_line(line, true);
		send(line, SYNC, cut);
		pause(line, DPH_HOLD_FRAME_MS);
		CHECK(line->heard.console_bytes == cut);
		CHECK(!dph_hold_waits(&line->hold));
		pause(line, 5 * DPH_HOLD_FRAME_MS);
		say(line, SYNC + cut);
		say(line, "text\n");
		CHECK(line->heard.frames == 1 && line->heard.console_bytes == cut + 5);
		CHECK(settled_is(line, "text\n"));
	}
}

static void a_prompt(struct line *line)
{
	open_line(line, true);
	say(line, "user@demo:~");
	CHECK(console_is(line, "user@demo:"));
	pause(line, DPH_HOLD_PROMPT_MS - 1);
	CHECK(console_is(line, "user@demo:"));
	pause(line, 1);
	CHECK(console_is(line, "user@demo:~") && settled_is(line, "user@demo:"));
	say(line, "/x");
	CHECK(console_is(line, "user@demo:~/x") && settled_is(line, "user@demo:~/x"));
}

/* What cannot be a frame is shown at once. */
static void text_does_not_wait(struct line *line)
{
	static const char *const texts[] = {"demo> ", "~$ ", "~R0B72x", "~R\n",
					    "~q",     "~~ ", "7\r",     "0123456789ABCDEF "};

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		open_line(line, i != 7);
		say(line, texts[i]);
		CHECK(console_is(line, texts[i]) && settled_is(line, texts[i]));
		CHECK(!dph_hold_waits(&line->hold));
	}
}

/* A line that looks like a frame and fails its check is text. */
static void a_wrong_check(struct line *line)
{
	char text[] = SYNC;

	text[sizeof text - 3] ^= 1;
	open_line(line, true);
	say(line, text);
	CHECK(line->heard.frames == 0 && console_is(line, text) && settled_is(line, text));
}

/* --- opened in the middle of a frame --------------------------------------------------------- */

static void opened_in_a_frame(struct line *line)
{
	const size_t bytes = strlen(SYNC);

	for (size_t cut = 1; cut < bytes; cut++) {
		const bool left_out = bytes - 1 - cut >= DPH_TAIL_DIGITS;

		open_line(line, false);
		pause(line, 70);
		say(line, SYNC + cut);
		say(line, SYNC);
		say(line, "text\n");
		CHECK(line->heard.frames == 1);
		CHECK(line->heard.console_bytes == 5 + (left_out ? 0 : bytes - cut));
		CHECK(line->heard.settled_bytes == line->heard.console_bytes);
	}
}

/* With a pause in what is left of it, too. */
static void opened_in_a_frame_that_pauses(struct line *line)
{
	for (unsigned pause_ms = 900; pause_ms <= 1100; pause_ms += 200)
		for (size_t cut = 10; cut < strlen(SYNC) - 1; cut++) {
			const size_t first = cut - 2;

			open_line(line, false);
			send(line, SYNC + 2, first);
			pause(line, pause_ms);
			say(line, SYNC + cut);
			say(line, "text\n");
			CHECK(line->heard.console_bytes ==
			      5 + (pause_ms > DPH_HOLD_FRAME_MS ? first : 0));
			CHECK(settled_is(line, "text\n"));
		}
}

/* Text that begins with digits comes whole, and only the first line is looked at. */
static void opened_before_text(struct line *line)
{
	static const char *const texts[] = {
		"DEADBEEF\r\n", "ABC\n",      "0000: 1234\n", "R2D2\n",
		"BAD\n",        "deadbeef\n", "\n12345678\n", "x\nDEADBEEF00\n",
	};

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		open_line(line, false);
		say(line, texts[i]);
		CHECK(console_is(line, texts[i]) && settled_is(line, texts[i]));
	}
}

/* A few digits are what a firmware echoes: no second passes. */
static void opened_before_an_echo(struct line *line)
{
	open_line(line, false);
	say(line, "1");
	pause(line, DPH_HOLD_PROMPT_MS);
	CHECK(console_is(line, "1"));
	say(line, "23\n");
	CHECK(console_is(line, "123\n") && settled_is(line, "123\n"));
}

static void the_line_ends(struct line *line)
{
	open_line(line, true);
	say(line, "text~R0B");
	dph_hold_end(&line->hold);
	CHECK(console_is(line, "text~R0B") && settled_is(line, "text"));
	open_line(line, false);
	say(line, "0B72");
	dph_hold_end(&line->hold);
	CHECK(console_is(line, "0B72") && settled_is(line, ""));
}

/* --- any stream ------------------------------------------------------------------------------ */

/* Text that tempts: markers, letters, digits; never a whole frame by chance. */
static size_t tempting(char *text)
{
	static const char signs[] = "~~RYNPZK0A9F\n\r $x";
	const size_t count = 1 + (size_t)rand() % 20;

	for (size_t i = 0; i < count; i++)
		text[i] = signs[(size_t)rand() % (sizeof signs - 1)];
	return count;
}

/* Console text arrives byte for byte, whatever comes between and whatever pauses there are. */
static void any_stream(struct line *line)
{
	static char text[ROOM];

	srand(1);
	for (unsigned round = 0; round < ROUNDS; round++) {
		size_t bytes = 0;
		unsigned frames = 0;

		open_line(line, true);
		for (unsigned part = 0; part < PARTS; part++) {
			if (rand() % 3 == 0) {
				const size_t cut = (size_t)rand() % strlen(SYNC);

				send(line, SYNC, cut);
				pause(line, (unsigned)rand() % 3 * 40);
				say(line, SYNC + cut);
				frames++;
			} else {
				const size_t count = tempting(text + bytes);

				send(line, text + bytes, count);
				bytes += count;
				pause(line, (unsigned)rand() % 4 * 400);
			}
		}
		say(line, "\n.");
		text[bytes++] = '\n';
		text[bytes++] = '.';
		CHECK(line->heard.frames == frames && line->heard.settled_bytes == bytes);
		CHECK(memcmp(line->heard.settled, text, bytes) == 0);
	}
}

int main(void)
{
	static struct line line;

	a_pause_in_a_frame(&line);
	many_pauses_in_a_frame(&line);
	a_long_pause_in_a_frame(&line);
	a_prompt(&line);
	text_does_not_wait(&line);
	a_wrong_check(&line);
	opened_in_a_frame(&line);
	opened_in_a_frame_that_pauses(&line);
	opened_before_text(&line);
	opened_before_an_echo(&line);
	the_line_ends(&line);
	any_stream(&line);
	return check_status();
}

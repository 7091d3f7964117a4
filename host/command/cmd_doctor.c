/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes doctor checks an integration of the agent, one check after the other. Each line of the
 * report says ok, wrong or not known; a wrong one names the section of the guide that fixes it. */
#define _GNU_SOURCE
#include "cmd_target.h"

#include "base/plain.h"
#include "doctor_addresses.h"
#include "doctor_masked.h"
#include "doctor_torn.h"
#include "present/words.h"
#include "text_check.h"
#include <dprobes/errors.h>
#include <dprobes/insertion.h>

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

enum {
	HITS_WANTED = 3,
	WAIT_MS = 10000,
	LISTEN_MS = 100,
	CLOCK_MS = 500,        /* least time between two readings of the target's clock */
	CLOCK_FACTOR = 4,      /* a clock this far from the host's is another rate */
	MASKED_MAX_US = 10000, /* a longer hit breaks most firmware */
	PAIRS_WANTED = 8,      /* of records that measure a hit */
	PROGRAM_ROOM = 1024,   /* characters of the test program */
	WHY_ROOM = 1024        /* of a sentence */
};

enum check {
#define CHECK(id, what, section) CHECK_##id,
#include "doctor_checks.def"
	CHECKS
};

enum state {
	OK,
	WRONG,
	UNKNOWN
};

static const struct {
	const char *what, *section;
} checks[CHECKS] = {
#define CHECK(id, what, section) {what, section},
#include "doctor_checks.def"
};

struct doctor {
	const struct dph_cli *cli;
	FILE *out;
	struct dp_session *session;
	struct dp_image *image; /* symbols; null: none */
	struct dph_torn torn;
	struct dph_masked masked;
	unsigned wrong;
	int status;        /* of the last failure of the line */
	uint64_t ticks_ms; /* the host's clock when `ticks` was read */
	uint64_t ticks;
	uint32_t hz;
};

__attribute__((format(printf, 4, 5))) static void tell(struct doctor *doctor, enum check check,
						       enum state state, const char *format, ...)
{
	static const char *const words[] = {"ok", "wrong", "not known"};
	char sentence[WHY_ROOM];
	va_list args;

	va_start(args, format);
	vsnprintf(sentence, sizeof sentence, format, args);
	va_end(args);
	fprintf(doctor->out, "%-9s  %s: ", words[state], checks[check].what);
	dph_plain_print(sentence, doctor->out); /* a name of the ELF file may be in it */
	fputc('\n', doctor->out);
	if (state == WRONG) {
		fprintf(doctor->out, "           agent/README.md, section \"%s\"\n",
			checks[check].section);
		doctor->wrong++;
	}
	fflush(doctor->out);
}

/* A request failed that an agent in good order answers. */
static bool tell_failure(struct doctor *doctor, enum check check)
{
	tell(doctor, check, WRONG, "%s", dp_session_failure(doctor->session)->text);
	return false;
}

/* --- the line --- */

static void on_settled(void *context, const uint8_t *bytes, size_t count)
{
	struct doctor *doctor = context;

	dph_torn_take(&doctor->torn, bytes, count);
}

static void on_console(void *context, const uint8_t *bytes, size_t count)
{
	(void)context;
	(void)bytes;
	(void)count;
}

static void on_stream(void *context, const struct dp_frame_in *frame, const char *text,
		      size_t count)
{
	struct doctor *doctor = context;

	(void)text;
	(void)count;
	dph_masked_line(&doctor->masked, frame);
}

static bool open_line(struct doctor *doctor)
{
	/* A listener of the stream looks at the clock itself: --timeout is for the hits. */
	const struct dp_listener listener = {.context = doctor,
					     .console = on_console,
					     .settled = on_settled,
					     .stream = on_stream};
	struct dp_module_answer running;

	doctor->session = dph_target_open(doctor->cli, DP_RIGHT_LOOK | DP_RIGHT_INSERT, &listener,
					  &doctor->status);
	if (doctor->session == NULL) {
		tell(doctor, CHECK_BYTES, WRONG,
		     doctor->torn.bytes > 0
			     ? "%zu byte(s) of text arrived, and no answer to HELLO: the agent "
			       "gets "
			       "no bytes (dprobes_rx), or does not run (dprobes_poll)"
			     : "%zu bytes arrived: the line is another one, or `put` sends nothing",
		     doctor->torn.bytes);
		return false;
	}
	doctor->ticks_ms = dp_clock_ms();
	doctor->ticks = dp_session_target(doctor->session)->ticks;
	doctor->hz = dp_session_target(doctor->session)->hz;
	if (doctor->image != NULL && dp_session_module(doctor->session, 0, &running))
		dp_image_move(doctor->image,
			      dp_module_moved(&running, dp_session_target(doctor->session)));
	return true;
}

static void check_hello(struct doctor *doctor)
{
	const struct dp_hello_answer *hello = dp_session_target(doctor->session);

	tell(doctor, CHECK_BYTES, OK, "HELLO was answered");
	tell(doctor, CHECK_HELLO, OK, "agent %u.%u, %s, %u bits, %s-endian, boot %u",
	     hello->agent_version >> 8, hello->agent_version & 0xff, dp_cpu_text(hello->cpu),
	     8u * hello->word_bytes, hello->big_endian ? "big" : "little", hello->boot);
}

/* --- text --- */

/* after: of the removal, so that no trap may be left. Returns false when the line failed. */
static bool check_text(struct doctor *doctor, enum check check, bool after)
{
	struct dp_messages messages = {0};
	struct dp_text_view view;

	if (doctor->cli->elf == NULL) {
		tell(doctor, check, UNKNOWN, "give the firmware with --elf");
		return true;
	}
	if (!(dp_session_target(doctor->session)->parts >> DP_PART_TEXT & 1)) {
		tell(doctor, check, UNKNOWN, "the agent was built without DP_WITH_TEXT");
		return true;
	}
	if (!dph_text_check(doctor->session, doctor->cli->elf, !after, &view, &messages)) {
		if (messages.errors == 0)
			return tell_failure(doctor, check);
		tell(doctor, check, WRONG, "%s", messages.list[messages.count - 1].text);
	} else if (after && view.sites > 0) {
		tell(doctor, check, UNKNOWN, "%u trap(s) of other programs are armed", view.sites);
	} else if (view.differ > 0) {
		tell(doctor, check, WRONG,
		     "%" PRIu64 " of %" PRIu64 " bytes differ from %s, the first at 0x%" PRIx64,
		     view.differ, view.bytes, view.elf, view.first);
	} else {
		tell(doctor, check, OK, "%" PRIu64 " bytes, the same as in %s", view.bytes,
		     view.elf);
	}
	dp_messages_free(&messages);
	return true;
}

static bool check_status(struct doctor *doctor)
{
	struct dp_status_answer status;

	if (!dp_session_status(doctor->session, &status))
		return tell_failure(doctor, CHECK_HIT_PATH);
	if (!(dp_session_target(doctor->session)->parts >> DP_PART_OWN_TEXT & 1))
		tell(doctor, CHECK_HIT_PATH, UNKNOWN, "an agent of this version does not say");
	else if (status.own_text)
		tell(doctor, CHECK_HIT_PATH, WRONG,
		     "a callback of the board can be probed: mark it DPROBES_CODE");
	else
		tell(doctor, CHECK_HIT_PATH, OK, "no callback of the board can be probed");
	return true;
}

/* --- programs --- */

static struct dp_insertion *compile(const struct doctor *doctor, const char *text, uint8_t items,
				    struct dp_build_options *build, struct dp_messages *messages)
{
	const struct dp_hello_answer *hello = dp_session_target(doctor->session);
	struct dp_insert_options options = {.build = build, .items = items};

	*build = dph_cli_build_options(doctor->cli);
	if (doctor->cli->elf == NULL) { /* no opcodes to compare */
		build->cpu = dp_cpu_text(hello->cpu);
		build->word_bits = 8u * hello->word_bytes;
		build->endian = hello->big_endian ? "big" : "little";
		build->opcode_optional = true;
		options.options = DP_INSERT_ANY_OPCODE;
	}
	return dp_insertion_text(text, "doctor", &options, messages);
}

/* Install a program. Returns false with `error` of the agent and a sentence in `why`. */
static bool install(struct doctor *doctor, const char *text, uint8_t items,
		    struct dp_inserted *inserted, enum dp_err *error, char why[WHY_ROOM])
{
	struct dp_messages messages = {0};
	struct dp_build_options build;
	enum dp_failure_kind kind = DP_FAILED_NOT;
	struct dp_insertion *insertion = compile(doctor, text, items, &build, &messages);
	bool good;

	memset(inserted, 0, sizeof *inserted);
	good = insertion != NULL &&
	       dp_insertion_fit(insertion, doctor->session, &kind, &messages) &&
	       dp_insertion_install(insertion, doctor->session, inserted, &kind, &messages);

	/* Not the session's failure: the insertion has asked more since the refusal. */
	*error = good ? DP_ERR_OK : inserted->verdict.error;
	if (!good)
		snprintf(why, WHY_ROOM, "%s",
			 messages.errors > 0 ? messages.list[messages.count - 1].text
					     : dp_session_failure(doctor->session)->text);
	dp_insertion_free(insertion);
	dph_cli_build_options_free(&build);
	dp_messages_free(&messages);
	return good;
}

static bool has_function(const struct doctor *doctor, const char *name)
{
	const struct dp_symbol *symbols;
	const size_t count = doctor->image ? dp_image_symbols(doctor->image, &symbols) : 0;

	for (size_t i = 0; i < count; i++)
		if (strcmp(symbols[i].name, name) == 0)
			return true;
	return false;
}

/* A probe on the agent must be refused. */
static bool check_apart(struct doctor *doctor)
{
	struct dp_inserted inserted;
	enum dp_err error;
	uint8_t removed;
	char why[WHY_ROOM];

	if (!has_function(doctor, "dprobes_poll")) {
		tell(doctor, CHECK_APART, UNKNOWN, "give the firmware with --elf");
		return true;
	}
	if (install(doctor, "name = \"doctor\"\noffset = dprobes_poll\nminor = 1\nexit\n", 0,
		    &inserted, &error, why)) {
		tell(doctor, CHECK_APART, WRONG, "dprobes_poll can be probed");
		return dp_session_remove(doctor->session, inserted.program, &removed) ||
		       tell_failure(doctor, CHECK_APART);
	}
	if (error == DP_ERR_IN_AGENT)
		tell(doctor, CHECK_APART, OK, "a probe on dprobes_poll is refused");
	else
		tell(doctor, CHECK_APART, UNKNOWN, "%s", why);
	return dp_session_failure(doctor->session)->kind != DP_FAILED_LINK;
}

/* What decides where instructions begin. */
static void tell_bounds(struct doctor *doctor, const struct dp_limits_answer *limits)
{
	const char *word = dph_bounds_word(dp_session_target(doctor->session)->cpu, limits->bounds);

	if (strcmp(word, "trusted") == 0)
		tell(doctor, CHECK_BOUNDS, UNKNOWN,
		     "trusted: the agent takes the bounds that the host sends; the image has no "
		     "table of functions ('dprobes table')");
	else
		tell(doctor, CHECK_BOUNDS, OK, "%s", word);
}

static bool check_slots(struct doctor *doctor)
{
	struct dp_limits_answer limits;

	if (!dp_session_limits(doctor->session, &limits))
		return tell_failure(doctor, CHECK_SLOTS);
	tell_bounds(doctor, &limits);
	tell(doctor, CHECK_SLOTS, limits.slots_free > 0 ? OK : WRONG, "%u of %u free",
	     limits.slots_free, limits.slots);
	return true;
}

struct wait {
	uint32_t hits, missed, faulted;
};

static bool on_probe(void *context, const struct dp_program_answer *program,
		     const struct dp_probe_answer *probe)
{
	struct wait *wait = context;

	(void)program;
	wait->hits = probe->hits;
	wait->missed = probe->missed;
	wait->faulted = probe->faulted;
	return true;
}

/* Wait for hits. Returns false when the line failed. */
static bool wait_for_hits(struct doctor *doctor, uint8_t program, struct wait *wait)
{
	const struct dp_walk walk = {.context = wait, .probe = on_probe};
	const double limit = doctor->cli->timeout_s;
	const uint64_t end = dp_clock_ms() + (limit > 0 ? (uint64_t)(limit * 1000) : WAIT_MS);

	do {
		if (!dp_session_listen(doctor->session, LISTEN_MS) ||
		    !dp_session_walk_one(doctor->session, program, &walk))
			return false;
	} while (wait->hits < HITS_WANTED && dp_clock_ms() < end);
	return true;
}

/* A handler that reads each address and counts how far it came. */
static void write_program(char *text, const char *function, const uint64_t *addresses, size_t count)
{
	size_t used = (size_t)snprintf(
		text, PROGRAM_ROOM, "name = \"doctor\"\nvars = %zu\noffset = %.200s\nminor = 1\n",
		count + 1, function);

	for (size_t i = 0; i < count; i++)
		used += (size_t)snprintf(text + used, PROGRAM_ROOM - used,
					 "push 0x%" PRIx64 "\npush mem, u32\npop lv, 0\n"
					 "inc lv, %zu\n",
					 addresses[i], i + 1);
	snprintf(text + used, PROGRAM_ROOM - used, "exit\n");
}

static void check_ranges(struct doctor *doctor, uint8_t program, const uint64_t *addresses,
			 size_t count)
{
	uint64_t words[DPH_DOCTOR_ADDRESSES + 1] = {0};
	char name[DP_NAME_ROOM];
	size_t got, there;

	if (count == 0) {
		tell(doctor, CHECK_RANGES, UNKNOWN,
		     "give the firmware with --elf; the agent needs DP_WITH_LANGUAGE");
		return;
	}
	if (!dp_session_vars(doctor->session, program, 0, false, words, count + 1, &got, &there)) {
		tell_failure(doctor, CHECK_RANGES);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		if (words[i + 1] != 0)
			continue;
		tell(doctor, CHECK_RANGES, WRONG,
		     "0x%08" PRIx64 " (%s) is in no row, or the read faults", addresses[i],
		     dp_image_name(doctor->image, addresses[i], name) ? name : "no symbol");
		return;
	}
	tell(doctor, CHECK_RANGES, OK, "programs read the ends of code and data, %zu words", count);
}

static void tell_hits(struct doctor *doctor, const char *function, const struct wait *wait)
{
	if (wait->hits == 0 && wait->missed == 0) {
		tell(doctor, CHECK_VECTORS, UNKNOWN, "%s was not called while the probe was armed",
		     function);
		tell(doctor, CHECK_COUNTED, UNKNOWN, "name a function that is called often");
		return;
	}
	tell(doctor, CHECK_VECTORS, OK, "hits of %s return to the firmware", function);
	tell(doctor, CHECK_COUNTED, wait->hits > 0 ? OK : WRONG,
	     "%s: %u hit(s), %u missed, %u faulted", function, wait->hits, wait->missed,
	     wait->faulted);
}

/* --- masked time --- */

static void tell_masked(struct doctor *doctor)
{
	const struct dph_masked *masked = &doctor->masked;
	const double us = doctor->hz ? (double)masked->least * 1e6 / doctor->hz : 0;

	if (masked->pairs == 0)
		tell(doctor, CHECK_MASKED, UNKNOWN, "no pair of records of one call arrived");
	else
		tell(doctor, CHECK_MASKED, us < MASKED_MAX_US ? OK : WRONG,
		     "a short hit takes %.1f us with interrupts masked (the least of %u)", us,
		     masked->pairs);
}

/* Collect records of the installed program. Returns false when the line failed. */
static bool collect_pairs(struct doctor *doctor)
{
	const uint64_t end = dp_clock_ms() + WAIT_MS;

	if (!dph_masked_begin(&doctor->masked, doctor->session))
		return false;
	while (doctor->masked.pairs < PAIRS_WANTED && dp_clock_ms() < end) {
		if (!dp_session_listen(doctor->session, LISTEN_MS))
			return false;
		dp_records_flush(doctor->masked.records, dp_clock_ms() - LISTEN_MS);
	}
	return true;
}

/* Returns false when the line failed. */
static bool check_masked(struct doctor *doctor, const char *function)
{
	char text[PROGRAM_ROOM], why[WHY_ROOM];
	struct dp_inserted inserted;
	enum dp_err error;
	uint8_t removed;
	bool good;

	if (doctor->hz == 0 || !(dp_session_target(doctor->session)->parts >> DP_PART_ITEMS & 1) ||
	    !dph_masked_program(doctor->image, function, text, sizeof text)) {
		tell(doctor, CHECK_MASKED, UNKNOWN,
		     "give the firmware with --elf; the board needs tick_hz, the agent "
		     "DP_WITH_STREAM");
		return true;
	}
	if (!install(doctor, text, DP_ITEM_TSC, &inserted, &error, why)) {
		tell(doctor, CHECK_MASKED, UNKNOWN, "%s", why);
		return dp_session_failure(doctor->session)->kind != DP_FAILED_LINK;
	}
	good = collect_pairs(doctor);
	dph_masked_end(&doctor->masked);
	if (!good || !dp_session_remove(doctor->session, inserted.program, &removed))
		return tell_failure(doctor, CHECK_MASKED);
	tell_masked(doctor);
	return true;
}

/* Returns false when the line failed. */
static bool check_probe(struct doctor *doctor, const char *function)
{
	const bool reads =
		doctor->image && dp_session_target(doctor->session)->parts >> DP_PART_VARS & 1;
	uint64_t addresses[DPH_DOCTOR_ADDRESSES];
	const size_t count = reads ? dph_doctor_addresses(doctor->image, addresses) : 0;
	char text[PROGRAM_ROOM], why[WHY_ROOM];
	struct dp_inserted inserted;
	struct wait wait = {0};
	enum dp_err error;
	uint8_t removed;

	write_program(text, function, addresses, count);
	if (!install(doctor, text, 0, &inserted, &error, why)) {
		tell(doctor, CHECK_COUNTED, WRONG, "%s", why);
		return dp_session_failure(doctor->session)->kind != DP_FAILED_LINK;
	}
	if (!wait_for_hits(doctor, inserted.program, &wait)) {
		tell(doctor, CHECK_VECTORS, WRONG,
		     "the target is silent since a probe on %s was armed: the first hit did not "
		     "return",
		     function);
		return false;
	}
	tell_hits(doctor, function, &wait);
	if (wait.hits > 0)
		check_ranges(doctor, inserted.program, addresses, count);
	if (!dp_session_remove(doctor->session, inserted.program, &removed))
		return tell_failure(doctor, CHECK_REMOVED);
	if (wait.hits > 0 && !check_masked(doctor, function))
		return false;
	return check_text(doctor, CHECK_REMOVED, true);
}

static bool check_hits(struct doctor *doctor)
{
	static const enum check needing[] = {CHECK_VECTORS, CHECK_COUNTED, CHECK_RANGES,
					     CHECK_MASKED, CHECK_REMOVED};
	const char *function = dph_cli_get(doctor->cli, DPH_OPT_PROBE);

	if (function != NULL)
		return check_probe(doctor, function);
	for (size_t i = 0; i < sizeof needing / sizeof needing[0]; i++)
		tell(doctor, needing[i], UNKNOWN,
		     "name a function that is called often with --probe");
	return true;
}

/* --- what the whole session has shown --- */

/* The target's clock, by a second HELLO. */
static bool check_time(struct doctor *doctor)
{
	const uint64_t ticks = doctor->ticks, began = doctor->ticks_ms;
	double told, real;

	if (doctor->hz == 0) {
		tell(doctor, CHECK_TIME, UNKNOWN, "the board has no tick_hz: records have no time");
		return true;
	}
	while (dp_clock_ms() < began + CLOCK_MS)
		if (!dp_session_listen(doctor->session, LISTEN_MS))
			return tell_failure(doctor, CHECK_TIME);
	dp_session_close(doctor->session);
	if (!open_line(doctor))
		return false;
	real = (double)(doctor->ticks_ms - began) / 1000;
	told = (double)(doctor->ticks - ticks) / doctor->hz;
	if (doctor->ticks == ticks)
		tell(doctor, CHECK_TIME, WRONG, "the clock stands still");
	else if (told > CLOCK_FACTOR * real || real > CLOCK_FACTOR * told)
		tell(doctor, CHECK_TIME, WRONG,
		     "%.2f s passed by tick_hz (%u), %.2f s by the host's clock", told, doctor->hz,
		     real);
	else
		tell(doctor, CHECK_TIME, OK, "%.2f s by tick_hz (%u), %.2f s by the host's clock",
		     told, doctor->hz, real);
	return true;
}

static void check_console(struct doctor *doctor)
{
	if (doctor->torn.torn > 0)
		tell(doctor, CHECK_CONSOLE, WRONG,
		     "%zu torn line(s) of the agent in the text: the firmware prints past "
		     "dprobes_console_write, or the line loses bytes",
		     doctor->torn.torn);
	else if (doctor->torn.bytes == 0)
		tell(doctor, CHECK_CONSOLE, UNKNOWN, "the firmware printed nothing on this line");
	else
		tell(doctor, CHECK_CONSOLE, OK, "%zu bytes of text, no torn line",
		     doctor->torn.bytes);
}

static void examine(struct doctor *doctor)
{
	if (!open_line(doctor))
		return;
	check_hello(doctor);
	if (check_status(doctor) && check_text(doctor, CHECK_TEXT, false) && check_apart(doctor) &&
	    check_slots(doctor) && check_hits(doctor) && check_time(doctor))
		check_console(doctor);
}

int dph_cmd_doctor(const struct dph_cli *cli)
{
	struct doctor doctor = {.cli = cli, .status = DPH_EXIT_USAGE};
	const char *symbols = cli->elf ? cli->elf : dph_cli_get(cli, DPH_OPT_SYM);
	struct dp_messages messages = {0};

	if (symbols != NULL) {
		doctor.image = dp_image_open(symbols, &messages);
		dph_cli_report(cli, &messages);
		if (doctor.image == NULL)
			return DPH_EXIT_USAGE;
	}
	doctor.out = dph_output_open(cli);
	if (doctor.out != NULL) {
		examine(&doctor);
		if (doctor.session != NULL)
			doctor.status = doctor.wrong > 0 ? DPH_EXIT_EXPECT : DPH_EXIT_DONE;
		dp_session_close(doctor.session);
		if (!dph_output_close(cli, doctor.out) && doctor.status == DPH_EXIT_DONE)
			doctor.status = DPH_EXIT_USAGE;
	}
	dp_image_close(doctor.image);
	return doctor.status;
}

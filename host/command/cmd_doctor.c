/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes doctor checks an integration of the agent, one check after the other. Each line of the
 * report begins with ok, wrong or not known. A wrong check names the place of the guide that
 * describes the fix. */
#define _GNU_SOURCE
#include "cmd.h"

#include "doctor.h"
#include "doctor_image.h"

#include "present/words.h"
#include "symbols/elf_image.h"
#include "tables/registers.h"
#include "tables/slot_reach.h"
#include "text_check.h"
#include <dprobes/errors.h>

#include <inttypes.h>
#include <string.h>

enum {
	LISTEN_MS = 100,
	CLOCK_MS = 1000,     /* least time between two readings of the target's clock */
	CLOCK_PERCENT = 10,  /* a clock this far from the host's is another rate */
	NO_TEXT_PERCENT = 10 /* with more characters that no text has, the speed is wrong */
};

/* --- the line --- */

static void on_settled(void *context, const uint8_t *bytes, size_t count)
{
	struct dph_doctor *doctor = context;

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
	struct dph_doctor *doctor = context;

	(void)text;
	(void)count;
	dph_masked_line(&doctor->masked, frame);
}

/* Tools that move an image take sections of relocations whose names begin with .rel. or .rela.
 * alone. An agent that they leave out refuses to start. */
static void tell_moved(struct dph_doctor *doctor)
{
	static const char *const left_out[] = {".reldprobes_text", ".reladprobes_text"};
	uint64_t bytes;

	for (size_t i = 0; doctor->image != NULL && i < sizeof left_out / sizeof *left_out; i++)
		if (dph_image_section(doctor->image, left_out[i], &bytes))
			dph_doctor_wrong(doctor, DPH_CHECK_MOVED, DPH_FIX_MOVED,
					 "the ELF file has the section %s: if the image moves "
					 "itself by a tool that takes .rel.* and .rela.* alone, "
					 "dprobes_init returns HALF_MOVED",
					 left_out[i]);
}

/* The line is open, and nobody answered. */
static void tell_silence(struct dph_doctor *doctor)
{
	const struct dph_torn *text = &doctor->torn;

	if (text->no_text * 100 > text->bytes * NO_TEXT_PERCENT)
		dph_doctor_wrong(doctor, DPH_CHECK_BYTES, DPH_FIX_SPEED,
				 "%zu byte(s) arrived, and %zu of them are no text: the speed "
				 "(--baud) is wrong",
				 text->bytes, text->no_text);
	else if (text->torn > 0)
		dph_doctor_wrong(doctor, DPH_CHECK_BYTES, DPH_FIX_RX,
				 "the request came back as text: the firmware's shell gets the "
				 "bytes, and the agent gets none (dprobes_rx)");
	else if (text->bytes > 0)
		dph_doctor_wrong(
			doctor, DPH_CHECK_BYTES, DPH_FIX_POLL,
			"%zu byte(s) of text arrived, and no answer to HELLO: the line and "
			"the speed are right; nobody calls dprobes_poll, or dprobes_rx gets "
			"no bytes",
			text->bytes);
	else
		dph_doctor_wrong(doctor, DPH_CHECK_BYTES, DPH_FIX_PUT,
				 "0 bytes arrived: the line or the speed (--baud) is wrong, or "
				 "`put` sends nothing");
}

/* Of what the failure to open a session shows. */
static void tell_no_session(struct dph_doctor *doctor)
{
	const struct dp_failure *failure = &doctor->failure;

	if (failure->kind == DP_FAILED_AGENT && failure->error == DP_ERR_BAD_PROTOCOL) {
		dph_doctor_ok(doctor, DPH_CHECK_BYTES, "HELLO was answered");
		dph_doctor_wrong(doctor, DPH_CHECK_HELLO, DPH_FIX_VERSION, "%s", failure->text);
	} else if (failure->kind == DP_FAILED_AGENT) { /* a key, another host */
		dph_doctor_ok(doctor, DPH_CHECK_BYTES, "HELLO was answered");
		dph_doctor_unknown(doctor, DPH_CHECK_HELLO, "%s", failure->text);
	} else if (failure->kind == DP_FAILED_LINK && failure->no_line)
		dph_doctor_unknown(doctor, DPH_CHECK_BYTES, "%s", failure->text);
	else if (failure->kind == DP_FAILED_LINK) {
		tell_silence(doctor);
		tell_moved(doctor);
	}
}

static bool open_line(struct dph_doctor *doctor)
{
	/* A listener of the stream looks at the clock itself: --timeout is for the hits. */
	const struct dp_listener listener = {.context = doctor,
					     .console = on_console,
					     .settled = on_settled,
					     .stream = on_stream};
	struct dp_module_answer running;

	doctor->asked_ms = dp_clock_ms();
	doctor->session = dph_target_try(doctor->cli, DP_RIGHT_LOOK | DP_RIGHT_INSERT, &listener,
					 &doctor->status, &doctor->failure);
	if (doctor->session == NULL) {
		tell_no_session(doctor);
		return false;
	}
	doctor->failure.kind = DP_FAILED_NOT;
	doctor->ticks_ms = dp_clock_ms();
	doctor->ticks = dp_session_target(doctor->session)->ticks;
	doctor->hz = dp_session_target(doctor->session)->hz;
	if (doctor->image != NULL && dp_session_module(doctor->session, 0, &running)) {
		dp_image_move(doctor->image,
			      dp_module_moved(&running, dp_session_target(doctor->session)));
		dph_image_text(doctor->image, running.base, running.bytes);
	}
	return true;
}

/* Are file and agent for one CPU? */
static bool same_cpu(const struct dph_doctor *doctor, const struct dp_hello_answer *hello)
{
	const struct dph_cpu *cpu = dph_cpu_numbered(hello->cpu);
	struct dp_image_info info;

	if (doctor->image == NULL)
		return true;
	dp_image_info(doctor->image, &info);
	return !info.elf || cpu == NULL || cpu->elf_machine == 0 ||
	       (dph_image_takes(doctor->image, cpu) && info.big_endian == hello->big_endian);
}

/* Returns false for an ELF file of another CPU. */
static bool check_hello(struct dph_doctor *doctor)
{
	const struct dp_hello_answer *hello = dp_session_target(doctor->session);

	dph_doctor_ok(doctor, DPH_CHECK_BYTES, "HELLO was answered");
	if (same_cpu(doctor, hello))
		dph_doctor_ok(doctor, DPH_CHECK_HELLO,
			      "agent %u.%u, %s, %u bits, %s-endian, boot %u",
			      hello->agent_version >> 8, hello->agent_version & 0xff,
			      dp_cpu_text(hello->cpu), 8u * hello->word_bytes,
			      hello->big_endian ? "big" : "little", hello->boot);
	else
		dph_doctor_wrong(doctor, DPH_CHECK_HELLO, DPH_FIX_BUILD,
				 "the agent is for %s, %s-endian, the ELF file is not",
				 dp_cpu_text(hello->cpu), hello->big_endian ? "big" : "little");
	return same_cpu(doctor, hello);
}

/* --- text --- */

bool dph_doctor_text(struct dph_doctor *doctor, enum dph_check check, bool after)
{
	struct dp_messages messages = {0};
	struct dp_text_view view;

	if (doctor->cli->elf == NULL) {
		dph_doctor_unknown(doctor, check, "give the firmware with --elf");
		return true;
	}
	if (!(dp_session_target(doctor->session)->parts >> DP_PART_TEXT & 1)) {
		dph_doctor_unknown(doctor, check, "the agent was built without DP_WITH_TEXT");
		return true;
	}
	if (!dph_text_check(doctor->session, doctor->cli->elf, !after, &view, &messages)) {
		if (messages.errors == 0)
			return dph_doctor_failed(doctor, check);
		dph_doctor_unknown(doctor, check, "%s", messages.list[messages.count - 1].text);
	} else if (after && view.sites > 0) {
		dph_doctor_unknown(doctor, check, "%u trap(s) of other programs are armed",
				   view.sites);
	} else if (view.differ > 0) {
		dph_doctor_wrong(doctor, check, after ? DPH_FIX_TRAPS : DPH_FIX_LINKED,
				 "%" PRIu64 " of %" PRIu64
				 " bytes differ from %s, the first at 0x%" PRIx64,
				 view.differ, view.bytes, view.elf, view.first);
	} else {
		dph_doctor_ok(doctor, check, "%" PRIu64 " bytes, the same as in %s", view.bytes,
			      view.elf);
	}
	dp_messages_free(&messages);
	return true;
}

static bool check_status(struct dph_doctor *doctor)
{
	struct dp_status_answer status;

	if (!dp_session_status(doctor->session, &status))
		return dph_doctor_failed(doctor, DPH_CHECK_HIT_PATH);
	if (!(dp_session_target(doctor->session)->parts >> DP_PART_OWN_TEXT & 1))
		dph_doctor_unknown(doctor, DPH_CHECK_HIT_PATH,
				   "agents of this version do not report it");
	else if (status.own_text)
		dph_doctor_wrong(
			doctor, DPH_CHECK_HIT_PATH, DPH_FIX_CODE,
			"a callback of the board can be probed: mark the callback DPROBES_CODE");
	else
		dph_doctor_ok(doctor, DPH_CHECK_HIT_PATH, "no callback of the board can be probed");
	return true;
}

static const char *identity_word(unsigned kind)
{
	return kind == DP_IDENTITY_BUILD_ID ? "build-id" : "checksum of the text";
}

/* ELF file and target know the firmware by the same kind of identity, else no program is inserted.
 * Returns false for an ELF file of another build, and when the line failed. */
static bool check_identity(struct dph_doctor *doctor)
{
	struct dp_module_answer module;
	uint8_t id[DP_IDENTITY_BYTES];
	unsigned kind;

	if (doctor->cli->elf == NULL || doctor->image == NULL) {
		dph_doctor_unknown(doctor, DPH_CHECK_IDENTITY, "give the firmware with --elf");
		return true;
	}
	if (!dp_session_module(doctor->session, 0, &module))
		return dph_doctor_failed(doctor, DPH_CHECK_IDENTITY);
	kind = dph_image_identity(doctor->image, id);
	if (kind == DP_IDENTITY_NONE || module.identity == DP_IDENTITY_NONE)
		dph_doctor_unknown(doctor, DPH_CHECK_IDENTITY, "%s has none",
				   kind == DP_IDENTITY_NONE ? "the ELF file" : "the target");
	else if (kind != module.identity)
		dph_doctor_wrong(doctor, DPH_CHECK_IDENTITY, DPH_FIX_NOTE,
				 "%s has a build-id, and %s has a checksum of the text",
				 kind == DP_IDENTITY_BUILD_ID ? "the ELF file" : "the target",
				 kind == DP_IDENTITY_BUILD_ID ? "the target" : "the ELF file");
	else if (dph_image_is_other(doctor->image, module.identity, module.id.bytes,
				    module.id.count)) {
		dph_doctor_wrong(doctor, DPH_CHECK_IDENTITY, DPH_FIX_BUILD,
				 "the target runs another build than %s: the %s differs",
				 doctor->cli->elf, identity_word(kind));
		return false;
	} else
		dph_doctor_ok(doctor, DPH_CHECK_IDENTITY, "%s", identity_word(kind));
	return true;
}

/* A probe on the agent must be refused. */
static bool check_apart(struct dph_doctor *doctor)
{
	struct dp_inserted inserted;
	enum dp_err error;
	uint8_t removed;
	char why[DPH_WHY_ROOM];

	if (!dph_doctor_has(doctor, "dprobes_poll")) {
		dph_doctor_unknown(doctor, DPH_CHECK_APART, "give the firmware with --elf");
		return true;
	}
	if (dph_doctor_install(doctor,
			       "name = \"doctor\"\noffset = dprobes_poll\nminor = 1\nexit\n",
			       &inserted, &error, why)) {
		dph_doctor_wrong(doctor, DPH_CHECK_APART, DPH_FIX_SECTION,
				 "dprobes_poll can be probed");
		return dp_session_remove(doctor->session, inserted.program, &removed) ||
		       dph_doctor_failed(doctor, DPH_CHECK_APART);
	}
	if (error == DP_ERR_IN_AGENT)
		dph_doctor_ok(doctor, DPH_CHECK_APART, "a probe on dprobes_poll is refused");
	else
		dph_doctor_unknown(doctor, DPH_CHECK_APART, "%s", why);
	return dph_doctor_line_holds(doctor);
}

/* --- limits --- */

/* What decides where instructions begin. */
static void tell_bounds(struct dph_doctor *doctor, const struct dp_limits_answer *limits)
{
	const char *word = dph_bounds_word(dp_session_target(doctor->session)->cpu, limits->bounds);

	if (strcmp(word, "trusted") == 0)
		dph_doctor_unknown(doctor, DPH_CHECK_BOUNDS,
				   "trusted: the agent takes the bounds that the host sends; the "
				   "image has no table of functions ('dprobes table')");
	else
		dph_doctor_ok(doctor, DPH_CHECK_BOUNDS, "%s", word);
}

/* DPROBES_MEMORY(NAME) makes NAME_slots, and NAME_keep beside it. */
static bool are_slots(const struct dph_doctor *doctor, const struct dp_symbol *symbol)
{
	static const char ending[] = "_slots";
	const size_t length = strlen(symbol->name);
	char keep[DP_NAME_ROOM];

	if (length < sizeof ending || length >= sizeof keep ||
	    strcmp(symbol->name + length - (sizeof ending - 1), ending) != 0)
		return false;
	snprintf(keep, sizeof keep, "%.*s_keep", (int)(length - (sizeof ending - 1)), symbol->name);
	return dph_doctor_has(doctor, keep);
}

static const struct dp_symbol *find_slots(const struct dph_doctor *doctor)
{
	const struct dp_symbol *symbols;
	const size_t count = doctor->image != NULL ? dp_image_symbols(doctor->image, &symbols) : 0;

	for (size_t i = 0; i < count; i++)
		if (symbols[i].kind == DP_SYMBOL_OBJECT && are_slots(doctor, &symbols[i]))
			return &symbols[i];
	return NULL;
}

/* Do the slots of removed probes come back? */
static void tell_free(struct dph_doctor *doctor, const struct dp_limits_answer *limits)
{
	if (dph_slots_short(limits))
		dph_doctor_wrong(
			doctor, DPH_CHECK_FREE, DPH_FIX_QUIESCENT,
			"%u of %u are free, and no probe is armed: the firmware does not call "
			"dprobes_quiescent, or a context stays in a slot",
			limits->slots_free, limits->slots);
	else
		dph_doctor_ok(doctor, DPH_CHECK_FREE, "%u of %u", limits->slots_free,
			      limits->slots);
}

static bool check_slots(struct dph_doctor *doctor)
{
	const struct dp_symbol *slots = find_slots(doctor);
	struct dp_limits_answer limits;
	struct dp_module_answer image;
	struct dph_span text, place;

	if (!dp_session_limits(doctor->session, &limits) ||
	    !dp_session_module(doctor->session, 0, &image))
		return dph_doctor_failed(doctor, DPH_CHECK_REACH);
	dph_doctor_nonce(doctor, limits.nonce_source);
	tell_bounds(doctor, &limits);
	tell_free(doctor, &limits);
	if (slots == NULL || image.bytes == 0) {
		dph_doctor_unknown(doctor, DPH_CHECK_REACH,
				   "give the firmware with --elf; the slots are of DPROBES_MEMORY");
		return true;
	}
	text = (struct dph_span){image.base, image.base + image.bytes - 1};
	place = (struct dph_span){slots->value,
				  slots->value + (slots->bytes > 0 ? slots->bytes - 1 : 0)};
	if (dph_slots_reach(dp_session_target(doctor->session)->cpu, place, text))
		dph_doctor_ok(doctor, DPH_CHECK_REACH, "%s at 0x%08" PRIx64, slots->name,
			      slots->value);
	else if (doctor->hardware.code > 0)
		dph_doctor_unknown(doctor, DPH_CHECK_REACH,
				   "%s at 0x%08" PRIx64 " is too far from the text: each hit of a "
				   "trap takes two traps, as each hit of a comparator does",
				   slots->name, slots->value);
	else
		dph_doctor_wrong(doctor, DPH_CHECK_REACH, DPH_FIX_SLOTS,
				 "%s at 0x%08" PRIx64 " is too far from the text (0x%08" PRIx64
				 " to 0x%08" PRIx64 "): each hit takes two traps",
				 slots->name, slots->value, text.first, text.last);
	return true;
}

/* --- what the whole session has shown --- */

/* The target's clock, by a second HELLO. */
static bool check_time(struct dph_doctor *doctor)
{
	const uint64_t ticks = doctor->ticks, asked = doctor->asked_ms, began = doctor->ticks_ms;
	double told, least, most;

	if (doctor->hz == 0) {
		dph_doctor_unknown(
			doctor, DPH_CHECK_TIME,
			"the board has no tick_hz, or the counter of its CPU stands still: "
			"records have no time");
		return true;
	}
	while (dp_clock_ms() < began + CLOCK_MS)
		if (!dp_session_listen(doctor->session, LISTEN_MS))
			return dph_doctor_failed(doctor, DPH_CHECK_TIME);
	dp_session_close(doctor->session);
	if (!open_line(doctor))
		return false;
	/* The target has read its clock between a question and its answer. */
	least = (double)(doctor->asked_ms - began) / 1000;
	most = (double)(doctor->ticks_ms - asked) / 1000;
	told = (double)(doctor->ticks - ticks) / doctor->hz;
	if (doctor->ticks == ticks)
		dph_doctor_wrong(doctor, DPH_CHECK_TIME, DPH_FIX_TICKS, "the clock does not run");
	else if (told * 100 > most * (100 + CLOCK_PERCENT) ||
		 told * (100 + CLOCK_PERCENT) < least * 100)
		dph_doctor_wrong(
			doctor, DPH_CHECK_TIME, DPH_FIX_TICKS,
			"%.2f s passed by tick_hz (%u), %.2f to %.2f s by the host's clock", told,
			doctor->hz, least, most);
	else
		dph_doctor_ok(doctor, DPH_CHECK_TIME,
			      "%.2f s by tick_hz (%u), %.2f to %.2f s by the host's clock", told,
			      doctor->hz, least, most);
	return true;
}

static void check_console(struct dph_doctor *doctor)
{
	if (doctor->torn.torn > 0)
		dph_doctor_wrong(doctor, DPH_CHECK_CONSOLE, DPH_FIX_PRINT,
				 "%zu torn line(s) of the agent in the text: the firmware prints "
				 "past dprobes_console_write, or the line loses bytes",
				 doctor->torn.torn);
	else if (doctor->torn.bytes == 0)
		dph_doctor_unknown(doctor, DPH_CHECK_CONSOLE,
				   "the firmware printed nothing on this line");
	else
		dph_doctor_ok(doctor, DPH_CHECK_CONSOLE, "%zu bytes of text, no torn line",
			      doctor->torn.bytes);
}

static void examine(struct dph_doctor *doctor)
{
	if (!open_line(doctor))
		return;
	doctor->status = DPH_EXIT_DONE;
	if (check_hello(doctor) && check_identity(doctor) && check_status(doctor) &&
	    dph_doctor_vectors(doctor) && dph_doctor_text(doctor, DPH_CHECK_TEXT, false) &&
	    check_apart(doctor) && dph_doctor_image(doctor) && check_slots(doctor) &&
	    dph_doctor_hits(doctor) && dph_doctor_share(doctor) && check_time(doctor))
		check_console(doctor);
}

/* A function that the firmware does not have is the user's mistake. */
static int check_function(const struct dph_doctor *doctor)
{
	const char *function = dph_cli_get(doctor->cli, DPH_OPT_PROBE);

	if (function == NULL || doctor->image == NULL || dph_doctor_has(doctor, function))
		return DPH_EXIT_DONE;
	return dph_cli_usage(doctor->cli, "the firmware has no function '%s'; --probe names one",
			     function);
}

int dph_cmd_doctor(const struct dph_cli *cli)
{
	struct dph_doctor doctor = {.cli = cli, .status = DPH_EXIT_DONE};
	const char *symbols = cli->elf ? cli->elf : dph_cli_get(cli, DPH_OPT_SYM);
	struct dp_messages messages = {0};
	FILE *out;

	if (symbols != NULL) {
		doctor.image = dp_image_open(symbols, &messages);
		dph_cli_report(cli, &messages);
		if (doctor.image == NULL)
			return DPH_EXIT_USAGE;
	}
	doctor.status = check_function(&doctor);
	out = doctor.status == DPH_EXIT_DONE ? dph_output_open(cli) : NULL;
	doctor.sink = out != NULL ? dph_output_sink(cli, out) : NULL;
	if (doctor.sink != NULL) {
		examine(&doctor);
		if (doctor.failure.kind != DP_FAILED_NOT)
			dph_target_say(cli, &doctor.failure);
		if (doctor.session != NULL && doctor.wrong > 0)
			doctor.status = DPH_EXIT_EXPECT;
		dp_session_close(doctor.session);
		dp_sink_close(doctor.sink);
		if (!dph_output_close(cli, out) && doctor.status == DPH_EXIT_DONE)
			doctor.status = DPH_EXIT_USAGE;
	} else if (doctor.status == DPH_EXIT_DONE) {
		doctor.status = DPH_EXIT_USAGE;
	}
	dp_image_close(doctor.image);
	return doctor.status;
}

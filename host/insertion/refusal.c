/* SPDX-License-Identifier: BSD-2-Clause */
/* This file puts the refusals of an insertion into sentences. */
#define _GNU_SOURCE
#include "refusal.h"

#include "base/diag.h"
#include "base/hex.h"

#include "dp_object.h"
#include "tables/timers.h"

#include <inttypes.h>

void dph_refusal(struct dp_messages *messages, const char *format, ...)
{
	const struct dp_message nowhere = {.severity = DP_ERROR, .alone = true};
	va_list args;

	va_start(args, format);
	dph_message_v(messages, &nowhere, format, args);
	va_end(args);
}

void dph_reservation(struct dp_messages *messages, const char *format, ...)
{
	const struct dp_message nowhere = {.severity = DP_WARNING};
	va_list args;

	va_start(args, format);
	dph_message_v(messages, &nowhere, format, args);
	va_end(args);
}

void dph_refusal_note(struct dp_messages *messages, const char *format, ...)
{
	const struct dp_message nowhere = {.severity = DP_NOTE};
	va_list args;

	va_start(args, format);
	dph_message_v(messages, &nowhere, format, args);
	va_end(args);
}

void dph_refuse_part(struct dp_messages *messages, const char *where, unsigned part)
{
	dph_refusal(messages,
		    "%s: the agent was built without %s; avoid the feature, or build the firmware "
		    "with DP_WITH_%s",
		    where, dp_part_sentence(part), dp_part_feature(part));
}

void dph_refuse_image(struct dp_messages *messages, const char *name, const uint8_t *built,
		      const uint8_t *running, size_t bytes)
{
	char ours[2 * DP_IDENTITY_BYTES + 1], theirs[2 * DP_IDENTITY_BYTES + 1];

	dph_hex(ours, built, bytes);
	dph_hex(theirs, running, bytes);
	dph_refusal(messages,
		    "%s was built against another firmware image: its build-id is %s, the target "
		    "runs %s; use the ELF that is running (--elf)",
		    name, ours, theirs);
}

void dph_refuse_identity(struct dp_messages *messages, const char *name, unsigned built)
{
	if (built == DP_IDENTITY_BUILD_ID)
		dph_refusal(messages,
			    "%s was built with an ELF file that has a build-id, and the target has "
			    "none, as with dprobes_no_note: give the agent dprobes_note, or link "
			    "the firmware without a build-id (agent/README.md, Linker script)",
			    name);
	else
		dph_refusal(messages,
			    "%s was built with an ELF file that has no build-id, and the target "
			    "has one: the file is of another build, or stripped; use the ELF that "
			    "is running (--elf)",
			    name);
}

void dph_refuse_place(struct dp_messages *messages, const char *name,
		      const struct dp_object_file *object, uint64_t moved)
{
	struct dp_program_info program;

	dp_object_program(object, &program);
	dph_refusal(messages,
		    "%s was built for an image that runs 0x%" PRIx64
		    " bytes behind its linked addresses, and the target's runs 0x%" PRIx64
		    " bytes behind them; insert the source, or build the object with --moved "
		    "0x%" PRIx64,
		    name, program.moved, moved, moved);
}

void dph_refuse_room(struct dp_messages *messages, const char *name, uint32_t needed,
		     const struct dp_limits_answer *limits)
{
	if (needed > limits->arena)
		dph_refusal(messages,
			    "%s needs %" PRIu32 " bytes of the agent's program memory, which has "
			    "%" PRIu32 "; shorten the program, or build the firmware with a larger "
			    "DP_ARENA_BYTES",
			    name, needed, limits->arena);
	else
		dph_refusal(messages,
			    "%s needs %" PRIu32 " bytes of the agent's program memory, and %" PRIu32
			    " of %" PRIu32
			    " bytes are free; remove another program ('dprobes list' "
			    "shows the programs), or shorten this one",
			    name, needed, limits->arena_free, limits->arena);
}

/* "FILE:LINE" of a verdict about code, "FILE, probe point N at 0x..." of one about a point. */
static void place(const struct dp_object_file *object, const char *name,
		  const struct dp_verdict *verdict, char *text, size_t room)
{
	struct dp_point_info point;
	char timer[DPH_TIMER_ROOM];
	const char *file;
	unsigned line;

	if (verdict->error >= DP_ERR_BAD_OPCODE && verdict->error <= DP_ERR_BAD_ENTRY &&
	    dp_object_line(object, verdict->where, &file, &line))
		snprintf(text, room, "%s:%u", file, line);
	else if (dp_object_point(object, verdict->probe, &point) && point.kind == DP_PROBE_TIMER)
		snprintf(text, room, "%s: probe point %u (%s)", name, verdict->probe,
			 dph_timer_name(point.address, point.extent, timer));
	else if (dp_object_point(object, verdict->probe, &point))
		snprintf(text, room, "%s: probe point %u (minor %u, 0x%08" PRIx64 ")", name,
			 verdict->probe, point.minor, point.address);
	else
		snprintf(text, room, "%s", name);
}

/* An agent from before the flag TAKEN refuses the flags of such a point. */
static bool knows_no_taken(const struct dp_object_file *object, const struct dp_verdict *verdict)
{
	struct dp_point_info point;

	return verdict->error == DP_ERR_BAD_FIELD &&
	       dp_object_point(object, verdict->probe, &point) && point.flags & DP_POINT_TAKEN &&
	       verdict->found == point.flags;
}

static uint64_t address_found(const struct dp_verdict *verdict)
{
	return (uint64_t)verdict->found_above << 32 | verdict->found;
}

/* Is the value found an address, and another one than that of the point in the object? */
static bool is_elsewhere(const struct dp_object_file *object, const struct dp_verdict *verdict)
{
	struct dp_point_info point;

	return (verdict->error == DP_ERR_NOT_TEXT || verdict->error == DP_ERR_NOT_PATCHABLE) &&
	       dp_object_point(object, verdict->probe, &point) && address_found(verdict) != 0 &&
	       address_found(verdict) != point.address;
}

/* Why there is no timer. Null: an agent that does not say it. */
static const char *no_timer(uint32_t found)
{
	static const char *const sentences[] = {
#define DP_NO_TIMER(number, name, sentence) [number] = (sentence),
#include "no_timer.def"
	};

	return found < sizeof sentences / sizeof sentences[0] ? sentences[found] : NULL;
}

static void found(const struct dp_object_file *object, const struct dp_verdict *verdict, char *text,
		  size_t room)
{
	struct dp_point_info point;

	text[0] = '\0';
	if (verdict->error == DP_ERR_OPCODE_MISMATCH &&
	    dp_object_point(object, verdict->probe, &point))
		snprintf(text, room, " (expected 0x%08" PRIx32 ", found 0x%08" PRIx32 ")",
			 point.opcode, verdict->found);
	else if (verdict->error == DP_ERR_NOT_PROBEABLE || verdict->error == DP_ERR_FOREIGN_BREAK)
		snprintf(text, room, " (found 0x%08" PRIx32 ")", verdict->found);
	else if (is_elsewhere(object, verdict))
		snprintf(text, room, " (on the target: 0x%08" PRIx64 ")", address_found(verdict));
	else if (verdict->error == DP_ERR_LEFT_OUT && verdict->found >= DP_FOUND_PART &&
		 dp_part_feature(verdict->found - DP_FOUND_PART) != NULL)
		snprintf(text, room, ": DP_WITH_%s",
			 dp_part_feature(verdict->found - DP_FOUND_PART));
	else if (verdict->error == DP_ERR_NO_TIMER && no_timer(verdict->found) != NULL)
		snprintf(text, room, " (%s)", no_timer(verdict->found));
	else if (knows_no_taken(object, verdict))
		snprintf(text, room,
			 ": this agent cannot fire only where a branch is taken; build the "
			 "firmware with this version of the agent");
	else if (verdict->error == DP_ERR_NOT_PERMITTED)
		snprintf(text, room, " (refused by:%s%s%s)",
			 verdict->found & 1 ? " the agent's build" : "",
			 verdict->found & 2 ? " the object" : "",
			 verdict->found & 4 ? " this session" : "");
}

/* A debugger's trap word that the ELF file has too is an instruction of the firmware. */
static bool is_firmwares_own(const struct dp_object_file *object, const struct dp_verdict *verdict)
{
	struct dp_point_info point;

	return verdict->error == DP_ERR_FOREIGN_BREAK &&
	       dp_object_point(object, verdict->probe, &point) && point.opcode == verdict->found;
}

/* Is the point one of code, in text that cannot be written? */
static bool lacks_comparator(const struct dp_object_file *object, const struct dp_verdict *verdict)
{
	struct dp_point_info point;

	return verdict->error == DP_ERR_NO_COMPARATOR &&
	       dp_object_point(object, verdict->probe, &point) && point.kind == DP_PROBE_BREAK;
}

void dph_refuse_verdict(struct dp_messages *messages, const char *name,
			const struct dp_object_file *object, const struct dp_session *session,
			const struct dp_verdict *verdict)
{
	const struct dp_failure *failure = dp_session_failure(session);
	char where[320], what[160] = "";

	snprintf(where, sizeof where, "%s", name);
	if (dp_session_target(session)->parts >> DP_PART_DETAILS & 1) { /* else all zeros */
		place(object, name, verdict, where, sizeof where);
		found(object, verdict, what, sizeof what);
	} else if (failure->error == DP_ERR_LEFT_OUT) { /* has_parts has checked everything else */
		snprintf(what, sizeof what, ": the instruction set of a probe point");
	}
	if (lacks_comparator(object, verdict))
		dph_refusal(messages,
			    "%s: the text cannot be written there; %" PRIu32
			    " comparators, 0 free; remove a probe, or put the function into RAM",
			    where, verdict->found);
	else if (is_firmwares_own(object, verdict))
		dph_refusal(messages, "%s: %s: %s%s", where,
			    dp_error_sentence(DP_ERR_NOT_PROBEABLE),
			    dp_refusal_sentence(DP_REFUSE_BREAKPOINT), what);
	else
		dph_refusal(messages, "%s: %s%s", where, failure->text, what);
}

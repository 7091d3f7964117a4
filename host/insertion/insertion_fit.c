/* SPDX-License-Identifier: BSD-2-Clause */
/* A program is compiled for the agent that gets it, and its needs are compared with what the agent
 * has. */
#define _GNU_SOURCE
#include "insertion_parts.h"

#include "base/diag.h"
#include "base/pool.h"
#include "compile/compile.h"
#include <dprobes/errors.h>
#include "object/arena.h"
#include "object/parts.h"
#include "refusal.h"
#include "stops.h"
#include "timed.h"

#include "dp_messages.h"
#include "dp_object.h"
#include "dp_record.h"

#include <stdlib.h>
#include <string.h>

enum {
	STACK_USUAL = 1024 /* words: decisions.txt C01 */
};

/* --- identity --- */

/* The agent compares as well; here both numbers can be shown, before a byte is sent. */
static bool same_image(struct dp_insertion *insertion, const struct dp_module_answer *running,
		       enum dp_failure_kind *kind, struct dp_messages *messages)
{
	struct dp_module_info built;
	size_t bytes;

	if (!dp_object_module(insertion->object, 0, &built))
		return true;
	if (built.identity == DP_IDENTITY_NONE) {
		dph_reservation(messages,
				"%s was built without an ELF: nothing proves that the program fits "
				"this firmware",
				insertion->name);
		insertion->choice.options |= DP_INSERT_NO_IDENTITY;
		return true;
	}
	if (built.type != DP_MODULE_KERNEL)
		return true;
	if (running->identity != DP_IDENTITY_NONE && built.identity != running->identity) {
		*kind = DP_FAILED_AGENT;
		dph_refuse_identity(messages, insertion->name, built.identity);
		return false;
	}
	bytes = running->id.count < DP_IDENTITY_BYTES ? running->id.count : DP_IDENTITY_BYTES;
	if (built.identity != DP_IDENTITY_BUILD_ID ||
	    memcmp(built.id, running->id.bytes, bytes) == 0)
		return true;
	*kind = DP_FAILED_AGENT;
	dph_refuse_image(messages, insertion->name, built.id, running->id.bytes, bytes);
	return false;
}

static bool same_target(const struct dp_insertion *insertion, const struct dp_session *session,
			enum dp_failure_kind *kind, struct dp_messages *messages)
{
	const struct dp_hello_answer *target = dp_session_target(session);
	struct dp_program_info program;

	dp_object_program(insertion->object, &program);
	if (program.cpu == target->cpu && program.word_bytes == target->word_bytes &&
	    program.big_endian == (target->big_endian != 0))
		return true;
	*kind = DP_FAILED_VERIFIER;
	if (!dph_is_object(insertion->data, insertion->bytes) && insertion->build.cpu == NULL &&
	    insertion->build.elf == NULL)
		dph_refusal(
			messages,
			"%s is compiled for %s, as neither an ELF file nor a CPU is given; give "
			"--elf FILE, or those of the target: --cpu %s --word %u --endian %s",
			insertion->name, dp_cpu_text(program.cpu), dp_cpu_text(target->cpu),
			target->word_bytes * 8, target->big_endian ? "big" : "little");
	else
		dph_refusal(messages,
			    "%s was built for %s, %u-bit %s-endian; the target is %s, %u-bit "
			    "%s-endian; "
			    "build it with the ELF of this firmware",
			    insertion->name, dp_cpu_text(program.cpu), program.word_bytes * 8,
			    program.big_endian ? "big" : "little", dp_cpu_text(target->cpu),
			    target->word_bytes * 8, target->big_endian ? "big" : "little");
	return false;
}

/* --- features of the agent --- */

/* Compile a text for the target, where neither an ELF file nor the build says for which CPU. */
static bool fit_target(struct dp_insertion *insertion, const struct dp_session *session,
		       enum dp_failure_kind *kind, struct dp_messages *messages)
{
	const struct dp_hello_answer *target = dp_session_target(session);
	struct dp_build_options *build = &insertion->build;

	if (!insertion->is_text || build->elf != NULL || build->cpu != NULL)
		return true;
	build->cpu = dp_cpu_text(target->cpu);
	build->word_bits = target->word_bytes * 8u;
	build->endian = target->big_endian ? "big" : "little";
	return dph_insertion_build_again(insertion, kind, messages);
}

/* The agent refuses it as well; here the source line is known, before a byte is sent. A compiler
 * that knows what the agent lacks points at the expression. */
static bool has_parts(struct dp_insertion *insertion, const struct dp_session *session,
		      enum dp_failure_kind *kind, struct dp_messages *messages)
{
	const uint64_t parts = dp_hello_parts(dp_session_target(session));
	char *place = NULL;
	const char *file;
	unsigned part, line;
	uint32_t where;

	if (dph_part_missing(insertion->object, parts, &part, &where)) {
		insertion->build.lacks = ~parts;
		if (!dph_insertion_build_again(insertion, kind, messages))
			return false;
		if (where != UINT32_MAX && dp_object_line(insertion->object, where, &file, &line))
			place = dph_print("%s:%u", file, line);
		dph_refuse_part(messages, place != NULL ? place : insertion->name, part);
	} else if (insertion->choice.items != 0 && !(parts >> DP_PART_ITEMS & 1)) {
		dph_refuse_part(messages, "--log", DP_PART_ITEMS);
	} else if ((insertion->choice.options & DP_INSERT_FLIGHT) &&
		   !(parts >> DP_PART_FLIGHT & 1)) {
		dph_refuse_part(messages, "--flight", DP_PART_FLIGHT);
	} else {
		return true;
	}
	free(place);
	*kind = DP_FAILED_AGENT;
	return false;
}

/* decisions.txt C01: a program may have been written for more. */
static void warn_of_stack(const struct dp_limits_answer *limits, struct dp_messages *messages)
{
	if (limits->stack < STACK_USUAL)
		dph_reservation(
			messages,
			"the RPN stack of this agent has %u words, %u are usual: a program that "
			"needs more overwrites its oldest ones",
			limits->stack, (unsigned)STACK_USUAL);
}

/* Does the program have exception handlers, and the agent none? A D program does without. */
static bool needs_guards(const struct dp_insertion *insertion, uint64_t parts)
{
	unsigned part;
	uint32_t where;

	return dph_part_missing(insertion->object, parts, &part, &where) &&
	       (part == DP_PART_HANDLERS || part == DP_PART_STATE);
}

static void warn_of_faults(const struct dp_insertion *insertion, struct dp_messages *messages)
{
	dph_reservation(messages,
			"%s: the agent was built without %s: a fault in a clause ends the whole "
			"hit, and its address is not told; build the firmware with DP_WITH_%s",
			insertion->name, dp_part_sentence(DP_PART_HANDLERS),
			dp_part_feature(DP_PART_HANDLERS));
}

/* RPN.md 2: logmax and excpt_log that the source does not set are at most the agent's limits. A
 * value of the source above a limit is refused at its line. The host does not change an object:
 * the agent refuses the object. */
static bool fit_limits(struct dp_insertion *insertion, const struct dp_session *session,
		       enum dp_failure_kind *kind, struct dp_messages *messages)
{
	const struct dp_hello_answer *target = dp_session_target(session);
	const bool unguarded = needs_guards(insertion, dp_hello_parts(target));
	struct dp_program_info program;

	dp_object_program(insertion->object, &program);
	if (!unguarded && (target->log_max == 0 || (program.logmax <= target->log_max &&
						    program.excpt_log <= target->trace_max)))
		return true;
	if (target->log_max != 0) {
		insertion->build.log_max = target->log_max;
		insertion->build.trace_max = target->trace_max;
	}
	insertion->build.lacks = ~dp_hello_parts(target);
	if (!dph_insertion_build_again(insertion, kind, messages))
		return false;
	if (unguarded && !needs_guards(insertion, dp_hello_parts(target)))
		warn_of_faults(insertion, messages);
	return true;
}

/* Open the upload of the object, also after the object has changed. */
static bool prepare_upload(const struct dp_insertion *insertion, struct dp_session *session,
			   struct dp_prepared *prepared)
{
	return dp_session_prepare(session, insertion->object->data, insertion->object->travelling,
				  prepared);
}

/* --- functions that return by `return` of another program --- */

/* Has the program points that run there, beside others, and no `return` itself? */
static bool waits_for_return(const struct dp_insertion *insertion)
{
	struct dp_point_info point;
	bool waits = false, others = false, returns = false;

	for (unsigned i = 0; dp_object_point(insertion->object, i, &point); i++) {
		waits |= point.phase == DP_PHASE_RETURNED;
		others |= point.phase != DP_PHASE_RETURNED;
		returns |= (point.flags & DP_POINT_RETURNS) != 0;
	}
	return waits && others && !returns;
}

/* Compile the program without these points. An object has them: they are not selected. */
static bool drop_returned(struct dp_insertion *insertion, enum dp_failure_kind *kind,
			  struct dp_messages *messages)
{
	struct dp_point_info point;

	insertion->build.lacks |= UINT64_C(1) << DP_PART_RETURN;
	if (!dph_insertion_build_again(insertion, kind, messages))
		return false;
	for (unsigned i = 0; dp_object_point(insertion->object, i, &point); i++)
		if (point.phase == DP_PHASE_RETURNED)
			dph_insertion_leave_out(insertion, i);
	return true;
}

/* No function returns so in an agent of profile READ. */
static bool fit_phases(struct dp_insertion *insertion, const struct dp_session *session,
		       enum dp_failure_kind *kind, struct dp_messages *messages)
{
	return dp_session_target(session)->phases >> DP_PHASE_RETURNED & 1 ||
	       !waits_for_return(insertion) || drop_returned(insertion, kind, messages);
}

/* --- an image that runs elsewhere than linked --- */

/* Is the program compiled for where the image runs? A program without an ELF has the addresses
 * that its author wrote: running ones. */
static bool fits_place(const struct dp_insertion *insertion, uint64_t moved)
{
	struct dp_program_info program;
	struct dp_module_info built;

	dp_object_program(insertion->object, &program);
	return program.moved == moved || !dp_object_module(insertion->object, 0, &built) ||
	       built.identity == DP_IDENTITY_NONE;
}

/* Has the program the checksum of the text that the agent takes it of? The symbols of a file may
 * name another range; an object of another file cannot be told from that. */
static bool fits_text(const struct dp_insertion *insertion, const struct dp_module_answer *running)
{
	struct dp_module_info built;
	const size_t bytes =
		running->id.count < DP_IDENTITY_BYTES ? running->id.count : DP_IDENTITY_BYTES;

	return insertion->build.text_bytes > 0 || !dp_object_module(insertion->object, 0, &built) ||
	       built.identity != DP_IDENTITY_TEXT_CRC ||
	       running->identity != DP_IDENTITY_TEXT_CRC ||
	       memcmp(built.id, running->id.bytes, bytes) == 0;
}

/* Compile the program for where the image runs. An object has the addresses of its build, also
 * inside its code. */
static bool move_to(struct dp_insertion *insertion, const struct dp_module_answer *running,
		    uint64_t moved, enum dp_failure_kind *kind, struct dp_messages *messages)
{
	insertion->build.moved = moved;
	if (running->identity == DP_IDENTITY_TEXT_CRC) {
		insertion->build.text = running->base;
		insertion->build.text_bytes = running->bytes;
	}
	if (!dph_insertion_build_again(insertion, kind, messages))
		return false;
	if (fits_place(insertion, moved))
		return true;
	*kind = DP_FAILED_AGENT;
	dph_refuse_place(messages, insertion->name, insertion->object, moved);
	return false;
}

/* Compile again where it is needed. again: it was. */
static bool move(struct dp_insertion *insertion, const struct dp_session *session,
		 const struct dp_module_answer *running, bool *again, enum dp_failure_kind *kind,
		 struct dp_messages *messages)
{
	const uint64_t moved = dp_module_moved(running, dp_session_target(session));

	*again = !fits_place(insertion, moved) || !fits_text(insertion, running);
	return !*again || move_to(insertion, running, moved, kind, messages);
}

/* The same, and open the upload again. */
static bool place(struct dp_insertion *insertion, struct dp_session *session,
		  struct dp_prepared *prepared, enum dp_failure_kind *kind,
		  struct dp_messages *messages)
{
	bool again;

	return move(insertion, session, &prepared->image, &again, kind, messages) &&
	       (!again || prepare_upload(insertion, session, prepared));
}

/* --- room --- */

/* Has the agent's table an entry for each probe point? A compiler that knows the number says which
 * description matches too many; what it accepts is refused by the agent. */
static bool has_entries(struct dp_insertion *insertion, struct dp_session *session,
			struct dp_prepared *prepared, enum dp_failure_kind *kind,
			struct dp_messages *messages)
{
	const struct dp_limits_answer *limits = &prepared->limits;
	const bool replaces = (insertion->choice.options & DP_INSERT_REPLACE) != 0;
	struct dp_program_info program;

	dp_object_program(insertion->object, &program);
	if (program.points > (replaces ? limits->probes : limits->probes_free) &&
	    waits_for_return(insertion)) {
		if (!drop_returned(insertion, kind, messages) ||
		    !prepare_upload(insertion, session, prepared))
			return false;
		dph_reservation(messages,
				"%s: the agent has no entry for the points of functions that "
				"return by return() of another program: such returns are not "
				"counted",
				insertion->name);
		dp_object_program(insertion->object, &program);
	}
	if (limits->probes == 0 || program.points <= limits->probes)
		return true;
	insertion->build.probes_max = limits->probes;
	return dph_insertion_build_again(insertion, kind, messages);
}

/* Has the agent's arena room for the program? The agent finds out at the end of the upload. A
 * program that is replaced gives back its room. */
static bool has_room(const struct dp_insertion *insertion, const struct dp_limits_answer *limits,
		     enum dp_failure_kind *kind, struct dp_messages *messages)
{
	const bool replaces = (insertion->choice.options & DP_INSERT_REPLACE) != 0;
	const uint32_t needed = dph_arena_needed(insertion->object);

	if (needed <= (replaces ? limits->arena : limits->arena_free))
		return true;
	*kind = DP_FAILED_AGENT;
	dph_refuse_room(messages, insertion->name, needed, limits);
	return false;
}

/* --- all of it --- */

/* Do all hits of the program stand at the addresses of their probe points? Not those of an access,
 * of an event, and behind an instruction; the address of a module may change. */
static bool hits_at_points(const struct dp_insertion *insertion)
{
	struct dp_point_info point;
	struct dp_module_info module;
	bool at = true;

	for (unsigned i = 0; at && dp_object_point(insertion->object, i, &point); i++)
		at = point.kind == DP_PROBE_BREAK && point.phase == DP_PHASE_BEFORE &&
		     dp_object_module(insertion->object, point.module, &module) &&
		     module.type == DP_MODULE_KERNEL;
	return at;
}

/* Items that this host derives take no room in the records. */
static void derive_items(struct dp_insertion *insertion, const struct dp_session *session)
{
	const uint64_t parts = dp_hello_parts(dp_session_target(session));
	uint8_t items = insertion->options.items, derived = 0;

	if (parts >> DP_PART_DERIVED & 1) {
		if (items & DP_ITEM_TSC)
			derived |= DP_ITEM_TSC | DP_DERIVED_TSC;
		if ((items & DP_ITEM_PC) && hits_at_points(insertion))
			derived |= DP_ITEM_PC | DP_DERIVED_PC;
	}
	insertion->choice.items = (uint8_t)((items & ~derived) | (derived & DP_DERIVED_ALL));
}

bool dph_insertion_fits(struct dp_insertion *insertion, struct dp_session *session,
			struct dp_prepared *prepared, enum dp_failure_kind *kind,
			struct dp_messages *messages)
{
	if (!fit_target(insertion, session, kind, messages) ||
	    !same_target(insertion, session, kind, messages) ||
	    !fit_limits(insertion, session, kind, messages) ||
	    !fit_phases(insertion, session, kind, messages) ||
	    !has_parts(insertion, session, kind, messages) ||
	    !dph_insertion_choose_name(insertion, session, kind, messages) ||
	    !prepare_upload(insertion, session, prepared) ||
	    !has_entries(insertion, session, prepared, kind, messages) ||
	    !place(insertion, session, prepared, kind, messages) ||
	    !same_image(insertion, &prepared->image, kind, messages) ||
	    !has_room(insertion, &prepared->limits, kind, messages) ||
	    !dph_timers_fit(session, insertion->object, insertion->name,
			    insertion->choice.options & DP_INSERT_REPLACE, kind, messages))
		return false;
	derive_items(insertion, session);
	warn_of_stack(&prepared->limits, messages);
	dph_warn_of_stops(session, insertion->object, insertion->name, messages);
	return true;
}

bool dp_insertion_fit(struct dp_insertion *insertion, struct dp_session *session,
		      enum dp_failure_kind *kind, struct dp_messages *messages)
{
	struct dp_module_answer running;
	bool again;

	*kind = DP_FAILED_LINK;
	return fit_target(insertion, session, kind, messages) &&
	       fit_limits(insertion, session, kind, messages) &&
	       fit_phases(insertion, session, kind, messages) &&
	       dp_session_module(session, 0, &running) &&
	       move(insertion, session, &running, &again, kind, messages);
}

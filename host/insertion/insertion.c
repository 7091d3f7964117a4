/* SPDX-License-Identifier: BSD-2-Clause */
/* An insertion compiles a program, checks its needs against the agent, uploads and arms. */
#define _GNU_SOURCE
#include <dprobes/insertion.h>

#include "base/diag.h"
#include "base/pool.h"
#include "compile/compile.h"
#include <dprobes/errors.h>
#include "object/arena.h"
#include "object/parts.h"
#include "refusal.h"
#include "refused_points.h"
#include "stops.h"
#include "timed.h"
#include "source/source.h"

#include "dp_crc.h"
#include "dp_messages.h"
#include "dp_object.h"
#include "dp_record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	STACK_USUAL = 1024, /* words: decisions.txt C01 */
	SELECTION_BYTES = 32,
	NAMES_TRIED = 8,
	NUMBER_DIGITS = 3,
	NUMBERS = 255, /* of programs with one name; an agent has fewer programs */
};

struct dp_insertion {
	struct dp_insert_options options;
	struct dp_build_options build;
	char *name;
	bool is_text;
	bool name_used; /* the agent has refused its name */
	char *own_name; /* of a program in a text, before another name was chosen; null: none was */
	char *d_name;   /* of a D program in a text, when another one has its name; null: its own */
	char *data;     /* the file, source or object */
	size_t bytes;
	struct dph_cpp_output cpp; /* of the source, for each compilation of it */
	struct dp_object_file *object;
	uint8_t selection[SELECTION_BYTES];
	struct dp_choice choice;
};

/* --- selection --- */

/* Is this name in the list? Yes also when there is none. */
static bool listed(const char *const *names, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (name != NULL && strcmp(names[i], name) == 0)
			return true;
	return count == 0;
}

/* group and type are ANDed, members of one list ORed. */
static bool select_points(struct dp_insertion *insertion, struct dp_messages *messages)
{
	const struct dp_insert_options *o = &insertion->options;
	struct dp_program_info program;
	unsigned selected = 0;

	dp_object_program(insertion->object, &program);
	for (unsigned i = 0; i < program.points; i++) {
		struct dp_point_info point;

		if (dp_object_point(insertion->object, i, &point) &&
		    listed(o->groups, o->group_count, point.group) &&
		    listed(o->types, o->type_count, point.type)) {
			insertion->selection[i / 8] |= (uint8_t)(0x80 >> (i % 8));
			selected++;
		}
	}
	if (selected == 0) {
		dph_refusal(messages, "%s: no probe point is in these groups and types",
			    insertion->name);
		return false;
	}
	insertion->choice.selection = insertion->selection;
	if (selected < program.points) /* none: all of them */
		insertion->choice.selection_bytes = (program.points + 7) / 8;
	return true;
}

static struct dp_insertion *prepare(struct dp_insertion *insertion, struct dp_messages *messages)
{
	const struct dp_insert_options *o = &insertion->options;

	if (o->build != NULL)
		insertion->build = *o->build;
	insertion->build.log_max = insertion->build.trace_max = UINT16_MAX; /* dp_insertion_fit */
	insertion->choice.options = o->options;
	insertion->choice.items = o->items;
	if (insertion->data != NULL)
		insertion->object =
			dph_open_bytes(insertion->data, insertion->bytes, insertion->name,
				       &insertion->build, &insertion->cpp, messages);
	if (insertion->object != NULL && select_points(insertion, messages))
		return insertion;
	dp_insertion_free(insertion);
	return NULL;
}

static struct dp_insertion *begin(const char *name, const struct dp_insert_options *options)
{
	struct dp_insertion *insertion = dph_malloc(sizeof *insertion);

	*insertion = (struct dp_insertion){.options = *options, .name = dph_strdup(name)};
	return insertion;
}

struct dp_insertion *dp_insertion_file(const char *path, const struct dp_insert_options *options,
				       struct dp_messages *messages)
{
	struct dp_insertion *insertion = begin(path, options);

	insertion->data = dph_read_file(path, &insertion->bytes, messages);
	return prepare(insertion, messages);
}

struct dp_insertion *dp_insertion_text(const char *text, const char *name,
				       const struct dp_insert_options *options,
				       struct dp_messages *messages)
{
	struct dp_insertion *insertion = begin(name, options);

	insertion->is_text = true;
	insertion->data = dph_strdup(text);
	insertion->bytes = strlen(text);
	return prepare(insertion, messages);
}

void dp_insertion_free(struct dp_insertion *insertion)
{
	if (insertion == NULL)
		return;
	dp_object_free(insertion->object);
	dph_cpp_output_free(&insertion->cpp);
	free(insertion->data);
	free(insertion->name);
	free(insertion->d_name);
	free(insertion->own_name);
	free(insertion);
}

const struct dp_object_file *dp_insertion_object(const struct dp_insertion *insertion)
{
	return insertion->object;
}

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

/* Compile the program again, with changed options of the build. */
static bool build_again(struct dp_insertion *insertion, enum dp_failure_kind *kind,
			struct dp_messages *messages)
{
	struct dp_messages again = {0};
	struct dp_object_file *object =
		dph_open_bytes(insertion->data, insertion->bytes, insertion->name,
			       &insertion->build, &insertion->cpp, &again);

	dph_messages_drop_warnings(&again); /* they have been reported */
	if (object == NULL) {
		dph_messages_move(messages, &again);
		*kind = DP_FAILED_NOT;
		return false;
	}
	dp_messages_free(&again);
	dp_object_free(insertion->object);
	insertion->object = object;
	return true;
}

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
	return build_again(insertion, kind, messages);
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
		if (!build_again(insertion, kind, messages))
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
	if (!build_again(insertion, kind, messages))
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

static void leave_out(struct dp_insertion *insertion, unsigned point)
{
	struct dp_program_info program;

	dp_object_program(insertion->object, &program);
	insertion->choice.selection_bytes = (program.points + 7) / 8;
	insertion->selection[point / 8] &= (uint8_t) ~(0x80 >> point % 8);
}

/* Compile the program without these points. An object has them: they are not selected. */
static bool drop_returned(struct dp_insertion *insertion, enum dp_failure_kind *kind,
			  struct dp_messages *messages)
{
	struct dp_point_info point;

	insertion->build.lacks |= UINT64_C(1) << DP_PART_RETURN;
	if (!build_again(insertion, kind, messages))
		return false;
	for (unsigned i = 0; dp_object_point(insertion->object, i, &point); i++)
		if (point.phase == DP_PHASE_RETURNED)
			leave_out(insertion, i);
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
	if (!build_again(insertion, kind, messages))
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

/* --- names of texts --- */

/* The name of a program, as it was before another one was chosen. name: room for DP_TEXT_MAX
 * characters and a NUL. */
static void name_of(const struct dp_insertion *insertion, char *name)
{
	struct dp_program_info program;

	if (insertion->own_name != NULL) {
		snprintf(name, DP_TEXT_MAX + 1, "%s", insertion->own_name);
		return;
	}
	dp_object_program(insertion->object, &program);
	snprintf(name, DP_TEXT_MAX + 1, "%.*s", (int)program.name_bytes, program.name);
}

/* The search of a number behind a name. */
struct numbers {
	const char *name;
	bool used[NUMBERS + 1];
};

/* "trace" has the number 1, "trace2" the number 2. */
static bool note_number(void *context, const struct dp_program_answer *program)
{
	struct numbers *numbers = context;
	const size_t bytes = strlen(numbers->name);
	unsigned number = 1;
	int end = 0;

	if (strncmp(program->name, numbers->name, bytes) != 0)
		return true;
	if (program->name[bytes] != '\0' &&
	    (sscanf(program->name + bytes, "%3u%n", &number, &end) != 1 ||
	     program->name[bytes + (size_t)end] != '\0'))
		return true;
	if (number <= NUMBERS)
		numbers->used[number] = true;
	return true;
}

/* Give a D program of a text a name that no installed program has: users who run such programs at
 * the same time have not chosen their names. */
static bool choose_name(struct dp_insertion *insertion, struct dp_session *session,
			enum dp_failure_kind *kind, struct dp_messages *messages)
{
	const unsigned chosen = insertion->choice.options & (DP_INSERT_MERGE | DP_INSERT_REPLACE);
	char name[DP_TEXT_MAX + 1];
	struct numbers numbers = {.name = name};
	const struct dp_walk walk = {.context = &numbers, .program = note_number};
	struct dp_program_info program;
	unsigned number = 1;

	if (!insertion->is_text || chosen != 0 ||
	    (!insertion->name_used &&
	     (insertion->d_name != NULL || dp_session_target(session)->programs == 0)))
		return true;
	name_of(insertion, name);
	if (!dp_session_walk(session, &walk))
		return false;
	while (number < NUMBERS && numbers.used[number])
		number++;
	if (number == 1 ? insertion->d_name == NULL : strlen(name) + NUMBER_DIGITS > DP_TEXT_MAX)
		return true;
	if (insertion->own_name == NULL)
		insertion->own_name = dph_strdup(name);
	free(insertion->d_name);
	insertion->d_name = number > 1 ? dph_print("%s%u", name, number) : NULL;
	insertion->build.d_name = insertion->d_name;
	if (!build_again(insertion, kind, messages))
		return false;
	if (number == 1) /* its own name is free again */
		return true;
	dp_object_program(insertion->object, &program);
	insertion->is_text = program.name_bytes == strlen(insertion->d_name) &&
			     memcmp(program.name, insertion->d_name, program.name_bytes) == 0;
	return true; /* an RPN program has the name of its author */
}

static bool is_object_of(const struct dp_insertion *insertion,
			 const struct dp_program_answer *program)
{
	const struct dp_object_file *object = insertion->object;

	return program->bytes == object->travelling &&
	       program->crc == dp_crc32(0, object->data, object->travelling);
}

bool dp_insertion_made(struct dp_insertion *insertion, const struct dp_program_answer *program)
{
	char name[DP_TEXT_MAX + 1], *chosen = insertion->d_name;
	struct numbers numbers = {.name = name};
	struct dp_messages unsaid = {0};
	enum dp_failure_kind kind;
	bool made = is_object_of(insertion, program);

	name_of(insertion, name);
	note_number(&numbers, program);
	if (made || !insertion->is_text || memchr(numbers.used, 1, sizeof numbers.used) == NULL)
		return made;
	if (insertion->own_name == NULL)
		insertion->own_name = dph_strdup(name);
	insertion->build.d_name = insertion->d_name = dph_strdup(program->name);
	made = build_again(insertion, &kind, &unsaid) && is_object_of(insertion, program);
	if (!made) {
		free(insertion->d_name);
		insertion->build.d_name = insertion->d_name = chosen;
		build_again(insertion, &kind, &unsaid);
	} else {
		free(chosen);
	}
	dp_messages_free(&unsaid);
	return made;
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

/* --- upload --- */

static bool refused(const struct dp_insertion *insertion, struct dp_session *session,
		    uint16_t transaction, const struct dp_verdict *verdict,
		    enum dp_failure_kind *kind, struct dp_messages *messages)
{
	const struct dp_failure *failure = dp_session_failure(session);
	const struct dph_refused_upload upload = {
		.session = session,
		.object = insertion->object,
		.name = insertion->name,
		.transaction = transaction,
		.choice = &insertion->choice,
	};

	*kind = failure->kind;
	if (failure->error != DP_ERR_OK)
		dph_refused_points(&upload, verdict, messages);
	return false;
}

static bool commit(const struct dp_insertion *insertion, struct dp_session *session,
		   uint16_t transaction, struct dp_inserted *inserted)
{
	if (insertion->options.committing != NULL)
		insertion->options.committing(insertion->options.context);
	return dp_session_commit(session, transaction, &insertion->choice, inserted);
}

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
	return build_again(insertion, kind, messages);
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

/* HELLO's facts are checked before the first request, the others before a byte of the object
 * travels. */
static bool fits(struct dp_insertion *insertion, struct dp_session *session,
		 struct dp_prepared *prepared, enum dp_failure_kind *kind,
		 struct dp_messages *messages)
{
	if (!fit_target(insertion, session, kind, messages) ||
	    !same_target(insertion, session, kind, messages) ||
	    !fit_limits(insertion, session, kind, messages) ||
	    !fit_phases(insertion, session, kind, messages) ||
	    !has_parts(insertion, session, kind, messages) ||
	    !choose_name(insertion, session, kind, messages) ||
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

/* Commit without the points that may be left out and that the agent refuses. */
static bool commit_possible(struct dp_insertion *insertion, struct dp_session *session,
			    uint16_t transaction, struct dp_inserted *inserted,
			    struct dp_messages *messages)
{
	const struct dp_insert_options *options = &insertion->options;
	const char *first = NULL;
	unsigned left_out = 0;

	while (!commit(insertion, session, transaction, inserted)) {
		const struct dp_verdict *verdict = &inserted->verdict;

		if (options->may_leave_out == NULL || !dph_is_of_point(session, verdict) ||
		    !options->may_leave_out(options->context, verdict->probe))
			return false;
		first = left_out++ == 0 ? dp_error_sentence(verdict->error) : first;
		leave_out(insertion, verdict->probe);
	}
	if (left_out > 0)
		dph_reservation(messages,
				"%s: %u probe point(s) are left out: the agent refuses "
				"them (%s)",
				insertion->name, left_out, first);
	return true;
}

/* Compare, and send the object. */
static bool upload(struct dp_insertion *insertion, struct dp_session *session,
		   struct dp_prepared *prepared, enum dp_failure_kind *kind,
		   struct dp_messages *messages)
{
	*kind = DP_FAILED_LINK;
	return fits(insertion, session, prepared, kind, messages) &&
	       dp_session_send(session, insertion->object->data, insertion->object->travelling,
			       prepared);
}

static bool install(struct dp_insertion *insertion, struct dp_session *session,
		    struct dp_inserted *inserted, enum dp_failure_kind *kind,
		    struct dp_messages *messages)
{
	struct dp_prepared prepared;

	inserted->verdict.error = DP_ERR_OK;
	if (!upload(insertion, session, &prepared, kind, messages))
		return false;
	if (!commit_possible(insertion, session, prepared.transaction, inserted, messages))
		return refused(insertion, session, prepared.transaction, &inserted->verdict, kind,
			       messages);
	*kind = DP_FAILED_NOT;
	return true;
}

/* The error alone may be of an earlier request. */
static bool is_in_use(const struct dp_session *session)
{
	const struct dp_failure *failure = dp_session_failure(session);

	return failure->kind == DP_FAILED_AGENT && failure->error == DP_ERR_NAME_IN_USE;
}

/* Another user of the line may install a program of the same name between the choice of the name
 * and the upload. */
bool dp_insertion_install(struct dp_insertion *insertion, struct dp_session *session,
			  struct dp_inserted *inserted, enum dp_failure_kind *kind,
			  struct dp_messages *messages)
{
	struct dp_messages own = {0};
	bool good = install(insertion, session, inserted, kind, &own);

	for (unsigned i = 0; i < NAMES_TRIED && !good && insertion->is_text && is_in_use(session);
	     i++) {
		dp_messages_free(&own);
		insertion->name_used = true;
		good = install(insertion, session, inserted, kind, &own);
		insertion->name_used = false;
	}
	dph_messages_move(messages, &own);
	return good;
}

bool dp_insertion_check(struct dp_insertion *insertion, struct dp_session *session,
			enum dp_failure_kind *kind, struct dp_messages *messages)
{
	struct dp_prepared prepared;
	struct dp_verdict verdict = {.error = DP_ERR_OK};

	if (!upload(insertion, session, &prepared, kind, messages))
		return false;
	if (!dp_session_check(session, prepared.transaction, &insertion->choice, &verdict))
		return refused(insertion, session, prepared.transaction, &verdict, kind, messages);
	*kind = DP_FAILED_NOT;
	return true;
}

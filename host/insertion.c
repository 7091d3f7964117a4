/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include "cmd_insert.h"

#include "cli_tables.h"
#include "compile.h"
#include "dprobes_errors.h"
#include "parts.h"
#include "source.h"

#include "dp_object.h"
#include "dp_record.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
	STACK_USUAL = 1024 /* words: decisions.txt C01 */
};

/* --- the command line --- */

/* Words of a list value: "a b", "a,b". Calls take for each; false when take was. */
static bool each_word(const char *list, bool (*take)(void *context, const char *word),
		      void *context)
{
	char *copy = strdup(list), *rest = NULL;
	bool good = copy != NULL;

	for (char *word = copy == NULL ? NULL : strtok_r(copy, " ,\t", &rest); good && word != NULL;
	     word = strtok_r(NULL, " ,\t", &rest))
		good = take(context, word);
	free(copy);
	return good;
}

static bool each_value(const struct dp_cli *cli, enum dp_option option,
		       bool (*take)(void *context, const char *word), void *context)
{
	for (size_t i = 0; i < cli->value_count; i++)
		if (cli->values[i].option == option &&
		    !each_word(cli->values[i].value, take, context))
			return false;
	return true;
}

struct item_list {
	const struct dp_cli *cli;
	uint8_t items;
	int status;
};

/* Names of items.def, and how DProbes 3.6.4 spelled them. */
static bool take_item(void *context, const char *word)
{
	static const struct {
		const char *word;
		uint8_t item;
	} names[] = {
#define ITEM(bit, name, text, bytes) {text, bit},
#include "items.def"
		{"all", DP_ITEM_ALL}, {"procname", DP_ITEM_NAME}, {"cseip", DP_ITEM_PC},
		{"upsw", DP_ITEM_PC}, {"ssesp", DP_ITEM_SP},
	};
	struct item_list *list = context;

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		if (strcasecmp(word, names[i].word) == 0) {
			list->items |= names[i].item;
			return true;
		}
	}
	list->status = dp_cli_usage(
		list->cli,
		"--log: unknown item '%s'; there are CPU, NAME, PID, PC, SP, TSC and ALL", word);
	return false;
}

struct word_search {
	const char *name;
	bool given, found;
};

static bool compare_word(void *context, const char *word)
{
	struct word_search *search = context;

	search->given = true;
	if (search->name != NULL && strcmp(word, search->name) == 0)
		search->found = true;
	return true;
}

/* Is this name in the option's list? Yes also when the option was not given. */
static bool listed(const struct dp_cli *cli, enum dp_option option, const char *name)
{
	struct word_search search = {.name = name};

	each_value(cli, option, compare_word, &search);
	return !search.given || search.found;
}

/* group and type are ANDed, members of one list ORed. */
static bool select_points(const struct dp_cli *cli, struct dp_insertion *insertion, int *status)
{
	struct dp_program_info program;
	unsigned selected = 0;

	dp_object_program(insertion->object, &program);
	for (unsigned i = 0; i < program.points; i++) {
		struct dp_point_info point;

		if (dp_object_point(insertion->object, i, &point) &&
		    listed(cli, DP_OPT_GROUP, point.group) &&
		    listed(cli, DP_OPT_TYPE, point.type)) {
			insertion->selection[i / 8] |= (uint8_t)(0x80 >> (i % 8));
			selected++;
		}
	}
	if (selected == 0) {
		*status = dp_cli_usage(cli, "%s: no probe point is in these groups and types",
				       insertion->path);
		return false;
	}
	insertion->choice.selection = insertion->selection;
	if (selected < program.points) /* none: all of them */
		insertion->choice.selection_bytes = (program.points + 7) / 8;
	return true;
}

static bool stop(void *context, const char *word)
{
	(void)context;
	(void)word;
	return false;
}

/* `--group ,` would choose all. */
static bool has_words(const struct dp_cli *cli, enum dp_option option, int *status)
{
	if (!dp_cli_has(cli, option) || !each_value(cli, option, stop, NULL))
		return true;
	*status = dp_cli_usage(cli, "the list of --%s is empty", dph_options[option].name);
	return false;
}

static bool choose(const struct dp_cli *cli, struct dp_insertion *insertion, int *status)
{
	struct item_list list = {.cli = cli};

	if (!has_words(cli, DP_OPT_GROUP, status) || !has_words(cli, DP_OPT_TYPE, status) ||
	    !has_words(cli, DP_OPT_LOG, status))
		return false;
	if (dp_cli_has(cli, DP_OPT_MERGE) && dp_cli_has(cli, DP_OPT_REPLACE)) {
		*status = dp_cli_usage(cli, "--merge and --replace exclude one another");
		return false;
	}
	if (!each_value(cli, DP_OPT_LOG, take_item, &list)) {
		*status = list.status;
		return false;
	}
	insertion->choice.items = list.items;
	if (dp_cli_has(cli, DP_OPT_MERGE))
		insertion->choice.options |= DP_INSERT_MERGE;
	if (dp_cli_has(cli, DP_OPT_REPLACE))
		insertion->choice.options |= DP_INSERT_REPLACE;
	if (dp_cli_has(cli, DP_OPT_DONT_VERIFY))
		insertion->choice.options |= DP_INSERT_ANY_OPCODE;
	return select_points(cli, insertion, status);
}

bool dp_insertion_prepare(const struct dp_cli *cli, struct dp_insertion *insertion, int *status)
{
	struct dp_build_options options;
	struct dp_messages messages = {0};
	struct dp_program_info program;

	memset(insertion, 0, sizeof *insertion);
	insertion->path = cli->args[0];
	insertion->data = dph_read_file(insertion->path, &insertion->bytes, &messages);
	if (insertion->data != NULL) {
		options = dp_cli_build_options(cli);
		options.log_max = options.trace_max = UINT16_MAX; /* within_limits */
		insertion->object = dph_open_bytes(insertion->data, insertion->bytes,
						   insertion->path, &options, &messages);
		dp_cli_build_options_free(&options);
	}
	dp_cli_report(cli, &messages);
	*status = DP_EXIT_USAGE;
	if (insertion->object == NULL || !choose(cli, insertion, status))
		return false;
	dp_object_program(insertion->object, &program);
	snprintf(insertion->left, sizeof insertion->left,
		 "dprobes: error: the program may still be on the target; "
		 "'dprobes list' shows whether it is, 'dprobes remove %.*s' removes it\n",
		 (int)program.name_bytes, program.name);
	return true;
}

void dp_insertion_free(struct dp_insertion *insertion)
{
	dp_target_leaves(NULL);
	dp_object_free(insertion->object);
	free(insertion->data);
}

static bool left_out(const struct dp_cli *cli, const char *where, unsigned part, int *status)
{
	dp_cli_error(cli,
		     "%s: the agent was built without %s; do without it, or build the firmware "
		     "with DP_WITH_%s",
		     where, dp_part_sentence(part), dp_part_name(part));
	*status = DP_EXIT_AGENT;
	return false;
}

/* --- identity --- */

static void hex(char *text, const uint8_t *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		sprintf(text + 2 * i, "%02x", bytes[i]);
	text[2 * count] = '\0';
}

static bool wrong_image(const struct dp_cli *cli, const struct dp_insertion *insertion,
			const uint8_t *built, const uint8_t *running, size_t bytes, int *status)
{
	char ours[2 * DP_IDENTITY_BYTES + 1], theirs[2 * DP_IDENTITY_BYTES + 1];

	hex(ours, built, bytes);
	hex(theirs, running, bytes);
	dp_cli_error(cli,
		     "%s was built against another firmware image: its build-id is %s, the target "
		     "runs %s; use the ELF that is running (--elf)",
		     insertion->path, ours, theirs);
	*status = DP_EXIT_AGENT;
	return false;
}

/* The agent compares as well; here both numbers can be shown, before a byte is sent. */
static bool same_image(const struct dp_cli *cli, struct dp_session *session,
		       struct dp_insertion *insertion, int *status)
{
	struct dp_module_info built;
	struct dp_target_module running;
	size_t bytes;

	if (!dp_object_module(insertion->object, 0, &built))
		return true;
	if (built.identity == DP_IDENTITY_NONE) {
		if (!cli->quiet)
			fprintf(stderr,
				"dprobes: warning: %s was built without an ELF: nothing proves "
				"that "
				"it fits this firmware\n",
				insertion->path);
		insertion->choice.options |= DP_INSERT_NO_IDENTITY;
		return true;
	}
	if (built.identity == DP_IDENTITY_TEXT_CRC &&
	    !(dp_session_target(session)->parts >> DP_PART_IDENTITY & 1))
		return left_out(cli, insertion->path, DP_PART_IDENTITY, status);
	if (built.type != DP_MODULE_KERNEL || built.identity != DP_IDENTITY_BUILD_ID)
		return true;
	if (!dp_session_module(session, 0, &running)) {
		*status = dp_target_failed(cli, session);
		return false;
	}
	bytes = running.id_bytes < DP_IDENTITY_BYTES ? running.id_bytes : DP_IDENTITY_BYTES;
	if (running.identity != DP_IDENTITY_BUILD_ID || memcmp(built.id, running.id, bytes) == 0)
		return true;
	return wrong_image(cli, insertion, built.id, running.id, bytes, status);
}

static bool same_target(const struct dp_cli *cli, struct dp_session *session,
			const struct dp_insertion *insertion, int *status)
{
	const struct dp_hello *target = dp_session_target(session);
	struct dp_program_info program;

	dp_object_program(insertion->object, &program);
	if (program.cpu == target->cpu && program.word_bytes == target->word_bytes &&
	    program.big_endian == (target->big_endian != 0))
		return true;
	dp_cli_error(cli,
		     "%s was built for %s, %u-bit %s-endian; the target is %s, %u-bit %s-endian; "
		     "build it with the ELF of this firmware",
		     insertion->path, dp_cpu_text(program.cpu), program.word_bytes * 8,
		     program.big_endian ? "big" : "little", dp_cpu_text(target->cpu),
		     target->word_bytes * 8, target->big_endian ? "big" : "little");
	*status = DP_EXIT_REFUSED;
	return false;
}

/* --- parts of the agent --- */

static bool is_selected(const struct dp_choice *choice, unsigned point)
{
	return point / 8 >= choice->selection_bytes ||
	       (choice->selection[point / 8] << point % 8 & 0x80) != 0;
}

/* Does a selected point want to run behind its instruction? Then *entry is its handler. */
static bool after_instruction(const struct dp_insertion *insertion, uint32_t *entry)
{
	struct dp_point_info point;

	for (unsigned i = 0; dp_object_point(insertion->object, i, &point); i++)
		if (is_selected(&insertion->choice, i) && point.phase != DP_PHASE_BEFORE) {
			*entry = point.entry;
			return true;
		}
	return false;
}

/* Is a selected point where another one is? Then *entry is its handler. */
static bool one_place_twice(const struct dp_insertion *insertion, uint32_t *entry)
{
	struct dp_point_info a, b;

	for (unsigned i = 0; dp_object_point(insertion->object, i, &a); i++)
		for (unsigned j = 0; is_selected(&insertion->choice, i) && j < i; j++)
			if (is_selected(&insertion->choice, j) &&
			    dp_object_point(insertion->object, j, &b) && a.module == b.module &&
			    a.address == b.address) {
				*entry = a.entry;
				return true;
			}
	return false;
}

/* The agent refuses it as well; here the source line is known, before a byte is sent. */
static bool has_parts(const struct dp_cli *cli, const struct dp_session *session,
		      const struct dp_insertion *insertion, int *status)
{
	const uint32_t parts = dp_session_target(session)->parts;
	const struct dp_choice *choice = &insertion->choice;
	char text[320];
	const char *file;
	unsigned part, line;
	uint32_t where;

	snprintf(text, sizeof text, "%s", insertion->path);
	bool missing = dph_part_missing(insertion->object, parts, &part, &where);
	if (!missing && !(parts >> DP_PART_CHAINS & 1)) {
		part = DP_PART_CHAINS;
		missing = one_place_twice(insertion, &where);
	}
	if (!missing && !(parts >> DP_PART_PHASES & 1)) {
		part = DP_PART_PHASES;
		missing = after_instruction(insertion, &where);
	}
	if (missing) {
		if (where != UINT32_MAX && dp_object_line(insertion->object, where, &file, &line))
			snprintf(text, sizeof text, "%s:%u", file, line);
		return left_out(cli, text, part, status);
	}
	if (choice->items != 0 && !(parts >> DP_PART_ITEMS & 1))
		return left_out(cli, "--log", DP_PART_ITEMS, status);
	if ((choice->items & DP_ITEM_TSC) && !(parts >> DP_PART_TIMES & 1))
		return left_out(cli, "--log TSC", DP_PART_TIMES, status);
	if (choice->selection_bytes != 0 && !(parts >> DP_PART_SELECT & 1))
		return left_out(cli, "--group or --type", DP_PART_SELECT, status);
	if ((choice->options & (DP_INSERT_MERGE | DP_INSERT_REPLACE)) &&
	    !(parts >> DP_PART_MERGE & 1))
		return left_out(cli, text, DP_PART_MERGE, status);
	return true;
}

/* decisions.txt C01: a program may have been written for more. */
static bool stack_is_usual(const struct dp_cli *cli, struct dp_session *session, int *status)
{
	struct dp_target_limits limits;

	if (cli->quiet || !(dp_session_target(session)->parts >> DP_PART_LIMITS & 1))
		return true;
	if (!dp_session_limits(session, &limits)) {
		*status = dp_target_failed(cli, session);
		return false;
	}
	if (limits.stack < STACK_USUAL)
		fprintf(stderr,
			"dprobes: warning: the RPN stack of this agent has %u words, %u are usual: "
			"a program that needs more overwrites its oldest ones\n",
			limits.stack, (unsigned)STACK_USUAL);
	return true;
}

/* RPN.md 2: logmax and excpt_log that the source does not set are at most what the agent allows;
 * what it sets is refused at its line. An object is as it is: the agent refuses it. */
static bool within_limits(const struct dp_cli *cli, const struct dp_session *session,
			  struct dp_insertion *insertion, int *status)
{
	const struct dp_hello *target = dp_session_target(session);
	struct dp_build_options options;
	struct dp_messages messages = {0};
	struct dp_object_file *object;
	struct dp_program_info program;

	dp_object_program(insertion->object, &program);
	if (target->log_max == 0 ||
	    (program.logmax <= target->log_max && program.excpt_log <= target->trace_max))
		return true;
	options = dp_cli_build_options(cli);
	options.log_max = target->log_max;
	options.trace_max = target->trace_max;
	object = dph_open_bytes(insertion->data, insertion->bytes, insertion->path, &options,
				&messages);
	dp_cli_build_options_free(&options);
	if (object == NULL) {
		dp_cli_report(cli, &messages);
		*status = DP_EXIT_USAGE;
		return false;
	}
	dp_messages_free(&messages); /* its warnings have been told */
	dp_object_free(insertion->object);
	insertion->object = object;
	return true;
}

/* --- upload --- */

void dp_insertion_progress(const struct dp_cli *cli, uint32_t done, uint32_t total)
{
	if (!cli->quiet && cli->terminal)
		fprintf(stderr, "\rupload: %u of %u bytes%s", done, total,
			done == total ? "\n" : "");
}

/* "FILE:LINE" of a verdict about code, "FILE, probe point N at 0x..." of one about a point. */
static void place(const struct dp_insertion *insertion, const struct dp_verdict *verdict,
		  char *text, size_t room)
{
	struct dp_point_info point;
	const char *file;
	unsigned line;

	if (verdict->error >= DP_ERR_BAD_OPCODE && verdict->error <= DP_ERR_BAD_ENTRY &&
	    dp_object_line(insertion->object, verdict->where, &file, &line))
		snprintf(text, room, "%s:%u", file, line);
	else if (dp_object_point(insertion->object, verdict->probe, &point))
		snprintf(text, room, "%s: probe point %u (minor %u, 0x%08" PRIx64 ")",
			 insertion->path, verdict->probe, point.minor, point.address);
	else
		snprintf(text, room, "%s", insertion->path);
}

static void found(const struct dp_insertion *insertion, const struct dp_verdict *verdict,
		  char *text, size_t room)
{
	struct dp_point_info point;

	text[0] = '\0';
	if (verdict->error == DP_ERR_OPCODE_MISMATCH &&
	    dp_object_point(insertion->object, verdict->probe, &point))
		snprintf(text, room, " (expected 0x%08" PRIx32 ", found 0x%08" PRIx32 ")",
			 point.opcode, verdict->found);
	else if (verdict->error == DP_ERR_NOT_PROBEABLE || verdict->error == DP_ERR_FOREIGN_BREAK)
		snprintf(text, room, " (found 0x%08" PRIx32 ")", verdict->found);
	else if (verdict->error == DP_ERR_LEFT_OUT && verdict->found >= DP_FOUND_PART &&
		 dp_part_name(verdict->found - DP_FOUND_PART) != NULL)
		snprintf(text, room, ": DP_WITH_%s", dp_part_name(verdict->found - DP_FOUND_PART));
	else if (verdict->error == DP_ERR_NOT_PERMITTED)
		snprintf(text, room, " (refused by:%s%s%s)",
			 verdict->found & 1 ? " the agent's build" : "",
			 verdict->found & 2 ? " the object" : "",
			 verdict->found & 4 ? " this session" : "");
}

static bool refused(const struct dp_cli *cli, const struct dp_session *session,
		    const struct dp_insertion *insertion, const struct dp_verdict *verdict,
		    int *status)
{
	const struct dp_failure *failure = dp_session_failure(session);
	char where[320], what[128] = "";

	if (failure->error == DP_ERR_OK) {
		*status = dp_target_failed(cli, session);
		return false;
	}
	snprintf(where, sizeof where, "%s", insertion->path);
	if (dp_session_target(session)->parts >> DP_PART_DETAILS & 1) { /* else it is all zeros */
		place(insertion, verdict, where, sizeof where);
		found(insertion, verdict, what, sizeof what);
	} else if (failure->error == DP_ERR_LEFT_OUT) { /* has_parts has seen to all others */
		snprintf(what, sizeof what,
			 ": the instruction set of a probe point, or DP_WITH_CHAINS, where "
			 "another program has a probe at one of its addresses");
	}
	dp_cli_error(cli, "%s: %s%s", where, failure->text, what);
	*status = dp_failure_status(failure);
	return false;
}

static bool commit(struct dp_session *session, uint16_t transaction, struct dp_insertion *insertion)
{
	dp_target_leaves(insertion->left); /* nobody knows before the answer */
	return dp_session_commit(session, transaction, &insertion->choice, &insertion->inserted);
}

bool dp_insertion_install(const struct dp_cli *cli, struct dp_session *session,
			  struct dp_insertion *insertion, int *status)
{
	const struct dp_object_file *object;
	uint16_t transaction;

	if (!same_target(cli, session, insertion, status) ||
	    !within_limits(cli, session, insertion, status) ||
	    !same_image(cli, session, insertion, status) ||
	    !has_parts(cli, session, insertion, status) || !stack_is_usual(cli, session, status))
		return false;
	object = insertion->object;
	if (!dp_session_upload(session, object->data, object->travelling, &transaction)) {
		*status = dp_target_failed(cli, session);
		return false;
	}
	if (!dp_session_check(session, transaction, &insertion->choice,
			      &insertion->inserted.verdict) ||
	    !commit(session, transaction, insertion)) {
		dp_target_leaves(NULL);
		return refused(cli, session, insertion, &insertion->inserted.verdict, status);
	}
	*status = DP_EXIT_DONE;
	return true;
}

void dp_insertion_tell(const struct dp_insertion *insertion, FILE *out)
{
	const struct dp_inserted *in = &insertion->inserted;
	struct dp_program_info program;

	dp_object_program(insertion->object, &program);
	fprintf(out, "inserted: %.*s as program %u, %u probe(s) armed", program.name_bytes,
		program.name, in->program, in->armed);
	if (in->waiting > 0)
		fprintf(out, ", %u waiting for their module", in->waiting);
	putc('\n', out);
}

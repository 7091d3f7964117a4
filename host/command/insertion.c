/* SPDX-License-Identifier: BSD-2-Clause */
/* An insertion compiles a program, checks its needs against the agent, uploads, arms and
 * reports. */
#define _GNU_SOURCE
#include "cmd_insert.h"

#include "cli_tables.h"
#include "compile/compile.h"
#include <dprobes/errors.h>
#include "object/parts.h"
#include "source/source.h"

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

static bool each_value(const struct dph_cli *cli, enum dph_cli_option option,
		       bool (*take)(void *context, const char *word), void *context)
{
	for (size_t i = 0; i < cli->value_count; i++)
		if (cli->values[i].option == option &&
		    !each_word(cli->values[i].value, take, context))
			return false;
	return true;
}

struct item_list {
	const struct dph_cli *cli;
	uint8_t items;
	int status;
};

/* Names of items.def, and how DProbes 3.6.4 spelled them. PSW and UPSW: of a status word of S/390,
 * the address is what every CPU has. */
static bool take_item(void *context, const char *word)
{
	static const struct {
		const char *word;
		uint8_t item;
	} names[] = {
#define ITEM(bit, name, text, bytes) {text, bit},
#include "items.def"
		{"all", DP_ITEM_ALL}, {"procname", DP_ITEM_NAME}, {"cseip", DP_ITEM_PC},
		{"psw", DP_ITEM_PC},  {"upsw", DP_ITEM_PC},       {"ssesp", DP_ITEM_SP},
	};
	struct item_list *list = context;

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		if (strcasecmp(word, names[i].word) == 0) {
			list->items |= names[i].item;
			return true;
		}
	}
	list->status = dph_cli_usage(
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
static bool listed(const struct dph_cli *cli, enum dph_cli_option option, const char *name)
{
	struct word_search search = {.name = name};

	each_value(cli, option, compare_word, &search);
	return !search.given || search.found;
}

/* group and type are ANDed, members of one list ORed. */
static bool select_points(const struct dph_cli *cli, struct dph_insertion *insertion, int *status)
{
	struct dp_program_info program;
	unsigned selected = 0;

	dp_object_program(insertion->object, &program);
	for (unsigned i = 0; i < program.points; i++) {
		struct dp_point_info point;

		if (dp_object_point(insertion->object, i, &point) &&
		    listed(cli, DPH_OPT_GROUP, point.group) &&
		    listed(cli, DPH_OPT_TYPE, point.type)) {
			insertion->selection[i / 8] |= (uint8_t)(0x80 >> (i % 8));
			selected++;
		}
	}
	if (selected == 0) {
		*status = dph_cli_usage(cli, "%s: no probe point is in these groups and types",
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
static bool has_words(const struct dph_cli *cli, enum dph_cli_option option, int *status)
{
	if (!dph_cli_has(cli, option) || !each_value(cli, option, stop, NULL))
		return true;
	*status = dph_cli_usage(cli, "the list of --%s is empty", dph_options[option].name);
	return false;
}

static bool choose(const struct dph_cli *cli, struct dph_insertion *insertion, int *status)
{
	struct item_list list = {.cli = cli};

	if (!has_words(cli, DPH_OPT_GROUP, status) || !has_words(cli, DPH_OPT_TYPE, status) ||
	    !has_words(cli, DPH_OPT_LOG, status))
		return false;
	if (dph_cli_has(cli, DPH_OPT_MERGE) && dph_cli_has(cli, DPH_OPT_REPLACE)) {
		*status = dph_cli_usage(cli, "--merge and --replace exclude one another");
		return false;
	}
	if (!each_value(cli, DPH_OPT_LOG, take_item, &list)) {
		*status = list.status;
		return false;
	}
	insertion->choice.items = list.items;
	if (dph_cli_has(cli, DPH_OPT_MERGE))
		insertion->choice.options |= DP_INSERT_MERGE;
	if (dph_cli_has(cli, DPH_OPT_REPLACE))
		insertion->choice.options |= DP_INSERT_REPLACE;
	if (dph_cli_has(cli, DPH_OPT_DONT_VERIFY))
		insertion->choice.options |= DP_INSERT_ANY_OPCODE;
	return select_points(cli, insertion, status);
}

bool dph_insertion_prepare(const struct dph_cli *cli, struct dph_insertion *insertion, int *status)
{
	struct dp_build_options options;
	struct dp_messages messages = {0};
	struct dp_program_info program;

	memset(insertion, 0, sizeof *insertion);
	insertion->path = cli->args[0];
	insertion->data = dph_read_file(insertion->path, &insertion->bytes, &messages);
	if (insertion->data != NULL) {
		options = dph_cli_build_options(cli);
		options.log_max = options.trace_max = UINT16_MAX; /* dph_insertion_fit */
		insertion->object = dph_open_bytes(insertion->data, insertion->bytes,
						   insertion->path, &options, &messages);
		dph_cli_build_options_free(&options);
	}
	dph_cli_report(cli, &messages);
	*status = DPH_EXIT_USAGE;
	if (insertion->object == NULL || !choose(cli, insertion, status))
		return false;
	dp_object_program(insertion->object, &program);
	snprintf(insertion->left, sizeof insertion->left,
		 "dprobes: error: the program may still be on the target; "
		 "'dprobes list' shows whether it is, 'dprobes remove %.*s' removes it\n",
		 (int)program.name_bytes, program.name);
	return true;
}

void dph_insertion_free(struct dph_insertion *insertion)
{
	dph_target_leaves(NULL);
	dp_object_free(insertion->object);
	free(insertion->data);
}

static bool left_out(const struct dph_cli *cli, const char *where, unsigned part, int *status)
{
	dph_cli_error(cli,
		      "%s: the agent was built without %s; avoid the feature, or build the "
		      "firmware with DP_WITH_%s",
		      where, dp_part_sentence(part), dp_part_feature(part));
	*status = DPH_EXIT_AGENT;
	return false;
}

/* --- identity --- */

static void hex(char *text, const uint8_t *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		sprintf(text + 2 * i, "%02x", bytes[i]);
	text[2 * count] = '\0';
}

static bool wrong_image(const struct dph_cli *cli, const struct dph_insertion *insertion,
			const uint8_t *built, const uint8_t *running, size_t bytes, int *status)
{
	char ours[2 * DP_IDENTITY_BYTES + 1], theirs[2 * DP_IDENTITY_BYTES + 1];

	hex(ours, built, bytes);
	hex(theirs, running, bytes);
	dph_cli_error(cli,
		      "%s was built against another firmware image: its build-id is %s, the target "
		      "runs %s; use the ELF that is running (--elf)",
		      insertion->path, ours, theirs);
	*status = DPH_EXIT_AGENT;
	return false;
}

/* The agent compares as well; here both numbers can be shown, before a byte is sent. */
static bool same_image(const struct dph_cli *cli, struct dp_session *session,
		       struct dph_insertion *insertion, int *status)
{
	struct dp_module_info built;
	struct dp_module_answer running;
	size_t bytes;

	if (!dp_object_module(insertion->object, 0, &built))
		return true;
	if (built.identity == DP_IDENTITY_NONE) {
		if (!cli->quiet)
			fprintf(stderr,
				"dprobes: warning: %s was built without an ELF: nothing proves "
				"that the program fits this firmware\n",
				insertion->path);
		insertion->choice.options |= DP_INSERT_NO_IDENTITY;
		return true;
	}
	if (built.type != DP_MODULE_KERNEL || built.identity != DP_IDENTITY_BUILD_ID)
		return true;
	if (!dp_session_module(session, 0, &running)) {
		*status = dph_target_failed(cli, session);
		return false;
	}
	bytes = running.id.count < DP_IDENTITY_BYTES ? running.id.count : DP_IDENTITY_BYTES;
	if (running.identity != DP_IDENTITY_BUILD_ID ||
	    memcmp(built.id, running.id.bytes, bytes) == 0)
		return true;
	return wrong_image(cli, insertion, built.id, running.id.bytes, bytes, status);
}

static bool same_target(const struct dph_cli *cli, struct dp_session *session,
			const struct dph_insertion *insertion, int *status)
{
	const struct dp_hello_answer *target = dp_session_target(session);
	struct dp_program_info program;

	dp_object_program(insertion->object, &program);
	if (program.cpu == target->cpu && program.word_bytes == target->word_bytes &&
	    program.big_endian == (target->big_endian != 0))
		return true;
	dph_cli_error(cli,
		      "%s was built for %s, %u-bit %s-endian; the target is %s, %u-bit %s-endian; "
		      "build it with the ELF of this firmware",
		      insertion->path, dp_cpu_text(program.cpu), program.word_bytes * 8,
		      program.big_endian ? "big" : "little", dp_cpu_text(target->cpu),
		      target->word_bytes * 8, target->big_endian ? "big" : "little");
	*status = DPH_EXIT_REFUSED;
	return false;
}

/* --- features of the agent --- */

/* The agent refuses it as well; here the source line is known, before a byte is sent. */
static bool has_parts(const struct dph_cli *cli, const struct dp_session *session,
		      const struct dph_insertion *insertion, int *status)
{
	const uint64_t parts = dp_hello_parts(dp_session_target(session));
	char text[320];
	const char *file;
	unsigned part, line;
	uint32_t where;

	snprintf(text, sizeof text, "%s", insertion->path);
	bool missing = dph_part_missing(insertion->object, parts, &part, &where);
	if (missing) {
		if (where != UINT32_MAX && dp_object_line(insertion->object, where, &file, &line))
			snprintf(text, sizeof text, "%s:%u", file, line);
		return left_out(cli, text, part, status);
	}
	if (insertion->choice.items != 0 && !(parts >> DP_PART_ITEMS & 1))
		return left_out(cli, "--log", DP_PART_ITEMS, status);
	return true;
}

/* decisions.txt C01: a program may have been written for more. */
static bool stack_is_usual(const struct dph_cli *cli, struct dp_session *session, int *status)
{
	struct dp_limits_answer limits;

	if (cli->quiet)
		return true;
	if (!dp_session_limits(session, &limits)) {
		*status = dph_target_failed(cli, session);
		return false;
	}
	if (limits.stack < STACK_USUAL)
		fprintf(stderr,
			"dprobes: warning: the RPN stack of this agent has %u words, %u are usual: "
			"a program that needs more overwrites its oldest ones\n",
			limits.stack, (unsigned)STACK_USUAL);
	return true;
}

/* RPN.md 2: logmax and excpt_log that the source does not set are at most the agent's limits. A
 * value of the source above a limit is refused at its line. The host does not change an object:
 * the agent refuses the object. */
bool dph_insertion_fit(const struct dph_cli *cli, const struct dp_session *session,
		       struct dph_insertion *insertion, int *status)
{
	const struct dp_hello_answer *target = dp_session_target(session);
	struct dp_build_options options;
	struct dp_messages messages = {0};
	struct dp_object_file *object;
	struct dp_program_info program;

	dp_object_program(insertion->object, &program);
	if (target->log_max == 0 ||
	    (program.logmax <= target->log_max && program.excpt_log <= target->trace_max))
		return true;
	options = dph_cli_build_options(cli);
	options.log_max = target->log_max;
	options.trace_max = target->trace_max;
	object = dph_open_bytes(insertion->data, insertion->bytes, insertion->path, &options,
				&messages);
	dph_cli_build_options_free(&options);
	if (object == NULL) {
		dph_cli_report(cli, &messages);
		*status = DPH_EXIT_USAGE;
		return false;
	}
	dp_messages_free(&messages); /* the warnings of the object were printed before */
	dp_object_free(insertion->object);
	insertion->object = object;
	return true;
}

/* --- upload --- */

void dph_insertion_progress(struct dph_progress *progress, uint32_t done, uint32_t total)
{
	const uint64_t now = dp_clock_ms();
	char pace[64] = "";

	if (progress->cli->quiet || !progress->cli->terminal)
		return;
	if (progress->began_ms == 0) {
		progress->began_ms = now;
		progress->first = done;
	}
	if (now > progress->began_ms && done > progress->first) {
		const uint64_t ms = now - progress->began_ms, moved = done - progress->first;

		snprintf(pace, sizeof pace, ", %" PRIu64 " bytes/s, %" PRIu64 " s left",
			 moved * 1000 / ms, ((total - done) * ms / moved + 999) / 1000);
	}
	fprintf(stderr, "\rupload: %u of %u bytes%-34s%s", done, total, pace,
		done == total ? "\n" : "");
}

/* "FILE:LINE" of a verdict about code, "FILE, probe point N at 0x..." of one about a point. */
static void place(const struct dph_insertion *insertion, const struct dp_verdict *verdict,
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

static void found(const struct dph_insertion *insertion, const struct dp_verdict *verdict,
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
		 dp_part_feature(verdict->found - DP_FOUND_PART) != NULL)
		snprintf(text, room, ": DP_WITH_%s",
			 dp_part_feature(verdict->found - DP_FOUND_PART));
	else if (verdict->error == DP_ERR_NOT_PERMITTED)
		snprintf(text, room, " (refused by:%s%s%s)",
			 verdict->found & 1 ? " the agent's build" : "",
			 verdict->found & 2 ? " the object" : "",
			 verdict->found & 4 ? " this session" : "");
}

static bool refused(const struct dph_cli *cli, const struct dp_session *session,
		    const struct dph_insertion *insertion, const struct dp_verdict *verdict,
		    int *status)
{
	const struct dp_failure *failure = dp_session_failure(session);
	char where[320], what[128] = "";

	if (failure->error == DP_ERR_OK) {
		*status = dph_target_failed(cli, session);
		return false;
	}
	snprintf(where, sizeof where, "%s", insertion->path);
	if (dp_session_target(session)->parts >> DP_PART_DETAILS & 1) { /* else it is all zeros */
		place(insertion, verdict, where, sizeof where);
		found(insertion, verdict, what, sizeof what);
	} else if (failure->error == DP_ERR_LEFT_OUT) { /* has_parts has checked everything else */
		snprintf(what, sizeof what, ": the instruction set of a probe point");
	}
	dph_cli_error(cli, "%s: %s%s", where, failure->text, what);
	*status = dph_failure_status(failure);
	return false;
}

static bool commit(struct dp_session *session, uint16_t transaction,
		   struct dph_insertion *insertion)
{
	dph_target_leaves(insertion->left); /* not known before the answer */
	return dp_session_commit(session, transaction, &insertion->choice, &insertion->inserted);
}

bool dph_insertion_install(const struct dph_cli *cli, struct dp_session *session,
			   struct dph_insertion *insertion, int *status)
{
	const struct dp_object_file *object;
	uint16_t transaction;

	if (!same_target(cli, session, insertion, status) ||
	    !dph_insertion_fit(cli, session, insertion, status) ||
	    !same_image(cli, session, insertion, status) ||
	    !has_parts(cli, session, insertion, status) || !stack_is_usual(cli, session, status))
		return false;
	object = insertion->object;
	if (!dp_session_upload(session, object->data, object->travelling, &transaction)) {
		*status = dph_target_failed(cli, session);
		return false;
	}
	if (!dp_session_check(session, transaction, &insertion->choice,
			      &insertion->inserted.verdict) ||
	    !commit(session, transaction, insertion)) {
		dph_target_leaves(NULL);
		return refused(cli, session, insertion, &insertion->inserted.verdict, status);
	}
	*status = DPH_EXIT_DONE;
	return true;
}

void dph_insertion_tell(const struct dph_insertion *insertion, struct dp_sink *sink)
{
	struct dp_program_info program;
	struct dp_inserted_view view = {.inserted = &insertion->inserted};
	char name[256];

	dp_object_program(insertion->object, &program);
	snprintf(name, sizeof name, "%.*s", (int)program.name_bytes, program.name);
	view.program = name;
	dp_sink_reading(sink, DP_READING_INSERTED, &view);
}

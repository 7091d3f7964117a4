/* SPDX-License-Identifier: BSD-2-Clause */
/* The command line of an insertion, its progress and its failures. */
#define _GNU_SOURCE
#include "cmd_insert.h"

#include "installed.h"
#include "kept.h"
#include "base/pool.h"
#include "lang/d/d.h"

#include "dp_record.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

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

/* Names of items.def, and the spellings of DProbes 3.6.4. PSW and UPSW: a status word of S/390,
 * of which every CPU has the address. */
static bool take_item(void *context, const char *word)
{
	static const struct {
		const char *word;
		uint8_t item;
	} names[] = {
#define DP_ITEM(bit, name, text, bytes) {text, bit},
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

bool dph_items_of(const struct dph_cli *cli, uint8_t *items, int *status)
{
	struct item_list list = {.cli = cli};

	if (!each_value(cli, DPH_OPT_LOG, take_item, &list)) {
		*status = list.status;
		return false;
	}
	*items = list.items;
	return true;
}

/* Words of an option, for the library. */
struct names {
	const char **list;
	size_t count, capacity;
};

static bool keep_word(void *context, const char *word)
{
	struct names *names = context;

	names->list = dph_grow(names->list, &names->capacity, names->count, sizeof *names->list);
	names->list[names->count++] = dph_strdup(word);
	return true;
}

static void free_names(const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free((char *)names[i]);
	free((void *)names);
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

static bool choose(const struct dph_cli *cli, struct dp_insert_options *options, int *status)
{
	struct names groups = {0}, types = {0};

	if (!has_words(cli, DPH_OPT_GROUP, status) || !has_words(cli, DPH_OPT_TYPE, status) ||
	    !has_words(cli, DPH_OPT_LOG, status))
		return false;
	if (dph_cli_has(cli, DPH_OPT_MERGE) && dph_cli_has(cli, DPH_OPT_REPLACE)) {
		*status = dph_cli_usage(cli, "--merge and --replace exclude one another");
		return false;
	}
	if (!dph_items_of(cli, &options->items, status))
		return false;
	each_value(cli, DPH_OPT_GROUP, keep_word, &groups);
	each_value(cli, DPH_OPT_TYPE, keep_word, &types);
	options->groups = groups.list;
	options->group_count = groups.count;
	options->types = types.list;
	options->type_count = types.count;
	if (dph_cli_has(cli, DPH_OPT_MERGE))
		options->options |= DP_INSERT_MERGE;
	if (dph_cli_has(cli, DPH_OPT_REPLACE) || cli->own_program != NULL)
		options->options |= DP_INSERT_REPLACE;
	if (dph_cli_has(cli, DPH_OPT_FLIGHT))
		options->options |= DP_INSERT_FLIGHT;
	if (dph_cli_has(cli, DPH_OPT_DONT_VERIFY))
		options->options |= DP_INSERT_ANY_OPCODE;
	return true;
}

/* Before the answer it is unknown whether the program is installed. */
static void on_committing(void *context)
{
	struct dph_insertion *insertion = context;
	struct dp_program_info program;

	dp_object_program(dp_insertion_object(insertion->insertion), &program);
	snprintf(insertion->left, sizeof insertion->left,
		 "dprobes: error: the program may still be on the target; "
		 "'dprobes list' shows whether it is, 'dprobes remove %.*s' removes it\n",
		 (int)program.name_bytes, program.name);
	dph_target_leaves(insertion->left);
}

/* The program may have been compiled again for the target. */
static bool may_leave_out(void *context, unsigned point)
{
	const struct dph_insertion *insertion = context;
	struct dp_formats *formats =
		dp_formats_open(dp_insertion_object(insertion->insertion), NULL);
	const bool may = formats != NULL && dp_formats_optional(formats, point);

	dp_formats_close(formats);
	return may;
}

/* The program of the command line: each --clause is a line. */
static char *clauses(const struct dph_cli *cli)
{
	struct dph_bytes text = {0};

	for (size_t i = 0; i < cli->value_count; i++)
		if (cli->values[i].option == DPH_OPT_CLAUSE) {
			dph_bytes_add(&text, cli->values[i].value, strlen(cli->values[i].value));
			dph_bytes_add(&text, "\n", 1);
		}
	dph_bytes_zero(&text, 1);
	return (char *)text.data;
}

static struct dp_insertion *open_program(const struct dph_cli *cli,
					 const struct dp_insert_options *options,
					 struct dp_messages *messages)
{
	struct dp_insertion *insertion;
	char *text;

	if (!dph_cli_has(cli, DPH_OPT_CLAUSE))
		return dp_insertion_file(cli->args[0], options, messages);
	text = clauses(cli);
	insertion = dp_insertion_text(text, DPH_D_COMMAND_LINE, options, messages);
	free(text);
	return insertion;
}

bool dph_insertion_prepare(const struct dph_cli *cli, struct dph_insertion *insertion, int *status)
{
	struct dp_messages messages = {0};

	memset(insertion, 0, sizeof *insertion);
	insertion->build = dph_cli_build_options(cli);
	insertion->build.d_name = cli->own_program;
	insertion->options = (struct dp_insert_options){
		.build = &insertion->build,
		.committing = on_committing,
		.may_leave_out = may_leave_out,
		.context = insertion,
	};
	*status = DPH_EXIT_USAGE;
	if (!choose(cli, &insertion->options, status))
		return false;
	insertion->insertion = open_program(cli, &insertion->options, &messages);
	dph_cli_report(cli, &messages);
	if (insertion->insertion == NULL)
		return false;
	return true;
}

bool dph_insertion_is_file(const struct dph_cli *cli)
{
	const char *word = cli->arg_count > 0 ? cli->args[0] : NULL;
	struct stat file;

	return word != NULL &&
	       (strcmp(word, "-") == 0 || (stat(word, &file) == 0 && !S_ISDIR(file.st_mode)));
}

void dph_insertion_free(struct dph_insertion *insertion)
{
	dph_target_leaves(NULL);
	dp_insertion_free(insertion->insertion);
	free_names(insertion->options.groups, insertion->options.group_count);
	free_names(insertion->options.types, insertion->options.type_count);
	dph_cli_build_options_free(&insertion->build);
}

int dph_insertion_missing(const struct dph_cli *cli, struct dp_session *session)
{
	return dph_installed_missing(
		cli, session,
		"no installed program was made from %s; give the file and the options of the "
		"insertion",
		cli->arg_count > 0 ? cli->args[0] : "this text");
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

/* Print the messages; *status is that of a failure of this kind. */
static void report(const struct dph_cli *cli, const struct dp_session *session,
		   enum dp_failure_kind kind, struct dp_messages *messages, int *status)
{
	const bool told = messages->errors > 0;

	dph_cli_report(cli, messages);
	if (!told)
		*status = dph_target_failed(cli, session);
	else if (kind == DP_FAILED_NOT)
		*status = DPH_EXIT_USAGE;
	else
		*status = dph_failure_status(&(struct dp_failure){.kind = kind});
}

/* The search of the installed program that was made from an object. */
struct made {
	struct dp_insertion *insertion;
	struct dp_program_answer *program;
	bool found;
};

static bool compare(void *context, const struct dp_program_answer *program)
{
	struct made *made = context;

	if (!dp_insertion_made(made->insertion, program))
		return true;
	*made->program = *program;
	made->found = true;
	return false;
}

bool dph_insertion_find(const struct dph_cli *cli, struct dp_session *session,
			struct dph_insertion *insertion, struct dp_program_answer *program,
			bool *found, int *status)
{
	struct dp_messages messages = {0};
	enum dp_failure_kind kind;
	struct made made = {.insertion = insertion->insertion, .program = program};
	const struct dp_walk walk = {.context = &made, .program = compare};

	*found = false;
	if (!dp_insertion_fit(insertion->insertion, session, &kind, &messages)) {
		report(cli, session, kind, &messages, status);
		return false;
	}
	dp_messages_free(&messages);
	if (!dp_session_walk(session, &walk)) {
		*status = dph_target_failed(cli, session);
		return false;
	}
	*found = made.found;
	return true;
}

bool dph_insertion_install(const struct dph_cli *cli, struct dp_session *session,
			   struct dph_insertion *insertion, int *status)
{
	struct dp_messages messages = {0};
	enum dp_failure_kind kind;

	if (dp_insertion_install(insertion->insertion, session, &insertion->inserted, &kind,
				 &messages)) {
		dph_cli_report(cli, &messages);
		dph_kept_object(cli, dp_insertion_object(insertion->insertion),
				dph_cli_has(cli, DPH_OPT_FLIGHT));
		*status = DPH_EXIT_DONE;
		return true;
	}
	dph_target_leaves(NULL);
	report(cli, session, kind, &messages, status);
	return false;
}

void dph_insertion_tell(const struct dph_insertion *insertion, struct dp_sink *sink)
{
	struct dp_program_info program;
	struct dp_inserted_view view = {.inserted = &insertion->inserted};
	char name[256];

	dp_object_program(dp_insertion_object(insertion->insertion), &program);
	snprintf(name, sizeof name, "%.*s", (int)program.name_bytes, program.name);
	view.program = name;
	dp_sink_reading(sink, DP_READING_INSERTED, &view);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The programs of the simple interface. The user's number of a program stays the same when a
 * restarted target gives the program another index. */
#define _GNU_SOURCE
#include "handle.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* --- settings of an insertion --- */

/* Words of a setting, with blanks or commas between them. */
struct words {
	char *text; /* the words point into it */
	const char **list;
	size_t count, capacity;
};

static struct words split(const char *setting)
{
	struct words words = {0};
	char *rest = NULL;

	if (setting == NULL)
		return words;
	words.text = dph_strdup(setting);
	for (char *word = strtok_r(words.text, " ,\t", &rest); word != NULL;
	     word = strtok_r(NULL, " ,\t", &rest)) {
		words.list = dph_grow(words.list, &words.capacity, words.count, sizeof *words.list);
		words.list[words.count++] = word;
	}
	return words;
}

static void free_words(struct words *words)
{
	free(words->text);
	free((void *)words->list);
}

static bool items_of(struct dp_simple *simple, const char *setting, uint8_t *items)
{
	static const struct {
		const char *word;
		uint8_t item;
	} rows[] = {
#define DP_ITEM(bit, name, text, bytes) {text, bit},
#include "items.def"
	};
	struct words words = split(setting);
	bool good = true;

	for (size_t i = 0; i < words.count && good; i++) {
		good = false;
		for (size_t n = 0; n < sizeof rows / sizeof *rows; n++)
			if (strcasecmp(rows[n].word, words.list[i]) == 0) {
				*items |= rows[n].item;
				good = true;
			}
	}
	free_words(&words);
	return good || dph_simple_fail(simple, "items are CPU, NAME, PID, PC, SP and TSC");
}

/* --- the table --- */

static struct dph_simple_program *new_program(const struct dp_simple *simple, const char *text)
{
	struct dph_simple_program *program = dph_malloc(sizeof *program);

	*program = (struct dph_simple_program){.text = dph_strdup(text)};
	for (int i = 0; i < DPH_SETTINGS; i++)
		if (simple->settings[i] != NULL)
			program->settings[i] = dph_strdup(simple->settings[i]);
	return program;
}

static void free_program(struct dph_simple_program *program)
{
	for (int i = 0; i < DPH_SETTINGS; i++)
		free(program->settings[i]);
	free(program->text);
	free(program);
}

struct dph_simple_program *dph_simple_program_of(struct dp_simple *simple, int program)
{
	if (program >= 0 && program < DPH_PROGRAMS && simple->programs[program] != NULL)
		return simple->programs[program];
	dph_simple_fail(simple, "this handle has not inserted a program of this index");
	return NULL;
}

/* The number of a new program: its index, unless a restart has given that number's program another
 * index. */
static int free_number(const struct dp_simple *simple, uint8_t index)
{
	int number = index;

	if (simple->programs[number] == NULL)
		return number;
	for (number = 0; simple->programs[number] != NULL;)
		number++;
	return number;
}

/* Records of removed programs have been read: their indexes are free. */
static void drop_removed(struct dp_simple *simple)
{
	bool used[DPH_PROGRAMS] = {false};

	for (int i = 0; i < DPH_PROGRAMS; i++)
		if (simple->programs[i] != NULL)
			used[simple->programs[i]->index] = true;
	for (int i = 0; i < DPH_PROGRAMS; i++)
		if (!used[i])
			dph_names_drop(&simple->names, (uint8_t)i);
}

/* --- insertion --- */

/* What is done with a program that compiles for the target. Returns false: kind and messages have
 * the finding. */
typedef bool dph_simple_work(struct dp_simple *simple, struct dph_simple_program *program,
			     struct dp_insertion *insertion, enum dp_failure_kind *kind,
			     struct dp_messages *messages);

static const char *setting_of(const struct dp_simple *simple,
			      const struct dph_simple_program *program, enum dph_setting setting)
{
	const char *board = setting == DPH_SET_elf ? simple->board->elf : NULL;

	return program->settings[setting] != NULL ? program->settings[setting] : board;
}

static bool is_set(const struct dph_simple_program *program, enum dph_setting setting)
{
	return dph_setting_yes(program->settings[setting]);
}

/* The insertion belongs to the names from here on. */
static bool install(struct dp_simple *simple, struct dph_simple_program *program,
		    struct dp_insertion *insertion, enum dp_failure_kind *kind,
		    struct dp_messages *messages)
{
	const bool numbers = is_set(program, DPH_SET_no_names);
	struct dp_inserted inserted;

	/* Records of the program come before their meaning is known. */
	dph_queue_hold(&simple->queue);
	if (!dp_insertion_install(insertion, simple->session, &inserted, kind, messages)) {
		dp_insertion_free(insertion);
		return false;
	}
	drop_removed(simple);
	program->index = inserted.program;
	dph_names_add(&simple->names, simple->session, inserted.program, insertion,
		      numbers ? NULL : setting_of(simple, program, DPH_SET_elf),
		      numbers ? NULL : program->settings[DPH_SET_sym]);
	return true;
}

static bool verify(struct dp_simple *simple, struct dph_simple_program *program,
		   struct dp_insertion *insertion, enum dp_failure_kind *kind,
		   struct dp_messages *messages)
{
	const bool good = dp_insertion_check(insertion, simple->session, kind, messages);

	(void)program;
	dp_insertion_free(insertion);
	return good;
}

/* Compile the program for the target, and go on with `work`. */
static bool compile(struct dp_simple *simple, struct dph_simple_program *program,
		    dph_simple_work *work)
{
	const struct dp_hello_answer *target = dp_session_target(simple->session);
	const struct dp_build_options build = {
		.cpu = dp_cpu_text(target->cpu),
		.word_bits = target->word_bytes * 8u,
		.endian = target->big_endian != 0 ? "big" : "little",
		.elf = setting_of(simple, program, DPH_SET_elf),
		.sym = program->settings[DPH_SET_sym],
		.write = is_set(program, DPH_SET_write),
		.opcode_optional = is_set(program, DPH_SET_any_opcode),
	};
	struct words groups = split(program->settings[DPH_SET_groups]);
	struct words types = split(program->settings[DPH_SET_types]);
	struct dp_insert_options options = {
		.build = &build,
		.groups = groups.list,
		.group_count = groups.count,
		.types = types.list,
		.type_count = types.count,
		.options =
			(uint8_t)((is_set(program, DPH_SET_replace) ? DP_INSERT_REPLACE : 0) |
				  (is_set(program, DPH_SET_any_opcode) ? DP_INSERT_ANY_OPCODE : 0)),
	};
	struct dp_messages messages = {0};
	enum dp_failure_kind kind;
	struct dp_insertion *insertion;
	bool good = items_of(simple, program->settings[DPH_SET_items], &options.items);

	if (good) {
		insertion = dp_insertion_text(program->text, "program", &options, &messages);
		good = insertion != NULL && work(simple, program, insertion, &kind, &messages);
		if (!good && messages.errors > 0)
			dph_simple_fail_messages(simple, &messages);
		else if (!good)
			dph_simple_fail_session(simple);
	}
	dp_messages_free(&messages);
	free_words(&groups);
	free_words(&types);
	return good;
}

int dp_simple_insert(struct dp_simple *simple, const char *text)
{
	struct dph_simple_program *program;
	int number = -1;

	if (!dph_simple_is_open(simple))
		return -1;
	program = new_program(simple, text);
	if (compile(simple, program, install) ||
	    (dph_simple_again(simple) && compile(simple, program, install))) {
		number = free_number(simple, program->index);
		simple->programs[number] = program;
		if (!dph_simple_learn(simple))
			number = -1;
	} else {
		free_program(program);
	}
	if (dp_session_failure(simple->session)->kind != DP_FAILED_LINK)
		dph_queue_learned(&simple->queue);
	return number;
}

bool dp_simple_check(struct dp_simple *simple, const char *text)
{
	struct dph_simple_program *program;
	bool good;

	if (!dph_simple_is_open(simple))
		return false;
	program = new_program(simple, text);
	good = compile(simple, program, verify) ||
	       (dph_simple_again(simple) && compile(simple, program, verify));
	free_program(program);
	return good;
}

/* A program that is refused is forgotten: its index may belong to another one. */
bool dph_simple_insert_again(struct dp_simple *simple)
{
	bool good = true;

	for (unsigned i = 0; i < DPH_PROGRAMS; i++)
		dph_names_drop(&simple->names, (uint8_t)i);
	for (unsigned i = 0; i < DPH_PROGRAMS; i++) {
		if (simple->programs[i] == NULL)
			continue;
		if (good && compile(simple, simple->programs[i], install))
			continue;
		if (dp_session_restarted(simple->session))
			return false; /* once more: the next recovery inserts all */
		free_program(simple->programs[i]);
		simple->programs[i] = NULL;
		good = false;
	}
	return good;
}

/* --- removal --- */

bool dp_simple_remove(struct dp_simple *simple, int program)
{
	struct dph_simple_program *found;
	uint8_t removed;

	if (!dph_simple_is_open(simple))
		return false;
	found = dph_simple_program_of(simple, program);
	if (found == NULL)
		return false;
	if (!dp_session_remove(simple->session, found->index, &removed))
		return dph_simple_fail_session(simple);
	free_program(found);
	simple->programs[program] = NULL;
	return true;
}

/* The search of a program by its name. */
struct search {
	const char *name;
	uint8_t found[DPH_PROGRAMS];
	size_t count;
};

static bool compare(void *context, const struct dp_program_answer *program)
{
	struct search *search = context;

	if (strcmp(program->name, search->name) == 0)
		search->found[search->count++] = program->index;
	return true;
}

/* A program of this handle is gone. Its names stay until the next insertion: records that the agent
 * has logged still arrive. */
static void forget(struct dp_simple *simple, uint8_t index)
{
	for (int i = 0; i < DPH_PROGRAMS; i++)
		if (simple->programs[i] != NULL && simple->programs[i]->index == index) {
			free_program(simple->programs[i]);
			simple->programs[i] = NULL;
		}
}

int dp_simple_remove_named(struct dp_simple *simple, const char *name)
{
	struct search search = {.name = name};
	const struct dp_walk walk = {.context = &search, .program = compare};
	uint8_t removed;

	if (!dph_simple_is_open(simple))
		return -1;
	if (!dp_session_walk(simple->session, &walk)) {
		dph_simple_fail_session(simple);
		return -1;
	}
	for (size_t i = 0; i < search.count; i++) {
		if (!dp_session_remove(simple->session, search.found[i], &removed)) {
			dph_simple_fail_session(simple);
			return -1;
		}
		forget(simple, search.found[i]);
	}
	return (int)search.count;
}

void dph_simple_remove_all(struct dp_simple *simple)
{
	uint8_t ignored;

	for (int i = 0; i < DPH_PROGRAMS; i++) {
		if (simple->programs[i] == NULL)
			continue;
		if (simple->session != NULL)
			dp_session_remove(simple->session, simple->programs[i]->index, &ignored);
		free_program(simple->programs[i]);
		simple->programs[i] = NULL;
	}
}

/* --- variables as numbers --- */

int dp_simple_variables(struct dp_simple *simple, int program, uint64_t *values, size_t room)
{
	uint8_t index = program < 0 ? DP_VARS_GLOBAL : (uint8_t)program;
	size_t got = 0, count = 0, there = 0;

	if (!dph_simple_is_open(simple))
		return -1;
	if (program < -1 || program >= DP_VARS_GLOBAL) {
		dph_simple_fail(simple,
				"the index belongs to no program; -1 means the global variables");
		return -1;
	}
	if (program >= 0 && simple->programs[program] != NULL)
		index = simple->programs[program]->index;
	do {
		if (!dp_session_vars(simple->session, index, (uint16_t)got, false, values + got,
				     room - got, &count, &there)) {
			dph_simple_fail_session(simple);
			return -1;
		}
		got += count;
	} while (count > 0 && got < there && got < room);
	return (int)there;
}

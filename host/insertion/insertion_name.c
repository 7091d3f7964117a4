/* SPDX-License-Identifier: BSD-2-Clause */
/* The name of a program in a text: users have not chosen it. */
#define _GNU_SOURCE
#include "insertion_parts.h"

#include "base/pool.h"

#include "dp_crc.h"
#include "dp_object.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	NUMBER_DIGITS = 3,
	NUMBERS = 255 /* of programs with one name; an agent has fewer programs */
};

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

bool dph_insertion_choose_name(struct dp_insertion *insertion, struct dp_session *session,
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
	if (!dph_insertion_build_again(insertion, kind, messages))
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
	made = dph_insertion_build_again(insertion, &kind, &unsaid) &&
	       is_object_of(insertion, program);
	if (!made) {
		free(insertion->d_name);
		insertion->build.d_name = insertion->d_name = chosen;
		dph_insertion_build_again(insertion, &kind, &unsaid);
	} else {
		free(chosen);
	}
	dp_messages_free(&unsaid);
	return made;
}

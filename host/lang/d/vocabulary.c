/* SPDX-License-Identifier: BSD-2-Clause */
/* The words of D with their meanings and examples. */
#include "vocabulary.h"

#include <stdbool.h>
#include <string.h>

/* A row of a table of words. how: the column that tells whether the word is refused. */
struct row {
	const char *kind, *name, *form, *how;
	bool is_function;
	unsigned least, most;
	const char *text;
};

#define PROVIDER(name, missing, form, fires) {"provider", #name, form, missing, false, 0, 0, fires},
#define ACTION(name, how, least, most, text) {"action", #name, NULL, #how, true, least, most, text},
#define AGGREGATION(name, map, least, most, text)                                                  \
	{"aggregation", #name, NULL, NULL, true, least, most, text},
#define BUILTIN(name, check, index, code, text) {"builtin", #name, NULL, #check, false, 0, 0, text},
#define CONSTANT(name, value, text)             {"constant", #name, NULL, NULL, false, 0, 0, text},
#define OPTION(name, use, text)                 {"option", #name, NULL, #use, false, 0, 0, text},
static const struct row rows[] = {
#include "lang/d/read/providers.def"

#include "lang/d/read/actions.def"

#include "format/aggregations.def"

#include "lang/d/check/builtins.def"

#include "lang/d/check/constants.def"

#include "lang/d/read/options.def"
};

static const struct {
	const char *kind, *name, *program;
} examples[] = {
#define PROVIDER                     "provider"
#define ACTION                       "action"
#define AGGREGATION                  "aggregation"
#define BUILTIN                      "builtin"
#define CONSTANT                     "constant"
#define OPTION                       "option"
#define EXAMPLE(kind, name, program) {kind, name, program},
#include "examples.def"
};

static const char *example_of(const char *kind, const char *name)
{
	for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++)
		if (strcmp(examples[i].kind, kind) == 0 && strcmp(examples[i].name, name) == 0)
			return examples[i].program;
	return NULL;
}

static bool is_one_of(const char *word, const char *const *words)
{
	for (; *words != NULL; words++)
		if (strcmp(word, *words) == 0)
			return true;
	return false;
}

/* Why the row's word is refused; null: it is not. */
static const char *refusal(const struct row *row)
{
	static const char *const refused[] = {"LATER", "NEVER", "check_later", "check_never", NULL};

	if (row->form != NULL) /* a provider */
		return row->how;
	return row->how != NULL && is_one_of(row->how, refused) ? row->text : NULL;
}

/* actions.def has the functions of aggregations too, to refuse them where they are no aggregation.
 */
static bool is_repeated(const struct row *row)
{
	return row->how != NULL && strcmp(row->how, "AGGREGATE") == 0;
}

struct dph_d_word dph_d_word(size_t index)
{
	struct dph_d_word word = {0};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *row = &rows[i];
		if (is_repeated(row) || index-- > 0)
			continue;
		word.kind = row->kind;
		word.name = row->name;
		word.is_function = row->is_function;
		word.least = row->least;
		word.most = row->most;
		word.refused = refusal(row);
		if (word.refused != NULL)
			break;
		word.form = row->form;
		word.meaning = row->text;
		word.example = example_of(row->kind, row->form != NULL ? row->form : row->name);
		break;
	}
	return word;
}

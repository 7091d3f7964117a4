/* SPDX-License-Identifier: BSD-2-Clause */
/* The words of the command line as getopt reads them: spellings of DProbes 3.6.4 become ours. */
#include "cli_words.h"

#include "cli_options.h"

#include <string.h>

static bool takes_several(const char *word)
{
	for (int i = 0; i < DPH_OPT_COUNT; i++) {
		const struct dph_option *o = &dph_options[i];
		size_t bytes = o->value ? strlen(o->value) : 0;
		if (bytes < 3 || strcmp(o->value + bytes - 3, "...") != 0)
			continue;
		bool by_letter = o->letter && word[0] == '-' && word[1] == o->letter && !word[2];
		if (by_letter || (strncmp(word, "--", 2) == 0 && strcmp(word + 2, o->name) == 0))
			return true;
	}
	return false;
}

static bool is_define(const char *word)
{
	return strcmp(word, "-D") == 0 || strcmp(word, "--define") == 0;
}

/* `--group= a`, `--group =a`, `--group = a`: without the sign. Returns where the value is. */
static int skip_equals(struct dph_words *w, char **argv, int argc, int i)
{
	char *last = w->list[w->count - 1];
	size_t bytes = strlen(last);
	if (i + 1 >= argc)
		return i;
	if (strncmp(last, "--", 2) == 0 && last[bytes - 1] == '=')
		w->list[w->count - 1] = dph_pool_copy(&w->pool, last, bytes - 1);
	else if (strcmp(argv[i + 1], "=") == 0 && i + 2 < argc)
		return i + 1;
	else if (argv[i + 1][0] == '=' && argv[i + 1][1])
		argv[i + 1]++;
	return i;
}

/* Words i.. that belong to the value of an option; joined by `glue`. */
static char *join(struct dph_words *w, char **argv, int from, int to, const char *glue)
{
	char *text = dph_pool_copy(&w->pool, argv[from], strlen(argv[from]));
	for (int i = from + 1; i < to; i++)
		text = dph_pool_print(&w->pool, "%s%s%s", text, glue, argv[i]);
	return text;
}

/* `k = v`, `k= v`, `k =v`: how many words are the value that begins at i? */
static int define_words(char **argv, int argc, int i)
{
	size_t bytes = strlen(argv[i]);
	bool equals = strchr(argv[i], '=') != NULL;
	if (equals) /* `k= --option`: the value is empty */
		return bytes && argv[i][bytes - 1] == '=' && i + 1 < argc && argv[i + 1][0] != '-'
			       ? 2
			       : 1;
	if (i + 1 < argc && strcmp(argv[i + 1], "=") == 0)
		return i + 2 < argc ? 3 : 2;
	return i + 1 < argc && argv[i + 1][0] == '=' ? 2 : 1;
}

static void add_word(struct dph_words *w, char *word)
{
	w->list[w->count++] = word;
}

static int list_words(char **argv, int argc, int i)
{
	int n = 0;
	while (i + n < argc && argv[i + n][0] != '-')
		n++;
	return n;
}

/* The USENIX paper of 2001 writes -stopcpus, which getopt would read as -s topcpus. */
static char *as_spelled_now(char *word)
{
	static char stop_cpus[] = "--stop-cpus";
	return strcmp(word, "-stopcpus") == 0 ? stop_cpus : word;
}

void dph_words_normalize(struct dph_words *w, char **argv, int argc, bool seed_style)
{
	w->list = dph_pool_take(&w->pool, ((size_t)argc + 2) * sizeof(*w->list));
	for (int i = 0; i < argc; i++) {
		bool option = argv[i][0] == '-' && argv[i][1];
		if (strcmp(argv[i], "--") == 0) {
			while (i < argc)
				add_word(w, argv[i++]);
			break;
		}
		add_word(w, as_spelled_now(argv[i]));
		if (!option || i + 1 >= argc)
			continue;
		if (seed_style || is_define(argv[i]))
			i = skip_equals(w, argv, argc, i);
		if (is_define(w->list[w->count - 1])) {
			int n = define_words(argv, argc, i + 1);
			add_word(w, join(w, argv, i + 1, i + 1 + n, ""));
			i += n;
		} else if (seed_style && takes_several(w->list[w->count - 1])) {
			int n = list_words(argv, argc, i + 1);
			if (n)
				add_word(w, join(w, argv, i + 1, i + 1 + n, ","));
			i += n;
			w->ends_with_list = n > 1 && i + 1 == argc;
		}
	}
}

void dph_words_part_list(struct dph_words *w)
{
	char *list = w->list[w->count - 1], *comma = strrchr(list, ',');
	w->list[w->count - 1] = dph_pool_copy(&w->pool, list, (size_t)(comma - list));
	add_word(w, comma + 1);
}

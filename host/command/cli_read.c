/* SPDX-License-Identifier: BSD-2-Clause */
/* Options from the words of a command line, by getopt. */
#define _GNU_SOURCE
#include "cli_read.h"

#include "cli_letters.h"
#include "base/diag.h"

#include <getopt.h>
#include <string.h>

enum {
	LONG_BASE = 256
};

/* As getopt has them. */
struct spellings {
	struct option longs[DPH_OPT_COUNT + 1];
	char shorts[DPH_OPT_COUNT * 2 + 2];
};

/* Search the options of every command: an option of another command is no abbreviation. */
static void fill_options(struct spellings *s)
{
	size_t n = 0, c = 0;
	s->shorts[c++] = ':';
	for (int i = 0; i < DPH_OPT_COUNT; i++) {
		const struct dph_option *o = &dph_options[i];
		s->longs[n++] = (struct option){o->name, o->value ? required_argument : no_argument,
						NULL, LONG_BASE + i};
		if (!o->letter)
			continue;
		s->shorts[c++] = o->letter;
		if (o->value)
			s->shorts[c++] = ':';
	}
}

static enum dph_cli_option option_of(int found)
{
	if (found >= LONG_BASE)
		return (enum dph_cli_option)(found - LONG_BASE);
	for (int i = 0; i < DPH_OPT_COUNT; i++)
		if (dph_options[i].letter == found)
			return (enum dph_cli_option)i;
	return DPH_OPT_COUNT;
}

static const char *near_option(const bool *takes, const char *word)
{
	size_t bytes = strcspn(word, "=");
	struct dph_closest closest = dph_closest(word, bytes);
	for (int i = 0; i < DPH_OPT_COUNT; i++)
		if (takes[i])
			dph_closest_try(&closest, dph_options[i].name);
	return closest.best;
}

/* The option that getopt refused, as it was written. */
static const char *refused_name(struct dph_words *w)
{
	return optopt >= LONG_BASE ? dph_words_spelling(w, &dph_options[optopt - LONG_BASE])
				   : dph_pool_print(&w->pool, "-%c", optopt);
}

/* optopt: the option that getopt refused, 0 for an unknown long option. */
static int bad_option(const struct dph_cli *cli, struct dph_words *w, const bool *takes, int found)
{
	const char *word = w->list[optind > 1 ? optind - 1 : 1]; /* the last that getopt read */
	const char *name = refused_name(w);
	if (found == ':')
		return dph_cli_usage(cli, "option '%s' needs a value", name);
	if (optopt >= LONG_BASE)
		return dph_cli_usage(cli, "option '%s' takes no value", name);
	if (optopt != 0)
		return dph_cli_usage(cli, "unknown option '%s'", name);
	const char *best = strncmp(word, "--", 2) == 0 ? near_option(takes, word + 2) : NULL;
	if (best)
		return dph_cli_usage(cli, "unknown option '%s'; did you mean '--%s'?", word, best);
	return dph_cli_usage(cli, "unknown option '%s'", word);
}

/* Refuse a value that is empty, or that is the next option because the value was forgotten. */
static int check_value(const struct dph_cli *cli, struct dph_words *w, enum dph_cli_option option)
{
	const char *name = dph_words_spelling(w, &dph_options[option]);
	const bool own_word = optarg && w->list[optind - 1] == optarg;
	const struct dph_option *next = own_word ? dph_option_spelled(optarg, "--", 0) : NULL;
	if (optarg && !*optarg)
		return dph_cli_usage(cli, "the value of %s is empty", name);
	if (own_word && !next)
		next = dph_option_spelled(optarg, "-", 1);
	if (!next)
		return DPH_EXIT_DONE;
	return dph_cli_usage(cli,
			     "option '%s' needs a value, and '%s' is an option; a value that "
			     "begins with a dash is written --%s=VALUE",
			     name, w->of_d ? dph_words_spelling(w, next) : optarg,
			     dph_options[option].name);
}

/* Is the word the value of the option before it? */
static bool is_value(const struct dph_words *w, int i)
{
	const struct dph_option *o = dph_option_spelled(w->list[i - 1], "--", 0);
	if (!o)
		o = dph_option_spelled(w->list[i - 1], "-", 1);
	return o && o->value;
}

/* getopt reads `-format` as -f with a value, and `-count` as -c and -o. Return the first long name
 * behind one dash; null: there is none. */
static const char *one_dash(const struct dph_words *w)
{
	for (int i = 1; i < w->count && strcmp(w->list[i], "--") != 0; i++) {
		const struct dph_option *o = dph_option_spelled(w->list[i], "-", 0);
		if (o && !is_value(w, i))
			return o->name;
	}
	return NULL;
}

int dph_cli_read(struct dph_cli *cli, struct dph_words *w, const bool *takes,
		 enum dph_cli_option *other)
{
	struct spellings s = {0};
	const char *meant = one_dash(w);
	int found;
	*other = DPH_OPT_COUNT;
	if (meant)
		return dph_cli_usage(cli, "unknown option '-%s'; did you mean '--%s'?", meant,
				     meant);
	fill_options(&s);
	optind = 0;
	opterr = 0;
	while ((found = getopt_long(w->count, w->list, s.shorts, s.longs, NULL)) != -1) {
		if (found == '?' || found == ':')
			return bad_option(cli, w, takes, found);
		enum dph_cli_option option = option_of(found);
		if (!takes[option]) {
			*other = option;
			return DPH_EXIT_USAGE;
		}
		const int status = check_value(cli, w, option);
		if (status)
			return status;
		dph_cli_add(cli, option, optarg ? optarg : "");
	}
	cli->args = w->list + optind;
	cli->arg_count = (size_t)(w->count - optind);
	return DPH_EXIT_DONE;
}

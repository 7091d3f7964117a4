/* SPDX-License-Identifier: BSD-2-Clause */
/* The words of D's command: its letters, alone, together or with their value, become our options.
 */
#include "cli_words_d.h"

#include "cli_commands.h"
#include "cli_letters.h"

#include <string.h>

/* Is the word a dash and letters of D, of which the last one may have its value behind it? A long
 * name behind one dash is a mistake that the parser explains. */
static bool is_group(const char *word)
{
	if (word[0] != '-' || !word[1] || dph_option_spelled(word, "-", 0))
		return false;
	for (const char *c = word + 1; *c; c++) {
		const struct dph_letter *letter = dph_letter_of(*c);
		if (!letter)
			return false;
		if (letter->value)
			return true;
	}
	return true;
}

/* Return whether the group has the letter, before the value of another letter. */
static bool group_has(const char *word, char c)
{
	if (!is_group(word))
		return false;
	for (const char *at = word + 1; *at; at++) {
		if (*at == c)
			return true;
		if (dph_letter_of(*at)->value)
			return false;
	}
	return false;
}

/* Does the value of the word stand in the next word? */
static bool wants_next(const char *word)
{
	if (is_group(word)) {
		const char *at = word + 1;
		while (*at && !dph_letter_of(*at)->value)
			at++;
		return *at && !at[1];
	}
	const struct dph_option *o = dph_option_spelled(word, "--", 0);
	if (!o)
		o = dph_option_spelled(word, "-", 1);
	return o && o->value;
}

/* Return the first word from i on that has one of the letters; argc: none has. */
static int find(char **argv, int argc, int i, char c)
{
	for (; i < argc && strcmp(argv[i], "--") != 0; i += 1 + wants_next(argv[i]))
		if (group_has(argv[i], c))
			return i;
	return argc;
}

/* Is the value of a letter a clause, and no name of an installed program? */
static bool is_clause(const char *text)
{
	return strpbrk(text, ":{/ ") || strcmp(text, "BEGIN") == 0 || strcmp(text, "END") == 0;
}

/* `-q`, `-i` and others in front are verbs of DProbes 3.6.4, and `-v` is the version: the words
 * behind `-q` and `-v` decide. */
static bool is_verb(char **argv, int argc)
{
	const char *first = argv[1];
	const int clause = find(argv, argc, 2, 'n');
	if (strcmp(first, "-v") == 0)
		return argc == 2;
	if (!dph_verb(first) || strcmp(first, "-q") != 0)
		return dph_verb(first) || strcmp(first, "-h") == 0;
	if (find(argv, argc, 2, 's') < argc || find(argv, argc, 2, 'l') < argc)
		return false;
	return clause + 1 >= argc || !is_clause(argv[clause + 1]);
}

/* Does a word have a clause behind -n? */
static bool has_clause(char **argv, int argc)
{
	const int at = find(argv, argc, 2, 'n');
	if (at >= argc)
		return false;
	const char *glued = strchr(argv[at], 'n') + 1;
	return *glued ? is_clause(glued) : at + 1 < argc && is_clause(argv[at + 1]);
}

const char *dph_words_no_clause(char **argv, int argc)
{
	static const char *const commands[] = {"check",    "insert", "build",
					       "simulate", "log",    "vars"};
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		if (argc > 1 && strcmp(argv[1], commands[i]) == 0 && has_clause(argv, argc))
			return commands[i];
	return NULL;
}

/* The command that the words mean; null: no command of D. */
static const char *command_of(char **argv, int argc)
{
	static const char *const commands[] = {"trace", "probes", "aggs"};
	const char *first = argc > 1 ? argv[1] : "";
	/* `run -n CLAUSE` is what its author means; `run FILE` stays. */
	if (strcmp(first, "run") == 0 && has_clause(argv, argc))
		return "trace";
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		if (strcmp(commands[i], first) == 0)
			return commands[i];
	if (*first != '-' || strcmp(first, "--help") == 0 || strcmp(first, "--version") == 0 ||
	    is_verb(argv, argc))
		return NULL;
	if (find(argv, argc, 1, 'l') < argc)
		return "probes";
	return find(argv, argc, 1, 'n') < argc || find(argv, argc, 1, 's') < argc ? "trace" : NULL;
}

static unsigned count(char **argv, int argc, char c)
{
	unsigned number = 0;
	for (int i = find(argv, argc, 1, c); i < argc;
	     i = find(argv, argc, i + 1 + wants_next(argv[i]), c))
		number++;
	return number;
}

/* A word that stands where it has another meaning here than its author means. Null: none. */
static const char *refusal(const char *command, char **argv, int argc)
{
	const unsigned scripts = count(argv, argc, 's'), clauses = count(argv, argc, 'n');
	if (scripts && strcmp(command, "probes") == 0)
		return "-l lists the points of descriptions; 'dprobes -s FILE -e' lists those of "
		       "a program";
	if (scripts > 1)
		return "-s is given twice; a command takes one program: put the clauses into one "
		       "file, or #include the other";
	if (scripts && clauses)
		return "-s and -n are two programs, and a command takes one: give all clauses with "
		       "-n, or all in the file";
	return NULL;
}

/* --- the words that are made ---------------------------------------------------------------- */

static void add(struct dph_words *w, char **made, int *n, const char *word)
{
	made[(*n)++] = dph_pool_copy(&w->pool, word, strlen(word));
}

/* Add the options of a group. `probes` takes descriptions as words, without -n. */
static void add_group(struct dph_words *w, char **made, int *n, const char *word, bool probes)
{
	for (const char *c = word + 1; *c; c++) {
		const struct dph_letter *letter = dph_letter_of(*c);
		const bool left_out = !letter->option || (probes && *c == 'n');
		if (!left_out)
			add(w, made, n, letter->option);
		if (!letter->value)
			continue;
		if (c[1])
			add(w, made, n, c + 1);
		return;
	}
}

static int group_room(int argc, char **argv)
{
	size_t room = 3;
	for (int i = 0; i < argc; i++)
		room += is_group(argv[i]) ? strlen(argv[i]) + 1 : 1;
	return (int)room;
}

/* Take the words from i on. Behind a letter or option with a value, the next word is the value
 * unless it is letters. */
static int add_words(struct dph_words *w, char **made, int n, char **argv, int argc, int i)
{
	const bool probes = strcmp(made[1], "probes") == 0;
	for (bool plain = false; i < argc; i++) {
		plain = plain || strcmp(argv[i], "--") == 0;
		if (plain || !is_group(argv[i]))
			add(w, made, &n, argv[i]);
		else
			add_group(w, made, &n, argv[i], probes);
		if (!plain && wants_next(argv[i]) && i + 1 < argc && !is_group(argv[i + 1]))
			add(w, made, &n, argv[++i]);
	}
	return n;
}

char **dph_words_of_d(struct dph_words *w, int *argc, char **argv)
{
	const char *command = command_of(argv, *argc);
	int n = 0;
	if (!command)
		return NULL;
	char **made = dph_pool_take(&w->pool, (size_t)group_room(*argc, argv) * sizeof(*made));
	add(w, made, &n, argv[0]);
	add(w, made, &n, command);
	w->refused = refusal(command, argv, *argc);
	*argc = add_words(w, made, n, argv, *argc,
			  strcmp(command, argv[1]) == 0 || strcmp(argv[1], "run") == 0 ? 2 : 1);
	w->of_d = true;
	return made;
}

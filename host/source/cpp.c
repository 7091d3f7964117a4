/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
/* The preprocessor of a program is cpp as a child process. `cpp -x assembler-with-cpp` removes `//`
 * comments, accepts a lone ' or ", keeps lines, and passes an unknown directive on, so that the
 * parser reports the directive in place. -undef removes macros such as linux or unix. The child
 * works in the program's folder and reads the text from its standard input, so that #include "x"
 * searches that folder. */
#include "cpp.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define DP_SECTION(number, name, bytes, count) MOST_##name = (count),
enum {
#include "sections.def"
	CPP_SECONDS_MAX = 5
};

static const char *next_line(const char *line)
{
	const char *end = strchr(line, '\n');
	return end ? end + 1 : line + strlen(line);
}

/* --- #elseif: decisions.txt C18 --------------------------------------------------------- */

/* The place of `elseif` in a line that is this directive, or null. */
static const char *find_elseif(const char *line)
{
	while (*line == ' ' || *line == '\t')
		line++;
	if (*line++ != '#')
		return NULL;
	while (*line == ' ' || *line == '\t')
		line++;
	if (strncmp(line, "elseif", 6) != 0 || isalnum((unsigned char)line[6]) || line[6] == '_')
		return NULL;
	return line;
}

static void elseif_message(struct dph_source *source, struct dp_messages *messages,
			   enum dp_severity severity, const char *file, unsigned number,
			   const char *line, const char *found)
{
	if (!dph_messages_keep(messages, severity))
		return;
	size_t bytes = strcspn(line, "\r\n");
	struct dp_message where = {
		.severity = severity,
		.file = (char *)file,
		.line = number,
		.column = (unsigned)strspn(line, " \t") + 1,
		.width = (unsigned)(found - line) - (unsigned)strspn(line, " \t") + 6,
		.source = dph_pool_copy(&source->pool, line, bytes),
	};
	if (severity == DP_WARNING)
		dph_message(messages, &where, "'#elseif' is not C, write '#elif'");
	else
		dph_message(messages, &where,
			    "'#elseif' is not C; in an included file write '#elif'");
}

/* In the program itself it becomes #elif, in place, so that columns stay. */
static void accept_elseif(struct dph_source *source, char *text, const char *name,
			  struct dp_messages *messages)
{
	unsigned number = 1;
	for (char *line = text; *line; line = (char *)next_line(line), number++) {
		char *found = (char *)find_elseif(line);
		if (!found)
			continue;
		elseif_message(source, messages, DP_WARNING, name, number, line, found);
		memcpy(found, "elif  ", 6);
	}
}

/* from: where the file is included. */
static void refuse_elseif(struct dph_source *source, const struct dph_source_file *file,
			  const struct dph_include *from, struct dp_messages *messages)
{
	unsigned number = 1;
	for (const char *line = file->text; line && *line; line = next_line(line), number++) {
		const char *found = find_elseif(line);
		const struct dp_message where = {.file = (char *)file->name, .line = number};
		if (!found)
			continue;
		elseif_message(source, messages, DP_ERROR, file->name, number, line, found);
		dph_source_included(source, messages, &where, from);
	}
}

/* --- the child ----------------------------------------------------------------------------- */

/* Would cpp change this text? Most programs need no child. */
static bool wants_cpp(const char *text, size_t define_count)
{
	return define_count || strchr(text, '#') || strstr(text, "/*") || strstr(text, "\\\n") ||
	       strstr(text, "\\\r") || strstr(text, "__");
}

static char *folder_of(struct dph_pool *pool, const char *name)
{
	const char *slash = strrchr(name, '/');
	if (!slash)
		return dph_pool_copy(pool, ".", 1);
	return dph_pool_copy(pool, name, slash == name ? 1 : (size_t)(slash - name));
}

/* The child runs in the program's folder. Null: no folder; the error is said. */
static char *include_word(struct dph_pool *pool, const char *folder, struct dp_messages *messages)
{
	struct stat about;
	char *whole = realpath(folder, NULL);
	char *word = NULL;
	errno = whole ? ENOTDIR : errno;
	if (whole && stat(whole, &about) == 0 && S_ISDIR(about.st_mode))
		word = dph_pool_print(pool, "-I%s", whole);
	else
		dph_file_error(messages, folder, "cannot include files of this folder: %s",
			       strerror(errno));
	free(whole);
	return word;
}

/* Null: the error is said. */
static char **child_words(struct dph_pool *pool, const struct dph_cpp_options *options,
			  struct dp_messages *messages)
{
	static const char *const fixed[] = {
		"cpp",       "-x",  "assembler-with-cpp",          "-undef",
		"-nostdinc", "-I.", "-fno-diagnostics-show-caret",
	};
	size_t fixed_count = sizeof(fixed) / sizeof(*fixed), n = 0;
	const size_t count = fixed_count + options->define_count + options->include_count;
	char **words = dph_pool_take(pool, (count + 3) * sizeof(*words));
	for (size_t i = 0; i < fixed_count; i++)
		words[n++] = (char *)fixed[i];
	words[n++] = dph_pool_print(pool, "-fmax-errors=%d", DPH_ERRORS_MAX);
	for (size_t i = 0; i < options->define_count; i++)
		words[n++] = dph_pool_print(pool, "-D%s", options->defines[i]);
	for (size_t i = 0; i < options->include_count; i++)
		if (!(words[n++] = include_word(pool, options->includes[i], messages)))
			return NULL;
	words[n++] = (char *)"-";
	return words;
}

struct child {
	FILE *in, *out, *err;
	int status;
};

/* A macro or a file that includes itself may grow without end. */
static void limit_child(void)
{
	const struct rlimit seconds = {CPP_SECONDS_MAX, CPP_SECONDS_MAX + 1};
	const struct rlimit bytes = {MOST_SOURCE, MOST_SOURCE};
	const struct rlimit core = {0, 0};
	setrlimit(RLIMIT_CPU, &seconds);
	setrlimit(RLIMIT_FSIZE, &bytes);
	setrlimit(RLIMIT_CORE, &core);
}

static _Noreturn void become_cpp(const struct child *child, const char *folder, char **words)
{
	if (chdir(folder) != 0 || dup2(fileno(child->in), 0) < 0 ||
	    dup2(fileno(child->out), 1) < 0 || dup2(fileno(child->err), 2) < 0)
		_exit(126);
	setenv("LC_ALL", "C", 1);
	limit_child();
	execvp(words[0], words);
	_exit(127);
}

static bool run_child(struct child *child, const char *folder, char **words)
{
	pid_t pid = fork();
	if (pid == 0)
		become_cpp(child, folder, words);
	if (pid < 0)
		return false;
	while (waitpid(pid, &child->status, 0) < 0)
		if (errno != EINTR)
			return false;
	rewind(child->out);
	rewind(child->err);
	return true;
}

static char *read_all(FILE *file)
{
	struct dph_bytes text = {0};
	unsigned char piece[4096];
	size_t n;
	while ((n = fread(piece, 1, sizeof(piece), file)) > 0)
		dph_bytes_add(&text, piece, n);
	dph_bytes_zero(&text, 1);
	return (char *)text.data;
}

static void close_child(struct child *child)
{
	FILE *files[] = {child->in, child->out, child->err};
	for (unsigned i = 0; i < 3; i++)
		if (files[i])
			fclose(files[i]);
}

/* --- its output ---------------------------------------------------------------------------- */

/* text: one line, in the pool; a NUL replaces the end of the line. */
static void add_line(struct dph_source *source, char *text, size_t bytes, struct dph_line line)
{
	source->lines =
		dph_grow(source->lines, &source->capacity, source->count, sizeof(*source->lines));
	while (bytes && (text[bytes - 1] == '\r' || text[bytes - 1] == '\n'))
		text[--bytes] = 0;
	line.text = text;
	source->lines[source->count++] = line;
}

/* Where the lines of the output come from. */
struct position {
	const char *file;
	unsigned number;
	const struct dph_include *from;
};

static void say_utf16(const char *name, struct dp_messages *messages)
{
	dph_file_error(messages, name, "the file is UTF-16; save it as UTF-8");
}

static void enter(struct dph_source *source, struct position *at,
		  const struct dph_source_file *file, struct dp_messages *messages)
{
	struct dph_include *include = dph_pool_take(&source->pool, sizeof(*include));
	*include = (struct dph_include){at->file, at->number, at->from};
	at->from = include;
	if (file->text && dph_is_utf16(file->text, file->bytes))
		say_utf16(file->name, messages);
	else
		refuse_elseif(source, file, include, messages);
}

/* `# NUMBER "NAME" FLAGS`: 1 enters an included file, 2 comes back. */
static bool take_marker(struct dph_source *source, const char *folder, const char *line,
			struct position *at, struct dp_messages *messages)
{
	char *name;
	if (line[0] != '#' || line[1] != ' ')
		return false;
	const unsigned number = (unsigned)strtoul(line + 2, &name, 10);
	if (name == line + 2 || name[0] != ' ' || name[1] != '"')
		return false;
	name += 2;
	const size_t bytes = strcspn(name, "\"\n");
	const char *flags = name + bytes + strspn(name + bytes, "\" ");
	const struct dph_source_file *file =
		dph_know_file(source, dph_cpp_name(source, folder, name, bytes));
	if (*flags == '1')
		enter(source, at, file, messages);
	else if (*flags == '2' && at->from)
		at->from = at->from->outer;
	at->file = file->name;
	at->number = number;
	return true;
}

/* folder: null where the text did not go through cpp, and a # is the parser's business. */
static void split_lines(struct dph_source *source, const char *folder, char *text,
			struct dp_messages *messages)
{
	struct position at = {.file = source->files[0].name, .number = 1};
	char *next;
	for (char *line = text; *line; line = next) {
		next = (char *)next_line(line);
		if (folder && take_marker(source, folder, line, &at, messages))
			continue;
		add_line(source, line, (size_t)(next - line),
			 (struct dph_line){.file = at.file, .number = at.number, .from = at.from});
		at.number++;
	}
}

/* --- one run ------------------------------------------------------------------------------- */

/* cpp hands the work to a child of its own and prints how that one ended. */
static bool was_slow(int status, const char *said)
{
	return (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) ||
	       strstr(said, "CPU time limit exceeded");
}

static bool wrote_too_much(const struct dph_cpp_output *output)
{
	return strnlen(output->out, MOST_SOURCE) == MOST_SOURCE;
}

/* cpp failed, and the reader understood none of its complaints. */
static void say_failure(const char *name, const struct dph_cpp_output *output,
			struct dp_messages *messages)
{
	const char *said = output->err + strspn(output->err, " \t\r\n");
	const int status = output->status;
	const int bytes = (int)strcspn(said, "\r\n");
	if (was_slow(status, said))
		dph_file_error(messages, name,
			       "cpp ran for %d s; does a macro or an #include grow without end?",
			       CPP_SECONDS_MAX);
	else if (wrote_too_much(output))
		dph_file_error(messages, name,
			       "behind cpp the program has more than %d bytes; does a macro or an "
			       "#include grow without end?",
			       MOST_SOURCE);
	else if (WIFSIGNALED(status))
		dph_file_error(messages, name, "cpp was ended by signal %d (%s)", WTERMSIG(status),
			       strsignal(WTERMSIG(status)));
	else if (bytes)
		dph_file_error(messages, name, "cpp failed: %.*s", bytes, said);
	else
		dph_file_error(messages, name,
			       "cpp failed with status %d and printed no reason; is the cpp of "
			       "PATH the C preprocessor?",
			       WEXITSTATUS(status));
}

static void take_results(struct dph_source *source, const char *folder,
			 const struct dph_cpp_output *output, struct dp_messages *messages)
{
	const char *name = source->files[0].name;
	const size_t errors = messages->errors;
	if (WIFEXITED(output->status) && WEXITSTATUS(output->status) >= 126) {
		dph_file_error(
			messages, name,
			"cannot run cpp, the C preprocessor; install it (Debian: package cpp)");
		return;
	}
	dph_cpp_complaints(source, folder, output->err, messages);
	if (output->status != 0 && messages->errors == errors)
		say_failure(name, output, messages);
	if (WIFEXITED(output->status))
		split_lines(source, folder,
			    dph_pool_copy(&source->pool, output->out, strlen(output->out)),
			    messages);
}

void dph_cpp_output_free(struct dph_cpp_output *output)
{
	free(output->out);
	free(output->err);
	*output = (struct dph_cpp_output){0};
}

/* Returns false with errno when there is no child. */
static bool run_cpp(struct dph_cpp_output *output, const char *folder, const char *text,
		    char **words)
{
	struct child child = {.in = tmpfile(), .out = tmpfile(), .err = tmpfile()};
	bool ran = child.in && child.out && child.err && fputs(text, child.in) >= 0 &&
		   fflush(child.in) == 0;
	if (ran)
		rewind(child.in);
	ran = ran && run_child(&child, folder, words);
	if (ran)
		*output = (struct dph_cpp_output){read_all(child.out), read_all(child.err),
						  child.status};
	const int error = errno;
	close_child(&child);
	errno = error;
	return ran;
}

static bool through_cpp(struct dph_source *source, const char *text, char **words,
			struct dph_cpp_output *output, struct dp_messages *messages)
{
	const char *name = source->files[0].name;
	char *folder = folder_of(&source->pool, name);
	size_t errors = messages->errors;
	if (output->out || run_cpp(output, folder, text, words))
		take_results(source, folder, output, messages);
	else
		dph_file_error(messages, name, "cannot run cpp: %s", strerror(errno));
	return messages->errors == errors;
}

static bool check_text(const char *text, size_t bytes, const char *name,
		       struct dp_messages *messages)
{
	unsigned line = 1;
	if (dph_is_utf16(text, bytes)) {
		say_utf16(name, messages);
		return false;
	}
	for (size_t i = 0; i < bytes; i++) {
		line += text[i] == '\n';
		if (text[i])
			continue;
		struct dp_message where = {
			.severity = DP_ERROR, .file = (char *)name, .line = line};
		dph_message(messages, &where,
			    "a zero byte: this is neither the text of a program nor an "
			    "object of 'dprobes build'");
		return false;
	}
	return true;
}

bool dph_source_prepare(struct dph_source *source, const char *text, size_t bytes, const char *name,
			const struct dph_cpp_options *options, struct dp_messages *messages)
{
	const size_t mark = dph_mark_bytes(text, bytes);
	text += mark;
	bytes -= mark;
	source->files = dph_grow(NULL, &source->file_capacity, 0, sizeof(*source->files));
	source->files[source->file_count++] =
		(struct dph_source_file){.name = dph_pool_copy(&source->pool, name, strlen(name)),
					 .text = dph_pool_copy(&source->pool, text, bytes),
					 .bytes = bytes};
	name = source->files[0].name;
	if (!check_text(text, bytes, name, messages))
		return false;
	char *changed = dph_pool_copy(&source->pool, text, bytes);
	accept_elseif(source, changed, name, messages);
	char **words = child_words(&source->pool, options, messages);
	if (!words)
		return false;
	if (wants_cpp(changed, options->define_count)) {
		struct dph_cpp_output once = {0};
		struct dph_cpp_output *output = options->output ? options->output : &once;
		const bool good = through_cpp(source, changed, words, output, messages);
		dph_cpp_output_free(&once);
		return good;
	}
	split_lines(source, NULL, changed, messages);
	return true;
}

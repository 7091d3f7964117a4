/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
/* The C preprocessor as a child process.
 *
 * `cpp -x assembler-with-cpp`: `//` comments go, a lone ' or " is no error, lines stay lines, and a
 * directive cpp does not know comes through, so that the parser can complain about it in place.
 * -undef: no macro called linux or unix. The child works in the program's folder and reads the text
 * from its standard input, so that #include "x" looks beside the program. */
#include "source.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *next_line(const char *line)
{
	const char *end = strchr(line, '\n');
	return end ? end + 1 : line + strlen(line);
}

/* --- #elseif: decisions.txt C18 --------------------------------------------------------- */

/* Where `elseif` stands in a line that is this directive, or null. */
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

static void refuse_elseif(struct dph_source *source, const struct dph_source_file *file,
			  struct dp_messages *messages)
{
	unsigned number = 1;
	for (const char *line = file->text; *line; line = next_line(line), number++) {
		const char *found = find_elseif(line);
		if (found)
			elseif_message(source, messages, DP_ERROR, file->name, number, line, found);
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

static char **child_words(struct dph_pool *pool, const char *const *defines, size_t count)
{
	static const char *const fixed[] = {"cpp",    "-x",        "assembler-with-cpp",
					    "-undef", "-nostdinc", "-I."};
	size_t fixed_count = sizeof(fixed) / sizeof(*fixed), n = 0;
	char **words = dph_pool_take(pool, (fixed_count + count + 2) * sizeof(*words));
	for (size_t i = 0; i < fixed_count; i++)
		words[n++] = (char *)fixed[i];
	for (size_t i = 0; i < count; i++)
		words[n++] = dph_pool_print(pool, "-D%s", defines[i]);
	words[n++] = (char *)"-";
	return words;
}

struct child {
	FILE *in, *out, *err;
	int status;
};

static _Noreturn void become_cpp(const struct child *child, const char *folder, char **words)
{
	if (chdir(folder) != 0 || dup2(fileno(child->in), 0) < 0 ||
	    dup2(fileno(child->out), 1) < 0 || dup2(fileno(child->err), 2) < 0)
		_exit(126);
	setenv("LC_ALL", "C", 1);
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

static char *read_all(struct dph_pool *pool, FILE *file)
{
	struct dph_bytes text = {0};
	unsigned char piece[4096];
	size_t n;
	while ((n = fread(piece, 1, sizeof(piece), file)) > 0)
		dph_bytes_add(&text, piece, n);
	char *copy = dph_pool_copy(pool, text.data ? (char *)text.data : "", text.count);
	free(text.data);
	return copy;
}

static void close_child(struct child *child)
{
	FILE *files[] = {child->in, child->out, child->err};
	for (unsigned i = 0; i < 3; i++)
		if (files[i])
			fclose(files[i]);
}

/* --- what it says -------------------------------------------------------------------------- */

/* The name a message should use for one of cpp's, which are relative to the folder. */
static const char *our_name(struct dph_source *source, const char *folder, const char *theirs,
			    size_t bytes)
{
	const char *program = source->files[0].name;
	if (bytes == 7 && memcmp(theirs, "<stdin>", 7) == 0)
		return program;
	if (*theirs == '/' || *theirs == '<' || strcmp(folder, ".") == 0)
		return dph_pool_copy(&source->pool, theirs, bytes);
	while (bytes > 2 && theirs[0] == '.' && theirs[1] == '/') {
		theirs += 2;
		bytes -= 2;
	}
	const char *join = folder[strlen(folder) - 1] == '/' ? "" : "/";
	return dph_pool_print(&source->pool, "%s%s%.*s", folder, join, (int)bytes, theirs);
}

static const struct dph_source_file *know_file(struct dph_source *source, const char *name,
					       struct dp_messages *messages)
{
	for (size_t i = 0; i < source->file_count; i++)
		if (strcmp(source->files[i].name, name) == 0)
			return &source->files[i];
	source->files = dph_grow(source->files, &source->file_capacity, source->file_count,
				 sizeof(*source->files));
	struct dph_source_file *file = &source->files[source->file_count++];
	*file = (struct dph_source_file){.name = name};
	struct dp_messages ignored = {0};
	char *text = *name == '<' ? NULL : dph_read_file(name, &file->bytes, &ignored);
	dp_messages_free(&ignored);
	if (text) {
		file->text = dph_pool_copy(&source->pool, text, file->bytes);
		free(text);
		refuse_elseif(source, file, messages);
	}
	return file;
}

static const char *file_line(struct dph_source *source, const struct dph_source_file *file,
			     unsigned number)
{
	const char *line = file->text;
	for (unsigned i = 1; line && *line && i < number; i++)
		line = next_line(line);
	if (!line || !*line)
		return NULL;
	return dph_pool_copy(&source->pool, line, strcspn(line, "\r\n"));
}

/* `FILE:LINE:COLUMN: [fatal ]error: TEXT` or `...: warning: TEXT` becomes a message. */
static void take_complaint(struct dph_source *source, const char *folder, const char *line,
			   struct dp_messages *messages)
{
	char text[512], severity[16];
	unsigned number, column;
	int name_bytes = (int)strcspn(line, ":"), n = 0;
	const char *rest = line + name_bytes;
	if (sscanf(rest, ":%u:%u: %n", &number, &column, &n) < 2 || !n) {
		column = n = 0;
		if (sscanf(rest, ":%u: %n", &number, &n) < 1 || !n) {
			number = n = 0;
			if (sscanf(rest, ": %n", &n) < 0 || !n)
				return;
		}
	}
	rest += n;
	if (strncmp(rest, "fatal ", 6) == 0)
		rest += 6;
	if (sscanf(rest, "%15[a-z]: %511[^\n]", severity, text) != 2)
		return;
	bool error = strcmp(severity, "error") == 0;
	if (!error && strcmp(severity, "warning") != 0)
		return;
	const char *name = our_name(source, folder, line, (size_t)name_bytes);
	const struct dph_source_file *file = know_file(source, name, messages);
	const char *source_line = number ? file_line(source, file, number) : NULL;
	/* cpp points at the word behind the #; the directive is what is meant. */
	if (source_line && column > 1 && source_line[column - 2] == '#')
		column--;
	if (number && !column)
		column = 1;
	struct dp_message where = {
		.severity = error ? DP_ERROR : DP_WARNING,
		.file = (char *)name,
		.line = number,
		.column = column,
		.width = 1,
		.source = (char *)source_line,
	};
	if (source_line && strstr(source_line, "include") && strstr(text, ": No such file"))
		dph_message(messages, &where, "%s; #include looks beside the program", text);
	else
		dph_message(messages, &where, "%s", text);
}

static void take_complaints(struct dph_source *source, const char *folder, const char *text,
			    struct dp_messages *messages)
{
	for (const char *line = text; *line; line = next_line(line))
		if (!isspace((unsigned char)*line))
			take_complaint(source, folder, line, messages);
}

/* --- its output ---------------------------------------------------------------------------- */

static void add_line(struct dph_source *source, const char *text, size_t bytes, const char *file,
		     unsigned number)
{
	source->lines =
		dph_grow(source->lines, &source->capacity, source->count, sizeof(*source->lines));
	while (bytes && (text[bytes - 1] == '\r' || text[bytes - 1] == '\n'))
		bytes--;
	source->lines[source->count++] = (struct dph_line){
		.text = dph_pool_copy(&source->pool, text, bytes), .file = file, .number = number};
}

static void split_lines(struct dph_source *source, const char *folder, const char *text,
			struct dp_messages *messages)
{
	const char *file = source->files[0].name;
	unsigned number = 1, marked;
	for (const char *line = text; *line; line = next_line(line), number++) {
		int name = 0;
		if (folder && sscanf(line, "# %u \"%n", &marked, &name) == 1 && name) {
			size_t bytes = strcspn(line + name, "\"\n");
			file = our_name(source, folder, line + name, bytes);
			file = know_file(source, file, messages)->name;
			number = marked - 1;
			continue;
		}
		add_line(source, line, (size_t)(next_line(line) - line), file, number);
	}
}

static bool through_cpp(struct dph_source *source, const char *text, const char *const *defines,
			size_t define_count, struct dp_messages *messages)
{
	const char *name = source->files[0].name;
	char *folder = folder_of(&source->pool, name);
	char **words = child_words(&source->pool, defines, define_count);
	struct child child = {.in = tmpfile(), .out = tmpfile(), .err = tmpfile()};
	size_t errors = messages->errors;
	if (!child.in || !child.out || !child.err || fputs(text, child.in) < 0 ||
	    fflush(child.in) != 0) {
		dph_file_error(messages, name, "cannot run cpp: %s", strerror(errno));
		close_child(&child);
		return false;
	}
	rewind(child.in);
	if (!run_child(&child, folder, words)) {
		dph_file_error(messages, name, "cannot run cpp: %s", strerror(errno));
	} else if (WIFEXITED(child.status) && WEXITSTATUS(child.status) >= 126) {
		dph_file_error(
			messages, name,
			"cannot run cpp, the C preprocessor; install it (Debian: package cpp)");
	} else {
		take_complaints(source, folder, read_all(&source->pool, child.err), messages);
		split_lines(source, folder, read_all(&source->pool, child.out), messages);
		if (child.status != 0 && messages->errors == errors)
			dph_file_error(messages, name,
				       "cpp failed and does not say why; is the cpp of PATH the C "
				       "preprocessor?");
	}
	close_child(&child);
	return messages->errors == errors;
}

static bool check_text(const char *text, size_t bytes, const char *name,
		       struct dp_messages *messages)
{
	unsigned line = 1;
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
			const char *const *defines, size_t define_count,
			struct dp_messages *messages)
{
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
	if (wants_cpp(changed, define_count))
		return through_cpp(source, changed, defines, define_count, messages);
	split_lines(source, NULL, changed, messages);
	return true;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The compiler runs its steps in order, from text to object. */
#define _GNU_SOURCE
#include "compile.h"

#include "object/empty.h"

#include "dp_object.h"
#include "steps.h"
#include "symbols/elf_image.h"

#include <stdlib.h>
#include <string.h>

/* --- what is it for? ----------------------------------------------------------------------- */

static const char *cpu_names(struct dph_pool *pool)
{
	const struct dph_cpu *cpu;
	char *list = dph_pool_copy(pool, "", 0);
	for (size_t i = 0; (cpu = dph_cpu_at(i)); i++)
		list = dph_pool_print(pool, "%s%s%s", list, i ? ", " : "", cpu->name);
	return list;
}

/* elf, image: of a file that is an ELF file; else null, any. */
static bool choose_cpu(struct dph_compilation *c, const struct dp_image_info *elf,
		       const struct dp_image *image)
{
	const struct dp_build_options *o = c->options;
	const char *text = elf ? dph_image_cpu_text(image) : NULL;
	if (o->cpu) {
		c->program.target.cpu = dph_cpu_named(o->cpu);
		if (!c->program.target.cpu)
			dph_file_error(c->report.messages, NULL, "unknown CPU '%s'; supported: %s",
				       o->cpu, cpu_names(&c->source.pool));
		else if (elf && !dph_image_takes(image, c->program.target.cpu))
			dph_file_error(c->report.messages, elf->path,
				       "the file is for %s (e_machine %u), not for %s",
				       text ? text : "another CPU", elf->machine, o->cpu);
		return c->program.target.cpu && !c->report.messages->errors;
	}
	if (!elf) {
		c->program.target.cpu = dph_cpu_default();
		return true;
	}
	c->program.target.cpu = dph_image_cpu(image);
	if (!c->program.target.cpu)
		dph_file_error(c->report.messages, elf->path,
			       "dprobes does not support the file's CPU (%s%se_machine %u); "
			       "supported: %s",
			       text ? text : "", text ? ", " : "", elf->machine,
			       cpu_names(&c->source.pool));
	return c->program.target.cpu;
}

static bool choose_word(struct dph_compilation *c, const struct dp_image_info *elf)
{
	unsigned bits = c->options->word_bits, cpu_bits = c->program.target.cpu->word_bytes * 8;
	if (bits && bits != 32 && bits != 64) {
		dph_file_error(c->report.messages, NULL, "a word has 32 or 64 bits, not %u", bits);
		return false;
	}
	if (bits && cpu_bits && bits != cpu_bits) {
		dph_file_error(c->report.messages, NULL, "%s has %u-bit words, not %u",
			       c->program.target.cpu->name, cpu_bits, bits);
		return false;
	}
	if (elf && cpu_bits && elf->word_bits != cpu_bits) {
		dph_file_error(c->report.messages, elf->path,
			       "the file has %u-bit words; %s is supported with %u", elf->word_bits,
			       c->program.target.cpu->name, cpu_bits);
		return false;
	}
	c->program.target.word_bytes = (bits       ? bits
					: cpu_bits ? cpu_bits
					: elf      ? elf->word_bits
						   : 32) /
				       8;
	return true;
}

static bool choose_order(struct dph_compilation *c, const struct dp_image_info *elf)
{
	const char *order = c->options->endian;
	bool big = elf ? elf->big_endian : !c->program.target.cpu->little;
	if (order && strcmp(order, "little") != 0 && strcmp(order, "big") != 0) {
		dph_file_error(c->report.messages, NULL, "byte order is little or big, not '%s'",
			       order);
		return false;
	}
	if (order)
		big = order[0] == 'b';
	if (elf && big != elf->big_endian) {
		dph_file_error(c->report.messages, elf->path, "the file is %s-endian, not %s",
			       elf->big_endian ? "big" : "little", order);
		return false;
	}
	if (big ? !c->program.target.cpu->big : !c->program.target.cpu->little) {
		dph_file_error(c->report.messages, NULL, "%s is %s-endian, not %s",
			       c->program.target.cpu->name, big ? "little" : "big",
			       big ? "big" : "little");
		return false;
	}
	c->program.target.big_endian = big;
	return true;
}

static bool choose_target(struct dph_compilation *c)
{
	struct dp_image_info info, *elf = NULL;
	const struct dp_image *image =
		c->images.firmware ? c->images.firmware : c->images.symbol_file;
	if (image) {
		dp_image_info(image, &info);
		elf = info.elf ? &info : NULL;
	}
	return choose_cpu(c, elf, image) && choose_word(c, elf) && choose_order(c, elf);
}

/* --- steps --------------------------------------------------------------------------------- */

static void free_compilation(struct dph_compilation *c)
{
	dph_ir_free(&c->program);
	dph_images_close(&c->images);
	dph_source_free(&c->source);
	free(c);
}

/* A fault is a mistake of the front end: no program of a user causes one. */
static void say_fault(struct dph_compilation *c, const struct dph_front_end *front_end)
{
	const struct dph_fault *fault = &c->program.fault;
	dph_say(&c->report, DP_ERROR, fault->place,
		"the front end for %s made a mistake, not the program: %s", front_end->name,
		fault->text);
}

static const struct dph_insn *insn_at(const struct dph_program *p, uint32_t offset)
{
	for (size_t i = 0; i < p->routine_count; i++) {
		const struct dph_routine *r = &p->routines[i];
		for (size_t j = 0; r->offset <= offset && j < r->insn_count; j++)
			if (r->insns[j].offset == offset)
				return &r->insns[j];
	}
	return NULL;
}

static void warn_log(struct dph_compilation *c, const struct dph_insn *insn)
{
	if (insn->op->operand == RPN_ARG_NONE)
		dph_warning(c, insn->place,
			    "'%s' takes its number of words from an empty stack; push the words, "
			    "then their number",
			    insn->op->text);
	else
		dph_warning(c, insn->place,
			    "'%s %llu' logs words that were never pushed; the stack has fewer here",
			    insn->op->text, (unsigned long long)insn->value);
}

/* `log 2` where one word was pushed: the word below is logged as well. */
static void warn_unpushed(struct dph_compilation *c, const struct dp_object_file *object)
{
	struct dph_empty logs;
	dph_find_unpushed(object, &logs);
	for (size_t i = 0; i < logs.count; i++) {
		const struct dph_insn *insn = insn_at(&c->program, logs.offsets[i]);
		warn_log(c, insn);
	}
	dph_empty_free(&logs);
}

/* `file` is an object, or a program whose language has no arguments. */
static void refuse_arguments(const char *file, const char *language,
			     const struct dp_build_options *options, struct dp_messages *messages)
{
	dph_file_error(messages, file, "%s%s takes no arguments, and '%s' is given",
		       language ? "a program in " : "an object", language ? language : "",
		       options->d_arguments[0]);
}

static struct dp_object_file *compile(struct dph_compilation *c,
				      const struct dph_front_ends *front_ends)
{
	const struct dp_messages *messages = c->report.messages;
	const size_t before = messages->errors;
	const struct dph_front_end *front_end = dph_front_end_for(front_ends, &c->source);
	if (c->options->d_argument_count && !front_end->takes_arguments)
		refuse_arguments(c->source.files[0].name, front_end->name, c->options,
				 c->report.messages);
	front_end->compile(c);
	if (messages->errors == before)
		dph_count_hooks(c);
	if (messages->errors == before && !dph_ir_complete(&c->program))
		say_fault(c, front_end);
	if (messages->errors == before)
		dph_layout(c);
	dph_resolve_points(c);
	if (messages->errors == before)
		dph_check_returns(c);
	if (messages->errors != before)
		return NULL;
	struct dp_object_file *object = dph_write_object(c);
	warn_unpushed(c, object);
	return object;
}

/* A program as it was written. */
struct written {
	const char *text;
	size_t bytes;
	const char *name;
	struct dph_cpp_output *cpp; /* as dph_cpp_options has it */
};

static struct dp_object_file *compile_written(const struct dph_front_ends *front_ends,
					      const struct written *written,
					      const struct dp_build_options *options,
					      struct dp_messages *messages)
{
	struct dph_compilation *c = dph_malloc(sizeof(*c));
	struct dp_object_file *object = NULL;
	/* Errors of an earlier job are not ours. */
	struct dp_messages ours = {0};
	const struct dph_cpp_options cpp = {options->defines, options->define_count,
					    options->includes, options->include_count,
					    written->cpp};
	c->report = (struct dph_report){&c->source, &ours};
	c->options = options;
	const bool opened = dph_images_open(&c->images, options->elf, options->sym, &ours);
	dph_images_move(&c->images, options->moved);
	if (options->text_bytes > 0)
		dph_images_text(&c->images, options->text, options->text_bytes);
	if (opened && choose_target(c) &&
	    dph_source_prepare(&c->source, written->text, written->bytes, written->name, &cpp,
			       &ours))
		object = compile(c, front_ends);
	free_compilation(c);
	dph_messages_move(messages, &ours);
	return object;
}

struct dp_object_file *dph_compile(const struct dph_front_ends *front_ends, const char *text,
				   size_t bytes, const char *name,
				   const struct dp_build_options *options,
				   struct dp_messages *messages)
{
	const struct written written = {text, bytes, name, NULL};
	return compile_written(front_ends, &written, options, messages);
}

struct dp_object_file *dp_compile_text(const char *text, const char *name,
				       const struct dp_build_options *options,
				       struct dp_messages *messages)
{
	return dph_compile(&dph_front_ends, text, strlen(text), name, options, messages);
}

/* The first three characters: another version is refused as an object, not as a program. */
bool dph_is_object(const char *data, size_t bytes)
{
	return bytes >= 3 && memcmp(data, DP_OBJECT_MAGIC, 3) == 0;
}

struct dp_object_file *dp_compile_file(const char *path, const struct dp_build_options *options,
				       struct dp_messages *messages)
{
	size_t bytes;
	char *text = dph_read_file(path, &bytes, messages);
	if (!text)
		return NULL;
	if (dph_is_object(text, bytes)) {
		dph_file_error(messages, path,
			       "the file is an object already: 'dprobes insert' installs the "
			       "object, 'dprobes disasm' prints its source");
		free(text);
		return NULL;
	}
	const char *name = strcmp(path, "-") == 0 ? "<stdin>" : path;
	struct dp_object_file *object =
		dph_compile(&dph_front_ends, text, bytes, name, options, messages);
	free(text);
	return object;
}

/* Is the file an object, whole or damaged? The reader of objects explains what is wrong with it. */
static bool is_meant_as_object(const char *data, size_t bytes, const char *name)
{
	const size_t length = strlen(name);
	return dph_is_object(data, bytes) ||
	       (length >= 5 && strcmp(name + length - 5, ".ppdf") == 0);
}

struct dp_object_file *dph_open_bytes(const char *data, size_t bytes, const char *path,
				      const struct dp_build_options *options,
				      struct dph_cpp_output *cpp, struct dp_messages *messages)
{
	const char *name = strcmp(path, "-") == 0 ? "<stdin>" : path;
	const struct written written = {data, bytes, name, cpp};
	if (dph_is_object(data, bytes) && options->d_argument_count) {
		refuse_arguments(name, NULL, options, messages);
		return NULL;
	}
	return is_meant_as_object(data, bytes, name)
		       ? dp_object_from_bytes(data, bytes, name, messages)
		       : compile_written(&dph_front_ends, &written, options, messages);
}

struct dp_object_file *dp_open_program(const char *path, const struct dp_build_options *options,
				       struct dp_messages *messages)
{
	size_t bytes;
	char *data = dph_read_file(path, &bytes, messages);
	if (!data)
		return NULL;
	struct dp_object_file *object = dph_open_bytes(data, bytes, path, options, NULL, messages);
	free(data);
	return object;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* From text to object: the order of the steps. */
#define _GNU_SOURCE
#include "compile.h"

#include "dp_object.h"
#include "program.h"

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

static bool choose_cpu(struct dph_compiler *c, const struct dp_image_info *elf)
{
	const struct dp_build_options *o = c->options;
	if (o->cpu) {
		c->target.cpu = dph_cpu_named(o->cpu);
		if (!c->target.cpu)
			dph_file_error(c->messages, NULL, "unknown CPU '%s'; there are %s", o->cpu,
				       cpu_names(&c->source.pool));
		else if (elf && c->target.cpu->elf_machine &&
			 c->target.cpu->elf_machine != elf->machine)
			dph_file_error(c->messages, elf->path,
				       "it is for %s (e_machine %u), not for %s",
				       elf->cpu ? elf->cpu : "another CPU", elf->machine, o->cpu);
		return c->target.cpu && !c->messages->errors;
	}
	if (!elf) {
		c->target.cpu = dph_cpu_numbered(DP_CPU_SIM);
		return true;
	}
	c->target.cpu = dph_cpu_of_elf(elf->machine);
	if (!c->target.cpu)
		dph_file_error(c->messages, elf->path,
			       "it is for a CPU dprobes does not know (e_machine %u); there are %s",
			       elf->machine, cpu_names(&c->source.pool));
	return c->target.cpu;
}

static bool choose_word(struct dph_compiler *c, const struct dp_image_info *elf)
{
	unsigned bits = c->options->word_bits, cpu_bits = c->target.cpu->word_bytes * 8;
	if (bits && bits != 32 && bits != 64) {
		dph_file_error(c->messages, NULL, "a word has 32 or 64 bits, not %u", bits);
		return false;
	}
	if (bits && cpu_bits && bits != cpu_bits) {
		dph_file_error(c->messages, NULL, "%s has %u-bit words, not %u",
			       c->target.cpu->name, cpu_bits, bits);
		return false;
	}
	if (elf && cpu_bits && elf->word_bits != cpu_bits) {
		dph_file_error(c->messages, elf->path,
			       "it has %u-bit words; %s is supported with %u", elf->word_bits,
			       c->target.cpu->name, cpu_bits);
		return false;
	}
	c->target.word_bytes = (bits ? bits : cpu_bits ? cpu_bits : elf ? elf->word_bits : 32) / 8;
	return true;
}

static bool choose_order(struct dph_compiler *c, const struct dp_image_info *elf)
{
	const char *order = c->options->endian;
	bool big = elf ? elf->big_endian : !c->target.cpu->little;
	if (order && strcmp(order, "little") != 0 && strcmp(order, "big") != 0) {
		dph_file_error(c->messages, NULL, "byte order is little or big, not '%s'", order);
		return false;
	}
	if (order)
		big = order[0] == 'b';
	if (elf && big != elf->big_endian) {
		dph_file_error(c->messages, elf->path, "it is %s-endian, not %s",
			       elf->big_endian ? "big" : "little", order);
		return false;
	}
	if (big ? !c->target.cpu->big : !c->target.cpu->little) {
		dph_file_error(c->messages, NULL, "%s is %s-endian, not %s", c->target.cpu->name,
			       big ? "little" : "big", big ? "big" : "little");
		return false;
	}
	c->target.big_endian = big;
	return true;
}

static bool open_images(struct dph_compiler *c)
{
	const struct dp_build_options *o = c->options;
	struct dp_image_info info;
	if (o->elf) {
		c->firmware = dp_image_open(o->elf, c->messages);
		if (!c->firmware)
			return false;
		dp_image_info(c->firmware, &info);
		if (!info.elf) {
			dph_file_error(c->messages, o->elf,
				       "this is no ELF file; give a list of symbols with --sym");
			return false;
		}
	}
	if (o->sym)
		c->symbol_file = dp_image_open(o->sym, c->messages);
	return !c->messages->errors;
}

static bool choose_target(struct dph_compiler *c)
{
	struct dp_image_info info, *elf = NULL;
	const struct dp_image *image = c->firmware ? c->firmware : c->symbol_file;
	if (image) {
		dp_image_info(image, &info);
		elf = info.elf ? &info : NULL;
	}
	return choose_cpu(c, elf) && choose_word(c, elf) && choose_order(c, elf);
}

/* --- steps --------------------------------------------------------------------------------- */

static void free_names(struct dph_names *names)
{
	free(names->list);
}

static void free_compiler(struct dph_compiler *c)
{
	struct dph_program *p = &c->program;
	for (size_t i = 0; i < p->routine_count; i++) {
		free(p->routines[i].insns);
		free(p->routines[i].labels);
	}
	free(p->routines);
	free(p->points);
	free_names(&p->groups);
	free_names(&p->types);
	free_names(&p->symbols);
	if (c->module_file != c->symbol_file)
		dp_image_close(c->module_file);
	dp_image_close(c->symbol_file);
	dp_image_close(c->firmware);
	dph_source_free(&c->source);
}

static struct dp_object_file *compile(struct dph_compiler *c, const char *text, size_t bytes,
				      const char *name)
{
	const struct dp_build_options *o = c->options;
	size_t before = c->messages->errors;
	if (!open_images(c) || !choose_target(c) ||
	    !dph_source_prepare(&c->source, text, bytes, name, o->defines, o->define_count,
				c->messages))
		return NULL;
	dph_parse(c);
	c->program.syntax_errors = c->messages->errors != before;
	if (!c->program.point_count && c->messages->errors == before) {
		struct dph_place whole = {.line = c->line};
		if (c->program.statement.line)
			whole = c->program.statement;
		dph_error(c, whole, "no probe in this file; 'offset =' or 'address =' begins one");
	}
	if (!c->program.syntax_errors)
		dph_layout(c);
	dph_resolve_points(c);
	return c->messages->errors == before ? dph_write_object(c) : NULL;
}

static struct dp_object_file *compile_bytes(const char *text, size_t bytes, const char *name,
					    const struct dp_build_options *options,
					    struct dp_messages *messages)
{
	struct dph_compiler *c = dph_malloc(sizeof(*c));
	/* Errors of an earlier job are not ours. */
	struct dp_messages ours = {0};
	c->messages = &ours;
	c->options = options;
	struct dp_object_file *object = compile(c, text, bytes, name);
	free_compiler(c);
	free(c);
	dph_messages_move(messages, &ours);
	return object;
}

struct dp_object_file *dp_compile_text(const char *text, const char *name,
				       const struct dp_build_options *options,
				       struct dp_messages *messages)
{
	return compile_bytes(text, strlen(text), name, options, messages);
}

/* The first three characters: another version is refused as an object, not as a program. */
static bool is_object(const char *data, size_t bytes)
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
	if (is_object(text, bytes)) {
		dph_file_error(messages, path,
			       "it is an object already: 'dprobes insert' takes it as it is, "
			       "'dprobes disasm' prints its source");
		free(text);
		return NULL;
	}
	const char *name = strcmp(path, "-") == 0 ? "<stdin>" : path;
	struct dp_object_file *object = compile_bytes(text, bytes, name, options, messages);
	free(text);
	return object;
}

struct dp_object_file *dph_open_bytes(const char *data, size_t bytes, const char *path,
				      const struct dp_build_options *options,
				      struct dp_messages *messages)
{
	const char *name = strcmp(path, "-") == 0 ? "<stdin>" : path;
	return is_object(data, bytes) ? dp_object_from_bytes(data, bytes, name, messages)
				      : compile_bytes(data, bytes, name, options, messages);
}

struct dp_object_file *dp_open_program(const char *path, const struct dp_build_options *options,
				       struct dp_messages *messages)
{
	size_t bytes;
	char *data = dph_read_file(path, &bytes, messages);
	if (!data)
		return NULL;
	struct dp_object_file *object = dph_open_bytes(data, bytes, path, options, messages);
	free(data);
	return object;
}

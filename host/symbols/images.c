/* SPDX-License-Identifier: BSD-2-Clause */
/* This file chooses the files of a program's symbols and code. */
#define _GNU_SOURCE
#include "images.h"

#include "base/diag.h"
#include "base/pool.h"
#include "elf_image.h"
#include "dp_object.h"
#include "tables/registers.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool dph_images_open(struct dph_images *images, const char *elf, const char *sym,
		     struct dp_messages *messages)
{
	size_t before = messages->errors;
	struct dp_image_info info;
	if (elf) {
		images->firmware = dp_image_open(elf, messages);
		if (!images->firmware)
			return false;
		dp_image_info(images->firmware, &info);
		if (!info.elf) {
			dph_file_error(
				messages, elf,
				"the file is no ELF file; give a list of symbols with --sym");
			return false;
		}
	}
	if (sym)
		images->symbol_file = dp_image_open(sym, messages);
	return messages->errors == before;
}

void dph_images_move(struct dph_images *images, uint64_t moved)
{
	if (images->firmware)
		dp_image_move(images->firmware, moved);
	if (images->symbol_file)
		dp_image_move(images->symbol_file, moved);
}

void dph_images_text(struct dph_images *images, uint64_t first, uint64_t bytes)
{
	if (images->firmware)
		dph_image_text(images->firmware, first, bytes);
}

void dph_images_copy(struct dph_images *images, uint64_t base)
{
	struct dp_messages unsaid = {0};
	struct dp_image *copy = dph_image_again(images->symbol_file, &unsaid);
	dp_messages_free(&unsaid);
	if (!copy)
		return;
	dp_image_move(copy, base - dph_image_base(copy));
	images->copies = dph_grow((void *)images->copies, &images->copy_capacity,
				  images->copy_count, sizeof(struct dp_image *));
	images->copies[images->copy_count++] = copy;
}

void dph_images_close(struct dph_images *images)
{
	if (images->module != images->symbol_file)
		dp_image_close(images->module);
	dp_image_close(images->symbol_file);
	dp_image_close(images->firmware);
	for (size_t i = 0; i < images->copy_count; i++)
		dp_image_close(images->copies[i]);
	free((void *)images->copies);
	*images = (struct dph_images){0};
}

/* name = may be the path of the module's file, or any other word. */
static bool is_elf_file(const char *path)
{
	struct stat facts;
	char magic[SELFMAG] = {0};
	if (stat(path, &facts) != 0 || !S_ISREG(facts.st_mode))
		return false;
	FILE *file = fopen(path, "rb");
	if (!file)
		return false;
	bool elf = fread(magic, 1, SELFMAG, file) == SELFMAG && memcmp(magic, ELFMAG, SELFMAG) == 0;
	fclose(file);
	return elf;
}

static const char *cpu_text(const struct dp_image *image)
{
	const char *text = dph_image_cpu_text(image);
	return text ? text : "another CPU";
}

void dph_images_open_module(struct dph_images *images, const char *name, const struct dph_cpu *cpu,
			    struct dp_messages *messages)
{
	struct dp_image_info info;
	if (images->module)
		return;
	if (images->symbol_file)
		images->module = images->symbol_file;
	else if (name && is_elf_file(name))
		images->module = dp_image_open(name, messages);
	if (!images->module)
		return;
	dp_image_move(images->module, 0); /* points of a module are offsets */
	dp_image_info(images->module, &info);
	if (!dph_image_takes(images->module, cpu))
		dph_file_error(messages, info.path, "the file is for %s (e_machine %u), not for %s",
			       cpu_text(images->module), info.machine, cpu->name);
}

const struct dp_image *dph_images_of(const struct dph_images *images, unsigned modtype)
{
	return modtype == DP_MODULE_KERNEL ? images->firmware : images->module;
}

const struct dp_image *dph_images_code(const struct dph_images *images, unsigned modtype)
{
	const struct dp_image *image = dph_images_of(images, modtype);
	struct dp_image_info info;
	if (!image)
		return NULL;
	dp_image_info(image, &info);
	return info.elf ? image : NULL;
}

const struct dp_image *dph_images_symbols(const struct dph_images *images)
{
	return images->symbol_file && !images->module ? images->symbol_file : images->firmware;
}

/* A list of symbols has no sizes: the list cannot tell what is inside a function. */
const struct dp_image *dph_images_names(const struct dph_images *images)
{
	struct dp_image_info info = {0};
	if (images->symbol_file)
		dp_image_info(images->symbol_file, &info);
	return info.elf ? images->symbol_file : images->firmware;
}

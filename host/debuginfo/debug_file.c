/* SPDX-License-Identifier: BSD-2-Clause */
/* This file finds the file with the debug information of an image, or the sentence for a missing
 * file. */
#define _GNU_SOURCE
#include "debuginfo.h"

#include "base/hex.h"
#include "dp_crc.h"
#include "symbols/elf_image.h"
#include <dprobes/host.h>

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <gelf.h>
#include <string.h>

/* --- one file ------------------------------------------------------------------------------ */

/* Open a file as ELF. content: of the file, taken over; null: it cannot be read. False: the file
 * cannot be read, or is no ELF file. */
static bool open_elf(struct dph_debug_file *file, const char *path, struct dph_content *content)
{
	*file = (struct dph_debug_file){.path = path};
	dph_elf_open(&file->bytes, content);
	file->elf = file->bytes.elf;
	return file->elf && elf_kind(file->elf) == ELF_K_ELF;
}

/* The image's own file, as the image has read it. */
static bool open_own(struct dp_debuginfo *debug, const char *path)
{
	return open_elf(&debug->file, path, dph_image_content(debug->image));
}

void dph_debug_file_close(struct dph_debug_file *file)
{
	if (file->dwarf)
		dwarf_end(file->dwarf);
	dph_elf_close(&file->bytes);
	*file = (struct dph_debug_file){0};
}

static const char *name_of(const struct dph_debug_file *file, Elf_Scn *section, GElf_Shdr *header)
{
	size_t names;
	if (elf_getshdrstrndx(file->elf, &names) != 0 || !gelf_getshdr(section, header))
		return NULL;
	return elf_strptr(file->elf, names, header->sh_name);
}

/* Is it the old form of a compressed section: ".zdebug_info" for ".debug_info"? */
static bool old_compressed(const char *found, const char *name)
{
	return strncmp(found, ".zdebug_", 8) == 0 && strncmp(name, ".debug_", 7) == 0 &&
	       strcmp(found + 8, name + 7) == 0;
}

/* *old: the section is in the old compressed form. */
static Elf_Scn *find_section(const struct dph_debug_file *file, const char *name, GElf_Shdr *header,
			     bool *old)
{
	Elf_Scn *section = NULL;
	while (file->elf && (section = elf_nextscn(file->elf, section))) {
		const char *found = name_of(file, section, header);
		if (!found || header->sh_type == SHT_NOBITS)
			continue;
		*old = old_compressed(found, name);
		if (*old || strcmp(found, name) == 0)
			return section;
	}
	return NULL;
}

static bool has(const struct dph_debug_file *file, const char *name)
{
	GElf_Shdr header;
	bool old;
	return find_section(file, name, &header, &old) != NULL;
}

const uint8_t *dph_debug_section(const struct dph_debug_file *file, const char *name, size_t *bytes,
				 uint64_t *address)
{
	GElf_Shdr header;
	bool old;
	Elf_Scn *section = find_section(file, name, &header, &old);
	if (!section || (old && elf_compress_gnu(section, 0, 0) < 0) ||
	    (!old && (header.sh_flags & SHF_COMPRESSED) && elf_compress(section, 0, 0) < 0))
		return NULL;
	Elf_Data *data = elf_rawdata(section, NULL);
	if (!data || !data->d_buf)
		return NULL;
	*bytes = data->d_size;
	*address = header.sh_addr;
	return data->d_buf;
}

enum {
	PACKED_ZSTD = 2 /* ELFCOMPRESS_ZSTD, which older headers lack */
};

/* A compressed section that cannot be read. Returns why; null: it can be read. */
static const char *why_packed(struct dp_debuginfo *debug)
{
	GElf_Shdr header;
	GElf_Chdr packed;
	bool old;
	size_t bytes;
	uint64_t address;
	Elf_Scn *section = find_section(&debug->file, ".debug_info", &header, &old);
	const bool is_packed = section && (old || header.sh_flags & SHF_COMPRESSED);
	if (is_packed && !old && gelf_getchdr(section, &packed) &&
	    packed.ch_type != ELFCOMPRESS_ZLIB)
		return dph_why(debug,
			       "the debug information of %s is compressed with %s, which this "
			       "dprobes cannot read; use objcopy --decompress-debug-sections",
			       debug->file.path,
			       packed.ch_type == PACKED_ZSTD ? "zstd" : "another method than zlib");
	if (is_packed && !dph_debug_section(&debug->file, ".debug_info", &bytes, &address))
		return dph_why(debug,
			       "the debug information of %s is damaged: .debug_info cannot be "
			       "decompressed; build it again",
			       debug->file.path);
	return NULL;
}

/* --- DWARF of the image's own file --------------------------------------------------------- */

static bool take_dwarf(struct dp_debuginfo *debug)
{
	if (!has(&debug->file, ".debug_info"))
		return false;
	debug->missing = why_packed(debug);
	if (debug->missing)
		return false;
	debug->file.dwarf = dwarf_begin_elf(debug->file.elf, DWARF_C_READ, NULL);
	if (debug->file.dwarf)
		return true;
	debug->missing =
		dph_why(debug, "the debug information of %s is damaged: %s; build it again",
			debug->file.path, dwarf_errmsg(-1));
	return false;
}

/* Why a file that is an ELF file has no DWARF, where it names no other one. */
static void say_none(struct dp_debuginfo *debug)
{
	const struct dp_symbol *symbols;
	const char *path = debug->file.path;
	if (debug->missing)
		return;
	if (has(&debug->file, ".gnu_debugaltlink"))
		debug->missing =
			dph_why(debug,
				"the debug information of %s was compacted by dwz; use the "
				"file before dwz",
				path);
	else if (dp_image_symbols(debug->image, &symbols) == 0)
		debug->missing = dph_why(debug,
					 "%s has no debug information: the file is stripped; use "
					 "the file before strip",
					 path);
	else if (has(&debug->file, ".ctf"))
		debug->missing = dph_why(debug,
					 "%s has types (CTF), and neither local variables nor "
					 "lines; compile with -g",
					 path);
	else
		debug->missing =
			dph_why(debug, "%s has no debug information; compile with -g", path);
}

/* --- a separate file ----------------------------------------------------------------------- */

/* CRC of a file's bytes, as .gnu_debuglink has it. */
static uint32_t file_crc(const struct dph_debug_file *file)
{
	size_t bytes = 0;
	const char *data = elf_rawfile(file->elf, &bytes);
	return data ? dp_crc32(0, data, bytes) : 0;
}

static const char *hex(struct dp_debuginfo *debug, const uint8_t *bytes, size_t count)
{
	return dph_hex(dph_pool_take(&debug->pool, 2 * count + 1), bytes, count);
}

/* Return whether the opened file is the debug information of this image; else set
 * debug->missing.
 * crc: as .gnu_debuglink requires, or null. */
static bool of_this_build(struct dp_debuginfo *debug, const uint32_t *crc)
{
	struct dp_image_info info;
	const void *id;
	dp_image_info(debug->image, &info);
	ssize_t bytes = dwelf_elf_gnu_build_id(debug->file.elf, &id);
	if (bytes > 0 && info.build_id_bytes) {
		if ((size_t)bytes >= info.build_id_bytes &&
		    memcmp(id, info.build_id, info.build_id_bytes) == 0)
			return true;
		debug->missing =
			dph_why(debug,
				"%s has the debug information of another build (build-id %s, "
				"%s has %s); use the file of the same build",
				debug->file.path, hex(debug, id, (size_t)bytes), info.path,
				hex(debug, info.build_id, info.build_id_bytes));
		return false;
	}
	uint32_t found = file_crc(&debug->file);
	if (!crc || found == *crc)
		return true;
	debug->missing = dph_why(debug,
				 "%s has the debug information of another build (its CRC is %08x, "
				 "%s asks for %08x); use the file of the same build",
				 debug->file.path, found, info.path, *crc);
	return false;
}

/* Take DWARF from this path. False: there is no such file, or debug->missing says more. */
static bool try_file(struct dp_debuginfo *debug, const char *path, const uint32_t *crc)
{
	struct dph_debug_file first = debug->file;
	if (open_elf(&debug->file, path, dph_content_open(path)) && of_this_build(debug, crc) &&
	    take_dwarf(debug)) {
		dph_debug_file_close(&first);
		debug->missing = NULL;
		return true;
	}
	dph_debug_file_close(&debug->file);
	debug->file = first;
	return false;
}

/* The file that .gnu_debuglink names: beside the image, or in .debug beside it. */
static bool try_debuglink(struct dp_debuginfo *debug)
{
	GElf_Word crc;
	const char *name = dwelf_elf_gnu_debuglink(debug->file.elf, &crc);
	if (!name || !*name)
		return false;
	const char *path = debug->file.path, *slash = strrchr(path, '/');
	int folder = slash ? (int)(slash - path + 1) : 0;
	uint32_t wanted = crc;
	if (try_file(debug, dph_pool_print(&debug->pool, "%.*s%s", folder, path, name), &wanted) ||
	    try_file(debug, dph_pool_print(&debug->pool, "%.*s.debug/%s", folder, path, name),
		     &wanted))
		return true;
	if (!debug->missing)
		debug->missing = dph_why(debug,
					 "%s has its debug information in '%s', which is neither "
					 "in the same folder nor in .debug/; copy the file there",
					 path, name);
	return false;
}

/* Where distributions keep debug files: by build-id. */
static bool try_build_id(struct dp_debuginfo *debug)
{
	struct dp_image_info info;
	dp_image_info(debug->image, &info);
	if (info.build_id_bytes < 2)
		return false;
	const char *id = hex(debug, info.build_id, info.build_id_bytes);
	return try_file(
		debug,
		dph_pool_print(&debug->pool, "/usr/lib/debug/.build-id/%.2s/%s.debug", id, id + 2),
		NULL);
}

/* The file that the user named. */
static void open_separate(struct dp_debuginfo *debug, const char *path, struct dph_content *content)
{
	if (!content)
		content = dph_content_open(path);
	if (!open_elf(&debug->file, path, content)) {
		debug->missing =
			content ? dph_why(debug, "%s is no ELF file; debug information is in one",
					  path)
				: dph_why(debug, "cannot read %s: %s", path,
					  dph_content_why(errno));
		return;
	}
	if (of_this_build(debug, NULL) && !take_dwarf(debug) && !try_debuglink(debug))
		say_none(debug);
}

void dph_debug_file_types(struct dp_debuginfo *debug)
{
	struct dp_image_info info;
	dp_image_info(debug->image, &info);
	if (!info.elf || !open_own(debug, info.path))
		debug->missing = dph_why(
			debug, "%s is a list of symbols; types are in the ELF file", info.path);
	else if (!has(&debug->file, ".ctf"))
		debug->missing = dph_why(
			debug, "%s has no types in CTF; compile with -gctf, or leave types=ctf out",
			info.path);
	else
		debug->missing = dph_why(debug,
					 "with types=ctf neither local variables nor lines of %s "
					 "are read",
					 info.path);
}

void dph_debug_file_open(struct dp_debuginfo *debug, const char *separate,
			 struct dph_content *content)
{
	struct dp_image_info info;
	dp_image_info(debug->image, &info);
	if (separate) {
		open_separate(debug, separate, content);
		return;
	}
	if (!info.elf) {
		debug->missing = dph_why(
			debug, "%s is a list of symbols; lines and variables are in the ELF file",
			info.path);
		return;
	}
	if (!open_own(debug, info.path))
		debug->missing = dph_why(debug, "cannot read %s", info.path);
	else if (!take_dwarf(debug) && !try_debuglink(debug) && !try_build_id(debug))
		say_none(debug);
}

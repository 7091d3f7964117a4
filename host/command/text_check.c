/* SPDX-License-Identifier: BSD-2-Clause */
/* The text check compares checksums of the target's text with the bytes of the ELF file. */
#define _GNU_SOURCE
#include "text_check.h"

#include "base/diag.h"
#include "base/pool.h"
#include "symbols/elf_attributes.h"
#include "symbols/elf_content.h"
#include "symbols/relocations.h"
#include "tables/registers.h"

#include "dp_crc.h"

#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

enum {
	PIECE = 64,                    /* the agent computes no checksum of fewer bytes */
	CHUNK = 256 * PIECE,           /* bytes of one TEXT request */
	DIFFER_MAX = 64 * PIECE,       /* bytes; more differences mean another image */
	IMAGE_MAX = 256 * 1024 * 1024, /* bytes; more are no firmware's text */
};

struct check {
	struct dp_session *session;
	struct dp_module_answer image;
	uint64_t moved; /* of the image */
	bool narrow;    /* addresses have 32 bits */
	struct dph_relocations relocations;
	bool original;
	uint8_t *expected, *known; /* each byte of the image; whether the ELF has the byte */
	struct dp_text_view *result;
};

/* A linked address of the file as a running one. */
static uint64_t running(const struct check *check, uint64_t linked)
{
	const uint64_t address = linked + check->moved;

	return check->narrow ? (uint32_t)address : address;
}

/* Is the piece left out because relocations change its bytes? */
static bool is_relocated(const struct check *check, uint64_t at)
{
	const uint64_t linked = check->image.base + at - check->moved;

	return dph_relocations_touch(&check->relocations, check->moved != 0,
				     check->narrow ? (uint32_t)linked : linked, PIECE);
}

/* Both are counted in bytes of the image. */
static bool ask(struct check *check, uint64_t at, uint32_t bytes, uint32_t *sites, bool *same)
{
	uint32_t crc;

	if (!dp_session_text(check->session, check->image.base + at, bytes, check->original, &crc,
			     sites))
		return false;
	*same = crc == dp_crc32(0, check->expected + at, bytes);
	return true;
}

static uint32_t half(uint32_t bytes)
{
	return (bytes / 2 + PIECE - 1) / PIECE * PIECE;
}

/* Find the pieces that differ: these bytes do. */
static bool search(struct check *check, uint64_t at, uint32_t bytes)
{
	struct dp_text_view *result = check->result;
	const uint32_t halves[] = {half(bytes), bytes - half(bytes)};
	bool same;

	if (bytes <= PIECE) {
		if (result->differ == 0)
			result->first = check->image.base + at;
		result->differ += bytes;
		return true;
	}
	for (unsigned i = 0; i < 2 && result->differ < DIFFER_MAX; at += halves[i++])
		if (!ask(check, at, halves[i], NULL, &same) ||
		    (!same && !search(check, at, halves[i])))
			return false;
	return true;
}

/* How many bytes from there on are pieces that the ELF has as a whole. */
static uint32_t known_bytes(const struct check *check, uint64_t at)
{
	uint32_t bytes = 0;

	while (bytes < CHUNK && at + bytes < check->image.bytes) {
		const uint64_t left = check->image.bytes - at - bytes;
		const uint32_t piece = left < PIECE ? (uint32_t)left : PIECE;

		if (memchr(check->known + at + bytes, 0, piece) != NULL)
			break;
		bytes += piece;
	}
	return bytes;
}

static bool compare(struct check *check)
{
	uint64_t at = 0;

	while (at < check->image.bytes) {
		const uint32_t bytes = known_bytes(check, at);
		uint32_t sites;
		bool same;

		if (bytes == 0) {
			check->result->left_out += is_relocated(check, at) ? PIECE : 0;
			at += PIECE;
			continue;
		}
		/* Sites are counted once a chunk, not again while a difference is searched. */
		if (!ask(check, at, bytes, &sites, &same))
			return false;
		if (!same && !search(check, at, bytes))
			return false;
		check->result->sites += sites;
		check->result->bytes += bytes;
		at += bytes;
	}
	return true;
}

/* Bytes of the ELF that begin at the address belong to the image as far as they lie in it. */
static bool take(struct check *check, uint64_t address, const uint8_t *bytes, uint64_t count)
{
	const uint64_t base = check->image.base, end = base + check->image.bytes;
	const uint64_t from = address > base ? address : base;
	const uint64_t to = address + count < end ? address + count : end;

	if (from >= to)
		return false;
	memcpy(check->expected + (from - base), bytes + (from - address), to - from);
	memset(check->known + (from - base), 1, to - from);
	return true;
}

/* Bytes between sections are in the segments alone. */
static void take_segments(struct check *check, Elf *elf)
{
	size_t segments = 0, file_bytes;
	const uint8_t *file = (const uint8_t *)elf_rawfile(elf, &file_bytes);

	if (file == NULL || elf_getphdrnum(elf, &segments) != 0)
		return;
	for (size_t i = 0; i < segments; i++) {
		GElf_Phdr header;

		if (gelf_getphdr(elf, (int)i, &header) != NULL && header.p_type == PT_LOAD &&
		    header.p_offset <= file_bytes &&
		    header.p_filesz <= file_bytes - header.p_offset)
			take(check, running(check, header.p_vaddr), file + header.p_offset,
			     header.p_filesz);
	}
}

/* Raise *end to the end of the last function of the section that these symbols name. */
static void raise_end(Elf_Scn *symbols, size_t section, uint64_t *end)
{
	Elf_Data *data = elf_getdata(symbols, NULL);
	GElf_Sym symbol;

	for (int i = 0; data != NULL && gelf_getsym(data, i, &symbol) != NULL; i++) {
		const uint64_t behind = (symbol.st_value & ~(uint64_t)1) + symbol.st_size;

		if (symbol.st_shndx == section && GELF_ST_TYPE(symbol.st_info) == STT_FUNC &&
		    behind > *end)
			*end = behind;
	}
}

/* Where the code of a section ends: behind its last function there may be constants. Without
 * symbols all of the section is code. */
static uint64_t code_end(Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
	uint64_t end = 0;

	for (Elf_Scn *scn = elf_nextscn(elf, NULL); scn != NULL; scn = elf_nextscn(elf, scn)) {
		GElf_Shdr symbols;

		if (gelf_getshdr(scn, &symbols) != NULL && symbols.sh_type == SHT_SYMTAB)
			raise_end(scn, elf_ndxscn(section), &end);
	}
	return end > 0 ? end : header->sh_addr + header->sh_size;
}

/* Code that begins in the image ends there, or the image is another one. */
static bool ends_in_image(const struct check *check, uint64_t start, uint64_t end)
{
	const uint64_t base = check->image.base, bytes = check->image.bytes;
	const uint64_t address = running(check, start);

	return address < base || address - base >= bytes || end - start <= bytes - (address - base);
}

/* Returns whether code is in the image, and sets *beyond for code that passes its end. Vectors that
 * run where they were linked may lie outside: the agent's port has changed them. */
static bool take_sections(struct check *check, Elf *elf, bool *beyond)
{
	const GElf_Xword code = SHF_EXECINSTR | SHF_ALLOC;
	bool any = false;

	for (Elf_Scn *section = elf_nextscn(elf, NULL); section != NULL;
	     section = elf_nextscn(elf, section)) {
		GElf_Shdr header;
		Elf_Data *data;

		if (gelf_getshdr(section, &header) == NULL || header.sh_type != SHT_PROGBITS ||
		    (header.sh_flags & code) != code)
			continue;
		*beyond |= !ends_in_image(check, header.sh_addr, code_end(elf, section, &header));
		data = elf_rawdata(section, NULL);
		if (data != NULL && data->d_buf != NULL)
			any |= take(check, running(check, header.sh_addr), data->d_buf,
				    data->d_size);
	}
	return any;
}

/* The bytes of the image at a linked address; null where they are not in the image. */
static uint8_t *expected_at(const struct check *check, uint64_t linked, unsigned bytes)
{
	const uint64_t at = running(check, linked) - check->image.base;

	return at < check->image.bytes && bytes <= check->image.bytes - at ? check->expected + at
									   : NULL;
}

static void take_relocation(struct check *check, const struct dph_relocation *relocation, bool big)
{
	uint8_t *bytes = expected_at(check, relocation->address, relocation->bytes);
	const uint8_t *lower =
		relocation->lower ? expected_at(check, relocation->lower, relocation->bytes) : NULL;

	if (bytes != NULL && !dph_relocation_apply(relocation, check->moved, big, bytes, lower))
		memset(check->known + (bytes - check->expected), 0, relocation->bytes);
}

/* The bytes that relocations change in memory; those that the host does not compute are unknown. */
static void take_relocations(struct check *check, Elf *elf, const struct dph_cpu *cpu, bool big)
{
	dph_relocations_read(&check->relocations, elf, cpu);
	for (int upper = 1; upper >= 0; upper--)
		for (size_t i = 0; i < check->relocations.count; i++) {
			const struct dph_relocation *relocation = &check->relocations.list[i];

			if (dph_relocation_is_upper(relocation) == (upper != 0))
				take_relocation(check, relocation, big);
		}
}

static bool check_image(struct check *check, Elf *elf, const char *path,
			struct dp_messages *messages)
{
	const struct dp_hello_answer *target = dp_session_target(check->session);
	bool good, beyond = false;

	check->narrow = target->word_bytes == 4;
	check->moved = dp_module_moved(&check->image, target);

	if (check->image.bytes > IMAGE_MAX) {
		dph_file_error(messages, path,
			       "cannot be compared: the target reports a text of %llu bytes",
			       (unsigned long long)check->image.bytes);
		return false;
	}
	check->expected = dph_malloc(check->image.bytes + 1);
	check->known = dph_malloc(check->image.bytes + 1);
	memset(check->known, 0, check->image.bytes + 1);
	take_segments(check, elf);
	good = take_sections(check, elf, &beyond);
	take_relocations(check, elf, dph_cpu_numbered(target->cpu), target->big_endian != 0);
	if (!good)
		dph_file_error(messages, path, "has no code sections");
	if (beyond)
		dph_file_error(messages, path,
			       "its code passes the end of the target's text (%llu bytes); give "
			       "the ELF file of the firmware that is running",
			       (unsigned long long)check->image.bytes);
	good = good && !beyond;
	good = good && compare(check);
	free(check->expected);
	free(check->known);
	dph_relocations_free(&check->relocations);
	return good;
}

/* Before a byte is compared: could it be this target's? */
static bool same_machine(const struct dp_session *session, Elf *elf, const char *path,
			 struct dp_messages *messages)
{
	const struct dp_hello_answer *target = dp_session_target(session);
	const struct dph_cpu *cpu = dph_cpu_numbered(target->cpu);
	struct dph_elf_kind kind;
	const char *other;
	GElf_Ehdr header;

	if (gelf_getehdr(elf, &header) == NULL) {
		dph_file_error(messages, path, "the ELF file is damaged: %s", elf_errmsg(-1));
		return false;
	}
	kind = dph_elf_kind(elf, &header);
	other = dph_cpu_text_of_elf(&kind);
	if (cpu != NULL && !dph_cpu_takes_elf(cpu, &kind)) {
		dph_file_error(messages, path,
			       "the file is for %s (e_machine %u), the target is %s",
			       other != NULL ? other : "another CPU", kind.machine, cpu->name);
		return false;
	}
	if ((header.e_ident[EI_DATA] == ELFDATA2MSB) != (target->big_endian != 0)) {
		dph_file_error(messages, path, "the file is %s-endian, the target is %s-endian",
			       target->big_endian ? "little" : "big",
			       target->big_endian ? "big" : "little");
		return false;
	}
	return true;
}

bool dph_text_check(struct dp_session *session, const char *path, bool original,
		    struct dp_text_view *result, struct dp_messages *messages)
{
	struct check check = {.session = session, .original = original, .result = result};
	struct dph_elf file;
	bool good;

	*result = (struct dp_text_view){.elf = path};
	dph_elf_open(&file, dph_content_open(path));
	if (file.content == NULL) {
		dph_file_error(messages, path, "cannot be read: %s", dph_content_why(errno));
		return false;
	}
	if (file.elf == NULL || elf_kind(file.elf) != ELF_K_ELF) {
		dph_file_error(messages, path, "not an ELF file; give the firmware's");
		good = false;
	} else {
		good = same_machine(session, file.elf, path, messages) &&
		       dp_session_module(session, 0, &check.image) &&
		       check_image(&check, file.elf, path, messages);
	}
	dph_elf_close(&file);
	return good;
}

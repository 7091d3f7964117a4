/* SPDX-License-Identifier: BSD-2-Clause */
/* The text check compares checksums of the target's code with the sections of the ELF file. */
#define _GNU_SOURCE
#include "text_check.h"

#include "base/diag.h"
#include "tables/registers.h"

#include "dp_crc.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

enum {
	CHUNK = 16384,    /* bytes of one TEXT request */
	WORD = 4,         /* how near a difference is looked for */
	DIFFER_MAX = 256, /* bytes; then it is another image, not a difference */
};

struct check {
	struct dp_session *session;
	struct dp_module_answer image; /* bytes 0: the target does not say */
	bool original;
	struct dp_text_view *result;
};

static uint32_t half(uint32_t bytes)
{
	return (bytes / 2 + WORD - 1) / WORD * WORD;
}

static bool compare(struct check *check, uint64_t address, const uint8_t *expected, uint32_t bytes)
{
	struct dp_text_view *result = check->result;
	uint32_t crc;

	if (!dp_session_text(check->session, address, bytes, check->original, &crc, NULL))
		return false;
	if (crc == dp_crc32(0, expected, bytes) || result->differ >= DIFFER_MAX)
		return true;
	if (bytes <= WORD) {
		if (result->differ == 0)
			result->first = address;
		result->differ += bytes;
		return true;
	}
	return compare(check, address, expected, half(bytes)) &&
	       compare(check, address + half(bytes), expected + half(bytes), bytes - half(bytes));
}

static bool check_section(struct check *check, uint64_t address, const uint8_t *bytes, size_t count)
{
	while (count > 0) {
		uint32_t chunk = count < CHUNK ? (uint32_t)count : CHUNK, crc, sites;

		/* Sites are counted once a chunk, not again while a difference is searched. */
		if (!dp_session_text(check->session, address, chunk, check->original, &crc, &sites))
			return false;
		check->result->sites += sites;
		if (crc != dp_crc32(0, bytes, chunk) && !compare(check, address, bytes, chunk))
			return false;
		check->result->bytes += chunk;
		address += chunk;
		bytes += chunk;
		count -= chunk;
	}
	return true;
}

static bool is_code(const GElf_Shdr *header)
{
	return header->sh_type == SHT_PROGBITS && header->sh_size > 0 &&
	       (header->sh_flags & (SHF_EXECINSTR | SHF_ALLOC)) == (SHF_EXECINSTR | SHF_ALLOC);
}

/* Vectors that run where they were linked lie outside: the agent's port has changed them. */
static bool outside(const struct dp_module_answer *image, const GElf_Shdr *header)
{
	return image->bytes > 0 && (header->sh_addr + header->sh_size <= image->base ||
				    header->sh_addr >= image->base + image->bytes);
}

static bool check_sections(struct check *check, Elf *elf)
{
	for (Elf_Scn *section = elf_nextscn(elf, NULL); section != NULL;
	     section = elf_nextscn(elf, section)) {
		GElf_Shdr header;
		Elf_Data *data;

		if (gelf_getshdr(section, &header) == NULL || !is_code(&header) ||
		    outside(&check->image, &header))
			continue;
		data = elf_rawdata(section, NULL);
		if (data != NULL && data->d_buf != NULL &&
		    !check_section(check, header.sh_addr, data->d_buf, data->d_size))
			return false;
	}
	return true;
}

/* Before a byte is compared: could it be this target's? */
static bool same_machine(const struct dp_session *session, Elf *elf, const char *path,
			 struct dp_messages *messages)
{
	const struct dp_hello_answer *target = dp_session_target(session);
	const struct dph_cpu *cpu = dph_cpu_numbered(target->cpu), *other;
	GElf_Ehdr header;

	if (gelf_getehdr(elf, &header) == NULL) {
		dph_file_error(messages, path, "the ELF file is damaged: %s", elf_errmsg(-1));
		return false;
	}
	other = dph_cpu_of_elf(header.e_machine, header.e_ident[EI_CLASS] == ELFCLASS64 ? 64 : 32);
	if (cpu != NULL && cpu->elf_machine != 0 && cpu->elf_machine != header.e_machine) {
		dph_file_error(
			messages, path, "the file is for %s (e_machine %u), the target is %s",
			other != NULL ? other->name : "another CPU", header.e_machine, cpu->name);
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
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *elf;
	bool good;

	*result = (struct dp_text_view){.elf = path};
	if (fd < 0) {
		dph_file_error(messages, path, "cannot be read: %s", strerror(errno));
		return false;
	}
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf == NULL || elf_kind(elf) != ELF_K_ELF) {
		dph_file_error(messages, path, "not an ELF file; give the firmware's");
		good = false;
	} else {
		good = same_machine(session, elf, path, messages) &&
		       dp_session_module(session, 0, &check.image) && check_sections(&check, elf);
		if (good && result->bytes == 0) {
			dph_file_error(messages, path, "has no code sections");
			good = false;
		}
	}
	elf_end(elf);
	close(fd);
	return good;
}

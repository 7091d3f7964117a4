/* SPDX-License-Identifier: BSD-2-Clause */
/* This file opens ELF files in memory. */
#include "elf_content.h"

#include "base/pool.h"

#include <gelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_compressed(Elf *elf, size_t names, Elf_Scn *section)
{
	GElf_Shdr header;
	if (!gelf_getshdr(section, &header))
		return false;
	const char *name = elf_strptr(elf, names, header.sh_name);
	return (header.sh_flags & SHF_COMPRESSED) != 0 || (name && strncmp(name, ".z", 2) == 0);
}

static bool has_compressed(Elf *elf)
{
	Elf_Scn *section = NULL;
	size_t names = 0;
	if (elf_getshdrstrndx(elf, &names) != 0)
		return false;
	while ((section = elf_nextscn(elf, section)))
		if (is_compressed(elf, names, section))
			return true;
	return false;
}

void dph_elf_open(struct dph_elf *file, struct dph_content *content)
{
	*file = (struct dph_elf){.content = content};
	if (!content)
		return;
	elf_version(EV_CURRENT);
	file->elf = elf_memory(content->data, content->bytes);
	if (!file->elf || elf_kind(file->elf) != ELF_K_ELF || !has_compressed(file->elf))
		return;
	elf_end(file->elf);
	file->own = dph_strndup(content->data, content->bytes);
	file->elf = elf_memory(file->own, content->bytes);
}

void dph_elf_close(struct dph_elf *file)
{
	elf_end(file->elf);
	free(file->own);
	dph_content_close(file->content);
	*file = (struct dph_elf){0};
}

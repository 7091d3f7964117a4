/* SPDX-License-Identifier: BSD-2-Clause */
/* The memory that an image may write, by its sections, and the flags of its CPU. */
#include "image_parts.h"

uint32_t dph_image_flags(const struct dp_image *image)
{
	GElf_Ehdr header;
	return image->elf && gelf_getehdr(image->elf, &header) ? header.e_flags : 0;
}

bool dph_image_ram(const struct dp_image *image, size_t index, struct dph_ram *ram)
{
	Elf_Scn *section = NULL;
	size_t names;
	GElf_Shdr header;
	if (!image->elf || elf_getshdrstrndx(image->elf, &names) != 0)
		return false;
	while ((section = elf_nextscn(image->elf, section))) {
		const uint64_t wanted = SHF_ALLOC | SHF_WRITE;
		if (!gelf_getshdr(section, &header) || (header.sh_flags & wanted) != wanted ||
		    !header.sh_size || index-- > 0)
			continue;
		ram->name = elf_strptr(image->elf, names, header.sh_name);
		ram->address = header.sh_addr + image->moved;
		if (image->word_bits == 32)
			ram->address = (uint32_t)ram->address;
		ram->bytes = header.sh_size;
		ram->filled = header.sh_type != SHT_NOBITS;
		return true;
	}
	return false;
}
